"""What can be linked: strings, parsed references and records, also as JSON objects, or items of a source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import orjson

from ibidem.faults import describe_fault, trip
from ibidem.linking.checks import ReferenceInput, check_reference, with_error
from ibidem.records.build import record_of
from ibidem.records.formats.jsonl import as_object, record_of_object
from ibidem.records.record import Record
from ibidem.types import Field, Parsed

Parse = Callable[[Iterable[str]], Iterator[Parsed]]


class Item(NamedTuple):
    """A reference with its source, such as a file, and its bytes there, which tell whether the source has changed."""

    raw: bytes
    reference: ReferenceInput
    source: str


_FIELD = ("label", "text", "start", "end", "confidence")


def references_of(references: Iterable[ReferenceInput | Item]) -> list[ReferenceInput]:
    """Return the references alone, checked, without sources."""
    return [check_reference(one.reference if isinstance(one, Item) else one) for one in references]


def items_by_source(references: Iterable[ReferenceInput | Item]) -> Iterator[tuple[str, Iterable[Item]]]:
    """Yield the items of each source, checked.

    References without a source are one batch, named by a digest of its content: the same batch is the same source.
    """
    for is_item, some in groupby(references, key=lambda one: isinstance(one, Item)):
        if is_item:
            items = (one._replace(reference=check_reference(one.reference)) for one in some if isinstance(one, Item))
            yield from groupby(items, key=lambda item: item.source)
        else:
            batch = [(_raw(one), one) for one in references_of(some)]
            digest = hashlib.sha256(b"\n".join(hashlib.sha256(raw).digest() for raw, _ in batch)).hexdigest()
            source = f"batch {digest[:16]}"
            yield source, [Item(raw, one, source) for raw, one in batch]


def _raw(reference: ReferenceInput) -> bytes:
    """Return bytes that identify a reference."""
    if isinstance(reference, str):
        return reference.encode("utf-8", "surrogatepass")
    if isinstance(reference, Record):
        return record_json(reference)
    spans = [(found.label, found.start, found.end, found.confidence) for found in reference.fields]
    return repr((reference.text, spans, reference.error)).encode("utf-8", "backslashreplace")


def record_json(record: Record) -> bytes:
    """Return a record as JSON; one that cannot be written loses its entries and says so in a warning."""
    return dump_record(record)[0]


def dump_record(record: Record) -> tuple[bytes, str | None]:
    """Return a record as JSON, and the error where it cannot be written: it is then without entries."""
    try:
        trip("store", record.origin.text if record.origin else "")
        return _dump(record), None
    except Exception as fault:
        error = describe_fault(fault, "storing it")
        origin = Parsed(record.origin.text) if record.origin else None
        return _dump(Record(origin=origin, warnings=(error,))), error


def _dump(record: Record) -> bytes:
    found = as_object(record)
    try:
        return orjson.dumps(found)
    except orjson.JSONEncodeError:  # a lone surrogate, or a number of more than 64 bits
        return json.dumps(found, allow_nan=False).encode()


def load_record(text: str | None, error: str | None = None, whole: str | None = None) -> Record:
    """Return the record of its JSON; one that cannot be read has an error, and the `whole` text of its reference."""
    try:
        trip("store", whole or "")
        record = _load(text or "")
    except Exception as fault:
        if error is None and isinstance(fault, ValueError):
            error = f"its record cannot be read: {fault}"
        error = error or describe_fault(fault, "reading it from the database")
        return Record(origin=Parsed(whole or "", error=error), warnings=(error,))
    return record if error is None else with_error(record, error)


def _load(text: str) -> Record:
    try:
        return record_of_object(orjson.loads(text))
    except ValueError:  # `json` reads what `_dump` writes by it
        return record_of_object(json.loads(text))


def parse_strings(references: Iterable[ReferenceInput], parse: Parse) -> Iterator[Parsed | Record]:
    """Yield the references in order; strings are parsed together."""
    held = list(references)
    strings = [one for one in held if isinstance(one, str)]
    parsed = parse(strings) if strings else iter(())
    for one in held:
        yield next(parsed) if isinstance(one, str) else one


def records_of(references: Iterable[ReferenceInput], parse: Parse) -> list[Record]:
    """Return the record of each reference, in order."""
    return [one if isinstance(one, Record) else build_record(one) for one in parse_strings(references, parse)]


def build_record(parsed: Parsed) -> Record:
    """Return the record of a parsed string; where that fails, one without entries that has the error."""
    try:
        trip("record", parsed.text)
        record = record_of(parsed)
    except Exception as fault:
        return record_of(Parsed(parsed.text, error=describe_fault(fault, "making a record of it")))
    failed = not record.entries and not record.confidence and parsed.error is None
    return with_error(record, record.warnings[0]) if failed and record.warnings else record


def reference_of_object(found: object, key: str = "text") -> ReferenceInput:
    """Return what a JSON object holds: a record, the output of `ibidem parse`, or a string under `key`.

    Raises a ValueError that says what is wrong with it.

    >>> reference_of_object({"text": "A. Reed. Drift. 2019."})
    'A. Reed. Drift. 2019.'
    """
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, got {type(found).__name__}")
    if "entries" in found:
        return record_of_object(found)
    text = found.get(key)
    if not isinstance(text, str):
        keys = ", ".join(list(found)[:10]) or "none"
        raise ValueError(f"expected a record with 'entries', or a string under {key!r}; the keys are {keys}")
    if isinstance(found.get("fields"), list):
        return Parsed(text, tuple(_field_of(one, text) for one in found["fields"]))
    return text


def _field_of(found: Any, text: str) -> Field:
    if not isinstance(found, dict) or not all(name in found for name in _FIELD):
        raise ValueError(f"a field has {', '.join(_FIELD)}; got {str(found)[:60]!r}")
    label, start, end, confidence = found["label"], found["start"], found["end"], found["confidence"]
    inside = isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= len(text)
    if not isinstance(label, str) or not inside or not isinstance(confidence, int | float):
        raise ValueError(f"not a field of this text: {str(found)[:80]!r}")
    return Field(label, text[start:end], start, end, float(confidence))
