"""`ibidem convert`: records from a file into another format; also how `ibidem parse --format` writes its records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibidem.cli.inputs import suffix_of
from ibidem.cli.options import (
    INPUT,
    OUTPUT,
    Command,
    format_option,
    status_of,
    strict_option,
    style_option,
)
from ibidem.cli.terminal import say
from ibidem.errors import ConfigError
from ibidem.files import open_output
from ibidem.types import Parsed

if TYPE_CHECKING:
    from ibidem.records import Record

_LONGEST = 400  # characters of a message
_SHOWN = 5  # messages of one kind that are shown in full
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NAMING = ("no field for", "the type", "labelled")  # what these quote is a name, and no example


@click.command(cls=Command, renamed={"-f": "--from", "-t": "--to"})
@click.argument("source", metavar="IN", type=INPUT)
@click.argument("target", metavar="OUT", type=OUTPUT)
@format_option("--from", "read_as", help="The format of IN. [default: by its name]")
@format_option("--to", "write_as", help="The format of OUT. [default: by its name]")
@style_option
@strict_option
def convert(source: Path, target: Path, read_as: str | None, write_as: str | None, style: str, strict: bool) -> int:
    """Convert a file of records to another format.

    The formats of IN and OUT are guessed from their names (refs.bib, refs.json, refs.ris, refs.tei.xml, …, each also
    with .gz or .xz after it); - is standard input or output. An entry that cannot be read is skipped and reported on
    standard error, and so is whatever OUT cannot carry, field by field of each record. Where no entry can be read, OUT
    is not written.
    """
    import ibidem

    from_format, to_format = read_as or _guess_format(source, "--from"), write_as or _guess_format(target, "--to")
    diagnostics = Diagnostics(from_format, to_format, every=True)
    written = ibidem.convert(
        source,
        target,
        source_format=from_format,
        target_format=to_format,
        style=style,
        warn=diagnostics.warn,
        warn_reading=diagnostics.warn_reading,
        skip=lambda one: diagnostics.miss(one.source, one.reason),
    )
    diagnostics.add(written, source)
    diagnostics.close("entries could not be read")
    return diagnostics.status(strict=strict)


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

    With `every`, each warning of each record is reported, and nothing is counted at the end. `reading` and `writing`
    name the formats that warnings are about. `total` counts the items, `malformed` those that could not be read or
    parsed, and `unwritten` those that could not be written.
    """

    reading: str = ""
    writing: str = ""
    quiet: bool = False
    every: bool = False
    total: int = 0
    malformed: int = 0
    unwritten: int = 0
    blank: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def say(self, message: str) -> None:
        """Print a message on standard error, unless quiet."""
        if not self.quiet:
            say(message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…")

    def add(self, written: int, source: Path) -> None:
        """Count the entries of a file that were written and those that could not be, and report one without entries."""
        self.total += written + self.unwritten
        if not self.total:
            self.say(f"there are no entries in {source}")

    def miss(self, source: str, reason: str) -> None:
        """Count something that could not be read, and report the first few."""
        self.total += 1
        self.malformed += 1
        if self.malformed <= _SHOWN:
            self.say(f"{source}: {reason}")

    def warn(self, key: str, message: str) -> None:
        """Count a warning of a writer, and report it the first time that its kind comes up."""
        self.unwritten += message.startswith("not written: ")
        self._count(f"writing {self.writing}" if self.writing else "", key, message)

    def warn_reading(self, key: str, message: str) -> None:
        """Count a warning of a reader, and report it the first time that its kind comes up."""
        self._count(f"reading {self.reading}", key, message)

    def _count(self, doing: str, key: str, message: str) -> None:
        before = ", ".join(filter(None, ("warning", doing)))
        kind = before, kind_of(message)
        self.counts[kind] += 1
        if self.every or self.counts[kind] == 1:
            self.say(f"{before}, {key}: {message}" if key else f"{before}: {message}")

    def close(self, what: str) -> None:
        """Report how often each kind of warning came, and how much could not be read."""
        for (before, kind), count in self.counts.items():
            if count > 1 and not self.every:
                self.say(f"{before}, {count:,} times: {kind}")
        if self.malformed:
            self.say(f"{self.malformed:,} of {self.total:,} {what}")
        if self.unwritten:
            self.say(f"{self.unwritten:,} could not be written")

    def status(self, *, strict: bool) -> int:
        """Return the exit status."""
        return status_of(self.total, self.malformed + self.unwritten, strict=strict)


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
        error = parsed.error or next(iter(record.warnings if not record.entries else ()), None)
        if error is None:
            diagnostics.total += 1
        else:
            diagnostics.miss(f"reference {number}", error)
            if options.format != "jsonl":
                continue
        yield record


def write_parsed(
    answers: Iterable[Parsed], output: Path | None, options: FormatOptions, *, quiet: bool = False
) -> tuple[int, int]:
    """Write the records of parsed references in a format; return the number of references and of those that failed."""
    from ibidem.records.formats import format_named, write

    format_named(options.format)
    diagnostics = Diagnostics(writing=options.format, quiet=quiet)
    with open_output(output) as out:
        records = records_of(answers, options, diagnostics)
        write(records, out, options.format, warn=diagnostics.warn, style=options.style)
    diagnostics.close("references could not be parsed")
    return diagnostics.total, diagnostics.malformed + diagnostics.unwritten


_FIELDS = {".jsonl", ".ndjson", ".json", ".txt"}  # endings of files that hold fields or works, one JSON object per line


def format_by_name(output: Path) -> str | None:
    """Return the format of records that the name of an output asks for; None where it asks for JSON Lines.

    >>> format_by_name(Path("refs.bib")), format_by_name(Path("refs.jsonl"))
    ('bibtex', None)
    """
    from ibidem.records.formats import format_of

    try:
        return None if suffix_of(output) in _FIELDS else format_of(output).name
    except ConfigError:
        return None


def _guess_format(path: Path, option: str) -> str:
    """Return the format of a file by its name, or raise an error that names the option to give."""
    from ibidem.records.formats import format_of

    if str(path) == "-":
        raise ConfigError(f"the format of - must be named; give {option}")
    try:
        return format_of(path).name
    except ConfigError as error:
        raise ConfigError(f"{error} (or give {option})") from None
