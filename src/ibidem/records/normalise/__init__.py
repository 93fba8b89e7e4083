"""From the text of a field to its value: one small file per type of value, all in the list `NORMALISERS`.

A normaliser is a pure function from a text to a value and warnings. One that cannot make sense of a text returns the
text with a warning. The table of fields says which normalisers a field goes through, in order, for as long as it is
text.
"""

from __future__ import annotations

from collections.abc import Callable

from ibidem.records.fields import FIELDS
from ibidem.records.normalise import dates, identifiers, names, numbers, pages, text
from ibidem.records.record import Value

Outcome = tuple[Value, tuple[str, ...]]
Normaliser = Callable[[str], Outcome]

__all__ = ["NORMALISERS", "Normaliser", "normalise_field"]


def _name(written: str) -> Outcome:
    name = names.name_of(written)
    undivided = bool(name.literal) and not names.is_group(name.literal)
    return name, ("not divided into parts",) if undivided else ()


NORMALISERS: dict[str, Normaliser] = {
    "text": text.normalise_text,
    "name": _name,
    "date": dates.date_of,
    "pages": pages.pages_of,
    "extent": pages.extent_of,
    "number": lambda written: (numbers.number_of(written), ()),
    "version": lambda written: (numbers.version_of(written), ()),
    "doi": identifiers.doi,
    "arxiv": identifiers.arxiv,
    "pmid": identifiers.pmid,
    "pmcid": identifiers.pmcid,
    "isbn": identifiers.isbn,
    "issn": identifiers.issn,
    "url": identifiers.url,
}
"""Every normaliser by its name; others may be added. Names of journals and languages are normalised by
`ibidem.records.build`, since the first have an option and the second a field of their own."""


def normalise_field(field: str, written: str) -> Outcome:
    """Return the value of a field's text, and the warnings of every normaliser that saw it.

    >>> normalise_field("pages", "153-60"), normalise_field("title", "On  things,"), normalise_field("pmid", "none")[1]
    ((Pages(first='153', last='160'), ()), ('On things', ()), ('not a PMID: it is a number of up to nine digits',))
    """
    value: Value = written
    warnings: tuple[str, ...] = ()
    for name in FIELDS[field].normalisers:
        if not isinstance(value, str):
            break
        value, more = NORMALISERS[name](value)
        warnings += more
    return value, warnings
