"""Labelled strings as AnyStyle's XML: a sequence for every string, an element for every field.

Only the top level of labels is carried, every run of blanks becomes one, and tokens and sources are not kept.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from ibidem.errors import InputError
from ibidem.types import Example, Mark

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<dataset>\n'
TAIL = "</dataset>\n"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def sequence(example: Example) -> str:
    """The element of an example; what is in no field stands between the elements.

    >>> sequence(Example("A (1990).", (Mark("author", 0, 1), Mark("date", 3, 7)), "mine:1"))
    '  <sequence><author>A</author> (<date>1990</date>).</sequence>\\n'
    """
    text, pieces, done = example.text, ["  <sequence>"], 0
    if _CONTROL.search(text):
        raise InputError("XML cannot carry control characters; write JSON Lines instead")
    for mark in flat(example):
        if mark.start < done or not _NAME.match(mark.label):
            raise InputError(
                f"AnyStyle's XML cannot carry fields that overlap, or a label such as {mark.label!r}; "
                "write JSON Lines instead"
            )
        pieces += [_escaped(text[done : mark.start]), f"<{mark.label}>", _escaped(text[mark.start : mark.end])]
        pieces.append(f"</{mark.label}>")
        done = mark.end
    return "".join([*pieces, _escaped(text[done:]), "</sequence>\n"])


def covered_sequence(example: Example) -> str:
    """The element of an example as AnyStyle wants it: what is in no field is put into the field before it.

    >>> covered_sequence(Example("A (1990).", (Mark("author", 0, 1), Mark("date", 3, 7)), "mine:1"))
    '  <sequence><author>A (</author><date>1990).</date></sequence>\\n'
    """
    marks = flat(example)
    if not marks:
        raise InputError("AnyStyle needs every word in a field, and this string has none")
    starts = [0, *(mark.start for mark in marks[1:]), len(example.text)]
    text = example.text
    wide = []
    for mark, (start, end) in zip(marks, pairwise(starts), strict=True):
        kept = text[start:end].rstrip()
        wide.append(Mark(mark.label, start, start + len(kept)))
    return sequence(replace(example, marks=tuple(wide)))


def flat(example: Example) -> list[Mark]:
    """The marks of the top level."""
    return [mark for mark in example.marks if "/" not in mark.label]


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)
