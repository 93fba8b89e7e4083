"""BibTeX and BibLaTeX: one entry per record, every special character escaped, every key used once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import BinaryIO

from ibidem.records.fields import NAMES, names_in
from ibidem.records.formats.format import Capabilities, Options
from ibidem.records.formats.keys import render_adapted
from ibidem.records.formats.latex import escape, escape_verbatim, protect_capitals
from ibidem.records.formats.values import date_text, pages_text, read_pages, value_text
from ibidem.records.normalise.degrees import degree_of
from ibidem.records.normalise.numbers import is_bare, number_of, ordinal
from ibidem.records.record import Date, Name, Number, Pages, Record, Value
from ibidem.records.types import IN_BOOKS, IN_PERIODICALS, types_from, types_in

ALIASES: dict[str, str] = {
    "conference": "paper", "inbook": "chapter", "mastersthesis": "thesis", "electronic": "webpage", "www": "webpage",
    "artwork": "image", "audio": "song", "video": "film",
}  # fmt: skip
"""Names of types of entries that mean just what another one does."""
IN_BOOKS_OR_BOOK = IN_BOOKS | {"book"}
"""The types whose `number` is that in the series, where they have one."""
SERVED = frozenset({"misc", "online", "unpublished"})
"""The types of entries that are preprints where they have a number of arXiv, unless a subtype says otherwise."""
REMARKED = frozenset({"misc", "booklet", "unpublished"})
"""The types of entries whose `howpublished` is a remark, unless a subtype says that Ibidem has written it."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_VERBATIM = frozenset({"url", "doi", "arxiv", "file"})


def _as_read(field: str, value: Value) -> Value:
    """Return a value as BibTeX's rules for names and addresses give it back."""
    if field in _VERBATIM and isinstance(value, str):
        return _encode(field, value)
    if isinstance(value, Pages):
        return read_pages(pages_text(value))
    if not isinstance(value, Name) or not value.family:
        return value
    if value.particle and not _begin_small(value.particle.split(" ")):
        value = replace(value, family=f"{value.particle} {value.family}", particle="")
    alone = not (value.given or value.suffix or value.particle)
    return Name(literal=value.family) if alone and person(value).startswith("{") else value


def _encode(field: str, text: str) -> str:
    """Percent-encode what would break an address; of the name of a file braces alone, and backslashes at its end."""
    if field != "file":
        return escape_verbatim(text)
    bare = text.rstrip("\\")
    return bare.replace("{", "%7B").replace("}", "%7D") + "%5C" * (len(text) - len(bare))


def _begin_small(words: list[str]) -> bool:
    return all(word[:1].islower() for word in words)


CAPABILITIES = Capabilities(
    column="bibtex",
    noun="field",
    reshape=_as_read,
    several=frozenset({"keyword"}),
    parts={"words": "become `and others`"},
    remarks=(
        "a family name alone that has several words or begins with a small letter is read as a literal",
        "a particle that begins with a capital is read as part of the family name",
        "a page with a hyphen of its own, alone, is read as a range",
        "braces, backslashes and spaces in a `doi`, `url` or `arxiv`, and braces in a `file`, are encoded in percent",
    ),
)


@cache
def entry_types() -> dict[str, str]:
    """Return the type of work that each type of entry means."""
    return ALIASES | types_from("biblatex") | types_from("bibtex")


def field_name(field: str, document_type: str, biblatex: bool, in_series: bool = False) -> str:
    """Return what a field is called in the entry of a record of some type, which may be part of a series."""
    if field == "container":
        if document_type in IN_PERIODICALS:
            return "journaltitle" if biblatex else "journal"
        return "howpublished" if types_in("bibtex")[document_type] in REMARKED else "booktitle"
    if field == number_field(document_type, in_series):
        return "number"
    if field in _OF_NUMBERS:
        return _OF_NUMBERS[field]
    if field == "institution":
        known = {"thesis": "institution" if biblatex else "school", "report": "institution", "patent": "holder"}
        return known.get(document_type, "organization")
    return names_in("biblatex" if biblatex else "bibtex")[field]


_OF_NUMBERS = {"issue": "issue", "number": "reportnumber", "series-number": "seriesnumber"}


def number_field(document_type: str, in_series: bool) -> str:
    """Return the field that `number` is: that of an issue, of the work in its series, or of the work itself."""
    if document_type in IN_PERIODICALS:
        return "issue"
    if document_type in IN_BOOKS_OR_BOOK:
        return "series-number" if in_series else "issue"
    return "number"


def entry_type_of(record: Record, biblatex: bool) -> str:
    """Return the type of the entry of a record: its title, container and genre may tell more than its type."""
    if record.type == "thesis" and not biblatex and degree_of(value_text(record.first("genre") or "")) == "master":
        return "mastersthesis"
    if record.type == "chapter" and (not record.first("container") or (biblatex and record.first("book-author"))):
        return "inbook"
    return types_in("biblatex" if biblatex else "bibtex")[record.type]


def write(records: Iterable[Record], stream: BinaryIO, options: Options, *, biblatex: bool = False) -> None:
    """Write one entry per record, blank lines between them."""

    def render(record: Record, key: str, _: Record) -> bytes:
        return entry_text(record, key, biblatex=biblatex).encode()

    for number, entry in enumerate(render_adapted(CAPABILITIES, records, options, render)):
        stream.write(b"\n" + entry if number else entry)


write_biblatex = partial(write, biblatex=True)


def entry_text(record: Record, key: str, *, biblatex: bool = False) -> str:
    """Return the entry of an adapted record."""
    entry_type = entry_type_of(record, biblatex)
    lines = [f"@{entry_type}{{{key}"]
    lines += (f"  {name} = {value}" for name, value in _pairs(record, biblatex))
    if _needs_subtype(record, entry_type):
        # BibLaTeX calls the article of a magazine so.
        lines.append(f"  entrysubtype = {{{record.type.removesuffix('-article')}}}")
    return ",\n".join(lines) + "\n}\n"


def _needs_subtype(record: Record, entry_type: str) -> bool:
    """Whether the type of the entry alone would be read as another type of work, or with another meaning."""
    if entry_types()[entry_type] != record.type:
        return True
    if entry_type == "phdthesis" and not record.first("genre"):
        return True  # else it is one of a doctor
    if record.first("arxiv") and record.type != "preprint" and entry_type in SERVED:
        return True
    return entry_type in REMARKED and bool(record.first("container"))


def _pairs(record: Record, biblatex: bool) -> Iterator[tuple[str, str]]:
    """Yield the names of the fields of an entry with their values in braces."""
    by_field: dict[str, list[Value]] = {}
    for one in record.entries:
        by_field.setdefault(one.field, []).append(one.value)
    for field, values in by_field.items():
        name = field_name(field, record.type, biblatex, "series" in by_field)
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
        elif field == "keyword":
            yield name, f"{{{', '.join(_keyword(value_text(value)) for value in values)}}}"
        else:
            yield name, f"{{{_source(field, values[0])}}}"
            if field == "arxiv":
                yield ("eprinttype", "{arxiv}") if biblatex else ("archiveprefix", "{arXiv}")


def _keyword(text: str) -> str:
    """Return the source of a keyword: BibLaTeX takes one in braces as a whole."""
    return f"{{{escape(text)}}}" if "," in text or ";" in text else escape(text)


def _source(field: str, value: Value) -> str:
    if isinstance(value, Pages):
        made = escape(value.first) + (f"--{escape(value.last)}" if value.last else "")
        return made if "-" not in value.first + value.last else escape(pages_text(value))
    text = value_text(value)
    if field in _VERBATIM:
        return _encode(field, text)
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
