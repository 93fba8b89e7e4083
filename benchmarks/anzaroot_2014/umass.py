"""UMass citation field extraction, flat and nested: trained on its training strings alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import Predictions, predict, train_parser, truth_of
from benchmarks.support.timing import say
from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.metrics.scoring import Report, score_spans
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.parser import Parser
from ibidem.models.penalties import PenaltyConfig, fit_constraints
from ibidem.models.training import CRFConfig
from ibidem.types import Example, Span

# Chosen on the development strings. Span F1 there on flat: L-BFGS with l2 0.5 and no label history 94.0; AdaGrad
# without feature dropout 93.5, with 0.5 93.8, with 0.7 94.2; with label history 94.6 to 94.8 over three seeds; a window
# of seven 94.4; author lists wrapped in a field of their own 94.7.
FLAT = CRFConfig(
    optimiser="adagrad",
    epochs=30,
    batch=16,
    learning_rate=0.04,
    feature_dropout=0.75,
    min_count=1,
    context_min_count=1,
    label_history=("title", "journal", "booktitle", "series", "volume", "note", "publisher", "type"),
)
NESTED = replace(
    FLAT,
    epochs=24,
    feature_dropout=0.7,
    label_history=(
        "title",
        *(f"venue/{name}" for name in ("journal", "booktitle", "series", "volume", "publisher", "tech")),
    ),
)

# Of constraints, chosen on the development strings of the nested set; see `soft-constraints`.
PENALTIES = PenaltyConfig(importance=1.5, passes=10, learning_rate=0.1)


def examples_of(name: str, split: str) -> list[Example]:
    """Return the examples of a split, without what is malformed."""
    return [item for item in registry.load(name, split) if isinstance(item, Example)]


def score_rows(name: str, report: Report, reference: float | None, metric: str = "span F1") -> Iterator[Result]:
    """Yield exact match and F1 over spans, or over what the metric counts, with their intervals."""
    whole, fields = bootstrap_accuracy(report.exact_match_array()), bootstrap_f1(report.count_array())
    yield Result(name, "exact match", None, *(100 * x for x in (whole.value, whole.low, whole.high)))
    yield Result(name, metric, reference, *(100 * x for x in (fields.value, fields.low, fields.high)))


def unseen_of(test: Sequence[Example], train: Sequence[Example]) -> list[bool]:
    """Return which test strings have no duplicate or near-duplicate among the training strings."""
    seen = Blocklist.from_examples(train)
    return [not seen.contains(example.text) for example in test]


def part_of(predictions: Predictions, chosen: Sequence[bool]) -> Predictions:
    """Return the predictions for the chosen strings alone."""

    def keep(spans: Sequence[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
        return tuple(each for each, wanted in zip(spans, chosen, strict=True) if wanted)

    return Predictions(keep(predictions.gold), keep(predictions.predicted))


@benchmark("umass-flat", "Span F1 on flat UMass, trained on its training strings alone")
def umass_flat() -> Outcome:
    """Score the flat set: trained on train, and on train and dev; the test strings are scored once."""
    train, dev, test = (examples_of("umass-flat", split) for split in ("train", "dev", "test"))
    rows: list[Result] = []
    for name, data in (("train", train), ("train + dev", train + dev)):
        parser = train_parser(data, FLAT, say)
        if name == "train":
            rows += score_rows("train, on dev", score(predict(parser, dev)), None)
        found = predict(parser, test)
        rows += score_rows(f"{name}, on test", score(found), None)
        if name == "train":
            rows += score_rows("train, soft constraints fitted on dev, on test", _constrained(parser, dev, test), None)
        unseen = unseen_of(test, train + dev)
        rows += score_rows(
            f"{name}, on {sum(unseen)} test strings not in train or dev", score(part_of(found, unseen)), None
        )
    return "UMass flat: 1454 / 651 / 367 strings", rows


def _constrained(parser: Parser, dev: Sequence[Example], test: Sequence[Example]) -> Report:
    """Return the scores on test under constraints whose penalties were fitted on dev."""
    fitted = fit_constraints([truth_of(parser, dev)], replace(PENALTIES, method="averaged"))
    return score(predict(Parser(replace(parser.model, constraints=fitted.by_text)), test))


@benchmark(
    "umass-nested",
    "Field F1 on nested UMass over segments at all levels (Anzaroot 2014 baseline: 94.44)",
    reference="Anzaroot et al. 2014, Table 1 (page 598), on the same strings",
)
def umass_nested() -> Outcome:
    """Score the nested set at all levels, leaves and top level: trained on train, and on train and dev."""
    train, dev, test = (examples_of("umass-nested", split) for split in ("train", "dev", "test"))
    rows: list[Result] = []
    for name, data in (("train", train), ("train + dev", train + dev)):
        parser = train_parser(data, NESTED, say)
        if name == "train":
            rows += score_rows("train, on dev, all levels", score(predict(parser, dev)), None)
        found = predict(parser, test)
        rows += score_rows(f"{name}, all levels", score(found), 94.44)
        rows += score_rows(f"{name}, leaves", score(_levels(found, top=False)), None)
        rows += score_rows(f"{name}, top level", score(_levels(found, top=True)), None)
        unseen = unseen_of(test, train + dev)
        part = score(part_of(found, unseen))
        rows += score_rows(f"{name}, all levels, {sum(unseen)} strings not in train or dev", part, None)
    return "UMass nested: 1457 / 660 / 367 strings", rows


def score(predictions: Predictions) -> Report:
    """Return the exact span scores of predictions."""
    return score_spans(predictions.gold, predictions.predicted)


def _levels(predictions: Predictions, top: bool) -> Predictions:
    def leaf(span: Span, spans: Sequence[Span]) -> bool:
        return not any(
            other.label.startswith(span.label + "/") and span.start <= other.start and other.end <= span.end
            for other in spans
        )

    def keep(spans: tuple[Span, ...]) -> tuple[Span, ...]:
        return tuple(span for span in spans if ("/" not in span.label if top else leaf(span, spans)))

    return Predictions(tuple(map(keep, predictions.gold)), tuple(map(keep, predictions.predicted)))
