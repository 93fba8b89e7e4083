"""Input of `ibidem link`: lines of text, JSON Lines, and files of records."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import orjson

from ibidem.cli.convert import Diagnostics
from ibidem.cli.inputs import EMPTY, JSON_LINES, check_files, from_bytes, guard_item, lines_of, suffix_of
from ibidem.errors import ConfigError, InputError
from ibidem.faults import describe_fault
from ibidem.files import open_input
from ibidem.linking.checks import ReferenceInput
from ibidem.linking.inputs import Item, record_json, reference_of_object
from ibidem.records.formats import Format, format_of, read
from ibidem.types import Malformed, Parsed


def input_files(files: Sequence[Path], database: Path | None) -> Sequence[Path]:
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
    check_files(path for path in files if _format(path) is None)
    return files


def items_of(path: Path, diagnostics: Diagnostics, key: str = "text", jsonl: bool = False) -> Iterator[Item]:
    """Yield the references of a file; one that cannot be read is reported and becomes a reference with an error."""
    form = None if jsonl else _format(path)
    if form is not None:
        yield from _records(path, form, diagnostics)
        return
    source = str(path.resolve())
    as_json = jsonl or suffix_of(path) in JSON_LINES
    for number, line in enumerate(lines_of(path), 1):
        item = guard_item(partial(from_bytes, line), line)
        if item.error == EMPTY:
            diagnostics.blank += 1
            continue
        found, error = _from_json(line, key) if as_json and item.error is None else (item.text, item.error)
        if error is not None:
            diagnostics.miss(f"{path}, line {number}", error)
            found = Parsed(item.text, error=error)
        yield Item(line, found, source)


def _from_json(line: bytes, key: str) -> tuple[ReferenceInput, str | None]:
    """Return the reference of a line of JSON, or why there is none."""
    try:
        return reference_of_object(orjson.loads(line), key), None
    except ValueError as error:  # orjson's own error is one
        return "", str(error)
    except Exception as error:
        return "", describe_fault(error, "reading a line")


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
