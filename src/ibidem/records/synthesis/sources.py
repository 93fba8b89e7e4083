"""Records to render: those of a file, and those of the public sets that hold records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ibidem.errors import DataError
from ibidem.records.formats import format_of, opened, read
from ibidem.records.formats.bibtex_reader import record_of_entry
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record, Value
from ibidem.tasks import registry
from ibidem.types import Malformed

_RANGE = re.compile(r"([A-Za-z]{0,4}\d+)\s*(?:[-–]+\s*([A-Za-z]{0,4}\d+))?\Z")
_ARTICLE = re.compile(r"(?:e\d{3,}|\d{6,})\Z", re.IGNORECASE)  # e16791 and 129456 are no pages
_PARTICLE = re.compile(r"(?:van|von|der|den|de|la|le|di|da|dos|du|del|ten|ter|zu|bin|ben|al)\Z")
_UNREAD = re.compile(r"[\\${}]|^[a-z][a-z0-9_-]*[-_0-9][a-z0-9_-]*$")  # TeX that was not understood; names of @strings
_GENRES = {"phdthesis": "PhD thesis", "techreport": "Technical report"}
_CONTAINED = frozenset({"article", "paper", "chapter"})


def records_of(name: str) -> Iterator[Record]:
    """The records of a public set, one at a time; those that nothing good can be made of are passed over."""
    if name not in PUBLIC:
        raise DataError(f"{name!r} is no set of records; there are {', '.join(PUBLIC)}")
    for row in registry.load_records(name):
        record = _MAKERS[name](row) if isinstance(row, dict) else None
        if record is not None and record.first("title"):
            yield record


def records_in(path: Path) -> Iterator[Record | Malformed]:
    """The records of a file in any format that can be read; what cannot be read is `Malformed`."""
    form = format_of(path).name
    with opened(path) as stream:
        yield from read(stream, form)


def _numbered(field: str, text: str) -> list[Entry]:
    return [Entry(field, Number(text, int(text) if text.isdecimal() and len(text) < 7 else None))] if text else []


def _texts(pairs: dict[str, str]) -> list[Entry]:
    return [Entry(field, text) for field, text in pairs.items() if text]


def _paged(text: str) -> list[Entry]:
    found = _RANGE.match(text.strip())
    if not found:
        return []
    if not found[2] and _ARTICLE.match(found[1]):
        return [Entry("article-number", found[1])]
    return [Entry("pages", Pages(found[1], _written_out(found[1], found[2] or "")))]


def _written_out(first: str, last: str) -> str:
    """The last page in full: 60 after 153 is 160."""
    if first.isdecimal() and last.isdecimal() and len(last) < len(first):
        return first[: len(first) - len(last)] + last
    return last


def _dated(text: str) -> list[Entry]:
    return [Entry("date", Date(int(text)))] if text.isdecimal() and len(text) == 4 else []


def _from_dblp(row: dict[str, Any]) -> Record | None:
    venue, short = row["venue"], row["venue_short"]
    names = [Entry("author", _spoken(name)) for name in row["authors"].split("|") if name]
    kind = "article" if "/journals/" in row["key"] or row["key"].startswith("DBLP:journals") else "paper"
    container = short if len(row["title"]) % 3 == 0 and short else venue or short  # both forms are in use
    return Record(
        kind,
        (*names, *_texts({"title": row["title"], "container": container}), *_dated(row["year"]), *_paged(row["pages"])),
        key=row["key"],
    )


def _from_medline(row: dict[str, Any]) -> Record | None:
    names = [Entry("author", _initials_first(name)) for name in row["authors"].split("|") if name]
    return Record(
        "article",
        (
            *names,
            *_texts({"title": row["title"], "container": row["journal"], "doi": row["doi"], "pmid": row["pmid"]}),
            *_dated(row["year"]),
            *_numbered("volume", row["volume"]),
            *_numbered("issue", row["issue"]),
            *_paged(row["pages"]),
        ),
        key=row["pmid"] or row["doi"],
    )


def _initials_first(text: str) -> Name:
    given, _, family = text.strip().partition(" ")
    return Name(family, given) if family and given.isupper() else _spoken(text)


def _spoken(text: str) -> Name:
    """A name in the order of speech: given names, a particle, the family name."""
    words = [word for word in text.split() if not word.isdecimal()]
    if len(words) < 2:
        return Name(literal=" ".join(words) or text)
    start = len(words) - 1
    while start > 1 and _PARTICLE.match(words[start - 1]):
        start -= 1
    return Name(words[-1], " ".join(words[:start]), " ".join(words[start:-1]))


def _from_bibtex(row: dict[str, Any]) -> Record | None:
    """The record of an entry, None where it has no names, no title, or TeX in them that nobody understands."""
    kind, key = row["entry-type"], row["entry-key"]
    try:
        record = record_of_entry(kind, key, {name: text for name, text in row.items() if not name.startswith("entry-")})
    except ValueError:
        return None
    entries = [entry for entry in record.entries if not _UNREAD.search(_shown(entry.value))]
    fields = {entry.field for entry in entries}
    if record.type == "other" or "title" not in fields or not fields & {"author", "editor"}:
        return None
    if record.type in _CONTAINED and "container" not in fields:
        return None
    if kind in _GENRES and "genre" not in fields:
        entries.append(Entry("genre", _GENRES[kind]))
    return replace(record, entries=tuple(place for entry in entries for place in _placed(entry)))


def _shown(value: Value) -> str:
    """What may hold TeX."""
    if isinstance(value, Name):
        return f"{value.family} {value.given} {value.literal}"
    return value if isinstance(value, str) else ""


def _placed(entry: Entry) -> list[Entry]:
    """The entry, or two where a publisher is written with its place: London: Sedge Press."""
    if entry.field != "publisher" or not isinstance(entry.value, str) or ": " not in entry.value:
        return [entry]
    place, _, publisher = entry.value.partition(": ")
    return [replace(entry, value=publisher), Entry("place", place)]


_MAKERS: dict[str, Callable[[dict[str, Any]], Record | None]] = {
    "dblp": _from_dblp,
    "medline": _from_medline,
    "bibliographies": _from_bibtex,
}
PUBLIC = tuple(_MAKERS)
"""The public sets that hold records."""
