"""What can be linked, made records: strings, parsed references, records, and lines of JSON that hold any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ibidem.errors import InputError
from ibidem.linking.matcher import PairModel, load, shipped
from ibidem.records.build import record_of
from ibidem.records.formats.jsonl import record_of_object
from ibidem.records.record import Record
from ibidem.types import Field, Parsed

Given = str | Parsed | Record
Parse = Callable[[Iterable[str]], Iterator[Parsed]]


class Item(NamedTuple):
    """A reference as a file has it: bytes that tell it from another, what they hold, and why they cannot be read."""

    raw: bytes
    given: Given
    error: str | None = None


_FIELD = ("label", "text", "start", "end", "confidence")


def records_of(references: Iterable[Given], parse: Parse) -> list[Record]:
    """The record of each reference, in order; strings are parsed together."""
    held = list(references)
    strings = [one for one in held if isinstance(one, str)]
    parsed = parse(strings) if strings else iter(())
    return [_record(next(parsed) if isinstance(one, str) else one) for one in held]


def _record(given: Parsed | Record) -> Record:
    if isinstance(given, Record):
        return given
    if isinstance(given, Parsed):
        return record_of(given)
    raise InputError(f"a reference is a string, a Parsed or a Record, not {type(given).__name__}")


def weights(path: str | Path | None) -> PairModel:
    """The model of pairs in a file, or the one that ships."""
    return shipped() if path is None else load(Path(path))


def given_of_object(found: object, key: str = "text") -> Given:
    """What a line of JSON Lines holds: a record, what `ibidem parse` wrote, or a string under `key`.

    A ValueError says what is wrong with it.

    >>> given_of_object({"text": "A. Reed. Drift. 2019."})
    'A. Reed. Drift. 2019.'
    """
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, got {type(found).__name__}")
    if "entries" in found:
        return record_of_object(found)
    text = found.get(key)
    if not isinstance(text, str):
        raise ValueError(f"expected a record with 'entries', or a string under {key!r}; the keys are {_keys(found)}")
    if isinstance(found.get("fields"), list):
        return Parsed(text, tuple(_field(one, text) for one in found["fields"]))
    return text


def _keys(found: dict[str, Any]) -> str:
    return ", ".join(list(found)[:10]) or "none"


def _field(found: object, text: str) -> Field:
    if not isinstance(found, dict) or not all(name in found for name in _FIELD):
        raise ValueError(f"a field has {', '.join(_FIELD)}; got {str(found)[:60]!r}")
    label, start, end, sure = found["label"], found["start"], found["end"], found["confidence"]
    whole = isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= len(text)
    if not isinstance(label, str) or not whole or not isinstance(sure, int | float):
        raise ValueError(f"a field that cannot be: {str(found)[:80]!r}")
    return Field(label, text[start:end], start, end, float(sure))
