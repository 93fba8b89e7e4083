"""The canonical record of a work: for each field the value with the most support among its citations.

Each citation supports its value with its confidence; values that differ only in style are one. The chosen value is
always that of some citation, and `sources` says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ibidem.faults import describe_fault, trip
from ibidem.linking.comparison import plain, text_of
from ibidem.records.fields import FIELDS
from ibidem.records.record import Entry, Name, Record

_NOT_OF_A_WORK = frozenset({"marker"})
_ALWAYS = frozenset({"doi", "arxiv", "pmid", "pmcid", "isbn", "issn"})
_MIN_SUPPORT = 0.1  # a field with less support per citation is an error rather than part of the work

Key = tuple[str, ...]
Values = tuple[Entry, ...]
"""All entries of one field of one citation, in order."""


@dataclass(slots=True)
class _Choice:
    """A value of a field: its total support, and the citations that have it."""

    support: float
    citations: list[tuple[int, Values]]


def merge_records(records: Sequence[Record]) -> tuple[Record, tuple[int, ...]]:
    """Return what `canonical` does; where that fails, a record without entries that says why."""
    try:
        for record in records:
            trip("canonical", record.origin.text if record.origin else "")
        return canonical(records)
    except Exception as error:
        return Record(confidence=0.0, warnings=(describe_fault(error, "merging the records of a work"),)), ()


def canonical(records: Sequence[Record]) -> tuple[Record, tuple[int, ...]]:
    """Return the record of the work that all `records` cite, and the index of the record that each entry is from.

    >>> one, other = (Record("book", (Entry("title", t, confidence=c),)) for t, c in (("Reeds", 0.9), ("Reds", 0.6)))
    >>> record, sources = canonical([one, other, other])
    >>> record.first("title"), sources
    ('Reds', (1,))
    """
    entries: list[Entry] = []
    sources: list[int] = []
    for field in FIELDS:
        if field in _NOT_OF_A_WORK:
            continue
        for place, entry in _choose(field, records):
            entries.append(entry)
            sources.append(place)
    kind, confidence = _choose_type(records)
    keys = {record.key for record in records}
    return Record(kind, tuple(entries), confidence, keys.pop() if len(keys) == 1 else ""), tuple(sources)


def _choose(field: str, records: Sequence[Record]) -> list[tuple[int, Entry]]:
    """Return the entries of one field, each with the index of its record."""
    choices: dict[Key, _Choice] = {}
    every = [tuple(entry for entry in record.entries if entry.field == field) for record in records]
    there = [(place, values) for place, values in enumerate(every) if values]
    # a list of authors that ends in "et al." gives way to a complete one
    closed = [(place, values) for place, values in there if records[place].first(f"{field}-etal") is None]
    for place, values in closed or there:
        choice = choices.setdefault(_key(values), _Choice(0.0, []))
        choice.support += sum(entry.confidence for entry in values) / len(values)
        choice.citations.append((place, values))
    if not choices:
        return []
    all_support = sum(choice.support for choice in choices.values())
    if all_support < _MIN_SUPPORT * len(records) and field not in _ALWAYS:
        return []
    best = min(choices.items(), key=lambda item: (-item[1].support, -sum(map(len, item[0])), item[0]))[1]
    place, values = min(best.citations, key=lambda one: (-_length_in_full(one[1]), [entry.raw for entry in one[1]]))
    share = best.support / sum(len(choice.citations) for choice in choices.values())
    return [(place, replace(entry, confidence=min(1.0, share))) for entry in values]


def _key(values: Values) -> Key:
    """Return what does not depend on style: of names only the families."""
    return tuple(
        plain(entry.value.family or entry.value.literal) if isinstance(entry.value, Name) else
        plain(text_of(entry.value)) for entry in values
    )  # fmt: skip


def _length_in_full(values: Values) -> int:
    """Return the number of characters: full given names are preferred to initials."""
    return sum(len(text_of(entry.value)) for entry in values)


def _choose_type(records: Sequence[Record]) -> tuple[str, float]:
    """Return the type with the most support, and its share."""
    support: dict[str, float] = {}
    for record in records:
        support[record.type] = support.get(record.type, 0.0) + record.confidence
    best = min(support, key=lambda kind: (-support[kind], kind))
    return best, min(1.0, support[best] / len(records))
