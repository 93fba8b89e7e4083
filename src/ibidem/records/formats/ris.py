"""RIS, which every reference manager reads: two letters and a value on each line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import BinaryIO

from ibidem.records.fields import DATES, cache_until_registration, names_in
from ibidem.records.formats.format import LONGEST_LINE, Capabilities, Options, Readable, lines_of, read_one
from ibidem.records.formats.keys import render_adapted
from ibidem.records.formats.values import (
    Unreadable,
    clean,
    date_text,
    entry_of,
    name_text,
    read_date,
    read_name,
    read_pages,
    value_text,
)
from ibidem.records.record import Date, Entry, Name, Pages, Record, Value
from ibidem.records.types import IN_BOOKS, LEGAL, TYPES, types_from, types_in
from ibidem.types import Malformed

READ_TYPES: dict[str, str] = {
    "EJOUR": "article", "INPR": "article", "CONF": "paper", "EBOOK": "book", "ECHAP": "chapter", "WEB": "webpage",
    "VIDEO": "film",
}  # fmt: skip
_NEAR: dict[str, str] = {
    "ABST": "article", "ADVS": "film", "ANCIENT": "classic", "CHART": "figure", "CTLG": "book", "EDBOOK": "book",
    "EQUA": "figure", "GOVDOC": "report", "GRANT": "other", "MULTI": "other", "SER": "book", "UNBILL": "bill",
    "WHOLE": "book", "UNPD": "preprint",
}  # fmt: skip
"""Types that mean just what one of ours does, and types that come near one, which a warning says."""
_ALSO_READ = {
    "A1": "author", "ED": "editor", "T1": "title", "CT": "title", "BT": "container", "JO": "container",
    "JF": "container", "JA": "short-container", "CP": "issue", "L3": "doi", "PP": "place", "N2": "abstract",
    "L2": "file",
}  # fmt: skip
_CONTAINERS = frozenset({"T2", "BT", "JO", "JF"})  # several names of one thing: the first is kept
_TYPE_TAG = "U5"  # the type, where its code means another one
_SWAPPED = (
    (IN_BOOKS | {"book"}, "series-number", "number"),  # as EndNote and Zotero have it
    (LEGAL | {"newspaper-article"}, "section", "chapter"),
    (frozenset({"software", "dataset"}), "version", "edition"),
)
"""Pairs of fields that have each other's tag in records of some types."""
_LINE = re.compile(r"([A-Z][A-Z0-9])  -(?: (.*))?", re.DOTALL)
_ISSN = re.compile(r"\d{4}-?\d{3}[\dXx]", re.ASCII)


def _as_read(_field: str, value: Value) -> Value:
    """Return a value as the lines give it back: a name is divided at its commas."""
    if isinstance(value, Pages):
        return value if value.last else read_pages(value.first)
    return read_name(name_text(value)) if isinstance(value, Name) else value


