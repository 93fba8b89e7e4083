"""`ibidem convert`: records from a file into another format; also how `ibidem parse --format` writes its records."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibidem.cli.options import PATH, Command, format_option, style_option
from ibidem.errors import ConfigError
from ibidem.types import Parsed

if TYPE_CHECKING:
    from ibidem.records import Record

_SHOWN = 5  # messages of one kind that are shown in full
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NAMING = ("no field for", "the type", "labelled")  # what these quote is a name, and no example


@click.command(cls=Command, renamed={"-f": "--from", "-t": "--to"})
@click.argument("source", metavar="IN", type=PATH)
@click.argument("target", metavar="OUT", type=PATH)
@format_option("--from", "read_as", help="The format of IN. [default: by its name]")
@format_option("--to", "write_as", help="The format of OUT. [default: by its name]")
@style_option
def convert(source: Path, target: Path, read_as: str | None, write_as: str | None, style: str) -> None:
    """Convert a file of records to another format.

    The formats of IN and OUT are guessed from their names (refs.bib, refs.json, refs.ris, refs.tei.xml, …, each also
    with .gz after it); - is standard input or output. An entry that cannot be read is skipped and reported on standard
    error, and so is whatever OUT cannot carry.
    """
    import ibidem

    from_format, to_format = read_as or _guess_format(source, "--from"), write_as or _guess_format(target, "--to")
    diagnostics = Diagnostics(from_format, to_format)
    diagnostics.written = ibidem.convert(
        source,
        target,
        source_format=from_format,
        target_format=to_format,
        style=style,
        warn=diagnostics.warn,
        warn_reading=diagnostics.warn_reading,
        skip=lambda one: diagnostics.miss(one.source, one.reason),
    )
    if not diagnostics.written:
        _say(f"there are no entries in {source}")
    diagnostics.close("entries could not be read")


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

    `reading` and `writing` name the formats that warnings are about.
    """

    reading: str = ""
    writing: str = ""
    written: int = 0
    malformed: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def miss(self, source: str, reason: str) -> None:
        """Count something that could not be read, and report the first few."""
        self.malformed += 1
        if self.malformed <= _SHOWN:
            _say(f"{source}: {reason}")

    def warn(self, key: str, message: str) -> None:
        """Count a warning of a writer, and report it the first time that its kind comes up."""
        self._count(f"writing {self.writing}" if self.writing else "", key, message)

    def warn_reading(self, key: str, message: str) -> None:
        """Count a warning of a reader, and report it the first time that its kind comes up."""
        self._count(f"reading {self.reading}", key, message)

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
        record = record_of(parsed, journals=options.journals)
        if record.entries:
            diagnostics.written += 1
        else:
            diagnostics.miss(f"reference {number}", record.warnings[0])
            if options.format != "jsonl":
                continue
        yield record


def write_parsed(answers: Iterable[Parsed], output: Path | None, options: FormatOptions) -> None:
    """Write the records of parsed references in a format."""
    from ibidem.files import open_output
    from ibidem.records.formats import format_named, write

    format_named(options.format)
    diagnostics = Diagnostics(writing=options.format)
    with open_output(output or Path("-")) as out:
        records = records_of(answers, options, diagnostics)
        write(records, out, options.format, warn=diagnostics.warn, style=options.style)
    diagnostics.close("references could not be parsed")


def _guess_format(path: Path, option: str) -> str:
    """Return the format of a file by its name, or raise an error that names the option to give."""
    from ibidem.records.formats import format_of

    if str(path) == "-":
        raise ConfigError(f"the format of - must be named; give {option}")
    try:
        return format_of(path).name
    except ConfigError as error:
        raise ConfigError(f"{error} (or give {option})") from None
