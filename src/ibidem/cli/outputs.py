"""What the commands write: one line of JSON for each item, to a file or to standard output."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click

from ibidem.cli.inputs import Item
from ibidem.cli.terminal import escape
from ibidem.faults import describe_fault, trip
from ibidem.files import open_output
from ibidem.types import Parsed

ParseMany = Callable[[Iterable[str]], Iterator[Parsed]]


def parse_items(items: Iterable[Item], parse_many: ParseMany) -> Iterator[Parsed]:
    """Return an iterator of what `parse_many` makes of each item, in order; unreadable items keep their error.

    The model is loaded at once, the items are read as they are needed: only those that `parse_many` has taken and not
    yet answered are held. An unreadable item goes through as an empty string, so that every item has exactly one
    answer, and that answer is replaced by the item's error.
    """
    waiting: deque[Item] = deque()

    def texts() -> Iterator[str]:
        for item in items:
            waiting.append(item)
            yield "" if item.error else item.text

    answers = parse_many(texts())
    return (Parsed(item.text, error=item.error) if (item := waiting.popleft()).error else parsed for parsed in answers)


Show = Callable[[Parsed], bytes]


def show_item(parsed: Parsed, show: Show, stage: str) -> tuple[bytes, bool]:
    """Return what `show` makes of an item, and whether it is an error; a fault in `show` is the error of that item."""
    if parsed.error is None:
        try:
            trip(stage, parsed.text)
            return show(parsed), False
        except Exception as error:
            parsed = Parsed(parsed.text, error=describe_fault(error, "writing the answer"))
    return show(parsed), True


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


def report_progress(line: str) -> None:
    """Print a line on standard error."""
    click.echo(escape(line), err=True)


def write_json(found: object) -> None:
    """Write a value as indented JSON to standard output."""
    import orjson

    with open_output(None) as stream:
        stream.write(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
