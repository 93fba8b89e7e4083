"""CSL-JSON, the input of citation processors: read by Zotero, pandoc and every CSL program.

Whatever CSL has no variable for stands under `custom`, which its schema allows, so that nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO

from ibidem.records.fields import DATES, FIELDS, NAMES, cache_until_registration, names_in
from ibidem.records.formats.format import Capabilities, Options, Readable, read_one, read_whole, render_each
from ibidem.records.formats.keys import Keys
from ibidem.records.formats.values import (
    LAST_YEAR,
    Unreadable,
    check_kind,
    clean,
    entry_of,
    number_within,
    pages_text,
    read_json,
    read_pages,
    show,
    value_object,
    value_of_object,
    value_text,
)
from ibidem.records.normalise.identifiers import arxiv
from ibidem.records.normalise.numbers import is_bare, number_of
from ibidem.records.record import SEASONS, Date, Entry, Name, Number, Pages, Record, Value
from ibidem.records.types import IN_PERIODICALS, types_from, types_in

_OWN = {
    **dict.fromkeys(("thesis", "report"), (("publisher", "publisher", "institution"),)),
    "preprint": (("publisher", "publisher", "container"),),
    **dict.fromkeys((*IN_PERIODICALS, "paper"), (("number", "number", "article-number"),)),
}
"""By type: a variable, the field it usually has, and the field it has in an item of the type that lacks the usual one.

