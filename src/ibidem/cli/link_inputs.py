"""Input of `ibidem link`: lines of text, JSON Lines, and files of records."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from ibidem.cli.convert import Diagnostics
from ibidem.cli.inputs import check_files, from_bytes, lines_of
from ibidem.errors import ConfigError, InputError
from ibidem.files import open_input
from ibidem.linking.checks import ReferenceInput
from ibidem.linking.inputs import Item, record_json, reference_of_object
from ibidem.records.formats import Format, format_of, read
from ibidem.types import Malformed, Parsed

_SAMPLE = 8_192  # bytes at the beginning of a file
_CONTROLS_IN_TEXT = frozenset(b"\t\n\v\f\r\x1b")
_MAX_CONTROLS = 0.05  # share of other control characters that a text may have


def input_files(files: Sequence[Path], output: Path | None, database: Path | None) -> Sequence[Path]:
    """Return the files to read, checked; without any, standard input, or nothing where there is a database."""
    if database is not None:
        if any(str(path) == "-" for path in files):
            raise InputError("standard input cannot be read again after an interruption: give files with --db")
        if not files and not database.exists():
            raise InputError(f"there is no {database} yet: give files to link")
        files = tuple({path.resolve(): path for path in files}.values())
    elif not files:
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError('nothing to link: give a file, or "-" for standard input')
        files = (Path("-"),)
    check_files(tuple(files))
    for target in (output, database):
        if target is not None and target.exists() and any(path.exists() and path.samefile(target) for path in files):
            raise InputError(f"{target} is an input and cannot be overwritten: give another name")
    return files


def items_of(path: Path, diagnostics: Diagnostics, key: str = "text", jsonl: bool = False) -> Iterator[Item]:
    """Yield the references of a file; one that cannot be read is reported and becomes a reference with an error."""
    form = None if jsonl else _format(path)
    if form is not None:
        yield from _records(path, form, diagnostics)
        return
    refuse_binary(path)
    source = str(path.resolve())
    as_json = jsonl or path.suffix.lower() in {".jsonl", ".ndjson"}
    for number, line in enumerate(lines_of(path), 1):
        item = from_bytes(line)
        if item.error == "empty":
            continue
        found: ReferenceInput = item.text
        error = item.error
        if error is None and as_json:
            try:
                found = reference_of_object(orjson.loads(line), key)
            except ValueError as problem:  # orjson's own error is one
                error = str(problem)
        if error is not None:
            diagnostics.miss(f"{path}, line {number}", error)
            found = Parsed(item.text, error=error)
        yield Item(line, found, source)


def refuse_binary(path: Path) -> None:
    """Raise an `InputError` if the beginning of a file is not text."""
    if str(path) == "-":
        begin = sys.stdin.buffer.peek(_SAMPLE)[:_SAMPLE] if hasattr(sys.stdin.buffer, "peek") else b""
    else:
        with path.open("rb") as stream:
            begin = stream.read(_SAMPLE)
    controls = sum(byte < 32 and byte not in _CONTROLS_IN_TEXT for byte in begin)
    if controls > _MAX_CONTROLS * max(1, len(begin)):  # a few are left to the lines they are in
        raise InputError(
            f"{path} is not text in UTF-8: give lines of references, JSON Lines, or records in a format that "
            "`ibidem convert` reads"
        )


def _format(path: Path) -> Format | None:
    """Return the format of a file of records, None if it holds lines."""
    try:
        form = format_of(path)
    except ConfigError:
        return None
    return form if form.read is not None and form.name != "jsonl" else None


def _records(path: Path, form: Format, diagnostics: Diagnostics) -> Iterator[Item]:
    source = str(path.resolve())
    with open_input(path) as stream:
        for found in read(stream, form.name):
            if isinstance(found, Malformed):
                diagnostics.miss(f"{path}, {found.source}", found.reason)
                raw = found.reason.encode("utf-8", "replace")
                yield Item(raw, Parsed("", error=found.reason), source)
            else:
                yield Item(record_json(found), found, source)
