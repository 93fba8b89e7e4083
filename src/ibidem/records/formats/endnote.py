"""EndNote XML, to be imported by EndNote; written only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from ibidem.records.fields import names_in
from ibidem.records.formats.format import Capabilities, Options
from ibidem.records.formats.values import date_text, name_text, value_text
from ibidem.records.formats.xml import Element, child, etree, write_each
from ibidem.records.record import Date, Name, Record
from ibidem.records.types import types_in

_SEVERAL = frozenset({"url", "keyword", "file"})
CAPABILITIES = Capabilities(
    column="endnote",
    several=_SEVERAL,
    parts={"particle": "is written as part of the family name"},
    remarks=("fields that share an element, such as `isbn` and `issn`, are joined with a semicolon",),
)


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write one `record` per record."""
    write_each(records, stream, options, CAPABILITIES, element_of, ("<xml><records>", "</records></xml>"))


def element_of(record: Record, key: str) -> Element:
    """Return the `record` of an adapted record."""
    made = etree().Element("record")
    number, _, name = types_in("endnote")[record.type].partition(" ")
    child(made, "ref-type", number, name=name)
    parents: dict[str, Element] = {"": made}
    for entry in record.entries:
        field, value = entry.field, entry.value
        if field == "date" and isinstance(value, Date):
            dates = _within(made, parents, "dates")
            child(dates, "year", str(value.year) if value.year is not None else value.status)
            if value.year is not None and value != Date(value.year):
                child(child(dates, "pub-dates"), "date", date_text(value))
            continue
        text = name_text(value) if isinstance(value, Name) else value_text(value)
        path = names_in("endnote")[field].split(", ")[0]
        folder, _, leaf = path.rpartition("/")
        if isinstance(value, Name):
            people = _within(made, parents, path)
            # EndNote takes a name that ends in a comma as a whole.
            child(people, "author", text if value.family else f"{text},")
        elif field in _SEVERAL or path not in parents:
            parents[path] = child(_within(made, parents, folder), leaf, text)
        else:  # two fields that share an element
            parents[path].text += f"; {text}"
    if not any(entry.field == "marker" for entry in record.entries):
        child(made, "label", key)
    return made


def _within(made: Element, parents: dict[str, Element], path: str) -> Element:
    """Return the element at a path, made where it is not yet there."""
    if path not in parents:
        folder, _, leaf = path.rpartition("/")
        parents[path] = child(_within(made, parents, folder), leaf)
    return parents[path]
