"""Labelled strings as JSON Lines: an object a line with `text` and `fields`, as `ibidem parse` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ibidem.data.readers.files import lines_of
from ibidem.types import Annotation, Example, Malformed, Token


def read_jsonl(path: Path) -> Iterator[Example | Malformed]:
    """The strings of a file; a line that says something else than it should is reported and not given."""
    for number, line in enumerate(lines_of(path, "replace"), 1):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        try:
            yield example_of_object(json.loads(line), where)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            yield Malformed(where, f"{type(error).__name__}: {error}")


def example_of_object(found: Any, where: str) -> Example:
    """The example of a JSON object; raises a `ValueError` where its fields do not fit its text."""
    if not isinstance(found, dict) or not isinstance(found.get("text"), str):
        raise ValueError("expected an object with a string `text` and a list `fields`")
    text = found["text"]
    annotations = []
    for field in found.get("fields", []):
        start, end = _place(field["start"], field["end"], text)
        if field.get("text", text[start:end]) != text[start:end]:
            raise ValueError(
                f"the field {field['label']!r} says {field['text'][:40]!r} and its place {text[start:end]!r}"
            )
        annotations.append(Annotation(str(field["label"]), start, end))
    places = [_place(start, end, text) for start, end in found.get("tokens", [])]
    tokens = tuple(Token(text[start:end], start, end) for start, end in places)
    return Example(
        text, tuple(annotations), str(found.get("source", where)), tokens, frozenset(map(str, found.get("opaque", [])))
    )


def _place(start: object, end: object, text: str) -> tuple[int, int]:
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(text):
        raise ValueError(f"{start!r} to {end!r} is no stretch of a text of {len(text)} characters")
    return start, end
