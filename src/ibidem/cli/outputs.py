"""What the commands write: one line of JSON for each item, to a file or to standard output."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ibidem.cli.inputs import Item
from ibidem.errors import InputError
from ibidem.types import Parsed

ParseMany = Callable[[Iterable[str]], Iterator[Parsed]]


def parse_items(items: Iterable[Item], parse_many: ParseMany) -> Iterator[Parsed]:
    """Yield what `parse_many` makes of each item, in order; items that could not be read keep their error.

    Only the items that `parse_many` has taken and not yet answered are held. An unreadable item goes through as an
    empty string, so that every item has exactly one answer, and that answer is replaced by the item's error.
    """
    waiting: deque[Item] = deque()

    def texts() -> Iterator[str]:
        for item in items:
            waiting.append(item)
            yield "" if item.error else item.text

    for parsed in parse_many(texts()):
        item = waiting.popleft()
        yield Parsed(item.text, error=item.error) if item.error else parsed


def to_json_line(parsed: Parsed) -> bytes:
    """Return the line of JSON Lines of a parsed item, its line ending included."""
    return json_line(parsed.to_dict())


def json_line(found: dict[str, Any]) -> bytes:
    """Return a JSON object that has a text as a line of JSON Lines."""
    import orjson

    try:
        return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a lone surrogate, which UTF-8 cannot hold
        shown = found["text"].encode("utf-8", "backslashreplace").decode("utf-8")
        return orjson.dumps({"text": shown, "error": "not valid Unicode: a lone surrogate"}) + b"\n"


@contextmanager
def open_output(output: Path | None) -> Iterator[BinaryIO]:
    """Open a file to write to, or standard output when there is none."""
    if output is None or str(output) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        stream = output.open("wb")
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror or error}") from error
    with stream:
        yield stream
