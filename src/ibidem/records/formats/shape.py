"""The shapes that every format shares: what a writer is told, what a reader gives, what a format is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from ibidem.errors import MissingExtra
from ibidem.records.formats.limits import NOTHING, Capabilities
from ibidem.records.record import Record
from ibidem.types import Malformed

Readable = Record | Malformed
Warn = Callable[[str, str], None]


def silent(key: str, message: str) -> None:
    """Nothing: for whoever does not want to hear of what a format cannot carry."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a writer is told besides the records: whom to warn of (key, message), and the style of rendered text."""

    warn: Warn = silent
    style: str = "apa"


Writer = Callable[[Iterable[Record], BinaryIO, Options], None]
Reader = Callable[[BinaryIO], Iterator[Readable]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format by its name: the endings of its files, how it is written and read, and what it cannot carry.

    `extra` names the optional part of the installation that reading or writing needs, empty where none.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    write: Writer
    read: Reader | None = None
    extra: str = ""
    limits: Capabilities = NOTHING


def missing(package: str, extra: str, what: str) -> MissingExtra:
    """The error to raise where an optional package is not installed."""
    return MissingExtra(f"{what} needs {package}, which is not installed; pip install 'ibidem[{extra}]'")
