"""From the text of a field to its value: one small file per kind of field, in the order of `NORMALISERS`.

A normaliser is a pure function from a text to a value and warnings. One that cannot make sense of a text gives the
text back with a warning. A field goes through all normalisers that name it, in order, for as long as it is text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ibidem.records.normalise import dates, identifiers, names, numbers, pages, text
from ibidem.records.record import DATES, FIELDS, NAMES, NUMBERS, Name, Value

Outcome = tuple[Value, tuple[str, ...]]
Function = Callable[[str], Outcome]

__all__ = ["NORMALISERS", "Normaliser", "normalised"]


@dataclass(frozen=True, slots=True)
class Normaliser:
    """What is done to the text of some fields."""

    name: str
    fields: frozenset[str]
    function: Function


def _number(written: str) -> Outcome:
    return numbers.number_of(written), ()


def _name(written: str) -> Outcome:
    name = names.name_of(written)
    return name, ("not divided into parts",) if _undivided(name) else ()


def _undivided(name: Name) -> bool:
    return bool(name.literal) and not names.is_group(name.literal)


NORMALISERS: tuple[Normaliser, ...] = (
    Normaliser("text", frozenset(FIELDS) - NAMES - {"doi", "url", "marker"}, text.normalised),
    Normaliser("names", NAMES, _name),
    Normaliser("dates", DATES, dates.date_of),
    Normaliser("pages", frozenset({"pages"}), pages.pages_of),
    Normaliser("numbers", NUMBERS, _number),
    Normaliser("doi", frozenset({"doi"}), identifiers.doi),
    Normaliser("arxiv", frozenset({"arxiv"}), identifiers.arxiv),
    Normaliser("pmid", frozenset({"pmid"}), identifiers.pmid),
    Normaliser("pmcid", frozenset({"pmcid"}), identifiers.pmcid),
    Normaliser("isbn", frozenset({"isbn"}), identifiers.isbn),
    Normaliser("issn", frozenset({"issn"}), identifiers.issn),
    Normaliser("url", frozenset({"url"}), identifiers.url),
)
"""Every normaliser, in the order in which they are asked. Journals and languages have an option and a field of their
own: `ibidem.records.build` asks them."""

_BY_FIELD: dict[str, tuple[Function, ...]] = {
    field: tuple(one.function for one in NORMALISERS if field in one.fields) for field in FIELDS
}


def normalised(field: str, written: str) -> Outcome:
    """The value of a field's text, and the warnings of every normaliser that saw it.

    >>> normalised("pages", "153-60"), normalised("title", "On  things,"), normalised("pmid", "none")[1]
    ((Pages(first='153', last='160'), ()), ('On things', ()), ('not a PMID: it is a number of up to nine digits',))
    """
    value: Value = written
    warnings: tuple[str, ...] = ()
    for function in _BY_FIELD[field]:
        if not isinstance(value, str):
            break
        value, more = function(value)
        warnings += more
    return value, warnings