The body that a thesis comes from is its publisher, as is the server of a preprint; an article's number is its own.
"""
CAPABILITIES = Capabilities(
    remarks=("what CSL has no variable for stands under `custom` and is read back, but no style prints it",),
)
_LARGEST = 1 << 28  # bytes of a file that is read at once: its items take eight times as many
_NAME_PARTS = (("family", "family"), ("given", "given"), ("non-dropping-particle", "particle"), ("suffix", "suffix"))
_IS = "-is"  # under custom, after a variable: the field that it has, where the type leads one to expect another
_IN_FULL = "-in-full"  # under custom, after a field: its values, which CSL has no place for all parts of
_ARXIV = re.compile(r"arXiv:\s?(\S+)(?:\s\[([\w.-]+)\])?", re.IGNORECASE)


def _own_fields(document_type: str, usual: Callable[[str, str], bool]) -> dict[str, str]:
    """Return the variables that have another field than usual in an item of some type."""
    return {v: own for v, field, own in _OWN.get(document_type, ()) if not usual(v, field)}


@cache_until_registration
def _variables() -> dict[str, str]:
    return names_in("csl")


@cache_until_registration
def _fields() -> dict[str, str]:
    return {variable: field for field, variable in names_in("csl").items()}


def as_item(record: Record, key: str) -> dict[str, Any]:
    """Return the CSL-JSON item of a record.

    >>> as_item(Record("article", (Entry("pages", Pages("1", "9")), Entry("arxiv", "1501.00001"))), "reed")
    {'id': 'reed', 'type': 'article-journal', 'page': '1-9', 'archive': 'arXiv', 'archive_location': '1501.00001'}
    """
    item: dict[str, Any] = {"id": key, "type": types_in("csl")[record.type]}
    custom: dict[str, list[Any]] = {}
    own = _own_fields(record.type, lambda _, field: record.first(field) is not None)
    moved = {field: variable for variable, field in own.items()}
    custom |= {variable + _IS: [field] for variable, field, _ in _OWN.get(record.type, ()) if variable not in own}
    for entry in record.entries:
        variable = moved.get(entry.field) or _variables().get(entry.field)
        if entry.field not in ("keyword", "arxiv"):
            _put(item, custom, entry.field, variable, entry.value)
    _put_keywords(item, custom, [value_text(one) for one in record.all("keyword")])
    _put_arxiv(item, custom, record)
    if custom:
        item["custom"] = custom
    return item


def _put(item: dict[str, Any], custom: dict[str, list[Any]], field: str, variable: str | None, value: Value) -> None:
    """Enter a value under its variable, and under `custom` what that has no place for."""
    if variable is not None and field in NAMES:
        item.setdefault(variable, []).append(_name(value))
    elif variable is None or variable in item or (variable == "issued" and "status" in item):
        custom.setdefault(field, []).append(value_object(value))
    elif isinstance(value, str):
        item[variable] = {"literal": value} if field in DATES else value
    elif isinstance(value, Date):
        _put_date(item, custom, field, variable, value)
    elif isinstance(value, Pages):
        item[variable] = text = pages_text(value)
        if read_pages(text) != value:
            custom[field + _IN_FULL] = [value_object(value)]
    elif isinstance(value, Number):
        # Styles put the word for an edition behind its number themselves.
        item[variable] = text = str(value.value) if field == "edition" and is_bare(value) else value.text
        if value.value is not None and (text != value.text or not text.isdigit()) and number_of(text) != value:
            custom[field + _IN_FULL] = [value_object(value)]
    else:
        item[variable] = value_text(value)


def _put_keywords(item: dict[str, Any], custom: dict[str, list[Any]], words: list[str]) -> None:
    """Enter keywords as one text, as Zotero does: parted by commas, or by semicolons where one has a comma."""
    if words:
        item["keyword"] = ("; " if any("," in word for word in words) else ", ").join(words)
        if _split_keywords(item["keyword"]) != words:
            custom["keyword" + _IN_FULL] = list(words)


def _split_keywords(text: str) -> list[str]:
    return [word for one in text.split(";" if ";" in text else ",") if (word := one.strip())]


def _put_arxiv(item: dict[str, Any], custom: dict[str, list[Any]], record: Record) -> None:
    """Enter an identifier of arXiv as the number of the item, as Zotero does, and as its place in the archive."""
    first, *others = record.all("arxiv") or [""]
    text = value_text(first)
    if text:
        placed = False
        valid = arxiv(text) == (text, ())
        if valid and "number" not in item and record.type not in IN_PERIODICALS:
            item["number"] = f"arXiv:{text}"
            placed = True
        if valid and "archive" not in item and "archive_location" not in item:
            item |= {"archive": "arXiv", "archive_location": text}
            placed = True
        kept = others if placed else [first, *others]
        if kept:
            custom["arxiv"] = [value_object(one) for one in kept]


def _name(value: Value) -> dict[str, str]:
    if not isinstance(value, Name) or value.literal:
        return {"literal": value.literal if isinstance(value, Name) else value_text(value)}
    return {csl: text for csl, part in _NAME_PARTS if (text := getattr(value, part))}


def _put_date(item: dict[str, Any], custom: dict[str, list[Any]], field: str, variable: str, date: Date) -> None:
    """Enter a date, and all of it under `custom` too where CSL has no place for a part."""
    if date.year is None:
        if variable == "issued" and date.status not in ("", "n.d."):
            item["status"] = date.status  # styles print it where there is no date
        else:
            item[variable] = {"literal": date.status}
        if date != Date(status=date.status):
            custom[field + _IN_FULL] = [value_object(date)]
        return
    found: dict[str, Any] = {"date-parts": [_parts(date)]}
    if date.end is not None:
        found["date-parts"].append(_parts(date.end))
    if date.season:
        found["season"] = SEASONS.index(date.season) + 1
    if date.approximate:
        found["circa"] = True
    item[variable] = found
    issued = variable == "issued"
    if issued:
        item |= {key: text for key, text in (("year-suffix", date.letter), ("status", date.status)) if text}
    odd_end = date.end is not None and (date.season or date.approximate or date.end.season or date.end.approximate)
    if odd_end or (not issued and (date.letter or date.status)):
        custom[field + _IN_FULL] = [value_object(date)]


def _parts(date: Date) -> list[int]:
    return [part for part in (date.year, date.month, date.day if date.month else None) if part is not None]


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write an array of items, one on a line."""
    import orjson

    keys = Keys()

    def render(record: Record) -> tuple[str, bytes, bool]:
        item = as_item(record, keys.of(record))
        try:
            return record.key, orjson.dumps(item), True
        except orjson.JSONEncodeError:
            return record.key, orjson.dumps(_drop_surrogates(item)), False

    before = b"[\n"
    for key, line, valid in render_each(records, options, render):
        if not valid:
            options.warn(key, "lone surrogates, which are no valid Unicode, are left out")
        stream.write(before + line)
        before = b",\n"
    stream.write(b"[]\n" if before == b"[\n" else b"\n]\n")


