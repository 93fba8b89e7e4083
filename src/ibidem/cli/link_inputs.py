"""What can be linked, out of files: lines of text, lines of JSON, and records in the formats that can be read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from ibidem.cli.convert import Diagnostics
from ibidem.cli.inputs import from_bytes, lines_of
from ibidem.errors import ConfigError, InputError
from ibidem.linking.inputs import Given, Item, given_of_object
from ibidem.records.files import open_input
from ibidem.records.formats import Format, format_of, read
from ibidem.records.formats.jsonl import as_object
from ibidem.types import Malformed, Parsed

_LOOKED_AT = 8_192  # bytes at the beginning of a file
_SEEN_IN_TEXT = frozenset(b"\t\n\v\f\r\x1b")
_STRANGE = 0.05  # share of control characters that no text has


def items_of(path: Path, account: Diagnostics, key: str = "text", jsonl: bool = False) -> Iterator[Item]:
    """The references of a file; one that cannot be read is told of and stands for itself with an error."""
    form = None if jsonl else _format(path)
    if form is not None:
        yield from _records(path, form, account)
        return
    refuse_binary(path)
    as_json = jsonl or path.suffix.lower() in {".jsonl", ".ndjson"}
    for number, line in enumerate(lines_of(path), 1):
        item = from_bytes(line)
        if item.error == "empty":
            continue
        error = item.error
        if error is None and not as_json:
            yield Item(line, item.text)
            continue
        if error is None:
            try:
                yield Item(line, _of_json(line, key))
                continue
            except ValueError as problem:  # orjson's own error is one
                error = str(problem)
        account.miss(f"{path}, line {number}", error)
        yield Item(line, Parsed(item.text, error=error), error)


def refuse_binary(path: Path) -> None:
    """Nothing, or an `InputError` where what a file begins with is no text."""
    if str(path) == "-":
        begin = sys.stdin.buffer.peek(_LOOKED_AT)[:_LOOKED_AT] if hasattr(sys.stdin.buffer, "peek") else b""
    else:
        with path.open("rb") as stream:
            begin = stream.read(_LOOKED_AT)
    strange = sum(byte < 32 and byte not in _SEEN_IN_TEXT for byte in begin)
    if strange > _STRANGE * max(1, len(begin)):  # a single one is the matter of its line
        raise InputError(
            f"{path} is no text: it holds bytes that no text in UTF-8 has; give lines of references, JSON Lines, "
            "or records in a format that `ibidem convert` reads"
        )


def _of_json(line: bytes, key: str) -> Given:
    import orjson

    return given_of_object(orjson.loads(line), key)


def _format(path: Path) -> Format | None:
    """The format of a file of records, None where it holds lines."""
    try:
        form = format_of(path)
    except ConfigError:
        return None
    return form if form.read is not None and form.name != "jsonl" else None


def _records(path: Path, form: Format, account: Diagnostics) -> Iterator[Item]:
    import orjson

    with open_input(path) as stream:
        for found in read(stream, form.name):
            if isinstance(found, Malformed):
                account.miss(f"{path}, {found.source}", found.reason)
                yield Item(found.reason.encode("utf-8", "replace"), Parsed("", error=found.reason), found.reason)
            else:
                yield Item(orjson.dumps(as_object(found)), found)
