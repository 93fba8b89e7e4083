"""Labelled strings as JSON Lines, in the shape that `ibidem parse` writes; carries everything."""

from __future__ import annotations

import json
from typing import Any

from ibidem.types import Example


def line(example: Example) -> str:
    """The line of an example, its end included.

    >>> from ibidem.types import Annotation
    >>> line(Example("On things", (Annotation("title", 0, 9),), "mine:1"))
    '{"text": "On things", "fields": [{"label": "title", "text": "On things", "start": 0, "end": 9}], \
"source": "mine:1"}\\n'
    """
    made: dict[str, Any] = {
        "text": example.text,
        "fields": [
            {
                "label": annotation.label,
                "text": example.text[annotation.start : annotation.end],
                "start": annotation.start,
                "end": annotation.end,
            }
            for annotation in example.annotations
        ],
        "source": example.source,
    }
    if example.tokens:
        made["tokens"] = [[token.start, token.end] for token in example.tokens]
    if example.partially_annotated:
        made["opaque"] = sorted(example.partially_annotated)
    return json.dumps(made, ensure_ascii=False) + "\n"
