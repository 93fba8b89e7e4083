"""BibTeX and BibLaTeX: one entry per record, every special character escaped, every key used once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import BinaryIO

from ibidem.csl.items import VERSIONED
from ibidem.records.fields import NAMES, names_in, types_from, types_in
from ibidem.records.formats.format import Capabilities, Options
from ibidem.records.formats.keys import render_adapted
from ibidem.records.formats.latex import escape, escape_verbatim, protect_capitals
from ibidem.records.formats.values import date_text, pages_text, read_pages, value_text
from ibidem.records.normalise.numbers import is_bare, number_of, ordinal
from ibidem.records.record import Date, Name, Number, Pages, Record, Value

NUMBERED = frozenset({"thesis", "report", "webpage", "dataset", "software", "standard", "patent", "other"})
"""The types whose `number` is that of the work itself, and not of the issue it is in."""
IN_JOURNALS = frozenset({"article", "preprint"})
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_VERBATIM = frozenset({"url", "doi", "arxiv"})


def _as_read(field: str, value: Value) -> Value:
    """Return a value as BibTeX's rules for names and addresses give it back."""
    if field in _VERBATIM and isinstance(value, str):
        return escape_verbatim(value)
    if isinstance(value, Pages):
        return read_pages(pages_text(value))
    if not isinstance(value, Name) or not value.family:
        return value
    if value.particle and not _begin_small(value.particle.split(" ")):
        value = replace(value, family=f"{value.particle} {value.family}", particle="")
    alone = not (value.given or value.suffix or value.particle)
    return Name(literal=value.family) if alone and person(value).startswith("{") else value


def _begin_small(words: list[str]) -> bool:
    return all(word[:1].islower() for word in words)


CAPABILITIES = Capabilities(
    column="bibtex",
    noun="field",
    reshape=_as_read,
    several=frozenset(),
    parts={"words": "become `and others`"},
    remarks=(
        "a family name alone that has several words or begins with a small letter is read as a literal",
        "a particle that begins with a capital is read as part of the family name",
        "a page with a hyphen of its own, alone, is read as a range",
        "braces, backslashes and spaces in a `doi`, `url` or `arxiv` are encoded in percent",
    ),
)


def field_name(field: str, document_type: str, biblatex: bool) -> str:
    """Return what a field is called in the entry of a record of some type."""
    if field == "container" and document_type in IN_JOURNALS:
        return "journaltitle" if biblatex else "journal"
    if field in ("issue", "number") and document_type in NUMBERED:
        return "issue" if field == "issue" else "number"
    if field == "institution":
        known = {"thesis": "institution" if biblatex else "school", "report": "institution"}
        return known.get(document_type, "organization")
    if field == "edition" and document_type in VERSIONED:
        return "version"
    return names_in("biblatex" if biblatex else "bibtex")[field]


def write(records: Iterable[Record], stream: BinaryIO, options: Options, *, biblatex: bool = False) -> None:
    """Write one entry per record, blank lines between them."""

    def render(record: Record, key: str, _: Record) -> bytes:
        return entry_text(record, key, biblatex=biblatex).encode()

    for number, entry in enumerate(render_adapted(CAPABILITIES, records, options, render)):
        stream.write(b"\n" + entry if number else entry)


write_biblatex = partial(write, biblatex=True)


def entry_text(record: Record, key: str, *, biblatex: bool = False) -> str:
    """Return the entry of an adapted record."""
    column = "biblatex" if biblatex else "bibtex"
    entry_type = types_in(column)[record.type]
    read_as = "other" if entry_type == "misc" else types_from(column)[entry_type]
    lines = [f"@{entry_type}{{{key}"]
    lines += (f"  {name} = {value}" for name, value in _pairs(record, biblatex))
    # A misc with a number of arXiv would be read as a preprint.
    if read_as != record.type or (entry_type == "misc" and record.first("arxiv")):
        lines.append(f"  entrysubtype = {{{record.type}}}")
    return ",\n".join(lines) + "\n}\n"


