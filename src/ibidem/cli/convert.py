"""Records between files: the work behind `ibidem convert` and `ibidem parse --format`."""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from ibidem.cli.outputs import open_output
from ibidem.errors import ConfigError, InputError
from ibidem.records import Record
from ibidem.records.formats import Format, Readable, format_named, format_of, read, write
from ibidem.records.formats import opened as reading
from ibidem.types import Malformed, Parsed

_SHOWN = 5  # messages of one kind that are shown in full


@dataclass(slots=True)
class Diagnostics:
    """What went wrong on the way, told on standard error: each kind of warning once, and how many there were."""

    tell_of_reading: bool = False
    written: int = 0
    malformed: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def kept(self, found: Iterable[Readable]) -> Iterator[Record]:
        """The records alone; what could not be read is told of and counted."""
        for one in found:
            if isinstance(one, Malformed):
                self.miss(one.source, one.reason)
                continue
            self.written += 1
            if self.tell_of_reading:
                for warning in one.every_warning():
                    self.warn(one.key, warning)
            yield one

    def miss(self, source: str, reason: str) -> None:
        """Nothing: counts what could not be read, and tells of the first ones."""
        self.malformed += 1
        if self.malformed <= _SHOWN:
            _say(f"{source}: {reason}")

    def warn(self, key: str, message: str) -> None:
        """Nothing: tells of a warning the first time that its kind comes up."""
        kind = message.partition(" '")[0]
        self.counts[kind] += 1
        if self.counts[kind] == 1:
            _say(f"warning, {key}: {message}" if key else f"warning: {message}")

    def close(self, what: str) -> None:
        """Nothing: tells how many records had a warning of a kind, and how many could not be read."""
        for kind, count in self.counts.items():
            if count > 1:
                _say(f"warning, {count:,} times: {kind}")
        if self.malformed:
            _say(f"{self.malformed:,} of {self.malformed + self.written:,} {what}")


def _say(message: str) -> None:
    shown = " ".join(message.encode("utf-8", "backslashreplace").decode().split())
    print(f"ibidem: {shown[:400]}", file=sys.stderr)


def convert(source: Path, target: Path, read_as: str | None, write_as: str | None, style: str) -> None:
    """Nothing: writes the records of a file in another format; `-` is standard input or output."""
    from_format = format_named(read_as) if read_as else _guessed(source, "--from")
    to_format = format_named(write_as) if write_as else _guessed(target, "--to")
    if str(target) != "-" and target.exists() and source.exists() and source.samefile(target):
        raise InputError(f"{target} is read and cannot be written to at the same time; give another OUT")
    account = Diagnostics(tell_of_reading=True)
    with _reading(source) as stream:
        found = account.kept(read(stream, from_format.name))
        with _writing(target) as out:
            write(found, out, to_format.name, warn=account.warn, style=style)
            if account.malformed and not account.written:
                raise InputError(f"nothing of {source} could be read as {from_format.name}; is it of another format?")
    if not account.written:
        _say(f"there are no entries in {source}")
    account.close("entries could not be read")


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """How the records of parsed references are to be written."""

    format: str
    style: str = "apa"
    journals: str = "as-is"


def records_of(answers: Iterable[Parsed], wish: FormatOptions, account: Diagnostics) -> Iterator[Record]:
    """The records of parsed references; of one that could not be parsed only our own JSON Lines can tell."""
    from ibidem.records.build import record_of

    for number, parsed in enumerate(answers, 1):
        if parsed.error is not None:
            account.miss(f"reference {number}", parsed.error)
            if wish.format != "jsonl":
                continue
        else:
            account.written += 1
        yield record_of(parsed, journals=wish.journals)


def write_parsed(answers: Iterable[Parsed], output: Path | None, wish: FormatOptions) -> None:
    """Nothing: writes the records of parsed references in a format."""
    format_named(wish.format)
    account = Diagnostics()
    with _writing(output) as out:
        write(records_of(answers, wish, account), out, wish.format, warn=account.warn, style=wish.style)
    account.close("references could not be parsed")


def _guessed(path: Path, option: str) -> Format:
    """The format that a name means, or an error that names the option to give."""
    if str(path) == "-":
        raise ConfigError(f"the format of - must be named; give {option}")
    try:
        return format_of(path)
    except ConfigError as error:
        raise ConfigError(f"{error} (or give {option})") from None


def _reading(path: Path) -> AbstractContextManager[BinaryIO]:
    """The bytes of a file; `-` is standard input."""
    return nullcontext(sys.stdin.buffer) if str(path) == "-" else reading(path)


@contextmanager
def _writing(path: Path | None) -> Iterator[BinaryIO]:
    """The stream to write to, packed where its name ends in .gz; a file takes its place only when it is whole."""
    if path is None or str(path) == "-" or (path.exists() and not path.is_file()):
        with open_output(path) as stream:
            yield stream
        return
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    part = path.resolve().with_name(path.name + ".part")
    try:
        with open_output(part) as stream, _packed(stream) if path.suffix == ".gz" else nullcontext(stream) as out:
            yield out
        part.replace(path.resolve())
    finally:
        part.unlink(missing_ok=True)


def _packed(stream: BinaryIO) -> AbstractContextManager[BinaryIO]:
    # Without a time in it the same records give the same file.
    return cast(AbstractContextManager[BinaryIO], gzip.GzipFile(fileobj=stream, mode="wb", mtime=0))
