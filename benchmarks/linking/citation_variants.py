"""Records as they are cited: a work several times, each time with other fields, other forms of names and other slips.

How often a work is cited follows a power law: most once, a few very often. Identifiers are left out, since with them
there is nothing to find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from ibidem.records.record import Date, Entry, Name, Record
from ibidem.synthesis.noise import Noise, disturbed, thinned
from ibidem.types import Example

_EXPONENT = 3.0  # of the law that citations follow; the mean is then 1.6
_MOST = 300  # citations of a work
_WITHOUT = frozenset({"doi", "pmid", "pmcid", "arxiv", "url", "isbn", "issn"})
_INITIALS, _CUT_SHORT, _SHORT_NAMES, _WRONG_YEAR = 0.6, 0.2, 0.5, 0.01  # shares of the citations
_NAMED = (1, 3, 6)  # authors that are left before "et al."


def cited(records: Iterable[Record], noise: Noise, seed: int = 1) -> Iterator[Record]:
    """Citations of the records, those of a work one after the other; the key of each is the number of its work."""
    chance = Random(f"cited:{seed}")
    for number, record in enumerate(records, 1):
        for _ in range(_times(chance)):
            yield replace(variant(record, noise, chance), key=str(number))


def _times(chance: Random) -> int:
    """How often a work is cited: P(n or more) = n ** (1 - exponent)."""
    return min(_MOST, int((1.0 - chance.random()) ** (1.0 / (1.0 - _EXPONENT))))


def variant(record: Record, noise: Noise, chance: Random) -> Record:
    """The record as someone cites it."""
    initials, short = chance.random() < _INITIALS, chance.random() < _SHORT_NAMES
    most = chance.choice(_NAMED) if chance.random() < _CUT_SHORT else None
    wrong = chance.choice((-1, 1)) if chance.random() < _WRONG_YEAR else 0
    entries: list[Entry] = []
    authors = 0
    for entry in thinned(record, noise, chance).entries:
        if entry.field in _WITHOUT:
            continue
        if entry.field == "author":
            authors += 1
            if most is not None and authors > most:
                if authors == most + 1:
                    entries.append(Entry("author-etal", "et al."))
                continue
        entries.append(_changed(entry, noise, chance, initials, short, wrong))
    return Record(record.type, tuple(entries))


def _changed(entry: Entry, noise: Noise, chance: Random, initials: bool, short: bool, wrong: int) -> Entry:
    value = entry.value
    if isinstance(value, Name):
        given = " ".join(f"{part[0]}." for part in value.given.split()) if initials else value.given
        return replace(entry, value=replace(value, given=given, family=_slipped(value.family, noise, chance)))
    if isinstance(value, Date) and wrong and value.year is not None:
        return replace(entry, value=Date(value.year + wrong))
    if isinstance(value, str):
        text = _shortened(value) if short and entry.field == "container" else value
        return replace(entry, value=_slipped(text, noise, chance))
    return entry


def _slipped(text: str, noise: Noise, chance: Random) -> str:
    """The text with slips of typing and reading."""
    return disturbed(Example(text, (), ""), noise, chance).text if text.strip() else text


def _shortened(name: str) -> str:
    """The name of a journal as someone may shorten it: long words cut, small ones left out."""
    words = [word if len(word) < 6 else f"{word[:4]}." for word in name.split() if len(word) > 3]
    return " ".join(words) if len(words) > 1 else name