CAPABILITIES = Capabilities(
    column="ris",
    noun="tag",
    several=frozenset({"arxiv", "pmid", "pmcid", "isbn", "issn", "url", "note", "doi", "keyword", "file"}),
    parts={"particle": "is written as part of the family name"},
    remarks=(
        "a name without a comma is read as a literal, and a literal with a comma as a person",
        "a page with a hyphen of its own, alone, is read as a range",
        "`isbn` and `issn` share a tag and are told apart by their form",
    ),
    reshape=_as_read,
    renamed={"thesis": ("publisher", "institution"), "report": ("publisher", "institution")},
)


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write the lines of every record, a blank line between two."""
    for entry in render_adapted(CAPABILITIES, records, options, _render):
        stream.write(entry)


def _render(record: Record, key: str, _: Record) -> bytes:
    given = types_in("ris")[record.type]
    said = [] if types_from("ris")[given] == record.type else [(_TYPE_TAG, record.type)]
    lines = [("TY", given), ("ID", key), *_lines(record), *said, ("ER", "")]
    return "".join(f"{tag}  - {text}\r\n" for tag, text in lines).encode() + b"\r\n"


def _lines(record: Record) -> Iterator[tuple[str, str]]:
    tags = _tags(record.type)
    from_body = record.type in ("thesis", "report")
    for entry in record.entries:
        field, value = entry.field, entry.value
        text = value_text(value)
        if isinstance(value, Pages):
            yield "SP", value.first
            if value.last:
                yield "EP", value.last
        elif field in DATES:
            yield from _date_lines("DA" if field == "date" else tags[field], value)
        elif field in _ACCESSIONS:
            yield "AN", _ACCESSIONS[field] + text
            if field == "arxiv" and not record.first("url"):
                yield "UR", _ARXIV_URL + text  # other programs look there
        elif field == "institution" and from_body and not record.first("publisher"):
            yield "PB", text
        else:
            yield tags[field], text


_ARXIV_URL = "https://arxiv.org/abs/"
_ACCESSIONS = {"arxiv": "arXiv:", "pmid": "PMID:", "pmcid": "PMCID:"}


def _date_lines(tag: str, value: Value) -> Iterator[tuple[str, str]]:
    """Yield the year, and year/month/day/other, where other has whatever does not fit before it."""
    if not isinstance(value, Date) or value.year is None:
        yield tag, f"///{value_text(value)}"
        return
    if tag == "DA":
        yield "PY", str(value.year)
    plain = Date(value.year, value.month, value.day)
    month, day = ("" if part is None else f"{part:02d}" for part in (value.month, value.day))
    yield tag, f"{value.year}/{month}/{day}/{'' if plain == value else date_text(value)}"


def read(stream: BinaryIO) -> Iterator[Readable]:
    """Yield the records between TY and ER; one that cannot be read is `Malformed`."""
    found: list[tuple[str, list[str]]] = []
    start, strange, held = 0, "", 0
    for number, line in enumerate(lines_of(stream), 1):
        text = line.decode("utf-8-sig" if number == 1 else "utf-8", "replace").rstrip("\r\n")
        match = _LINE.fullmatch(text.lstrip("\ufeff"))  # files put together have several
        held += len(line)
        if match is None:
            if held > LONGEST_LINE:
                continue
            if found and text.strip():
                found[-1][1].append(text.strip())
            elif text.strip():
                strange = strange or text.strip()
                start = start or number
            continue
        tag, value = match[1], (match[2] or "").strip()
        if tag == "TY" and found:
            yield Malformed(f"line {start}", "a record without its last line, ER")
            found = []
        if strange and not found and tag == "TY":
            yield Malformed(f"line {start}", f"no line of RIS: {strange[:60]!r}; expected TY first")
            strange = ""
        if not found:
            start, held = number, len(line)
        if tag == "ER":
            yield read_one(partial(_record, found, held), f"line {start}")
            found, start = [], 0
        elif held <= LONGEST_LINE:
            found.append((tag, [value]))
    if found or strange:
        reason = "a record without its last line, ER" if found else f"no line of RIS: {strange[:60]!r}"
        yield Malformed(f"line {start}", reason)


def _record(lines: list[tuple[str, list[str]]], size: int) -> Record:
    if size > LONGEST_LINE:
        raise Unreadable(f"it has more than {LONGEST_LINE:,} bytes, too many for a record")
    if not lines or lines[0][0] != "TY":
        raise Unreadable("a record must begin with TY, its type")
    given = " ".join(lines[0][1]).strip().upper()
    known = READ_TYPES | types_from("ris")
    kind = known.get(given) or _NEAR.get(given, "other")
    warnings = [] if given in known else [f"the type {given[:40]!r} is read as {kind!r}"]
    entries: list[Entry] = []
    by_tag: dict[str, list[str]] = {}
    for tag, text in lines[1:]:
        by_tag.setdefault(tag, []).append(clean(" ".join(text)))
    if by_tag.get(_TYPE_TAG, [""])[0] in TYPES:
        kind = by_tag.pop(_TYPE_TAG)[0]
    named = any(tag in by_tag for tag in _CONTAINERS)
    for tag, texts in by_tag.items():
        if tag in _CONTAINERS and any(entry.field == "container" for entry in entries):
            warnings += (f"a second name of the container is left out: {text[:60]}" for text in texts)
            continue
        read_as = "T2" if tag == "JA" and not named else tag  # a journal whose short name alone is given
        made = list(_entries(read_as, [text for text in texts if text], by_tag, kind))
        entries += made
        if not made and any(texts) and tag not in ("ID", "EP", "PY", "Y1", "DA"):
            warnings.append(f"no field for {tag}: {texts[0][:60]}")
    key = by_tag.get("ID", [""])[0]
    dates = (date for tag in ("DA", "Y1", "PY") for date in _of_date(by_tag.get(tag, [""])[0], "date"))
    entries += islice(dates, 1)
    return Record(kind, tuple(entries), key=key, warnings=tuple(warnings))


def _entries(tag: str, texts: list[str], by_tag: dict[str, list[str]], kind: str) -> Iterator[Entry]:
    for text in texts:
        if tag == "SP":
            last = by_tag.get("EP", [""])[0]
            yield Entry("pages", Pages(text, last)) if last else entry_of("pages", text)
        elif tag == "SN":
            yield Entry("issn" if _ISSN.fullmatch(text) else "isbn", text)
        elif tag == "AN":
            field = next((one for one, mark in _ACCESSIONS.items() if text.startswith(mark)), "note")
            yield Entry(field, text.removeprefix(_ACCESSIONS.get(field, "")))
        elif tag == "UR" and f"arXiv:{text.removeprefix(_ARXIV_URL)}" in by_tag.get("AN", ()):
            continue
        elif tag in _dates_by_tag():
            yield from _of_date(text, _dates_by_tag()[tag])
        elif tag == "PB" and kind in ("thesis", "report") and "AD" not in by_tag:
            yield Entry("institution", text)
        elif tag in _fields_by_tag(kind):
            yield entry_of(_fields_by_tag(kind)[tag], text)


@cache_until_registration
def _tags(document_type: str) -> dict[str, str]:
    """Return the tag of every field in a record of some type."""
    tags = dict(names_in("ris"))
    for types, one, other in _SWAPPED:
        if document_type in types:
            tags[one], tags[other] = tags[other], tags[one]
    return tags


@cache_until_registration
def _fields_by_tag(document_type: str) -> dict[str, str]:
    """Return the field of every tag that has one only, in a record of some type."""
    tags = _tags(document_type).items()
    return {tag: field for field, tag in tags if tag not in ("AN", "SN") and "," not in tag} | _ALSO_READ


@cache_until_registration
def _dates_by_tag() -> dict[str, str]:
    return {names_in("ris")[field]: field for field in DATES if field != "date" and field in names_in("ris")}


def _of_date(text: str, field: str) -> Iterator[Entry]:
    year, month, day, other = (*text.split("/", 3), "", "", "", "")[:4]
    if other.strip():
        whole = read_date(other.strip())
        if isinstance(whole, Date) and whole.year is None and year.strip().isdecimal():
            whole = read_date(f"{_edtf(year, month, day)} ({other.strip()})")
        yield entry_of(field, other.strip()) if isinstance(whole, str) else Entry(field, whole)
    elif year.strip():
        yield entry_of(field, _edtf(year, month, day))


def _edtf(year: str, month: str, day: str) -> str:
    parts = [year.strip().zfill(4), *(part.strip().zfill(2) for part in (month, day) if part.strip())]
    return "-".join(parts)