def _pairs(record: Record, biblatex: bool) -> Iterator[tuple[str, str]]:
    """Yield the names of the fields of an entry with their values in braces."""
    by_field: dict[str, list[Value]] = {}
    for one in record.entries:
        by_field.setdefault(one.field, []).append(one.value)
    for field, values in by_field.items():
        name = field_name(field, record.type, biblatex)
        if field in NAMES:
            people = [person(value) for value in values]
            yield name, f"{{{' and '.join([*people, *(['others'] if f'{field}-etal' in by_field else [])])}}}"
        elif field.endswith("-etal"):
            if field.removesuffix("-etal") not in by_field:
                yield field.removesuffix("-etal"), "{others}"
        elif field == "date":
            yield from _date(values[0], biblatex)
        elif name == "edition" and isinstance(values[0], Number):
            yield from _edition(values[0], biblatex)
        else:
            yield name, f"{{{_source(field, values[0])}}}"
            if field == "arxiv":
                yield ("eprinttype", "{arxiv}") if biblatex else ("archiveprefix", "{arXiv}")


def _source(field: str, value: Value) -> str:
    if isinstance(value, Pages):
        made = escape(value.first) + (f"--{escape(value.last)}" if value.last else "")
        return made if "-" not in value.first + value.last else escape(pages_text(value))
    text = value_text(value)
    if field in _VERBATIM:
        return escape_verbatim(text)
    return protect_capitals(text) if field == "title" else escape(text)


def _edition(number: Number, biblatex: bool) -> Iterator[tuple[str, str]]:
    """Yield an edition as the styles expect it: BibTeX's want an ordinal, BibLaTeX's a number; other words stay.

    What was written stands beside it where it would not be read back.
    """
    if number.value is None or not is_bare(number):
        yield "edition", f"{{{escape(number.text)}}}"
        return
    yield "edition", f"{{{number.value if biblatex else ordinal(number.value)}}}"
    if number.text != str(number.value):
        yield "editiontext", f"{{{escape(number.text)}}}"


def edition_of(text: str, written: str = "") -> Number:
    """Return the number of an edition as `edition` and `editiontext` give it.

    >>> edition_of("Second"), edition_of("Second", "2nd ed.").text, edition_of("Third, revised").text
    (Number(text='2', value=2), '2nd ed.', 'Third, revised')
    """
    found = number_of(text)
    if written and number_of(written).value == found.value:
        return number_of(written)
    whole = found.value is not None and text.lower() == ordinal(found.value).lower()
    return Number(str(found.value), found.value) if whole else found


def _date(value: Value, biblatex: bool) -> Iterator[tuple[str, str]]:
    """Yield the fields that a date fills: what the styles print, and all of it where that says less."""
    if not isinstance(value, Date) or value.year is None:
        text = value_text(value)
        yield ("pubstate", f"{{{escape(text)}}}") if biblatex else ("year", f"{{{escape(text)}}}")
        return
    if biblatex:
        yield "date", f"{{{value.edtf}}}"
    else:
        yield "year", f"{{{value.year}}}"
        if value.month is not None:
            yield "month", MONTHS[value.month - 1]
        if value.month is not None and value.day is not None:
            yield "day", f"{{{value.day}}}"
        if value.edtf != date_text(Date(value.year, value.month, value.day)):
            yield "date", f"{{{value.edtf}}}"
    if value.letter:
        yield "yearsuffix", f"{{{escape(value.letter)}}}"
    if value.status:
        yield "pubstate", f"{{{escape(value.status)}}}"


def person(value: Value) -> str:
    """Return a name as BibTeX takes it apart again: particle and family, suffix, given.

    >>> person(Name("Berg", "Jan", "van der", "Jr.")), person(Name(literal="Bread and Roses, Inc."))
    ('van der Berg, Jr., Jan', '{Bread and Roses, Inc.}')
    """
    if not isinstance(value, Name) or not value.family:
        return f"{{{escape(value_text(value))}}}"
    family = _group(value.family, plain=lambda words: len(words) == 1 or all(word[0].isupper() for word in words))
    if value.particle:
        small = _group(value.particle, plain=_begin_small)
        family = f"{small} {family}"
    if not value.given and not value.suffix:
        return f"{family}, {{}}" if value.particle else family  # without the comma the particle would be a given name
    given = _group(value.given, plain=lambda _: True)
    return f"{family}, {_group(value.suffix, plain=lambda _: True)}, {given}" if value.suffix else f"{family}, {given}"


def _group(text: str, plain: Callable[[list[str]], bool]) -> str:
    """Return the TeX source of a part of a name, in braces where BibTeX would divide it otherwise."""
    words = text.split(" ")
    source = escape(text)
    safe = "," not in text and "~" not in source and "and" not in text.lower().split() and all(words)
    return source if safe and plain(words) else f"{{{source}}}"
