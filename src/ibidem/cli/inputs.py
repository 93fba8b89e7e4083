"""Reference strings from files, standard input and arguments: one item at a time, in constant memory.

Whatever cannot be read becomes an item with an error and the best rendering of what stood there; the others go on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ibidem.errors import InputError

LONGEST = 1_000_000  # characters of one reference
_LONGEST_BYTES = 4 * LONGEST  # no character takes more in UTF-8
_LONGEST_JSON = 12 * LONGEST + 1_000_000  # \\ud83d\\udcda is one character; some room for the other keys
_PIECE = _LONGEST_JSON + 2  # bytes read at once at most
_SHOWN = 1_000  # characters kept of a line that is refused for its length

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Item:
    """A reference string to parse, or what stood in its place and why it cannot be parsed."""

    text: str
    error: str | None = None


def from_argument(text: str) -> Item:
    """The item of a command-line argument, in which bytes that are no UTF-8 arrive as lone surrogates."""
    try:
        return from_bytes(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError as error:  # only where arguments do not come from bytes
        return Item(_printable(text), f"not valid Unicode at character {error.start}: a lone surrogate")


def from_bytes(line: bytes) -> Item:
    """The item of one line without its end.

    >>> from_bytes(b"Caf\\xe9")
    Item(text='Caf\\\\xe9', error='not valid UTF-8 at byte 3: unexpected end of data')
    """
    if len(line) > _LONGEST_BYTES:
        return _too_long(line)
    try:
        return _checked(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Item(line.decode("utf-8", "backslashreplace"), f"not valid UTF-8 at byte {error.start}: {error.reason}")


def from_json(line: bytes, key: str) -> Item:
    """The item of one line of JSON Lines: an object whose `key` holds the string.

    >>> from_json(b'{"text": "A. Reed. Drift. 2019."}', "text").text
    'A. Reed. Drift. 2019.'
    >>> from_json(b'{"title": 1}', "text").error
    "no key 'text' in the object; its keys are title"
    """
    import orjson

    if len(line) > _LONGEST_JSON:
        return _too_long(line)
    shown = line.decode("utf-8", "backslashreplace")
    if not shown.strip():
        return Item(shown, "empty")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Item(shown, f"not valid JSON: {error}")
    if not isinstance(value, dict):
        return Item(shown, f"expected a JSON object, got {type(value).__name__}")
    if key not in value:
        return Item(shown, f"no key {key!r} in the object; its keys are {', '.join(list(value)[:10]) or 'none'}")
    if not isinstance(value[key], str):
        return Item(shown, f"{key!r} is {type(value[key]).__name__}; expected a string")
    return _checked(value[key])


def read_files(
    paths: Sequence[Path], *, key: str, jsonl: bool = False, advance: Advance | None = None
) -> Iterator[Item]:
    """The items of every file in turn, `-` being standard input; `advance` is told of the bytes read.

    Files named `.jsonl` or `.ndjson`, or all with `jsonl`, hold one object per line; others one reference per line.
    """
    for path in paths:
        as_json = jsonl or path.suffix.lower() in {".jsonl", ".ndjson"}
        for line in lines_of(path, advance):
            yield from_json(line, key) if as_json else from_bytes(line)


def check_files(paths: Iterable[Path]) -> None:
    """Nothing, or an `InputError` for the first path that cannot be read."""
    for path in paths:
        if str(path) != "-":
            _open(path).close()


def lines_of(path: Path, advance: Advance | None = None) -> Iterator[bytes]:
    """The lines of a file without their ends; of one that is too long, only its beginning."""
    told = advance or (lambda _: None)
    with nullcontext(sys.stdin.buffer) if str(path) == "-" else _open(path) as stream:
        first = True
        while line := _piece(stream, path):
            told(len(line))
            if len(line) == _PIECE and not line.endswith(b"\n"):
                while (rest := _piece(stream, path)) and not rest.endswith(b"\n"):
                    told(len(rest))
            if first:
                line, first = line.removeprefix(b"\xef\xbb\xbf"), False
            yield line.removesuffix(b"\n").removesuffix(b"\r")


def _piece(stream: BinaryIO, path: Path) -> bytes:
    try:
        return stream.readline(_PIECE)
    except OSError as error:
        raise InputError(f"cannot read on in {path}: {error.strerror or error}") from error


def _open(path: Path) -> BinaryIO:
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give a file with one reference per line")
        return path.open("rb")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _checked(text: str) -> Item:
    if len(text) > LONGEST:
        return Item(text[:_SHOWN] + "…", f"longer than {LONGEST:,} characters; split it into references")
    return Item(text) if text.strip() else Item(text, "empty")


def _too_long(line: bytes) -> Item:
    shown = line[: 4 * _SHOWN].decode("utf-8", "backslashreplace")[:_SHOWN]
    return Item(shown + "…", f"longer than {LONGEST:,} characters; split it into references")


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
