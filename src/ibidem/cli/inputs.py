"""Reference strings and documents from files, standard input and arguments: one item at a time, in constant memory.

References stand one to a line; blank lines are skipped and counted. The headings of a paper and the author lines of a
header are documents of several lines: in plain text an empty line stands between two of them; JSON Lines have one
document a line, JSON is one document or a list of them. A document in JSON is a string, a list of lines, or an object
whose key (or `text`) holds either. Whatever cannot be read becomes an item with an error and an excerpt; reading
continues with the next.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from ibidem.cli.terminal import say
from ibidem.errors import InputError
from ibidem.faults import describe_fault, trip
from ibidem.files import open_text
from ibidem.labels.tasks import REFERENCES, Task

LONGEST = 1_000_000  # characters of one reference
_LONGEST_BYTES = 4 * LONGEST  # no character takes more in UTF-8
_LONGEST_JSON = 12 * LONGEST + 1_000_000  # \\ud83d\\udcda is one character; some room for the other keys
_LARGEST_FILE = 64_000_000  # bytes of a file that is one JSON value
_PIECE = _LONGEST_JSON + 2  # bytes read at once at most
_EXCERPT = 1_000  # characters kept of a line that is too long
_DOCUMENT_EXCERPT = 200  # characters kept of a document that cannot be read
JSON_LINES = {".jsonl", ".ndjson"}
PACKED = {".gz", ".xz"}
EMPTY = "empty"
_KEYS = {"sections": "headings"}  # the key of an item in JSON that is looked up before `text`, by task

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Item:
    """A string to parse, or an excerpt of what stood in its place and why it cannot be parsed."""

    text: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The inputs of a command: texts given as arguments, then files; standard input where there are neither."""

    texts: Sequence[str]
    files: Sequence[Path]
    key: str = "text"  # of JSON objects
    jsonl: bool = False
    task: Task = REFERENCES
    counts: Counter[str] = field(default_factory=Counter)  # of blank lines among the references, as they are read

    def check(self) -> None:
        """Raise `InputError` when there is no input or a file cannot be read."""
        if not self.texts and not self.files and (sys.stdin is None or sys.stdin.isatty()):
            given = "a reference" if self.task is REFERENCES else "the text"
            raise InputError(f'nothing to parse: give a file, "-" for standard input, or {given} with -t')
        check_files(self.files)

    def items(self, advance: Advance | None = None) -> Iterator[Item]:
        """Yield every item in order; `advance` is called with the number of bytes read."""
        yield from map(from_argument, self.texts)
        files = self.files or ([] if self.texts else [Path("-")])
        key = _KEYS.get(self.task.name, "text") if self.key == "text" else self.key
        yield from read_files(files, key=key, jsonl=self.jsonl, advance=advance, task=self.task, counts=self.counts)

    def read_all(self) -> list[Item]:
        """Return every item, once it is known that all files can be read."""
        self.check()
        return list(self.items())

    def say_blank(self) -> None:
        """Report the number of blank lines that were skipped, if there were any."""
        say_blank(self.counts["blank"])

    def size(self) -> int | None:
        """Return the size of all files in bytes, or None where one of them is packed or not a regular file."""
        regular = self.files and all(path.is_file() and path.suffix not in PACKED for path in self.files)
        return sum(path.stat().st_size for path in self.files) if regular else None


def say_blank(count: int) -> None:
    """Report the number of blank lines that were skipped, if there were any."""
    if count:
        say(f"{count:,} blank line{'' if count == 1 else 's'} skipped")


def suffix_of(path: Path) -> str:
    """Return the ending of a file's name in lower case, that of its packing aside.

    >>> suffix_of(Path("refs.JSONL.gz"))
    '.jsonl'
    """
    return (Path(path.stem) if path.suffix.lower() in PACKED else path).suffix.lower()


