"""Simple Dublin Core as OAI repositories exchange it; written only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from ibidem.records.fields import names_in
from ibidem.records.formats.format import Capabilities, Options
from ibidem.records.formats.values import pages_text, value_text
from ibidem.records.formats.xml import Element, child, etree, write_each
from ibidem.records.record import Number, Pages, Record
from ibidem.records.types import types_in

_DC = "http://purl.org/dc/elements/1.1/"
_OAI = "http://www.openarchives.org/OAI/2.0/oai_dc/"
_PREFIXES = {"doi": "doi:", "arxiv": "arXiv:", "pmid": "pmid:", "isbn": "urn:isbn:", "issn": "urn:issn:"}
CAPABILITIES = Capabilities(
    column="dc",
    remarks=("names are written as `Family, Given`; container, volume, issue and pages make one `source`",),
)


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write one `oai_dc:dc` per record."""
    write_each(records, stream, options, CAPABILITIES, element_of, ("<records>", "</records>"))


def element_of(record: Record, _: str) -> Element:
    """Return the `dc` of an adapted record."""
    elements = names_in("dc")
    made = etree().Element(f"{{{_OAI}}}dc", nsmap={"oai_dc": _OAI, "dc": _DC})
    source = [text for field, name in elements.items() if name == "source" and (text := _first(record, field))]
    for entry in record.entries:
        name = elements[entry.field]
        if name != "source":
            child(made, f"{{{_DC}}}{name}", _PREFIXES.get(entry.field, "") + value_text(entry.value))
    if source:
        child(made, f"{{{_DC}}}source", ", ".join(source))
    for kind in (record.type, types_in("dc")[record.type]):
        child(made, f"{{{_DC}}}type", kind)
    return made


def _first(record: Record, field: str) -> str:
    value = record.first(field)
    if isinstance(value, Number):
        return f"{field} {value.text}"
    return f"pages {pages_text(value, '–')}" if isinstance(value, Pages) else value_text(value or "")
