"""Strings that `ibidem segment` labelled, as far as it was sure of them: silver to train on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ibidem.data.readers.files import lines_of
from ibidem.data.readers.jsonl import example_of_object
from ibidem.errors import DataError
from ibidem.types import Annotation, Example, Malformed


def read_silver(path: Path, least: float) -> Iterator[Example | Malformed]:
    """The strings whose every field is at least so sure, marks without the punctuation at their edges.

    Citations with an error are passed over. The fields have no parts, and nothing is expected below them.
    """
    if not path.is_file():
        raise DataError(f"there is no file {path}; give what `ibidem segment` wrote")
    for number, line in enumerate(lines_of(path, "replace"), 1):
        where = f"{path.name}:{number}"
        try:
            found = json.loads(line) if line.strip() else {"error": "empty"}
            if "error" in found or not all(_sure(field, least) for field in found["fields"]):
                continue
            yield trimmed(example_of_object(found, where))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            yield Malformed(where, f"{type(error).__name__}: {error}")


def _sure(field: Any, least: float) -> bool:
    return bool(field["confidence"] >= least)


def trimmed(example: Example) -> Example:
    """The example with its marks from their first letter or digit to their last; those without any are left out.

    Neighbours of one label are one mark: two elements may have been given the same name.
    """
    annotations: list[Annotation] = []
    for annotation in example.annotations:
        inside = [place for place in range(annotation.start, annotation.end) if example.text[place].isalnum()]
        if (
            inside
            and annotations
            and annotations[-1].label == annotation.label
            and _nothing_between(example.text, annotations[-1].end, inside[0])
        ):
            annotations[-1] = Annotation(annotation.label, annotations[-1].start, inside[-1] + 1)
        elif inside:
            annotations.append(Annotation(annotation.label, inside[0], inside[-1] + 1))
    return Example(example.text, tuple(annotations), example.source)


def _nothing_between(text: str, end: int, start: int) -> bool:
    return not any(map(str.isalnum, text[end:start]))
