"""UMass citation field extraction, flat and nested: trained on its training strings alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.experiments import Trial, parser_of, truth_of, try_out
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.timing import say
from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.metrics.scoring import Report, score_spans
from ibidem.metrics.significance import accuracy_interval, f1_interval
from ibidem.models.parser import Parser
from ibidem.models.penalties import PenaltyConfig, fit_constraints
from ibidem.models.training import CRFConfig
from ibidem.types import Example, Span

# Chosen on the development strings. Tried there, span F1 on flat: L-BFGS with l2 0.5 and no milestones 94.0; AdaGrad
# without noise 93.5, with noise 0.5 93.8, 0.7 94.2; with milestones 94.6 to 94.8 over three seeds; a window of seven
# 94.4; author lists wrapped in a field of their own 94.7.
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
    """The examples of a split, without what is malformed."""
    return [item for item in registry.load(name, split) if isinstance(item, Example)]


def score_rows(name: str, report: Report, reference: float | None, metric: str = "span F1") -> Iterator[Result]:
    """Whole references and spans, or what the metric counts, with their intervals."""
    whole, fields = accuracy_interval(report.whole_array()), f1_interval(report.count_array())
    yield Result(name, "whole reference", None, *(100 * x for x in (whole.value, whole.low, whole.high)))
    yield Result(name, metric, reference, *(100 * x for x in (fields.value, fields.low, fields.high)))


def unseen_of(test: Sequence[Example], train: Sequence[Example]) -> list[bool]:
    """Which test strings are not, or nearly, among the training strings too."""
    seen = Blocklist.from_examples(train)
    return [not seen.contains(example.text) for example in test]


def part_of(trial: Trial, chosen: Sequence[bool]) -> Trial:
    """The trial of the chosen strings alone."""

    def keep(spans: Sequence[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
        return tuple(each for each, wanted in zip(spans, chosen, strict=True) if wanted)

    return Trial(keep(trial.gold), keep(trial.predicted))


@benchmark("umass-flat", "Span F1 on flat UMass, trained on its training strings alone (Thai et al. 2020: 96.3)")
def umass_flat() -> Outcome:
    """The figures of the flat set: train only, and train with dev; the test strings are looked at once."""
    train, dev, test = (examples_of("umass-flat", split) for split in ("train", "dev", "test"))
    rows: list[Result] = []
    for name, data in (("train", train), ("train + dev", train + dev)):
        parser = parser_of(data, FLAT, say)
        if name == "train":
            rows += score_rows("train, on dev", score(try_out(parser, dev)), None)
        trial = try_out(parser, test)
        rows += score_rows(f"{name}, on test", score(trial), 92.9 if name == "train" else None)
        if name == "train":
            rows += score_rows("train, soft constraints learnt on dev, on test", _limited(parser, dev, test), None)
        unseen = unseen_of(test, train + dev)
        rows += score_rows(
            f"{name}, on {sum(unseen)} test strings not in train or dev", score(part_of(trial, unseen)), None
        )
    return "UMass flat: 1454 / 651 / 367 strings; reference: a plain CRF with the usual features", rows


def _limited(parser: Parser, dev: Sequence[Example], test: Sequence[Example]) -> Report:
    """The scores on test under constraints whose penalties were learnt on dev."""
    learnt = fit_constraints([truth_of(parser, dev)], PENALTIES)
    return score(try_out(Parser(replace(parser.model, constraints=learnt.by_text)), test))


@benchmark("umass-nested", "Field F1 on nested UMass over segments at all levels (Anzaroot 2014 baseline: 94.44)")
def umass_nested() -> Outcome:
    """The figures of the nested set: all levels, leaves, top level; train only, and train with dev."""
    train, dev, test = (examples_of("umass-nested", split) for split in ("train", "dev", "test"))
    rows: list[Result] = []
    for name, data in (("train", train), ("train + dev", train + dev)):
        parser = parser_of(data, NESTED, say)
        if name == "train":
            rows += score_rows("train, on dev, all levels", score(try_out(parser, dev)), None)
        trial = try_out(parser, test)
        rows += score_rows(f"{name}, all levels", score(trial), 94.44)
        rows += score_rows(f"{name}, leaves", score(_levels(trial, top=False)), None)
        rows += score_rows(f"{name}, top level", score(_levels(trial, top=True)), None)
        unseen = unseen_of(test, train + dev)
        part = score(part_of(trial, unseen))
        rows += score_rows(f"{name}, all levels, {sum(unseen)} strings not in train or dev", part, None)
    return "UMass nested: 1457 / 660 / 367 strings; reference: the chain CRF of Anzaroot 2014", rows


def score(trial: Trial) -> Report:
    """The exact span scores of a trial."""
    return score_spans(trial.gold, trial.predicted)


def _levels(trial: Trial, top: bool) -> Trial:
    def leaf(span: Span, spans: Sequence[Span]) -> bool:
        return not any(
            other.label.startswith(span.label + "/") and span.start <= other.start and other.end <= span.end
            for other in spans
        )

    def keep(spans: tuple[Span, ...]) -> tuple[Span, ...]:
        return tuple(span for span in spans if ("/" not in span.label if top else leaf(span, spans)))

    return Trial(tuple(map(keep, trial.gold)), tuple(map(keep, trial.predicted)))
