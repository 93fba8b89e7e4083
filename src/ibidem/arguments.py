"""Checks of the arguments of the public verbs: what cannot be meant is refused at once, in a sentence.

Each check takes a value and the name of its argument, and returns the value as the verbs use it.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ibidem.errors import ConfigError, InputError

_T = TypeVar("_T")
MOST_JOBS = 1_024
MOST_ALTERNATIVES = 10_000


def show(value: object) -> str:
    """Return a value as messages show it, on one line and not too long; also one whose `repr` fails.

    >>> show([1] * 100)
    '[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1…'
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:59].rstrip(", ") + "…"


def as_path(value: Any, name: str) -> Path:
    """Return the path of a file that is there, or may be: whoever opens it finds out whether it is.

    >>> as_path("", "model")
    Traceback (most recent call last):
    ibidem.errors.InputError: model is '': give the path of a file
    """
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str) or not os.fspath(value):
        raise InputError(f"{name} is {show(value)}: give the path of a file")
    try:
        Path(value).stat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:  # a name that no file can have, or a folder that cannot be entered
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{name} is {show(value)}: {reason}; give the path of a file") from error
    return Path(value)


def as_optional_path(value: Any, name: str) -> Path | None:
    """Return the path of a file, or None where none is given."""
    return None if value is None else as_path(value, name)


def as_count(value: Any, name: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`.

    >>> as_count(1.5, "jobs", 1, 1024)
    Traceback (most recent call last):
    ibidem.errors.InputError: jobs is 1.5: give a whole number from 1 to 1,024
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise InputError(f"{name} is {show(value)}: give a whole number from {least} to {most:,}")
    return number


def as_constraints(value: Any) -> bool | Path:
    """Return which constraints to use: True for the model's own, False for none, or the path of a file of them."""
    if isinstance(value, bool):
        return value
    if value is None:
        raise InputError("constraints is None: give True, False or the path of a TOML file")
    return as_path(value, "constraints")


def check_name(value: Any, name: str, choices: Collection[str] = ()) -> None:
    """Refuse what is not a string, or not one of the choices where there are some."""
    if not isinstance(value, str) or (choices and value not in choices):
        expected = f"one of {', '.join(choices)}" if choices else "a name"
        raise ConfigError(f"{name} is {show(value)}: give {expected}")


def check_callback(value: Any, name: str) -> None:
    """Refuse what can be neither called nor left out."""
    if value is not None and not callable(value):
        raise InputError(f"{name} is {show(value)}: give a function, or None")


def as_iterator(values: Iterable[_T], verb: str, kind: str, hint: str = "") -> Iterator[_T]:
    """Return an iterator over several values; refuse one string, a mapping, and what cannot be iterated over."""
    try:
        if not isinstance(values, str | bytes | bytearray | Mapping):
            return iter(values)
    except TypeError:
        pass
    raise InputError(f"{verb} takes a list or another iterable of {kind}, not {show(values)}{hint}")
