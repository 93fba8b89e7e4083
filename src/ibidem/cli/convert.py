"""`ibidem convert`: records from a file into another format; also how `ibidem parse --format` writes its records."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from ibidem.cli.options import PATH, Command
from ibidem.cli.outputs import opened
from ibidem.errors import ConfigError, InputError
from ibidem.types import Malformed, Parsed

if TYPE_CHECKING:
    from ibidem.records import Record
    from ibidem.records.formats import Format, Readable

_SHOWN = 5  # messages of one kind that are shown in full
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NAMING = ("no field for", "the type", "labelled")  # what these quote is a name, and no example


@click.command(cls=Command, renamed={"-f": "--from", "-t": "--to"})
@click.argument("source", metavar="IN", type=PATH)
@click.argument("target", metavar="OUT", type=PATH)
@click.option("--from", "read_as", metavar="FORMAT", help="The format of IN. [default: by its name]")
@click.option("--to", "write_as", metavar="FORMAT", help="The format of OUT. [default: by its name]")
@click.option(
    "--style",
    "-s",
    metavar="STYLE",
    default="apa",
    show_default=True,
    help="The CSL style of markdown, html and text: a name, or a .csl file.",
)
def convert(source: Path, target: Path, read_as: str | None, write_as: str | None, style: str) -> None:
    """Convert a file of records to another format.

    The formats of IN and OUT are guessed from their names (refs.bib, refs.json, refs.ris, refs.tei.xml, …, each also
    with .gz after it); - is standard input or output. An entry that cannot be read is skipped and reported on standard
    error, and so is whatever OUT cannot carry.
    """
    convert_file(source, target, read_as, write_as, style)


def kind_of(message: str) -> str:
    """Return a warning without its example, to count warnings of a kind.

    >>> kind_of("no field for 'abstract': On bells and the"), kind_of("title: 'Recog- nition' may be one word")
    ("no field for 'abstract'", 'title: … may be one word')
    """
    head, colon, rest = message.partition(": ")
    if colon and " " not in head:  # the field that it is about
        return f"{head}: {kind_of(rest)}"
    return head if head.startswith(_NAMING) else _QUOTED.sub("…", head)


@dataclass(slots=True)
class Diagnostics:
    """Problems on the way, reported on standard error: each kind of warning once, then how often it came.

    `reading` and `writing` name the formats that warnings are about; those about reading are reported where it is set.
    """

    reading: str = ""
    writing: str = ""
    written: int = 0
    malformed: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def keep_records(self, found: Iterable[Readable]) -> Iterator[Record]:
        """Yield the records; report and count what could not be read."""
        for one in found:
            if isinstance(one, Malformed):
                self.miss(one.source, one.reason)
                continue
            self.written += 1
            if self.reading:
                for warning in one.every_warning():
                    self._count(f"reading {self.reading}", one.key, warning)
            yield one

    def miss(self, source: str, reason: str) -> None:
        """Count something that could not be read, and report the first few."""
        self.malformed += 1
        if self.malformed <= _SHOWN:
            _say(f"{source}: {reason}")

    def warn(self, key: str, message: str) -> None:
        """Count a warning of a writer, and report it the first time that its kind comes up."""
        self._count(f"writing {self.writing}" if self.writing else "", key, message)

    def _count(self, doing: str, key: str, message: str) -> None:
        before = ", ".join(filter(None, ("warning", doing)))
        kind = before, kind_of(message)
        self.counts[kind] += 1
        if self.counts[kind] == 1:
            _say(f"{before}, {key}: {message}" if key else f"{before}: {message}")

    def close(self, what: str) -> None:
        """Report how often each kind of warning came, and how much could not be read."""
        for (before, kind), count in self.counts.items():
            if count > 1:
                _say(f"{before}, {count:,} times: {kind}")
        if self.malformed:
            _say(f"{self.malformed:,} of {self.malformed + self.written:,} {what}")


def _say(message: str) -> None:
    shown = " ".join(message.encode("utf-8", "backslashreplace").decode().split())
    print(f"ibidem: {shown[:400]}", file=sys.stderr)


def convert_file(source: Path, target: Path, read_as: str | None, write_as: str | None, style: str) -> None:
    """Write the records of a file in another format; `-` is standard input or output."""
    from ibidem.records.formats import format_named, open_input, read, write

    from_format = format_named(read_as) if read_as else _guess_format(source, "--from")
    to_format = format_named(write_as) if write_as else _guess_format(target, "--to")
    if str(target) != "-" and target.exists() and source.exists() and source.samefile(target):
        raise InputError(f"{target} is read and cannot be written to at the same time; give another OUT")
    diagnostics = Diagnostics(from_format.name, to_format.name)
    with nullcontext(sys.stdin.buffer) if str(source) == "-" else open_input(source) as stream:
        found = diagnostics.keep_records(read(stream, from_format.name))
        with _open_target(target) as out:
            write(found, out, to_format.name, warn=diagnostics.warn, style=style)
            if diagnostics.malformed and not diagnostics.written:
                raise InputError(f"nothing of {source} could be read as {from_format.name}; is it of another format?")
    if not diagnostics.written:
        _say(f"there are no entries in {source}")
    diagnostics.close("entries could not be read")


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """How to write the records of parsed references."""

    format: str
    style: str = "apa"
    journals: str = "as-is"


def records_of(answers: Iterable[Parsed], options: FormatOptions, diagnostics: Diagnostics) -> Iterator[Record]:
    """Yield the records of parsed references; only our own JSON Lines has a record for one that failed."""
    from ibidem.records.build import record_of

    for number, parsed in enumerate(answers, 1):
        if parsed.error is not None:
            diagnostics.miss(f"reference {number}", parsed.error)
            if options.format != "jsonl":
                continue
        else:
            diagnostics.written += 1
        yield record_of(parsed, journals=options.journals)


def write_parsed(answers: Iterable[Parsed], output: Path | None, options: FormatOptions) -> None:
    """Write the records of parsed references in a format."""
    from ibidem.records.formats import format_named, write

    format_named(options.format)
    diagnostics = Diagnostics(writing=options.format)
    with _open_target(output) as out:
        records = records_of(answers, options, diagnostics)
        write(records, out, options.format, warn=diagnostics.warn, style=options.style)
    diagnostics.close("references could not be parsed")


def _guess_format(path: Path, option: str) -> Format:
    """Return the format of a file by its name, or raise an error that names the option to give."""
    from ibidem.records.formats import format_of

    if str(path) == "-":
        raise ConfigError(f"the format of - must be named; give {option}")
    try:
        return format_of(path)
    except ConfigError as error:
        raise ConfigError(f"{error} (or give {option})") from None


def _open_target(path: Path | None) -> AbstractContextManager[BinaryIO]:
    """Open a stream to write to: a file, which is replaced once it is complete, a device, or standard output."""
    from ibidem.records.formats import open_atomically

    if path is None or str(path) == "-" or (path.exists() and not path.is_file()):
        return opened(path)
    return open_atomically(path)
