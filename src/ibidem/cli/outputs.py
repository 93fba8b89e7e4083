"""What `ibidem parse` writes: JSON Lines, or the reference with its fields marked for a person to read."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ibidem.cli.inputs import Item
from ibidem.errors import InputError
from ibidem.types import Field, Parsed

Verb = Callable[[Iterable[str]], Iterator[Parsed]]


def answers(items: Iterable[Item], verb: Verb) -> Iterator[Parsed]:
    """What `verb` makes of each item, in order; items that could not be read keep their error.

    Only the items `verb` has taken and not yet answered are held. An unreadable item goes through as an empty string,
    so that every item has exactly one answer, and that answer is set aside.
    """
    waiting: deque[Item] = deque()

    def texts() -> Iterator[str]:
        for item in items:
            waiting.append(item)
            yield "" if item.error else item.text

    for parsed in verb(texts()):
        item = waiting.popleft()
        yield Parsed(item.text, error=item.error) if item.error else parsed


def as_object(parsed: Parsed) -> dict[str, Any]:
    """The JSON object of a parsed reference: its fields and confidence, or its error.

    >>> from ibidem.types import Field
    >>> as_object(Parsed("Reed 2019", (Field("date", "2019", 5, 9, 0.98765432),), 0.9))["fields"]
    [{'label': 'date', 'text': '2019', 'start': 5, 'end': 9, 'confidence': 0.9877}]
    """
    if parsed.error is not None:
        return {"text": parsed.text, "error": parsed.error}
    found: dict[str, Any] = {"text": parsed.text, "fields": _objects(parsed.fields)}
    found["confidence"] = round(parsed.confidence, 4)
    if parsed.links is not None:
        found["links"] = [link._asdict() for link in parsed.links]
    if parsed.alternatives:
        others = [as_object(other) for other in parsed.alternatives]
        found["alternatives"] = [{k: other[k] for k in ("fields", "confidence") if k in other} for other in others]
    if parsed.change:
        because = [{"constraint": text, "saves": round(saved, 4)} for text, saved in parsed.change.because]
        found["change"] = {"before": _objects(parsed.change.before), "because": because}
    return found


def _objects(fields: Iterable[Field]) -> list[dict[str, Any]]:
    return [
        {"label": f.label, "text": f.text, "start": f.start, "end": f.end, "confidence": round(f.confidence, 4)}
        for f in fields
    ]


def as_line(parsed: Parsed) -> bytes:
    """The line of JSON Lines of a parsed reference, its end included."""
    import orjson

    try:
        return orjson.dumps(as_object(parsed), option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a lone surrogate, which no UTF-8 can hold
        shown = parsed.text.encode("utf-8", "backslashreplace").decode("utf-8")
        return orjson.dumps({"text": shown, "error": "not valid Unicode: a lone surrogate"}) + b"\n"


@contextmanager
def open_output(output: Path | None) -> Iterator[BinaryIO]:
    """The stream to write to: a file, or standard output when there is none."""
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
