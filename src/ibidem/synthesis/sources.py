"""Records to render: those of a file, and those of the public sets that hold records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ibidem.data import registry
from ibidem.data.decontamination import hash_text
from ibidem.data.sets import items
from ibidem.errors import DataError
from ibidem.files import open_input
from ibidem.labels.schema import SCHEMA
from ibidem.records.fields import DATES, FIELDS
from ibidem.records.formats import format_of, read
from ibidem.records.formats.bibtex_reader import record_of_entry
from ibidem.records.formats.csl import record_of_item
from ibidem.records.formats.values import Unreadable
from ibidem.records.normalise import normalise_field
from ibidem.records.record import Entry, Name, Pages, Record, Value
from ibidem.synthesis.corrections import correct, work_key
from ibidem.types import Malformed

_ARTICLE = re.compile(r"(?:e\d{3,}|\d{6,})\Z", re.IGNORECASE)  # e16791 and 129456 are no pages
_HOMONYM = re.compile(r"\s+\d{4}\Z")  # the 0002 of John Smith 0002, which tells two persons apart
_UNREAD = re.compile(r"[\\${}]|^[a-z][a-z0-9_-]*[-_0-9][a-z0-9_-]*$")  # TeX that was not understood; names of @strings
_UNDERSTOOD = DATES | {"pages"}
_GENRES = {"phdthesis": "PhD thesis", "techreport": "Technical report"}
_LABELLED = {name for name, field in FIELDS.items() if set(field.labels) & set(SCHEMA)} | {"series-number", "version"}
"""The fields that a label of the parser can become: an abstract is in no reference."""
_MEDLINE_COLUMNS = {"container": "journal", "date": "year"}
_CONTAINED = frozenset({"article", "paper", "chapter"})


def records_of(name: str) -> Iterator[Record]:
    """Yield the records of a public set, one at a time; those that nothing good can be made of are passed over."""
    if name not in PUBLIC:
        raise DataError(f"{name!r} is no set of records; there are {', '.join(PUBLIC)}")
    rows = registry.load_records(name) if name in _MAKERS else _items_of(name)
    make = _MAKERS.get(name, _from_item)
    for row in rows:
        record = make(row) if isinstance(row, dict) else None
        if record is not None and record.first("title"):
            yield record


def _items_of(name: str) -> Iterator[dict[str, Any]]:
    """Yield the corrected CSL items of a set, each work once."""
    seen: set[int] = set()
    for row in registry.load_records(name):
        item = correct(name, row) if isinstance(row, dict) else None
        key = hash_text(work_key(item)) if item else 0
        if item and key not in seen:
            seen.add(key)
            yield item


def _from_item(item: dict[str, Any]) -> Record | None:
    """Return the record of a CSL item; pages and dates that are not understood are left out."""
    try:
        record = record_of_item(item)
    except Unreadable:
        return None
    if record.type in _CONTAINED and record.first("container") is None:
        return None
    kept = tuple(
        _article_number(one) for one in record.entries if one.field not in _UNDERSTOOD or not isinstance(one.value, str)
    )
    return replace(record, entries=kept, warnings=())


def records_in(path: Path) -> Iterator[Record | Malformed]:
    """Yield the records of a file in any format that can be read; what cannot be read is `Malformed`."""
    form = format_of(path).name
    with open_input(path) as stream:
        yield from read(stream, form)


def _entries(pairs: dict[str, str]) -> list[Entry]:
    """Return the entries of the fields that have a text; pages and dates that are not understood are left out."""
    made = [Entry(field, normalise_field(field, text)[0]) for field, text in pairs.items() if text]
    kept = [entry for entry in made if entry.field not in _UNDERSTOOD or not isinstance(entry.value, str)]
    return [_article_number(entry) for entry in kept]


def _article_number(entry: Entry) -> Entry:
    """Turn a page that is the number of an article into one."""
    pages = entry.value
    if isinstance(pages, Pages) and not pages.last and _ARTICLE.match(pages.first):
        return Entry("article-number", pages.first)
    return entry


def _authors(listed: str) -> list[Entry]:
    return [Entry("author", normalise_field("author", _HOMONYM.sub("", name))[0]) for name in listed.split("|") if name]


def _from_dblp(row: dict[str, Any]) -> Record | None:
    venue, short = row["venue"], row["venue_short"]
    kind = "article" if "/journals/" in row["key"] or row["key"].startswith("DBLP:journals") else "paper"
    container = short if len(row["title"]) % 3 == 0 and short else venue or short  # both forms are in use
    fields = {"title": row["title"], "container": container, "date": row["year"], "pages": row["pages"]}
    return Record(kind, (*_authors(row["authors"]), *_entries(fields)), key=row["key"])


def _from_medline(row: dict[str, Any]) -> Record | None:
    names = ("title", "container", "doi", "pmid", "date", "volume", "issue", "pages")
    fields = {name: row[_MEDLINE_COLUMNS.get(name, name)] for name in names}
    return Record("article", (*_authors(row["authors"]), *_entries(fields)), key=row["pmid"] or row["doi"])


def _from_bibtex(row: dict[str, Any]) -> Record | None:
    """Return the record of an entry, None where it has no names, no title, or TeX in them that nobody understands."""
    kind, key = row["entry-type"], row["entry-key"]
    try:
        record = record_of_entry(kind, key, {name: text for name, text in row.items() if not name.startswith("entry-")})
    except ValueError:
        return None
    known = [entry for entry in record.entries if entry.field in _LABELLED]
    entries = [entry for entry in known if not _UNREAD.search(_tex_text(entry.value))]
    fields = {entry.field for entry in entries}
    if record.type == "other" or "title" not in fields or not fields & {"author", "editor"}:
        return None
    if record.type in _CONTAINED and "container" not in fields:
        return None
    if kind in _GENRES and "genre" not in fields:
        entries.append(Entry("genre", _GENRES[kind]))
    return replace(record, entries=tuple(place for entry in entries for place in _split_place(entry)))


def _tex_text(value: Value) -> str:
    """Return the text of a value that may hold TeX."""
    if isinstance(value, Name):
        return f"{value.family} {value.given} {value.literal}"
    return value if isinstance(value, str) else ""


def _split_place(entry: Entry) -> list[Entry]:
    """Return the entry, or two where a publisher is written with its place: London: Sedge Press."""
    if entry.field != "publisher" or not isinstance(entry.value, str) or ": " not in entry.value:
        return [entry]
    place, _, publisher = entry.value.partition(": ")
    return [replace(entry, value=publisher), Entry("place", place)]


_MAKERS: dict[str, Callable[[dict[str, Any]], Record | None]] = {
    "dblp": _from_dblp,
    "medline": _from_medline,
    "bibliographies": _from_bibtex,
}
PUBLIC = (*_MAKERS, *(one.name for one in items.OPEN))
"""The public sets that hold records and are open."""
