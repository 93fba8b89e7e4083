"""The number before a heading: its style, its depth, and the heading without it."""

from __future__ import annotations

import re
from typing import NamedTuple

STYLES = ("none", "arabic", "roman", "letter", "word")
_WORD = re.compile(r"(?i)(?:section|chapter|part|abschnitt|kapitel)\s+([0-9IVX]{1,4}|[A-Z])\b[\s.:)–—-]*")
_ARABIC = re.compile(r"\(?§?\s*([0-9]{1,3}(?:\.[0-9]{1,3}){0,5})(?:[.:)]+\s*|\s+)[–—-]*\s*(?=\S)")
_ROMAN = re.compile(r"\(?([IVX]{1,5})(?:[.:)]+\s*|\s+)[–—-]*\s*(?=\S)")
_LETTER = re.compile(r"\(?([A-Z])(?:\.[0-9]{1,2}){0,3}[.:)]\s*(?=\S)")
_VALUES = {"I": 1, "V": 5, "X": 10}


class Number(NamedTuple):
    """What stands before a heading: style, how many levels the number has, its first part, and the heading itself."""

    style: str
    depth: int
    first: int
    rest: str

    @property
    def code(self) -> int:
        """The number of the style."""
        return STYLES.index(self.style)


def divided(text: str) -> Number:
    """The number of a heading and the rest of it; what has no number has depth 0.

    >>> divided("3.2 Data collection")
    Number(style='arabic', depth=2, first=3, rest='Data collection')
    >>> divided("IV. RESULTS"), divided("3D models").style
    (Number(style='roman', depth=1, first=4, rest='RESULTS'), 'none')
    """
    if found := _WORD.match(text):
        value = found[1]
        first = int(value) if value.isdecimal() else _roman(value.upper())
        return Number("word", 1, first, text[found.end() :] or text)
    if found := _ARABIC.match(text):
        parts = found[1].split(".")
        return Number("arabic", len(parts), int(parts[0]), text[found.end() :])
    if found := _ROMAN.match(text):
        return Number("roman", 1, _roman(found[1]), text[found.end() :])
    if found := _LETTER.match(text):
        return Number("letter", 1 + found[0].count(".", 0, -2), ord(found[1]) - ord("A") + 1, text[found.end() :])
    return Number("none", 0, 0, text)


def _roman(digits: str) -> int:
    """The value of a Roman number, however it is written; letters that are no digits count nothing."""
    values = [_VALUES.get(digit, 0) for digit in digits]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
