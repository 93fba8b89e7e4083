"""Frozen dataclasses from TOML: an unknown key is an error that names the nearest, a wrong type one that says where.

One dataclass per component, with its defaults in the class and its documentation in the docstring:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Training:
...     rounds: int = 100
...     penalty: float = 1.0
...     datasets: tuple[str, ...] = ()
>>> from_toml(Training, "rounds = 20\\ndatasets = ['cora']")
Training(rounds=20, penalty=1.0, datasets=('cora',))
>>> from_toml(Training, "round = 20")
Traceback (most recent call last):
    ...
ibidem.errors.ConfigError: unknown key 'round' in Training; did you mean 'rounds'?
"""

from __future__ import annotations

import dataclasses
import os
import types
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ibidem.errors import ConfigError

T = TypeVar("T")
_MAX_SIZE = 4_000_000
_MAX_PARTS = 100
_LONG_KEY = rf"""(?<![\w"'-])[\w"'-]++(?:[ \t]*\.[ \t]*[\w"'-]++){{{_MAX_PARTS},}}"""
_MAX_WHOLE = 10**300  # beyond it a whole number is no float
_SHOWN = 80  # characters of a value in a message


def renamed_keys(**former: str) -> Callable[[type[T]], type[T]]:
    """Decorate a dataclass to accept keys under their former names for one release, with a `DeprecationWarning`.

    >>> from dataclasses import dataclass
    >>> @renamed_keys(learning_rate="rate")
    ... @dataclass(frozen=True, slots=True)
    ... class Training:
    ...     learning_rate: float = 0.1
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     from_toml(Training, "rate = 0.2")
    Training(learning_rate=0.2)
    >>> str(caught[0].message)
    "Training: the key 'rate' is now called 'learning_rate'"
    """

    def decorate(cls: type[T]) -> type[T]:
        cls.__former_keys__ = {old: new for new, old in former.items()}  # type: ignore[attr-defined]
        return cls

    return decorate


def from_toml(cls: type[T], source: os.PathLike[str] | str) -> T:
    """Return a `cls` filled from TOML: a path is read, a string is the TOML itself."""
    if isinstance(source, str):
        return from_mapping(cls, parse_toml(source, cls.__name__), cls.__name__)
    where = os.fspath(source)
    try:
        with Path(source).open("rb") as stream:
            content = stream.read(_MAX_SIZE + 1)
        text = content.decode("utf-8") if len(content) <= _MAX_SIZE else ""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {where}: {reason}; give a TOML file in UTF-8") from error
    if len(content) > _MAX_SIZE:
        raise ConfigError(f"{where} has more than {_MAX_SIZE:,} bytes; give a smaller TOML file")
    return from_mapping(cls, parse_toml(text, where), where)


def parse_toml(text: str, where: str) -> dict[str, object]:
    """Return the table that a text in TOML holds; `where` is what error messages call it.

    Depth, keys and numbers without end are refused: reading them would take more than the text is worth.
    """
    import re
    import tomllib

    if len(text) > _MAX_SIZE:
        raise ConfigError(f"{where} has more than {_MAX_SIZE:,} characters; give less TOML")
    if re.search(_LONG_KEY, text):  # the time that a key takes is quadratic in its parts
        raise ConfigError(f"{where} has a key of more than {_MAX_PARTS} parts; make it shorter")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where} is not TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{where} has lists or tables nested too deeply; make it flatter") from error
    except ValueError as error:
        raise ConfigError(f"{where} has a number with too many digits: {error}") from error


def from_mapping(cls: type[T], table: Mapping[str, object], where: str = "") -> T:
    """Return a `cls` filled from a table of keys and values, nested tables for nested dataclasses.

    `where` is what error messages call the table; keys of nested tables are named after it with dots. A class with a
    method `config_class` chooses the dataclass that is filled by what the table holds.
    """
    where = where or cls.__name__
    if "config_class" in vars(cls):
        return cast(T, from_mapping(cast(Any, cls).config_class(table), table, where))
    if not isinstance(table, Mapping) or not all(isinstance(key, str) for key in table):
        raise ConfigError(f"{where} is {_show(table)}; expected a table whose keys are strings")
    table = _with_new_names(cls, table, where)
    hints = get_type_hints(cls)
    fields = {field.name: field for field in dataclasses.fields(cast(Any, cls)) if field.init}
    for key in table:
        if key not in fields:
            raise ConfigError(_unknown(key, list(fields), where))
    for name, field in fields.items():
        missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if missing and name not in table:
            raise ConfigError(f"{where} lacks the key {name!r}, which has no default; add it")
    values = {key: _convert(hints[key], value, f"{where}: {key}") for key, value in table.items()}
    try:
        return cls(**values)
    except (TypeError, ValueError, OverflowError) as error:
        raise ConfigError(f"{where}: {error}") from error


