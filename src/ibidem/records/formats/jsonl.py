"""Our own JSON Lines: everything a record holds, one object per line; `record.schema.json` describes the object."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO

from ibidem.errors import InputError
from ibidem.records.fields import FIELDS
from ibidem.records.formats.format import LONGEST_LINE, Options, Readable, lines_of, read_one, render_each
from ibidem.records.formats.values import (
    LARGEST,
    Unreadable,
    check_kind,
    read_json,
    show,
    text_in,
    value_object,
    value_of_object,
)
from ibidem.records.record import Entry, Record
from ibidem.records.types import TYPES
from ibidem.types import Parsed

_SURROGATE = re.compile("[\ud800-\udfff]")


def as_object(record: Record) -> dict[str, Any]:
    """Return the JSON object of a record.

    >>> as_object(Record("book", (Entry("title", "Reeds", "Reeds", 4, 9, 0.98),), 0.9))["entries"][0]
    {'field': 'title', 'value': 'Reeds', 'raw': 'Reeds', 'start': 4, 'end': 9, 'confidence': 0.98, 'warnings': []}
    """
    entries = [
        {
            "field": entry.field,
            "value": value_object(entry.value),
            "raw": entry.raw,
            "start": entry.start,
            "end": entry.end,
            "confidence": entry.confidence,
            "warnings": list(entry.warnings),
        }
        for entry in record.entries
    ]
    found = {"type": record.type, "confidence": record.confidence, "key": record.key, "entries": entries}
    found["warnings"] = list(record.warnings)
    if record.origin is not None:
        found["text"] = record.origin.text
    return found


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write one line per record."""
    for line in render_each(records, options, _line, _line_instead):
        stream.write(line)


def _line(record: Record) -> bytes:
    import orjson

    try:
        return orjson.dumps(as_object(record), option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError as error:
        raise InputError(f"it cannot be JSON: {error}") from None


def _line_instead(record: Record, reason: str) -> bytes:
    """Return the line that keeps the place of a record that could not be written: its text, and why not."""
    key, origin = getattr(record, "key", ""), getattr(record, "origin", None)
    text = origin.text if isinstance(origin, Parsed) else None
    key, text, reason = (_SURROGATE.sub("\ufffd", one) if isinstance(one, str) else "" for one in (key, text, reason))
    return _line(Record("other", (), 0.0, key, Parsed(text) if text else None, (f"not written: {reason}",)))


def read(stream: BinaryIO) -> Iterator[Readable]:
    """Yield the records of the lines; a line that holds none is `Malformed`."""
    for number, line in enumerate(lines_of(stream), 1):
        if line.strip():
            yield read_one(partial(_read_line, line), f"line {number}")


def _read_line(line: bytes) -> Record:
    if len(line) > LONGEST_LINE:
        raise Unreadable(f"it has more than {LONGEST_LINE:,} bytes, too many for a record")
    return record_of_object(read_json(line))


def record_of_object(found: object) -> Record:
    """Return the record of its JSON object; an `Unreadable` says what is wrong with it."""
    if not isinstance(found, dict):
        raise Unreadable(f"expected an object with type and entries, got {show(found, 60)!r}")
    given = found.get("type")
    if not isinstance(given, str) or given not in TYPES:
        raise Unreadable(f"no type {show(given, 40)!r}; there are {', '.join(TYPES)}")
    entries = found.get("entries")
    if not isinstance(entries, list):
        raise Unreadable("expected a list under 'entries'")
    text = found.get("text")
    return Record(
        given,
        tuple(map(_entry, entries)),
        _confidence(found),
        text_in(found, "key"),
        Parsed(text) if isinstance(text, str) else None,
        _warnings(found),
    )


def _entry(found: object) -> Entry:
    name = found.get("field") if isinstance(found, dict) else found
    if not isinstance(found, dict) or not isinstance(name, str) or name not in FIELDS:
        raise Unreadable(f"no field {show(name, 40)!r}; there are {', '.join(FIELDS)}")
    if "value" not in found:
        raise Unreadable(f"the entry of {name!r} has no value")
    value = value_of_object(found["value"])
    check_kind(name, value)
    start, end = (_place(found, key) for key in ("start", "end"))
    return Entry(name, value, text_in(found, "raw"), start, end, _confidence(found), _warnings(found))


def _number(found: dict[str, Any], key: str, usual: float) -> float:
    number = found.get(key, usual)
    if not isinstance(number, (int, float)) or isinstance(number, bool):
        raise Unreadable(f"{key!r} must be a number, not {show(number, 40)!r}")
    return number


def _place(found: dict[str, Any], key: str) -> int:
    number = _number(found, key, -1)
    if number != math.floor(number) or not -1 <= number <= LARGEST:
        raise Unreadable(f"{key!r} must be the place of a character, or -1, not {number}")
    return int(number)


def _confidence(found: dict[str, Any]) -> float:
    number = _number(found, "confidence", 1.0)
    if not 0 <= number <= 1:
        raise Unreadable(f"'confidence' must be between 0 and 1, not {number}")
    return number


def _warnings(found: dict[str, Any]) -> tuple[str, ...]:
    warnings = found.get("warnings", [])
    if not isinstance(warnings, list):
        raise Unreadable(f"'warnings' must be a list, not {show(warnings, 40)!r}")
    if not all(isinstance(one, str) for one in warnings):
        raise Unreadable("'warnings' must hold strings")
    return tuple(warnings)
