"""Files of records: reading, writing and converting them, in any format that Ibidem knows.

A file that is written appears whole or not at all. `-` is standard input or output, whose format must be named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path

from ibidem.errors import ConfigError, InputError
from ibidem.files import check_outputs, open_input, open_output
from ibidem.records.formats import Format, Readable, format_named, format_of
from ibidem.records.formats import read as read_stream
from ibidem.records.formats import write as write_stream
from ibidem.records.formats.format import Warn, ignore_warning
from ibidem.records.record import Record
from ibidem.types import Malformed


def read_file(path: Path, name: str | None = None) -> Iterator[Readable]:
    """Return the records of a file in order; an entry that cannot be read comes as a `Malformed`.

    The format is the one called `name`, or the one of the file's name. Raises `InputError` when there is no such file
    and `ConfigError` when the format is unknown or cannot be read, before the first record is asked for.
    """
    chosen = _choose_format(path, name)
    read_stream(BytesIO(), chosen.name)  # refuses a format that can only be written
    if path.is_file() or path.is_dir() or not (path.exists() or str(path) == "-"):  # what is neither can be read once
        with open_input(path):
            pass
    return _read(path, chosen)


def _read(path: Path, chosen: Format) -> Iterator[Readable]:
    with open_input(path) as stream:
        yield from read_stream(stream, chosen.name)


def write_file(
    records: Iterable[Record], path: Path, name: str | None = None, *, style: str = "apa", warn: Warn | None = None
) -> int:
    """Write records to a file; return how many were written.

    `warn` is called with a record's key and what the format cannot represent of it, or why it is not written.
    """
    chosen = _choose_format(path, name)
    _check_target(path, chosen, style, ())
    with open_output(path) as stream:
        return write_stream(records, stream, chosen.name, warn=warn or ignore_warning, style=style)


def convert_file(
    source: Path,
    target: Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    style: str = "apa",
    warn: Warn | None = None,
    warn_reading: Warn | None = None,
    skip: Callable[[Malformed], None] | None = None,
) -> int:
    """Write the records of a file in another format; return how many were written.

    `warn` is called with a record's key and what the target format cannot represent, `warn_reading` (by default `warn`)
    with its key and each warning of the reader, `skip` with each entry that cannot be read. Raises `InputError` when no
    entry can be read. Nothing is opened for writing before the input, the formats and the style are known to be there.
    """
    read_as, write_as = _choose_format(source, source_format), _choose_format(target, target_format)
    entries = read_file(source, read_as.name)
    _check_target(target, write_as, style, (source,))
    found = malformed = 0
    report = warn or ignore_warning
    report_reading = warn_reading or report

    def records() -> Iterator[Record]:
        nonlocal found, malformed
        for one in entries:
            if isinstance(one, Malformed):
                malformed += 1
                if skip is not None:
                    skip(one)
                continue
            found += 1
            for warning in one.every_warning():
                report_reading(one.key, warning)
            yield one

    with open_output(target) as stream:
        written = write_stream(records(), stream, write_as.name, warn=report, style=style)
        if malformed and not found:
            raise InputError(f"no entry of {source} could be read as {read_as.name}; is it in another format?")
    return written


def _check_target(target: Path, chosen: Format, style: str, sources: tuple[Path, ...]) -> None:
    """Raise where a file cannot be written: the format lacks its extra or its style, or the file is also read."""
    write_stream((), BytesIO(), chosen.name, style=style)
    check_outputs([target], [*sources, *([Path(style)] if Path(style).suffix == ".csl" else [])])


def _choose_format(path: Path, name: str | None) -> Format:
    if name is not None:
        return format_named(name)
    if str(path) == "-":
        raise ConfigError("the format of - must be named")
    return format_of(path)
