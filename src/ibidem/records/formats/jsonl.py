"""Our own JSON Lines: everything a record holds, one object per line; `record.schema.json` describes the object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from ibidem.records.fields import FIELDS, TYPES
from ibidem.records.formats.format import Options, Readable
from ibidem.records.formats.values import value_object, value_of_object
from ibidem.records.record import Entry, Record
from ibidem.types import Malformed, Parsed


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
    import orjson

    for record in records:
        try:
            line = orjson.dumps(as_object(record), option=orjson.OPT_APPEND_NEWLINE)
        except orjson.JSONEncodeError:
            options.warn(record.key, "not written: it holds what is no valid Unicode (a lone surrogate)")
            continue
        stream.write(line)


def read(stream: BinaryIO) -> Iterator[Readable]:
    """Yield the records of the lines; a line that holds none is `Malformed`."""
    import orjson

    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            yield record_of_object(orjson.loads(line))
        except (ValueError, RecursionError) as error:  # orjson's own error is a ValueError
            yield Malformed(f"line {number}", str(error))


def record_of_object(found: object) -> Record:
    """Return the record of its JSON object; a ValueError says what is wrong with it."""
    if not isinstance(found, dict):
        raise ValueError(f"expected an object with type and entries, got {str(found)[:60]!r}")
    if found.get("type") not in TYPES:
        raise ValueError(f"no type {str(found.get('type'))[:40]!r}; there are {', '.join(TYPES)}")
    entries = found.get("entries")
    if not isinstance(entries, list):
        raise ValueError("expected a list under 'entries'")
    text = found.get("text")
    return Record(
        found["type"],
        tuple(map(_entry, entries)),
        _number(found, "confidence", 1.0),
        str(found.get("key", "")),
        Parsed(text) if isinstance(text, str) else None,
        _warnings(found),
    )


def _entry(found: object) -> Entry:
    if not isinstance(found, dict) or found.get("field") not in FIELDS:
        name = found.get("field") if isinstance(found, dict) else found
        raise ValueError(f"no field {str(name)[:40]!r}; there are {', '.join(FIELDS)}")
    if "value" not in found:
        raise ValueError(f"the entry of {found['field']!r} has no value")
    start, end = (int(_number(found, key, -1)) for key in ("start", "end"))
    return Entry(
        found["field"], value_of_object(found["value"]), str(found.get("raw", "")), start, end,
        _number(found, "confidence", 1.0), _warnings(found),
    )  # fmt: skip


def _number(found: dict[str, Any], key: str, usual: float) -> float:
    number = found.get(key, usual)
    if not isinstance(number, (int, float)) or isinstance(number, bool):
        raise ValueError(f"{key!r} must be a number, not {str(number)[:40]!r}")
    return number


def _warnings(found: dict[str, Any]) -> tuple[str, ...]:
    warnings = found.get("warnings", [])
    if not isinstance(warnings, list):
        raise ValueError(f"'warnings' must be a list, not {str(warnings)[:40]!r}")
    return tuple(map(str, warnings))
