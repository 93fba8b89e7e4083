"""Documents of several lines from files and standard input: the headings of papers, the author lines of headers.

In plain text a blank line stands between two documents. JSON Lines have one document a line, JSON one document or a
list of them: a document is a string, a list of lines, or an object whose key (or `text`) holds either. Whatever cannot
be read becomes an item with an error; the others go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ibidem.cli.inputs import Advance, Item, from_bytes, lines_of
from ibidem.labels.tasks import Task

KEYS = {"sections": "headings", "authors": "text"}
"""The key of an object that holds the document, by task."""
_SHOWN = 200  # characters kept of what is refused
_LARGEST = 64_000_000  # bytes of a file that is one JSON value


def read_documents(
    paths: Sequence[Path], task: Task, *, key: str, jsonl: bool = False, advance: Advance | None = None
) -> Iterator[Item]:
    """The documents of every file in turn, `-` being standard input; `advance` is told of the bytes read."""
    for path in paths:
        suffix = ".jsonl" if jsonl else path.suffix.lower()
        lines = lines_of(path, advance)
        if suffix in (".jsonl", ".ndjson"):
            yield from (from_value(line, key) for line in lines if line.strip())
        elif suffix == ".json":
            yield from _of_json(lines, key)
        else:
            yield from _of_text(lines, task)


def _of_text(lines: Iterator[bytes], task: Task) -> Iterator[Item]:
    """The documents between blank lines; of one that is too long only the beginning is kept."""
    found: list[bytes] = []
    size = 0
    empty = True
    for line in chain(lines, (b"",)):
        if b"\0" in line:
            yield Item(_shown(line), "binary: a NUL byte stands in it; give plain text, JSON or JSON Lines")
            return
        if line.strip():
            size += len(line)
            if size <= 4 * task.longest or not found:
                found.append(line)
        elif found:
            yield _joined(found, size, task)
            found, size, empty = [], 0, False
    if empty:
        yield Item("", f"empty: there is no {task.content} here")


def _joined(lines: list[bytes], size: int, task: Task) -> Item:
    """The document of some lines, or the error of the first that cannot be read."""
    items = [from_bytes(line) for line in lines]
    wrong = next((item for item in items if item.error), None)
    if wrong is not None:
        return Item(wrong.text[:_SHOWN], wrong.error)
    if size > 4 * task.longest:
        return Item(items[0].text[:_SHOWN] + "…", f"{size:,} bytes, more than one {task.item} has: {task.advice}")
    return Item("\n".join(item.text for item in items))


def _of_json(lines: Iterator[bytes], key: str) -> Iterator[Item]:
    """The documents of a file that is one JSON value."""
    import orjson

    whole = b""
    for line in lines:
        whole += line + b"\n"
        if len(whole) > _LARGEST:
            yield Item(_shown(whole), f"longer than {_LARGEST:,} bytes; write JSON Lines, a document a line")
            return
    try:
        value = orjson.loads(whole)
    except orjson.JSONDecodeError as error:
        yield Item(_shown(whole), f"not valid JSON: {error}")
        return
    several = isinstance(value, list) and not all(isinstance(one, str) for one in value)
    for one in value if several else [value]:
        yield _of_value(one, key)


def from_value(line: bytes, key: str) -> Item:
    """The document of one line of JSON Lines.

    >>> from_value(b'{"headings": ["1 Introduction", "2 Bells"]}', "headings").text
    '1 Introduction\\n2 Bells'
    >>> from_value(b'["1 Introduction", 2]', "headings").error
    'expected a string or a list of strings, got a list with int'
    """
    import orjson

    try:
        return _of_value(orjson.loads(line), key)
    except orjson.JSONDecodeError as error:
        return Item(_shown(line), f"not valid JSON: {error}")


def _of_value(value: Any, key: str) -> Item:
    given = str(value)[:_SHOWN]
    if isinstance(value, dict):
        wanted, key = key, key if key in value else "text"
        if key not in value:
            return Item(given, f"no key {wanted!r} in the object; its keys are {', '.join(list(value)[:10]) or 'none'}")
        value = value[key]
    if isinstance(value, str):
        return Item(value)
    if not isinstance(value, list):
        return Item(given, f"expected a string or a list of strings, got {type(value).__name__}")
    wrong = next((one for one in value if not isinstance(one, str)), None)
    if wrong is not None:
        return Item(given, f"expected a string or a list of strings, got a list with {type(wrong).__name__}")
    return Item("\n".join(" ".join(line.split()) for line in value))


def _shown(raw: bytes) -> str:
    return raw[: 4 * _SHOWN].decode("utf-8", "backslashreplace")[:_SHOWN]
