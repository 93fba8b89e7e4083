"""How well the default model reads references of kinds, languages and styles that it was not trained on."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import ibidem
from benchmarks.parsing.kinds.collection import SPLITS, Reference, choose_pairs, read_references, types_of
from benchmarks.records.records import pairs_of
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import model_path, say
from ibidem.metrics.scoring import Report, Score, score_texts
from ibidem.metrics.significance import bootstrap_accuracy
from ibidem.records.fields import IDENTIFIERS
from ibidem.records.record import Record

UNTOUCHED = "IBIDEM_BENCH_UNTOUCHED"
_WHOLE, _SCRIPT, _TYPE, _FOUND = 70.0, 50.0, 90.0, 98.0  # wanted of the untouched half, set before any measurement
_FEW = 20  # references; fewer have no interval
_RARE = 5  # values of a field; fields with fewer have no row


@dataclass(frozen=True, slots=True)
class Scored:
    """References, the report on their entries, and of each whether its type is right."""

    references: tuple[Reference, ...]
    report: Report
    types: tuple[bool, ...]

    @property
    def whole(self) -> tuple[bool, ...]:
        """Of each reference whether the type and every entry are right, and none is spurious."""
        return tuple(exact and right for exact, right in zip(self.report.exact_matches, self.types, strict=True))


def score(references: Sequence[Reference], records: Iterable[Record]) -> Scored:
    """Compare records with those that the references should have."""
    gold, found, types = [], [], []
    for reference, record in zip(references, records, strict=True):
        pairs = pairs_of(record)
        gold.append(choose_pairs(reference, pairs))
        found.append(pairs)
        types.append(record.type in types_of(reference))
    return Scored(tuple(references), score_texts(gold, found), tuple(types))


def split_to_run() -> str:
    """Return the half to score: the one for development unless the environment asks for the other."""
    return SPLITS[os.environ.get(UNTOUCHED) == "1"]


@benchmark(
    "kinds", "Whole records of references of every kind, language and script, written for this and never trained on"
)
def kinds() -> Outcome:
    """Score the records of one half of the collection: whole records, types, fields."""
    split = split_to_run()
    references = read_references(split)
    parser = ibidem.load(model_path())
    scored = score(references, (found.record for found in parser.parse_many(one.text for one in references)))
    rows = list(rows_of(scored))
    for row in rows[:4]:
        say(f"{row.row}: {row.metric} {row.ours:.1f}")
    languages = len({one.language for one in references})
    return f"the {split} half of the collection, {len(references)} references in {languages} languages", rows


def rows_of(scored: Scored) -> Iterator[Result]:
    """Yield the rows: all references, then each script, kind, language and field."""
    everything = f"all, {len(scored.references)} references"
    yield _accuracy(everything, "exact match of records", scored.whole, _WHOLE)
    yield _accuracy(everything, "type accuracy", scored.types, _TYPE)
    yield Result("identifiers found", "recall", None, 100 * _sum(scored.report, IDENTIFIERS).recall, bar=_FOUND)
    yield Result("access dates found", "recall", None, 100 * _sum(scored.report, {"accessed"}).recall, bar=_FOUND)
    yield Result(everything, "field F1", None, 100 * scored.report.micro.f1)
    yield from _by_group(scored, lambda one: one.script, _SCRIPT)
    yield from _by_group(scored, lambda one: one.kind)
    yield from _by_group(scored, lambda one: one.language)
    for field, one in sorted(scored.report.labels.items(), key=lambda item: -item[1].gold):
        if one.gold >= _RARE:
            yield Result(f"{field}, {one.gold}", "precision", None, 100 * one.precision)
            yield Result(f"{field}, {one.gold}", "recall", None, 100 * one.recall)


def _by_group(scored: Scored, group_of: Callable[[Reference], str], bar: float | None = None) -> Iterator[Result]:
    groups: dict[str, list[bool]] = {}
    for reference, right in zip(scored.references, scored.whole, strict=True):
        groups.setdefault(group_of(reference), []).append(right)
    for name, flags in sorted(groups.items(), key=lambda item: -len(item[1])):
        yield _accuracy(f"{name}, {len(flags)}", "exact match of records", flags, bar)


def _accuracy(row: str, metric: str, flags: Collection[bool], bar: float | None) -> Result:
    if len(flags) < _FEW:
        return Result(row, metric, None, 100 * sum(flags) / len(flags), bar=bar)
    found = bootstrap_accuracy(list(flags))
    return Result(row, metric, None, 100 * found.value, 100 * found.low, 100 * found.high, bar=bar)


def _sum(report: Report, fields: Collection[str]) -> Score:
    return sum((one for field, one in report.labels.items() if field in fields), Score())
