"""The record of a work from the records of its citations: field by field the value that most of them have.

A value is supported by the confidence with which each citation has it; values that differ only in writing are one. What
is chosen is always what some citation says, and `sources` says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ibidem.linking.comparison import plain, written_of
from ibidem.records.fields import FIELDS
from ibidem.records.record import Entry, Name, Record

_NOT_OF_THE_WORK = frozenset({"marker"})
_ALWAYS = frozenset({"doi", "arxiv", "pmid", "pmcid", "isbn", "issn"})
_SELDOM = 0.1  # a field that fewer citations have, by confidence, is a slip rather than part of the work

Key = tuple[str, ...]
Values = tuple[Entry, ...]
"""All entries of one field of one citation, in their order."""


@dataclass(slots=True)
class _Choice:
    """A value of a field: who says so, and how surely all of them together."""

    support: float
    said: list[tuple[int, Values]]


def canonical(records: Sequence[Record]) -> tuple[Record, tuple[int, ...]]:
    """The record of the work that all `records` mean, and the place of the record that each entry is from.

    >>> one, other = (Record("book", (Entry("title", t, confidence=c),)) for t, c in (("Reeds", 0.9), ("Reds", 0.6)))
    >>> record, sources = canonical([one, other, other])
    >>> record.first("title"), sources
    ('Reds', (1,))
    """
    entries: list[Entry] = []
    sources: list[int] = []
    for field in FIELDS:
        if field in _NOT_OF_THE_WORK:
            continue
        for place, entry in _chosen(field, records):
            entries.append(entry)
            sources.append(place)
    kind, chance = _kind(records)
    keys = {record.key for record in records}
    return Record(kind, tuple(entries), chance, keys.pop() if len(keys) == 1 else ""), tuple(sources)


def _chosen(field: str, records: Sequence[Record]) -> list[tuple[int, Entry]]:
    """The entries of one field, each with the place of its record."""
    choices: dict[Key, _Choice] = {}
    every = [(place, _values(field, record)) for place, record in enumerate(records)]
    there = [(place, values) for place, values in every if values]
    # A list that goes on ("et al.") says less than one that does not.
    closed = [(place, values) for place, values in there if records[place].first(f"{field}-etal") is None]
    for place, values in closed or there:
        choice = choices.setdefault(_key(values), _Choice(0.0, []))
        choice.support += _sure(values)
        choice.said.append((place, values))
    if not choices:
        return []
    all_support = sum(choice.support for choice in choices.values())
    if all_support < _SELDOM * len(records) and field not in _ALWAYS:
        return []
    best = min(choices.items(), key=lambda item: (-item[1].support, -_length(item[0]), item[0]))[1]
    place, values = min(best.said, key=lambda said: (-_written(said[1]), [entry.raw for entry in said[1]]))
    share = best.support / sum(len(choice.said) for choice in choices.values())
    return [(place, replace(entry, confidence=min(1.0, share))) for entry in values]


def _values(field: str, record: Record) -> Values:
    return tuple(entry for entry in record.entries if entry.field == field)


def _key(values: Values) -> Key:
    """What is the same however it is written: of names the families alone."""
    return tuple(
        plain(entry.value.family or entry.value.literal) if isinstance(entry.value, Name) else
        plain(written_of(entry.value)) for entry in values
    )  # fmt: skip


def _sure(values: Values) -> float:
    return sum(entry.confidence for entry in values) / len(values)


def _length(key: Key) -> int:
    return sum(map(len, key))


def _written(values: Values) -> int:
    """How much is written out: whole given names are worth more than initials."""
    return sum(len(written_of(entry.value)) for entry in values)


def _kind(records: Sequence[Record]) -> tuple[str, float]:
    """The type with the most support, and its share."""
    support: dict[str, float] = {}
    for record in records:
        support[record.type] = support.get(record.type, 0.0) + record.confidence
    best = min(support, key=lambda kind: (-support[kind], kind))
    return best, min(1.0, support[best] / len(records))