def from_argument(text: str) -> Item:
    """Return the item of a command-line argument, in which invalid UTF-8 arrives as lone surrogates."""
    try:
        return from_bytes(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError as error:  # only where arguments do not come from bytes
        shown = text.encode("utf-8", "backslashreplace").decode("utf-8")
        return Item(shown, f"not valid Unicode at character {error.start}: a lone surrogate")


def from_bytes(line: bytes) -> Item:
    """Return the item of one line without its line ending.

    >>> from_bytes(b"Caf\\xe9")
    Item(text='Caf\\\\xe9', error='not valid UTF-8 at byte 3: unexpected end of data')
    """
    if len(line) > _LONGEST_BYTES:
        return _refuse_length(line)
    try:
        return _check_text(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Item(line.decode("utf-8", "backslashreplace"), f"not valid UTF-8 at byte {error.start}: {error.reason}")


def from_json(line: bytes, key: str) -> Item:
    """Return the item of one line of JSON Lines: an object whose `key` holds the string.

    >>> from_json(b'{"text": "A. Reed. Drift. 2019."}', "text").text
    'A. Reed. Drift. 2019.'
    >>> from_json(b'{"title": 1}', "text").error
    "no key 'text' in the object; its keys are title"
    """
    import orjson

    if len(line) > _LONGEST_JSON:
        return _refuse_length(line)
    shown = line.decode("utf-8", "backslashreplace")
    if not shown.strip():
        return Item(shown, EMPTY)
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Item(shown, f"not valid JSON: {error}")
    if not isinstance(value, dict):
        return Item(shown, f"expected a JSON object, got {type(value).__name__}")
    if key not in value:
        return Item(shown, _missing_key(key, value))
    if not isinstance(value[key], str):
        return Item(shown, f"{key!r} is {type(value[key]).__name__}; expected a string")
    return _check_text(value[key])


def from_json_document(line: bytes, key: str) -> Item:
    """Return the document of one line of JSON Lines.

    >>> from_json_document(b'{"headings": ["1 Introduction", "2 Bells"]}', "headings").text
    '1 Introduction\\n2 Bells'
    >>> from_json_document(b'["1 Introduction", 2]', "headings").error
    'expected a string or a list of strings, got a list with int'
    """
    import orjson

    try:
        return _from_value(orjson.loads(line), key)
    except orjson.JSONDecodeError as error:
        return Item(_excerpt(line), f"not valid JSON: {error}")


def read_files(
    paths: Sequence[Path],
    *,
    key: str,
    jsonl: bool = False,
    advance: Advance | None = None,
    task: Task = REFERENCES,
    counts: Counter[str] | None = None,
) -> Iterator[Item]:
    """Yield the references or the documents of every file in turn, `-` being standard input.

    Files named `.jsonl` or `.ndjson`, or all with `jsonl`, hold one object per line; others one reference per line, or
    documents with an empty line between two. `advance` is called with the number of bytes read; blank lines among
    references are counted in `counts`.
    """
    for path in paths:
        suffix = ".jsonl" if jsonl else suffix_of(path)
        lines = lines_of(path, advance)
        if task is REFERENCES:
            read = partial(from_json, key=key) if suffix in JSON_LINES else from_bytes
            yield from _read_references(lines, read, Counter() if counts is None else counts)
        elif suffix in JSON_LINES:
            yield from (guard_item(partial(from_json_document, line, key), line) for line in lines if line.strip())
        elif suffix == ".json":
            yield from _read_json(lines, key)
        else:
            yield from _read_text(lines, task)


def _read_references(lines: Iterable[bytes], read: Callable[[bytes], Item], counts: Counter[str]) -> Iterator[Item]:
    for line in lines:
        item = guard_item(partial(read, line), line)
        if item.error == EMPTY and (read is from_bytes or not line.strip()):
            counts["blank"] += 1
        else:
            yield item


def guard_item(read: Callable[[], Item], line: bytes | bytearray) -> Item:
    """Return the item of a line; a fault in reading it is the error of that item."""
    try:
        item = read()
        trip("item", item.text)
    except Exception as error:
        return Item(_excerpt(line), describe_fault(error, "reading a line"))
    return item


def check_files(paths: Iterable[Path]) -> None:
    """Raise `InputError` for the first path that cannot be read, or that is no text."""
    for path in paths:
        if path.is_file() or path.is_dir() or not (path.exists() or str(path) == "-"):  # others can be read only once
            with open_text(path):
                pass


def lines_of(path: Path, advance: Advance | None = None) -> Iterator[bytes]:
    """Yield the lines of a file without their endings; of a line that is too long, only its beginning."""
    report = advance or (lambda _: None)
    with open_text(path) as stream:
        first = True
        while line := _read_piece(stream, path):
            report(len(line))
            if len(line) == _PIECE and not line.endswith(b"\n"):
                while (rest := _read_piece(stream, path)) and not rest.endswith(b"\n"):
                    report(len(rest))
            if first:
                line, first = line.removeprefix(b"\xef\xbb\xbf"), False
            yield line.removesuffix(b"\n").removesuffix(b"\r")


def _read_piece(stream: BinaryIO, path: Path) -> bytes:
    try:
        return stream.readline(_PIECE)
    except OSError as error:
        raise InputError(f"cannot read {path} to its end: {error.strerror or error}") from error


def _read_text(lines: Iterator[bytes], task: Task) -> Iterator[Item]:
    """Yield the documents between empty lines; of one that is too long only the beginning is kept."""
    found: list[bytes] = []
    size = 0
    empty = True
    for line in chain(lines, (b"",)):
        if line.strip():
            size += len(line)
            if size <= 4 * task.longest or not found:
                found.append(line)
        elif found:
            yield guard_item(partial(_join, found, size, task), found[0])
            found, size, empty = [], 0, False
    if empty:
        yield Item("", f"empty: there is no {task.content} here")


def _join(lines: list[bytes], size: int, task: Task) -> Item:
    """Return the document of some lines, or the error of the first that cannot be read."""
    items = [from_bytes(line) for line in lines]
    wrong = next((item for item in items if item.error), None)
    if wrong is not None:
        return Item(wrong.text[:_DOCUMENT_EXCERPT], wrong.error)
    if size > 4 * task.longest:
        shown = items[0].text[:_DOCUMENT_EXCERPT] + "…"
        return Item(shown, f"{size:,} bytes, more than one {task.item} has: {task.advice}")
    return Item("\n".join(item.text for item in items))


def _read_json(lines: Iterator[bytes], key: str) -> Iterator[Item]:
    """Yield the documents of a file that is one JSON value."""
    import orjson

    whole = bytearray()
    for line in lines:
        whole += line + b"\n"
        if len(whole) > _LARGEST_FILE:
            yield Item(_excerpt(whole), f"longer than {_LARGEST_FILE:,} bytes; write JSON Lines, a document a line")
            return
    try:
        value = orjson.loads(whole)
    except orjson.JSONDecodeError as error:
        yield Item(_excerpt(whole), f"not valid JSON: {error}")
        return
    several = isinstance(value, list) and not all(isinstance(one, str) for one in value)
    for one in value if several else [value]:
        yield guard_item(partial(_from_value, one, key), whole)


def _from_value(value: Any, key: str) -> Item:
    given = str(value)[:_DOCUMENT_EXCERPT]
    if isinstance(value, dict):
        wanted, key = key, key if key in value else "text"
        if key not in value:
            return Item(given, _missing_key(wanted, value))
        value = value[key]
    if isinstance(value, str):
        return Item(value)
    if not isinstance(value, list):
        return Item(given, f"expected a string or a list of strings, got {type(value).__name__}")
    wrong = next((one for one in value if not isinstance(one, str)), None)
    if wrong is not None:
        return Item(given, f"expected a string or a list of strings, got a list with {type(wrong).__name__}")
    return Item("\n".join(" ".join(line.split()) for line in value))


def _missing_key(key: str, value: dict[str, Any]) -> str:
    return f"no key {key!r} in the object; its keys are {', '.join(list(value)[:10]) or 'none'}"


def _check_text(text: str) -> Item:
    if len(text) > LONGEST:
        return Item(text[:_EXCERPT] + "…", f"longer than {LONGEST:,} characters; split it into references")
    return Item(text) if text.strip() else Item(text, EMPTY)


def _refuse_length(line: bytes) -> Item:
    return Item(_excerpt(line, _EXCERPT) + "…", f"longer than {LONGEST:,} characters; split it into references")


def _excerpt(raw: bytes | bytearray, length: int = _DOCUMENT_EXCERPT) -> str:
    return raw[: 4 * length].decode("utf-8", "backslashreplace")[:length]
