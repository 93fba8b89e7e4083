"""Synthetic training data: a model of eLife's references alone beside one trained on rendered records too."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import say
from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.metrics.scoring import Report
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.evaluation import evaluate_examples, examples_of
from ibidem.models.parser import Parser
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import CRFConfig, Trainer, complete_labels, labels_seen, training_set
from ibidem.records.normalise.journals import TABLE
from ibidem.records.record import Record
from ibidem.synthesis import PRESETS, Plan, find_styles, keep_bibliographies, synthesise
from ibidem.synthesis.sources import records_of
from ibidem.synthesis.synthesiser import sample_records
from ibidem.types import Example

# Share of each set of records in the synthetic strings (`IBIDEM_BENCH_STRINGS`, by default 200,000).
_SHARES = {"bibliographies": 0.5, "dblp": 0.2, "medline": 0.3}
_SEED = 1
_REAL = 20_000  # strings of eLife, which both models are trained on
_SCORED = 4_000  # strings of a dev split at most
_SETS = ("elife", "grobid-citation", "anystyle", "giant", "linkedbooks")
_EXCLUDED = (
    *((name, split) for name in ("grobid-citation", "anystyle", "giant") for split in ("dev", "test")),
    ("linkedbooks", "dev"),
    ("umass-nested", "test"),
    ("parscit", "test"),
    ("hosemicrf", "test"),
    ("excite", "de"),
    ("excite", "en"),
)
# The settings of the default model, with fewer epochs; none was chosen by these results.
_CONFIG = CRFConfig(
    min_count=5,
    context_min_count=10,
    optimiser="adagrad",
    label_history=("title", "journal", "book", "series", "volume"),
    feature_dropout=0.3,
    learning_rate=0.08,
    epochs=3,
    l1=1.0,
)


@dataclass(frozen=True, slots=True)
class _Scores:
    fields: Report
    parts: Report


@benchmark(
    "synthesis",
    "Exact match after training on eLife alone, and on eLife and 200,000 synthetic strings",
    reference="the model trained on eLife alone, measured in the same run",
)
def synthesis() -> Outcome:
    """Score the dev split of each open set by models trained with and without synthetic strings."""
    count = int(os.environ.get("IBIDEM_BENCH_STRINGS", "200000"))
    elife = registry.dataset("elife")
    real, dev, test = _read_elife()
    dev_sets = {name: examples_of(name, "dev", _SCORED) for name in _SETS if name != "elife"}
    dev_sets["elife"] = [elife.map_labels(example) for example in dev[:: max(1, len(dev) // _SCORED)][:_SCORED]]
    blocked = Blocklist.from_examples([*dev, *test])
    for name, split in _EXCLUDED:
        for item in registry.load(name, split):
            blocked.add(item.text if isinstance(item, Example) else "")
    real = [elife.map_labels(example) for example in real if not blocked.contains(example.text)]
    made = [example for example in _synthetic(count) if not blocked.contains(example.text)]
    say(f"{len(real):,} strings of eLife; {len(made):,} of {count:,} synthetic strings are in no test set")
    without = _scores(real, dev_sets, "without")
    with_them = _scores([*real, *made], dev_sets, "with")
    rows = [row for name in _SETS for row in _rows(name, without[name], with_them[name], len(dev_sets[name]))]
    data = (
        f"{len(real):,} strings of eLife; reference: trained on them alone, ours: on them and {len(made):,} synthetic "
        f"strings; dev splits, at most {_SCORED:,} strings each"
    )
    return data, rows


def _read_elife() -> tuple[list[Example], list[Example], list[Example]]:
    """Return a sample of eLife's training strings, all dev and all test strings, in one pass over the large set.

    Up to half of the training sample is of other types than articles, as for the default model.
    """
    data = registry.dataset("elife")
    assert data.split_rule is not None
    parts: dict[str, list[Example]] = {"train": [], "rare": [], "dev": [], "test": []}
    strings = (item for item in registry.load("elife") if isinstance(item, Example))
    for number, item in enumerate(strings):
        split = data.split_rule.choose(number, item)
        rare = split == "train" and not item.source.endswith(":journal")
        if split != "train" or rare or number % 10 == 0:
            parts["rare" if rare else split].append(item)
    rare_ones = parts["rare"][:: max(1, len(parts["rare"]) * 2 // _REAL)][: _REAL // 2]
    rest = _REAL - len(rare_ones)
    usual = parts["train"][:: max(1, len(parts["train"]) // rest)][:rest]
    return [*rare_ones, *usual], parts["dev"], parts["test"]


def _synthetic(count: int) -> Iterable[Example]:
    for name, share in _SHARES.items():
        wanted = round(count * share)
        yield from render(name, wanted, ("all",), ("own", "own", "own", "any"))
        say(f"{wanted:,} strings of {name}")


def render(name: str, count: int, styles: Sequence[str], locales: tuple[str, ...] = ("own",)) -> Iterator[Example]:
    """Return `count` labelled strings of the records of a public set, with light noise and journals abbreviated."""
    return render_records(sample_records(records_of(name), count, _SEED), count, styles, locales)


def render_records(
    records: Sequence[Record], count: int, styles: Sequence[str], locales: tuple[str, ...] = ("own",)
) -> Iterator[Example]:
    """Return `count` labelled strings of records, with light noise and journals abbreviated."""
    journals = registry.data_folder() / TABLE
    plan = Plan(keep_bibliographies(find_styles(styles))[0], locales, PRESETS["light"], _SEED, journals)
    return synthesise(records, count, plan)


def _scores(examples: list[Example], dev_sets: dict[str, list[Example]], what: str) -> dict[str, _Scores]:
    labels = complete_labels(labels_seen(examples, 20))
    trainer = Trainer.prepare(
        training_set(((example, False) for example in examples), labels), default_lexicons(), _CONFIG
    )
    say(f"{what}: {len(examples):,} strings, {len(labels)} labels, {trainer.skipped} skipped")

    def report(step: int, value: float, _: object) -> bool:
        say(f"  {what}, epoch {step}: objective {value:,.0f}")
        return False

    parser = Parser(trainer.model(trainer.run(report)))
    return {
        name: _Scores(evaluate_examples(parser, strings), evaluate_examples(parser, strings, deep=True))
        for name, strings in dev_sets.items()
    }


def _rows(name: str, without: _Scores, with_them: _Scores, count: int) -> list[Result]:
    whole = bootstrap_accuracy(with_them.fields.exact_match_array())
    fields = bootstrap_f1(with_them.fields.count_array())
    row = f"{name} dev, {count:,} strings"
    rows = [
        Result(
            row,
            "exact match",
            100 * without.fields.accuracy,
            *(100 * x for x in (whole.value, whole.low, whole.high)),
        ),
        Result(
            row, "field F1", 100 * without.fields.micro.f1, *(100 * x for x in (fields.value, fields.low, fields.high))
        ),
        Result(row, "exact match with parts", 100 * without.parts.accuracy, 100 * with_them.parts.accuracy),
    ]
    changes = [
        (label, score.f1 - without.fields.labels[label].f1)
        for label, score in with_them.fields.labels.items()
        if score.gold >= 50 and label in without.fields.labels
    ]
    changes.sort(key=lambda pair: pair[1])
    for label, _ in dict.fromkeys([*changes[-3:][::-1], *changes[:3]]):
        before, after = without.fields.labels[label].f1, with_them.fields.labels[label].f1
        rows.append(Result(f"{name} dev, {label}", "field F1", 100 * before, 100 * after))
    return rows
