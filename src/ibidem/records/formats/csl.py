"""CSL-JSON, the input of citation processors: read by Zotero, pandoc and every CSL program.

Whatever CSL has no variable for stands under `custom`, which its schema allows, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO

from ibidem.csl.items import PUBLISHED_BY, VERSIONED
from ibidem.records.fields import DATES, FIELDS, NAMES, cache_until_registration, names_in, types_from, types_in
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
from ibidem.records.normalise.numbers import number_of
from ibidem.records.record import SEASONS, Date, Entry, Name, Number, Pages, Record, Value

READ_TYPES: dict[str, str] = {
    "article-magazine": "article", "article-newspaper": "article", "review": "article", "review-book": "article",
    "collection": "book", "classic": "book", "periodical": "book", "entry": "chapter", "entry-dictionary": "chapter",
    "entry-encyclopedia": "chapter", "post": "webpage", "post-weblog": "webpage", "legislation": "standard",
    "regulation": "standard", "bill": "standard", "treaty": "standard", "speech": "paper",
}  # fmt: skip
"""Types of CSL that come near one of ours; the rest are read as other, both with a warning."""

_OVERRIDES: dict[str, dict[str, str]] = {
    **{one: {"institution": "publisher", "publisher": ""} for one in PUBLISHED_BY},
    **{one: {"edition": "version"} for one in VERSIONED},
    "article": {"article-number": "number", "number": ""},
}
"""By type, the variables of fields that have others than the table says."""
CAPABILITIES = Capabilities(
    remarks=("what CSL has no variable for stands under `custom` and is read back, but no style prints it",),
)
_LARGEST = 1 << 28  # bytes of a file that is read at once: its items take eight times as many
_NAME_PARTS = (("family", "family"), ("given", "given"), ("non-dropping-particle", "particle"), ("suffix", "suffix"))
_PUBLISHER_IS = "publisher-is"  # under custom: the publisher of a thesis or report is one, and not an institution
_IN_FULL = "-in-full"  # under custom, after a field: its first value, which CSL has no place for all parts of


@cache_until_registration
def _variables(document_type: str) -> dict[str, str]:
    """Return the variable of each field that has one in an item of some type."""
    found = names_in("csl") | _OVERRIDES.get(document_type, {})
    return {field: variable for field, variable in found.items() if variable}


@cache_until_registration
def _fields(document_type: str) -> dict[str, str]:
    """Return the field of each variable in an item of some type; "" takes the table as it is."""
    usual = {variable: field for field, variable in names_in("csl").items()}
    return usual | {variable: field for field, variable in _variables(document_type).items()}


def as_item(record: Record, key: str) -> dict[str, Any]:
    """Return the CSL-JSON item of a record.

    >>> as_item(Record("article", (Entry("pages", Pages("1", "9")), Entry("arxiv", "1501.00001"))), "reed")
    {'id': 'reed', 'type': 'article-journal', 'page': '1-9', 'custom': {'arxiv': ['1501.00001']}}
    """
    item: dict[str, Any] = {"id": key, "type": types_in("csl")[record.type]}
    custom: dict[str, list[Any]] = {}
    variables = _variables(record.type)
    if record.type in PUBLISHED_BY and record.first("publisher") and not record.first("institution"):
        variables, custom[_PUBLISHER_IS] = names_in("csl"), ["publisher"]
    for entry in record.entries:
        field, value = entry.field, entry.value
        variable = variables.get(field)
        if variable is not None and field in NAMES:
            item.setdefault(variable, []).append(_name(value))
        elif variable is None or variable in item:
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
            item[variable] = text = value.text
            if value.value is not None and not text.isdigit() and number_of(text) != value:
                custom[field + _IN_FULL] = [value_object(value)]
        else:
            item[variable] = value_text(value)
    if custom:
        item["custom"] = custom
    return item


def _name(value: Value) -> dict[str, str]:
    if not isinstance(value, Name) or value.literal:
        return {"literal": value.literal if isinstance(value, Name) else value_text(value)}
    return {csl: text for csl, part in _NAME_PARTS if (text := getattr(value, part))}


def _put_date(item: dict[str, Any], custom: dict[str, list[Any]], field: str, variable: str, date: Date) -> None:
    """Enter a date, and all of it under `custom` too where CSL has no place for a part."""
    if date.year is None:
        item[variable] = {"literal": date.status}
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
    document_type = READ_TYPES.get(given) or types_from("csl").get(given, "other")
    if types_in("csl")[document_type] != given:
        warnings.append(f"the type {given[:40]!r} is read as {document_type!r}")
    custom: dict[str, Any] = item["custom"] if isinstance(item.get("custom"), dict) else {}
    entries: list[Entry] = []
    fields = _fields("" if _PUBLISHER_IS in custom else document_type)
    for variable, value in item.items():
        field = fields.get(variable)
        if field is None:
            if variable not in ("id", "type", "custom", "year-suffix", "status"):
                warnings.append(f"no field for {variable[:40]!r}: {show(value, 60)}")
        elif isinstance(whole := custom.get(field + _IN_FULL), list) and whole:
            entries.append(_custom_entry(field, whole[0]))
        elif field in NAMES:
            entries += (Entry(field, _name_of(one)) for one in _list(variable, value))
        elif field in DATES:
            entries.append(_date_entry(field, value, item))
        else:
            entries.append(entry_of(field, _text(variable, value)))
    for field, values in custom.items():
        if field in FIELDS and isinstance(values, list):
            entries += (_custom_entry(field, value) for value in values)
        elif field != _PUBLISHER_IS and not field.endswith(_IN_FULL):
            warnings.append(f"no field for {show(field, 40)!r} under custom: {show(values, 60)}")
    key = item.get("id", "")
    if not isinstance(key, (str, int, float)):
        warnings.append(f"the id is no name: {show(key, 60)}")
        key = ""
    return Record(document_type, tuple(entries), key=str(key), warnings=tuple(warnings))


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
        text = found.get("literal") or found.get("raw") or found.get("edtf") or item.get("status") or ""
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
