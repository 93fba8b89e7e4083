"""What can be linked: strings, parsed references and records, also as JSON objects, or items of a source."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import orjson

from ibidem.errors import InputError
from ibidem.records.build import record_of
from ibidem.records.formats.jsonl import as_object, record_of_object
from ibidem.records.record import Record
from ibidem.types import Field, Parsed

ReferenceInput = str | Parsed | Record
Parse = Callable[[Iterable[str]], Iterator[Parsed]]


class Item(NamedTuple):
    """A reference with its source, such as a file, and its bytes there, which tell whether the source has changed."""

    raw: bytes
    reference: ReferenceInput
    source: str


_FIELD = ("label", "text", "start", "end", "confidence")


def references_of(references: Iterable[ReferenceInput | Item]) -> list[ReferenceInput]:
    """Return the references alone, without sources."""
    return [one.reference if isinstance(one, Item) else one for one in references]


def items_by_source(references: Iterable[ReferenceInput | Item]) -> Iterator[tuple[str, Iterable[Item]]]:
    """Yield the items of each source.

    References without a source are one batch, named by a digest of its content: the same batch is the same source.
    """
    for is_item, some in groupby(references, key=lambda one: isinstance(one, Item)):
        if is_item:
            yield from groupby((one for one in some if isinstance(one, Item)), key=lambda item: item.source)
        else:
            batch = [(_raw(one), one) for one in some if not isinstance(one, Item)]
            digest = hashlib.sha256(b"\n".join(hashlib.sha256(raw).digest() for raw, _ in batch)).hexdigest()
            source = f"batch {digest[:16]}"
            yield source, [Item(raw, one, source) for raw, one in batch]


def _raw(reference: ReferenceInput) -> bytes:
    """Return bytes that identify a reference."""
    if isinstance(reference, str):
        return reference.encode("utf-8", "surrogatepass")
    if isinstance(reference, Record):
        return record_json(reference)
    _check(reference)
    spans = [(found.label, found.start, found.end, found.confidence) for found in reference.fields]
    return repr((reference.text, spans, reference.error)).encode("utf-8", "backslashreplace")


def record_json(record: Record) -> bytes:
    """Return a record as JSON; one that is not valid Unicode loses its entries and says so in a warning."""
    try:
        return orjson.dumps(as_object(record))
    except orjson.JSONEncodeError:  # a lone surrogate
        return orjson.dumps(as_object(Record(record.type, warnings=("not valid Unicode: a lone surrogate",))))


def parse_strings(references: Iterable[ReferenceInput], parse: Parse) -> Iterator[Parsed | Record]:
    """Yield the references in order; strings are parsed together."""
    held = list(references)
    strings = [one for one in held if isinstance(one, str)]
    parsed = parse(strings) if strings else iter(())
    for one in held:
        yield next(parsed) if isinstance(one, str) else _check(one)


def records_of(references: Iterable[ReferenceInput], parse: Parse) -> list[Record]:
    """Return the record of each reference, in order."""
    return [one if isinstance(one, Record) else record_of(one) for one in parse_strings(references, parse)]


def _check(reference: Parsed | Record) -> Parsed | Record:
    if not isinstance(reference, Parsed | Record):
        raise InputError(f"a reference is a string, a Parsed or a Record, not {type(reference).__name__}")
    return reference


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