def _with_new_names(cls: type, table: Mapping[str, object], where: str) -> dict[str, object]:
    """Return the table with former names of keys replaced by the new ones."""
    former: Mapping[str, str] = getattr(cls, "__former_keys__", {})
    found: dict[str, object] = {}
    for key, value in table.items():
        name = former.get(key, key)
        if name in found:
            raise ConfigError(f"{where} has the key {name!r} twice, once under its former name; keep one")
        if name != key:
            warnings.warn(f"{where}: the key {key!r} is now called {name!r}", DeprecationWarning, stacklevel=4)
        found[name] = value
    return found


def _convert(kind: Any, value: object, where: str) -> object:
    """Return `value` as a `kind`, or raise a `ConfigError` that says where it stands and what was expected."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin in (Union, types.UnionType):
        return _first_that_fits(arguments, value, kind, where)
    if origin is Literal:
        if value in arguments and type(value) in {type(choice) for choice in arguments}:
            return value
    elif origin in (tuple, list):
        if isinstance(value, list | tuple):
            return _sequence(origin, arguments, list(value), where)
    elif origin in (dict, Mapping):
        if isinstance(value, Mapping):
            return {str(key): _convert(arguments[1], item, f"{where}.{_cut(str(key))}") for key, item in value.items()}
    elif dataclasses.is_dataclass(kind) or hasattr(kind, "config_class"):
        if isinstance(value, Mapping):
            return from_mapping(cast(type, kind), value, where)
    elif kind is Path and isinstance(value, str):
        return Path(value)
    elif kind is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MAX_WHOLE:
        return float(value)
    elif kind is int and isinstance(value, int) and abs(value) >= 2**64:
        raise ConfigError(f"{where} is {_show(value)}; expected a number of at most 64 bits")
    elif isinstance(kind, type) and isinstance(value, kind) and not (kind is not bool and isinstance(value, bool)):
        return value
    raise ConfigError(f"{where} is {_show(value)}; expected {_describe(kind)}")


def _first_that_fits(kinds: tuple[Any, ...], value: object, whole: Any, where: str) -> object:
    """Return `value` as the first of `kinds` that accepts it; with one kind beside None, that kind's own message."""
    if value is None and type(None) in kinds:
        return None
    others = [kind for kind in kinds if kind is not type(None)]
    if len(others) == 1:
        return _convert(others[0], value, where)
    for kind in others:
        try:
            return _convert(kind, value, where)
        except ConfigError:
            continue
    raise ConfigError(f"{where} is {_show(value)}; expected {_describe(whole)}")


def _show(value: object) -> str:
    """Return a value for a message, cut where it is long.

    >>> _show("x" * 100)[-4:], _show(10**5000)
    ('xxx…', 'a number of thousands of digits')
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a number of thousands of digits"
    return _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _sequence(origin: Any, arguments: tuple[Any, ...], items: list[object], where: str) -> object:
    if origin is tuple and arguments[1:] != (Ellipsis,):
        if len(items) != len(arguments):
            raise ConfigError(f"{where} has {len(items)} items; expected {len(arguments)}")
        kinds = arguments
    else:
        kinds = (arguments[0],) * len(items)
    pairs = enumerate(zip(kinds, items, strict=True))
    return origin(_convert(kind, item, f"{where}[{place}]") for place, (kind, item) in pairs)


def _unknown(key: str, known: list[str], where: str) -> str:
    import difflib

    near = difflib.get_close_matches(key[:_SHOWN], known, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(known) or 'none'}"
    return f"unknown key {_show(key)} in {where}; {hint}"


def _describe(kind: Any) -> str:
    """Return the name of a type in the words of TOML."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(_describe(argument) for argument in arguments if argument is not type(None))
    if origin is Literal:
        return "one of " + ", ".join(map(repr, arguments))
    if origin in (tuple, list):
        return "a list"
    if origin in (dict, Mapping) or dataclasses.is_dataclass(kind) or hasattr(kind, "config_class"):
        return "a table"
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a string", Path: "a path"}
    return names.get(kind, getattr(kind, "__name__", str(kind)))
