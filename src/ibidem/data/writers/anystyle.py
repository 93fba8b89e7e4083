"""Labelled strings as AnyStyle's XML: a sequence for every string, an element for every field.

Only the top level of labels is carried, every run of blanks becomes one, and tokens and sources are not kept.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from ibidem.errors import InputError
from ibidem.types import Annotation, Example

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<dataset>\n'
TAIL = "</dataset>\n"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def sequence(example: Example) -> str:
    """The element of an example; what is in no field stands between the elements.

    >>> sequence(Example("A (1990).", (Annotation("author", 0, 1), Annotation("date", 3, 7)), "mine:1"))
    '  <sequence><author>A</author> (<date>1990</date>).</sequence>\\n'
    """
    text, pieces, done = example.text, ["  <sequence>"], 0
    if _CONTROL.search(text):
        raise InputError("XML cannot carry control characters; write JSON Lines instead")
    for annotation in flat(example):
        if annotation.start < done or not _NAME.match(annotation.label):
            raise InputError(
                f"AnyStyle's XML cannot carry fields that overlap, or a label such as {annotation.label!r}; "
                "write JSON Lines instead"
            )
        pieces += [
            _escaped(text[done : annotation.start]),
            f"<{annotation.label}>",
            _escaped(text[annotation.start : annotation.end]),
        ]
        pieces.append(f"</{annotation.label}>")
        done = annotation.end
    return "".join([*pieces, _escaped(text[done:]), "</sequence>\n"])


def covered_sequence(example: Example) -> str:
    """The element of an example as AnyStyle wants it: what is in no field is put into the field before it.

    >>> covered_sequence(Example("A (1990).", (Annotation("author", 0, 1), Annotation("date", 3, 7)), "mine:1"))
    '  <sequence><author>A (</author><date>1990).</date></sequence>\\n'
    """
    annotations = flat(example)
    if not annotations:
        raise InputError("AnyStyle needs every word in a field, and this string has none")
    starts = [0, *(annotation.start for annotation in annotations[1:]), len(example.text)]
    text = example.text
    wide = []
    for annotation, (start, end) in zip(annotations, pairwise(starts), strict=True):
        kept = text[start:end].rstrip()
        wide.append(Annotation(annotation.label, start, start + len(kept)))
    return sequence(replace(example, annotations=tuple(wide)))


def flat(example: Example) -> list[Annotation]:
    """The marks of the top level."""
    return [annotation for annotation in example.annotations if "/" not in annotation.label]


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)
