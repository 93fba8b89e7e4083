"""Silver data: strings that `ibidem segment` labelled with enough confidence to train on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ibidem.data.readers.files import lines_of
from ibidem.data.readers.labelled import parse_object
from ibidem.errors import DataError
from ibidem.types import Annotation, Example, Malformed


def read_silver(path: Path, min_confidence: float) -> Iterator[Example | Malformed]:
    """Yield the strings whose fields all reach `min_confidence`, without the punctuation at the ends of fields.

    Citations with an error are skipped. The fields have no parts.
    """
    if not path.is_file():
        raise DataError(f"there is no file {path}; give what `ibidem segment` wrote")
    for number, line in enumerate(lines_of(path, "replace"), 1):
        where = f"{path.name}:{number}"
        try:
            found: dict[str, Any] = json.loads(line) if line.strip() else {"error": "empty"}
            if "error" in found or not all(field["confidence"] >= min_confidence for field in found["fields"]):
                continue
            yield trim_annotations(parse_object(found, where))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            yield Malformed(where, f"{type(error).__name__}: {error}")


def trim_annotations(example: Example) -> Example:
    """Trim each annotation to its first and last letter or digit; drop those without any.

    Neighbours with the same label are merged: two segments may have been given the same name.
    """
    annotations: list[Annotation] = []
    for annotation in example.annotations:
        inside = [place for place in range(annotation.start, annotation.end) if example.text[place].isalnum()]
        if (
            inside
            and annotations
            and annotations[-1].label == annotation.label
            and not any(map(str.isalnum, example.text[annotations[-1].end : inside[0]]))
        ):
            annotations[-1] = Annotation(annotation.label, annotations[-1].start, inside[-1] + 1)
        elif inside:
            annotations.append(Annotation(annotation.label, inside[0], inside[-1] + 1))
    return Example(example.text, tuple(annotations), example.source)