def _drop_surrogates(found: Any) -> Any:
    """Return the same without what no UTF-8 can hold."""
    if isinstance(found, str):
        return clean(found)
    if isinstance(found, list):
        return [_drop_surrogates(one) for one in found]
    if isinstance(found, dict):
        return {_drop_surrogates(key): _drop_surrogates(one) for key, one in found.items()}
    return found


def read(stream: BinaryIO) -> Iterator[Readable]:
    """Yield the records of an array of items, or of one item; an item that holds none is `Malformed`."""
    found = read_json(read_whole(stream, _LARGEST))
    if isinstance(found, dict):
        found = found["items"] if isinstance(found.get("items"), list) else [found]
    if not isinstance(found, list):
        raise Unreadable(f"expected an array of CSL items, got {show(found, 40)!r}")
    for number, item in enumerate(found, 1):
        yield read_one(partial(record_of_item, item), f"item {number}")


def record_of_item(item: object) -> Record:
    """Return the record of a CSL-JSON item; an `Unreadable` says what is wrong with it."""
    if not isinstance(item, dict):
        raise Unreadable(f"expected an object, got {show(item, 60)!r}")
    warnings: list[str] = []
    given = show(item.get("type", ""), 100)
    document_type = types_from("csl").get(given, "other")
    if types_in("csl")[document_type] != given:
        warnings.append(f"the type {given[:40]!r} is read as {document_type!r}")
    custom: dict[str, Any] = item["custom"] if isinstance(item.get("custom"), dict) else {}
    entries: list[Entry] = []
    own = _own_fields(document_type, lambda variable, _: variable + _IS in custom)
    for variable, value in item.items():
        field = own.get(variable) or _fields().get(_OLD.get(variable) or variable)
        if variable == "status":
            if not _has_parts(item.get("issued")):
                entries.append(_status_entry(value, custom))
        elif field is None:
            if variable not in ("id", "type", "custom", "year-suffix"):
                warnings.append(f"no field for {variable[:40]!r}: {show(value, 60)}")
        elif isinstance(whole := custom.get(field + _IN_FULL), list) and whole:
            entries += (_custom_entry(field, one) for one in whole)
        elif variable in ("number", "archive", "archive_location") and (found := _arxiv_in(item, variable)):
            entries += (one for one in found if one not in entries)
        else:
            entries += _entries(field, variable, value, item)
    for field, values in custom.items():
        if field in FIELDS and isinstance(values, list):
            entries += (_custom_entry(field, value) for value in values)
        elif not field.endswith((_IS, _IN_FULL)):
            warnings.append(f"no field for {show(field, 40)!r} under custom: {show(values, 60)}")
    key = item.get("id", "")
    if not isinstance(key, (str, int, float)):
        warnings.append(f"the id is no name: {show(key, 60)}")
        key = ""
    return Record(document_type, tuple(entries), key=str(key), warnings=tuple(warnings))


_OLD = {"event": "event-title", "shortTitle": "title-short", "journalAbbreviation": "container-title-short"}
"""Names of variables before CSL 1.0.2, and those that citeproc-js reads too."""


def _entries(field: str, variable: str, value: object, item: dict[str, Any]) -> Iterator[Entry]:
    """Yield the entries of a variable that stands for one field."""
    if field in NAMES:
        yield from (Entry(field, _name_of(one)) for one in _list(variable, value))
    elif field in DATES:
        yield _date_entry(field, value, item)
    elif field == "keyword":
        yield from (Entry(field, word) for word in _split_keywords(_text(variable, value)))
    else:
        yield entry_of(field, _text(variable, value))


def _has_parts(issued: object) -> bool:
    return bool(isinstance(issued, dict) and issued.get("date-parts"))


