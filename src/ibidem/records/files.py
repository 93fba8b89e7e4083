"""Files of records: reading, writing and converting them, in any format that Ibidem knows.

A file that is written appears whole or not at all. `-` is standard input or output, whose format must be named.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from ibidem.errors import ConfigError, InputError
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
) -> None:
    """Write records to a file; `warn` is called with a record's key and what the format cannot represent of it."""
    chosen = _choose_format(path, name)
    with open_output(path) as stream:
        write_stream(records, stream, chosen.name, warn=warn or ignore_warning, style=style)


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
    """Write the records of a file in another format; return their number.

    `warn` is called with a record's key and what the target format cannot represent, `warn_reading` (by default `warn`)
    with its key and each warning of the reader, `skip` with each entry that cannot be read. Raises `InputError` when no
    entry can be read.
    """
    read_as, write_as = _choose_format(source, source_format), _choose_format(target, target_format)
    if str(target) != "-" and target.exists() and source.exists() and source.samefile(target):
        raise InputError(f"{target} is both input and output; give another file to write to")
    written = malformed = 0
    report = warn or ignore_warning
    report_reading = warn_reading or report

    def records() -> Iterator[Record]:
        nonlocal written, malformed
        for one in read_file(source, read_as.name):
            if isinstance(one, Malformed):
                malformed += 1
                if skip is not None:
                    skip(one)
                continue
            written += 1
            for warning in one.every_warning():
                report_reading(one.key, warning)
            yield one

    with open_output(target) as stream:
        write_stream(records(), stream, write_as.name, warn=report, style=style)
        if malformed and not written:
            raise InputError(f"no entry of {source} could be read as {read_as.name}; is it in another format?")
    return written


@contextmanager
def open_input(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes, decompressed where its name ends in .gz; `-` is standard input."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file of records")
    try:
        with cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb") as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile) as error:
        raise InputError(f"cannot decompress {path}: {error}") from error
    except (FileNotFoundError, PermissionError) as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, compressed where its name ends in .gz; it takes its place only once it is complete.

    `-` is standard output; to a device or a pipe the bytes go as they come.
    """
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if path.exists() and not path.is_file():
        with _create(path) as stream:
            yield stream
        return
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    part = path.resolve().with_name(path.name + ".part")
    stream = _create(part)
    try:
        with stream:
            # Without a time in it the same records give the same file.
            packed = gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) if path.suffix == ".gz" else nullcontext(stream)
            with packed as out:
                yield cast(BinaryIO, out)
        part.replace(path.resolve())
    finally:
        part.unlink(missing_ok=True)


def _choose_format(path: Path, name: str | None) -> Format:
    if name is not None:
        return format_named(name)
    if str(path) == "-":
        raise ConfigError("the format of - must be named")
    return format_of(path)


def _create(path: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
