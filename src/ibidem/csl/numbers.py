"""Numbers as CSL writes them: ordinals, Roman numerals, abbreviated ranges of pages."""

from __future__ import annotations

import re

_NUMERIC = re.compile(r"[A-Za-z]{0,4}\d+[A-Za-z]{0,4}(?:\s*[,&\-–]\s*[A-Za-z]{0,4}\d+[A-Za-z]{0,4})*\Z")
_SEVERAL = re.compile(r"\d\s*[,&\-–]\s*[A-Za-z]{0,4}\d")
_ROMAN = {
    "m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10, "ix": 9, "v": 5,
    "iv": 4, "i": 1,
}  # fmt: skip


def is_numeric(text: str) -> bool:
    """Whether CSL calls the text a number: digits, perhaps with letters, or several such.

    >>> is_numeric("12a"), is_numeric("3-4"), is_numeric("second")
    (True, True, False)
    """
    return len(text) < 60 and bool(_NUMERIC.match(text))


def is_plural(text: str) -> bool:
    """Whether the text has several numbers."""
    return bool(_SEVERAL.search(text))


def roman(number: int) -> str:
    """Write a number from 1 to 3999 in small Roman numerals.

    >>> roman(1994)
    'mcmxciv'
    """
    pieces = []
    for letters, value in _ROMAN.items():
        times, number = divmod(number, value)
        pieces.append(letters * times)
    return "".join(pieces)


def last_page(first: str, last: str, form: str) -> str:
    """Write the last page of a range in one of CSL's forms.

    >>> [last_page("321", "328", form) for form in ("expanded", "minimal", "minimal-two", "chicago")]
    ['328', '8', '28', '28']
    >>> last_page("1002", "1006", "chicago"), last_page("101", "108", "chicago"), last_page("e12", "e19", "minimal")
    ('6', '8', '9')
    """
    one, two = re.match(r"([A-Za-z]*)(\d+)\Z", first), re.match(r"([A-Za-z]*)(\d+)\Z", last)
    if not one or not two or one[1] != two[1] or len(one[2]) != len(two[2]) or form in ("", "expanded"):
        return last
    if form.startswith("chicago"):
        return _chicago(one[2], two[2], last)
    return _shorten(one[2], two[2], 2 if form == "minimal-two" else 1)


def _shorten(first: str, last: str, least: int) -> str:
    same = 0
    while same < len(last) - least and first[same] == last[same]:
        same += 1
    return last[same:]


def _chicago(first: str, last: str, whole: str) -> str:
    number = int(first)
    if number < 100 or number % 100 == 0:
        return whole
    if number % 100 < 10:
        return _shorten(first, last, 1)
    short = _shorten(first, last, 2)
    return whole if len(first) == 4 and len(short) >= 3 else short
