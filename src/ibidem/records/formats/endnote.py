"""EndNote XML, to be imported by EndNote; written only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from ibidem.records.formats.limits import Capabilities
from ibidem.records.formats.shape import Options
from ibidem.records.formats.values import date_text, name_text, value_text
from ibidem.records.formats.xml import Element, child, etree, write_each
from ibidem.records.record import Date, Name, Record

TYPES: dict[str, tuple[str, str]] = {
    "article": ("17", "Journal Article"),
    "paper": ("47", "Conference Paper"),
    "book": ("6", "Book"),
    "chapter": ("5", "Book Section"),
    "thesis": ("32", "Thesis"),
    "report": ("27", "Report"),
    "preprint": ("34", "Unpublished Work"),
    "webpage": ("12", "Web Page"),
    "dataset": ("59", "Dataset"),
    "software": ("9", "Computer Program"),
    "standard": ("58", "Standard"),
    "patent": ("25", "Patent"),
    "other": ("13", "Generic"),
}
PLACES: dict[str, str] = {
    "author": "contributors/authors",
    "editor": "contributors/secondary-authors",
    "translator": "contributors/subsidiary-authors",
    "title": "titles/title",
    "container": "titles/secondary-title",
    "series": "titles/tertiary-title",
    "volume": "volume",
    "issue": "number",
    "pages": "pages",
    "article-number": "custom7",
    "edition": "edition",
    "chapter": "section",
    "date": "dates/year, dates/pub-dates/date",
    "accessed": "access-date",
    "publisher": "publisher",
    "place": "pub-location",
    "institution": "auth-address",
    "genre": "work-type",
    "number": "call-num",
    "doi": "electronic-resource-num",
    "arxiv": "accession-num",
    "pmid": "accession-num",
    "pmcid": "custom2",
    "isbn": "isbn",
    "issn": "isbn",
    "url": "urls/related-urls/url",
    "language": "language",
    "archive": "remote-database-name",
    "note": "notes",
    "marker": "label",
}
LIMITS = Capabilities(
    fields={"author-etal": "has no element and is left out", "editor-etal": "has no element and is left out"},
    several=frozenset({"url"}),
    parts={"particle": "is written as part of the family name"},
    remarks=("`arxiv` and `pmid`, `isbn` and `issn` share an element: they are joined with a semicolon",),
)


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Nothing: writes one `record` per record."""
    write_each(records, stream, options, LIMITS, element_of, ("<xml><records>", "</records></xml>"))


def element_of(record: Record, key: str) -> Element:
    """The `record` of a record that has been fitted."""
    made = etree().Element("record")
    number, name = TYPES[record.type]
    child(made, "ref-type", number, name=name)
    parents: dict[str, Element] = {"": made}
    for entry in record.entries:
        field, value = entry.field, entry.value
        if isinstance(value, Date):
            _put_date(made, parents, field, value)
            continue
        text = name_text(value) if isinstance(value, Name) else value_text(value)
        path = PLACES[field].split(", ")[0]
        folder, _, leaf = path.rpartition("/")
        if isinstance(value, Name):
            people = _within(made, parents, path)
            # EndNote takes a name that ends in a comma as a whole.
            child(people, "author", text if value.family else f"{text},")
        elif field == "url" or path not in parents:
            parents[path] = child(_within(made, parents, folder), leaf, text)
        else:  # two fields that share an element
            parents[path].text += f"; {text}"
    if not any(entry.field == "marker" for entry in record.entries):
        child(made, "label", key)
    return made


def _within(made: Element, parents: dict[str, Element], path: str) -> Element:
    """The element at a path, made where it is not yet there."""
    if path not in parents:
        folder, _, leaf = path.rpartition("/")
        parents[path] = child(_within(made, parents, folder), leaf)
    return parents[path]


def _put_date(made: Element, parents: dict[str, Element], field: str, date: Date) -> None:
    if field == "accessed":
        child(made, "access-date", date_text(date))
        return
    dates = _within(made, parents, "dates")
    child(dates, "year", str(date.year) if date.year is not None else date.status)
    if date.year is not None and date != Date(date.year):
        child(child(dates, "pub-dates"), "date", date_text(date))
