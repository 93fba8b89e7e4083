"""Synthetic strings in training: a model of eLife's references alone beside one that has seen rendered records too."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.timing import say
from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.labels.label_mapping import unify
from ibidem.metrics.scoring import Report
from ibidem.metrics.significance import accuracy_interval, f1_interval
from ibidem.models.evaluation import evaluate_examples, examples_of
from ibidem.models.parser import Parser
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import CRFConfig, Trainer, complete_labels, labels_seen, training_set
from ibidem.records.normalise.journals import TABLE
from ibidem.records.record import Record
from ibidem.synthesis import PRESETS, Plan, chosen, drawn, synthesise, usable
from ibidem.synthesis.sources import records_of
from ibidem.types import Example

# As many strings as `IBIDEM_BENCH_STRINGS` says, else 200,000: so much of each set of records.
_SHARES = {"bibliographies": 0.5, "dblp": 0.2, "medline": 0.3}
_SEED = 1  # of what is drawn
_REAL = 20_000  # strings of eLife, which both models are trained on
_SCORED = 4_000  # strings of a dev split at most
_SETS = ("elife", "grobid-citation", "anystyle", "giant", "linkedbooks")
_KEPT_OUT = (
    *((name, split) for name in ("grobid-citation", "anystyle", "giant") for split in ("dev", "test")),
    ("linkedbooks", "dev"),
    ("umass-nested", "test"),
    ("parscit", "test"),
    ("hosemicrf", "test"),
    ("excite", "de"),
    ("excite", "en"),
)
# The settings of the model that ships, with fewer passes; none was chosen by looking at these figures.
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
    whole: Report
    deep: Report


@benchmark(
    "synthesis", "Whole references right after training on eLife alone, and on eLife and 200,000 synthetic strings"
)
def synthesis() -> Outcome:
    """The figures on the dev split of each open set: the model with synthetic strings beside the one without."""
    count = int(os.environ.get("IBIDEM_BENCH_STRINGS", "200000"))
    real, dev, test = _read_elife()
    held_out = {name: examples_of(name, "dev", _SCORED) for name in _SETS if name != "elife"}
    held_out["elife"] = [unify(example, "elife") for example in dev[:: max(1, len(dev) // _SCORED)][:_SCORED]]
    blocked = Blocklist.from_examples([*dev, *test])
    for name, split in _KEPT_OUT:
        for item in registry.load(name, split):
            blocked.add(item.text if isinstance(item, Example) else "")
    real = [unify(example, "elife") for example in real if not blocked.contains(example.text)]
    made = [example for example in _synthetic(count) if not blocked.contains(example.text)]
    say(f"{len(real):,} strings of eLife; {len(made):,} of {count:,} synthetic strings are in no test set")
    without = _scores(real, held_out, "without")
    with_them = _scores([*real, *made], held_out, "with")
    rows = [row for name in _SETS for row in _rows(name, without[name], with_them[name], len(held_out[name]))]
    data = (
        f"{len(real):,} strings of eLife; reference: trained on them alone, ours: on them and {len(made):,} synthetic "
        f"strings; dev splits, at most {_SCORED:,} strings each"
    )
    return data, rows


def _read_elife() -> tuple[list[Example], list[Example], list[Example]]:
    """A sample of eLife's training strings, then all dev and all test strings; one pass, for the set is large.

    Of the training strings all kinds but articles are taken up to a half, as for the model that ships.
    """
    data = registry.dataset("elife")
    assert data.choose is not None
    parts: dict[str, list[Example]] = {"train": [], "rare": [], "dev": [], "test": []}
    strings = (item for item in registry.load("elife") if isinstance(item, Example))
    for number, item in enumerate(strings):
        split = data.choose(number, item)
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
        yield from rendered(name, wanted, ("all",), ("own", "own", "own", "any"))
        say(f"{wanted:,} strings of {name}")


def rendered(name: str, count: int, styles: Sequence[str], locales: tuple[str, ...] = ("own",)) -> Iterator[Example]:
    """So many labelled strings of the records of a public set, with light noise and journals abbreviated."""
    return in_styles(drawn(records_of(name), count, _SEED), count, styles, locales)


def in_styles(
    records: Sequence[Record], count: int, styles: Sequence[str], locales: tuple[str, ...] = ("own",)
) -> Iterator[Example]:
    """So many labelled strings of records, with light noise and journals abbreviated."""
    journals = registry.data_folder() / TABLE
    plan = Plan(usable(chosen(styles))[0], locales, PRESETS["light"], _SEED, journals)
    return synthesise(records, count, plan)


def _scores(examples: list[Example], held_out: dict[str, list[Example]], what: str) -> dict[str, _Scores]:
    labels = complete_labels(labels_seen(examples, 20))
    trainer = Trainer.prepare(
        training_set(((example, False) for example in examples), labels), default_lexicons(), _CONFIG
    )
    say(f"{what}: {len(examples):,} strings, {len(labels)} labels, {trainer.skipped} fit no path")

    def report(step: int, value: float, _: object) -> bool:
        say(f"  {what}, pass {step}: objective {value:,.0f}")
        return False

    parser = Parser(trainer.model(trainer.run(report)))
    return {
        name: _Scores(evaluate_examples(parser, strings), evaluate_examples(parser, strings, deep=True))
        for name, strings in held_out.items()
    }


def _rows(name: str, without: _Scores, with_them: _Scores, count: int) -> list[Result]:
    whole = accuracy_interval(with_them.whole.whole_array())
    fields = f1_interval(with_them.whole.count_array())
    row = f"{name} dev, {count:,} strings"
    rows = [
        Result(
            row,
            "whole reference",
            100 * without.whole.accuracy,
            *(100 * x for x in (whole.value, whole.low, whole.high)),
        ),
        Result(
            row, "field F1", 100 * without.whole.micro.f1, *(100 * x for x in (fields.value, fields.low, fields.high))
        ),
        Result(row, "whole reference with parts", 100 * without.deep.accuracy, 100 * with_them.deep.accuracy),
    ]
    changes = [
        (label, score.f1 - without.whole.labels[label].f1)
        for label, score in with_them.whole.labels.items()
        if score.true >= 50 and label in without.whole.labels
    ]
    changes.sort(key=lambda pair: pair[1])
    for label, _ in dict.fromkeys([*changes[-3:][::-1], *changes[:3]]):
        before, after = without.whole.labels[label].f1, with_them.whole.labels[label].f1
        rows.append(Result(f"{name} dev, {label}", "field F1", 100 * before, 100 * after))
    return rows
