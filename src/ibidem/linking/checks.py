"""Checks of what callers give to be linked: a bad reference becomes a reference with an error, and costs no other."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import cache
from typing import Any

from ibidem.errors import InputError
from ibidem.faults import describe_fault
from ibidem.records.fields import FIELDS
from ibidem.records.formats.values import check_limits
from ibidem.records.record import SEASONS, Date, Entry, Name, Number, Pages, Record
from ibidem.records.types import TYPES
from ibidem.types import Field, Parsed

ReferenceInput = str | Parsed | Record

_NONE, _LISTS = type(None), (tuple, list)
_KINDS: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "str | None": (str, _NONE),
    "int": int,
    "int | None": (int, _NONE),
    "float": (int, float),
    "bool": bool,
    "Date | None": (Date, _NONE),
    "Parsed | None": (Parsed, _NONE),
    "Value": (str, Name, Date, Pages, Number),
    "tuple[str, ...]": _LISTS,
    "tuple[Entry, ...]": _LISTS,
    "tuple[Field, ...]": _LISTS,
    "tuple[Parsed, ...]": _LISTS,
}
"""What the annotations of records and parsed strings allow; others are not looked at."""

_LARGEST = 1e300  # a confidence beyond it, or one that is not a number, would spoil sums


def check_reference(given: object) -> ReferenceInput:
    """Return what was given to be linked, or in its place a parsed string with the error that says what is wrong.

    >>> check_reference(None)
    Parsed('', error='not a string, a Parsed or a Record: None')
    """
    if isinstance(given, str):
        return given
    if not isinstance(given, Parsed | Record):
        return Parsed("", error=f"not a string, a Parsed or a Record: {reprlib.repr(given)}")
    try:
        _check_record(given) if isinstance(given, Record) else _check_parsed(given)
    except Exception as error:
        origin = given.origin if isinstance(given, Record) else given
        text = origin.text if isinstance(origin, Parsed) and isinstance(origin.text, str) else ""
        return Parsed(text, error=describe_fault(error, "checking it"))
    return given


def with_error(record: Record, error: str) -> Record:
    """Return a record with an error, which is not compared with others; a warning says why."""
    origin = Parsed("", error=error) if record.origin is None else replace(record.origin, error=error)
    warnings = record.warnings if error in record.warnings else (*record.warnings, error)
    return replace(record, origin=origin, warnings=warnings)


def _check_record(record: Record) -> None:
    _check_parts(record)
    if record.type not in TYPES:
        raise InputError(f"not a record: no type {record.type[:40]!r}; there are {', '.join(TYPES)}")
    if record.origin is not None:
        _check_parsed(record.origin)
    for entry in record.entries:
        _check_kind(entry, Entry)
        _check_parts(entry)
        if entry.field not in FIELDS:
            raise InputError(f"not a record: no field {entry.field[:40]!r}; there are {', '.join(FIELDS)}")
        value: object = entry.value
        while value is not None and not isinstance(value, str):
            _check_parts(value)
            check_limits(value)
            if isinstance(value, Date) and value.season not in ("", *SEASONS):
                raise InputError(f"not a record: no season {value.season[:40]!r}; there are {', '.join(SEASONS)}")
            value = value.end if isinstance(value, Date) else None


def _check_parsed(parsed: Parsed) -> None:
    for one in (parsed, *_parsed_alternatives(parsed)):
        _check_kind(one, Parsed)
        _check_parts(one)
        for field in one.fields:
            _check_kind(field, Field)
            kinds = zip(field, ("str", "str", "int", "int", "float"), Field._fields, strict=True)
            for value, annotation, name in kinds:
                _check_value("Field", name, value, annotation)


def _parsed_alternatives(parsed: Parsed) -> Iterable[Parsed]:
    return parsed.alternatives if isinstance(parsed.alternatives, _LISTS) else ()


def _check_parts(given: object) -> None:
    """Raise an `InputError` where a part of a record or a parsed string is not of the kind it should be."""
    kind: Any = type(given)
    for name, annotation in _parts(kind):
        _check_value(kind.__name__, name, getattr(given, name), annotation)


def _check_value(kind: str, name: str, value: object, annotation: str) -> None:
    if not isinstance(value, _KINDS[annotation]):
        raise InputError(f"{name} of a {kind} must be {annotation}, not {reprlib.repr(value)}")
    if annotation == "float" and not -_LARGEST < value < _LARGEST:  # type: ignore[operator]
        raise InputError(f"{name} of a {kind} must be a finite number, not {reprlib.repr(value)}")


def _check_kind(given: object, kind: type) -> None:
    if not isinstance(given, kind):
        raise InputError(f"expected a {kind.__name__}, got {reprlib.repr(given)}")


@cache
def _parts(kind: Any) -> tuple[tuple[str, str], ...]:
    return tuple((part.name, str(part.type)) for part in fields(kind) if part.type in _KINDS)
