"""Variants of records as people cite them: several per work, with other fields, name forms and typing errors.

The number of citations of a work follows a power law: most have one, a few very many. Identifiers are left out, since
they would make linking trivial.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from ibidem.records.record import Date, Entry, Name, Record
from ibidem.synthesis.noise import Noise, add_noise, drop_fields
from ibidem.types import Example

_EXPONENT = 3.0  # of the law that citations follow; the mean is then 1.6
_MOST = 300  # citations of a work
_WITHOUT = frozenset({"doi", "pmid", "pmcid", "arxiv", "url", "isbn", "issn"})
_INITIALS, _CUT_SHORT, _SHORT_NAMES, _WRONG_YEAR = 0.6, 0.2, 0.5, 0.01  # shares of the citations
_NAMED = (1, 3, 6)  # authors that are left before "et al."


def cite(records: Iterable[Record], noise: Noise, seed: int = 1) -> Iterator[Record]:
    """Yield citations of the records, those of a work in a row; the key of each is the number of its work."""
    generator = Random(f"cited:{seed}")
    for number, record in enumerate(records, 1):
        for _ in range(_draw_count(generator)):
            yield replace(vary(record, noise, generator), key=str(number))


def _draw_count(generator: Random) -> int:
    """Draw the number of citations of a work: P(n or more) = n ** (1 - exponent)."""
    return min(_MOST, int((1.0 - generator.random()) ** (1.0 / (1.0 - _EXPONENT))))


def vary(record: Record, noise: Noise, generator: Random) -> Record:
    """Return the record as someone might cite it."""
    initials, short = generator.random() < _INITIALS, generator.random() < _SHORT_NAMES
    most = generator.choice(_NAMED) if generator.random() < _CUT_SHORT else None
    wrong = generator.choice((-1, 1)) if generator.random() < _WRONG_YEAR else 0
    entries: list[Entry] = []
    authors = 0
    for entry in drop_fields(record, noise, generator).entries:
        if entry.field in _WITHOUT:
            continue
        if entry.field == "author":
            authors += 1
            if most is not None and authors > most:
                if authors == most + 1:
                    entries.append(Entry("author-etal", "et al."))
                continue
        entries.append(_vary_entry(entry, noise, generator, initials, short, wrong))
    return Record(record.type, tuple(entries))


def _vary_entry(entry: Entry, noise: Noise, generator: Random, initials: bool, short: bool, wrong: int) -> Entry:
    value = entry.value
    if isinstance(value, Name):
        given = " ".join(f"{part[0]}." for part in value.given.split()) if initials else value.given
        return replace(entry, value=replace(value, given=given, family=_mistype(value.family, noise, generator)))
    if isinstance(value, Date) and wrong and value.year is not None:
        return replace(entry, value=Date(value.year + wrong))
    if isinstance(value, str):
        text = _abbreviate(value) if short and entry.field == "container" else value
        return replace(entry, value=_mistype(text, noise, generator))
    return entry


def _mistype(text: str, noise: Noise, generator: Random) -> str:
    """Return the text with typing and OCR errors."""
    return add_noise(Example(text, (), ""), noise, generator).text if text.strip() else text


def _abbreviate(name: str) -> str:
    """Abbreviate the name of a journal: long words are cut, short ones left out."""
    words = [word if len(word) < 6 else f"{word[:4]}." for word in name.split() if len(word) > 3]
    return " ".join(words) if len(words) > 1 else name