def _status_entry(found: object, custom: dict[str, Any]) -> Entry:
    """Return the date of an item that has a status and no year."""
    whole = custom.get("date" + _IN_FULL)
    if isinstance(whole, list) and whole:
        return _custom_entry("date", whole[0])
    return Entry("date", Date(status=_text("status", found)))


def _arxiv_in(item: dict[str, Any], variable: str) -> list[Entry]:
    """Return the entries of an identifier of arXiv that a variable says, empty where it says something else."""
    location = item.get("archive_location") if str(item.get("archive", "")).lower() == "arxiv" else None
    text = item.get("number") if variable == "number" else f"arXiv:{location}" if location else None
    found = _ARXIV.fullmatch(text) if isinstance(text, str) else None
    if found is None or arxiv(found[1]) != (found[1], ()):
        return []
    return [Entry("arxiv", found[1]), *([Entry("arxiv-class", found[2])] if found[2] else [])]


def _custom_entry(field: str, found: object) -> Entry:
    value = value_of_object(found)
    check_kind(field, value)
    return Entry(field, value)


def _name_of(found: object) -> Name:
    """Return the name of a CSL name; a particle that may be dropped is a particle too."""
    if isinstance(found, str):
        return Name(literal=found)
    if not isinstance(found, dict):
        raise Unreadable(f"a name must be an object with family and given, not {show(found, 60)!r}")
    parts = {part: _text(csl, found.get(csl, "")) for csl, part in _NAME_PARTS}
    dropping = _text("dropping-particle", found.get("dropping-particle", ""))
    parts["particle"] = f"{dropping} {parts['particle']}".strip() if dropping else parts["particle"]
    return Name(**parts) if any(parts.values()) else Name(literal=_text("literal", found.get("literal", "")))


def _date_entry(field: str, found: object, item: dict[str, Any]) -> Entry:
    """Return the entry of a CSL date: its parts, else what is written in it."""
    if isinstance(found, str):
        return entry_of(field, found)
    if not isinstance(found, dict):
        raise Unreadable(f"a date must be an object with date-parts, not {show(found, 60)!r}")
    if not found.get("date-parts"):
        text = found.get("literal") or found.get("raw") or found.get("edtf") or ""
        return entry_of(field, _text(field, text))
    dates = [_from_parts(parts) for parts in _list("date-parts", found["date-parts"])]
    season = _season(found.get("season"))
    issued = field == "date"
    letter, status = (_text(key, item.get(key, "")) if issued else "" for key in ("year-suffix", "status"))
    first = replace(dates[0], season=season, letter=letter, status=status, approximate=bool(found.get("circa")))
    return Entry(field, replace(first, end=dates[1]) if len(dates) > 1 else first)


def _from_parts(parts: object) -> Date:
    """Return the date of year, month and day; months 13 to 24 are seasons to some programs."""
    try:
        numbers = [int(part) for part in _list("date-parts", parts) if part not in ("", None)]
    except (TypeError, ValueError, OverflowError):
        raise Unreadable(f"date-parts must hold numbers, not {show(parts, 60)!r}") from None
    year, month, day = (*numbers, None, None, None)[:3]
    if year is None:
        raise Unreadable("date-parts are empty")
    if not -LAST_YEAR <= year <= LAST_YEAR:
        raise Unreadable(f"the year of a date must be between -{LAST_YEAR} and {LAST_YEAR}, not {show(year, 40)}")
    if month is not None and 13 <= month <= 24:
        return Date(year, season=SEASONS[(month - 13) % 4])
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        raise Unreadable(f"no such date: {numbers}")
    return Date(year, month, day)


def _season(found: object) -> str:
    text = show(found or "", 20).lower()
    if text in SEASONS:
        return text
    number = number_within(text, 1, 24)
    return SEASONS[(number - 1) % 4] if number else ""


def _list(variable: str, found: object) -> list[Any]:
    if not isinstance(found, list):
        raise Unreadable(f"{variable!r} must be an array, not {show(found, 60)!r}")
    return found


def _text(variable: str, found: object) -> str:
    if isinstance(found, (str, int, float)) and not isinstance(found, bool):
        return str(found)
    raise Unreadable(f"{variable!r} must be a string, not {show(found, 60)!r}")
