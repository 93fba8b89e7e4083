"""The text of a heading: the number before it, and its words.

The whole of it, its first, second and last word are features of Luong et al. 2010; stems, pairs and case are added.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from ibidem.text.fold import fold

LONGEST = 200  # characters; what comes after says little about a heading
_MOST = 24  # words
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Endings that are cut off, longest first, as long as four letters stay: experiments, experimental, experimentation.
_ENDINGS = (
    "isations izations isation ization ational ations ation ments mental ment ings ing ions ion ives ive ical ics ic "
    "als al ers er ies es ed s e y"
).split()

STYLES = ("none", "arabic", "roman", "letter", "word")
_NUMBERED_WORD = re.compile(r"(?i)(?:section|chapter|part|abschnitt|kapitel)\s+([0-9IVX]{1,4}|[A-Z])\b[\s.:)–—-]*")
_ARABIC = re.compile(r"\(?§?\s*([0-9]{1,3}(?:\.[0-9]{1,3}){0,5})(?:[.:)]+\s*|\s+)[–—-]*\s*(?=\S)")
_ROMAN = re.compile(r"\(?([IVX]{1,5})(?:[.:)]+\s*|\s+)[–—-]*\s*(?=\S)")
_LETTER = re.compile(r"\(?([A-Z])(?:\.[0-9]{1,2}){0,3}[.:)]\s*(?=\S)")
_VALUES = {"I": 1, "V": 5, "X": 10}


def words_of(text: str) -> list[str]:
    """Return the folded words of a heading.

    >>> words_of("Background & Related Work")
    ['background', 'related', 'work']
    """
    return _WORD.findall(fold(text[:LONGEST]))[:_MOST]


def stem(word: str) -> str:
    """Return the word without its ending.

    >>> stem("experiments"), stem("experimental"), stem("evaluation"), stem("evaluating")
    ('experi', 'experi', 'evalu', 'evaluat')
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def attributes(text: str) -> list[str]:
    """Return the attributes of the words of a heading, its number left out."""
    words = words_of(text)
    found = [f"whole={' '.join(words)}", f"case={_case(text)}", f"words={min(len(words), 7)}"]
    if words:
        found += [f"first={words[0]}", f"second={words[1] if len(words) > 1 else ''}", f"last={words[-1]}"]
    stems = [stem(word) for word in words]
    found += [f"w={word}" for word in dict.fromkeys(words)]
    found += [f"s={one}" for one in dict.fromkeys(stems)]
    found += [f"start={word[:4]}" for word in dict.fromkeys(words) if len(word) > 4]
    found += [f"pair={one} {other}" for one, other in pairwise(stems)]
    if stems:
        found += [f"first-stem={stems[0]}", f"last-stem={stems[-1]}"]
    if text.rstrip().endswith("?"):
        found.append("question")
    if any(character.isdigit() for character in text):
        found.append("digit")
    return found


def _case(text: str) -> str:
    if text.isupper():
        return "upper"
    large = [word[0].isupper() for word in text.split() if word[:1].isalpha()]
    if len(large) > 1 and all(large):
        return "title"
    return "mixed" if sum(large) > 1 else "sentence" if large and large[0] else "lower"


class Number(NamedTuple):
    """The number of a heading: its style, number of levels and first part, and the heading without it."""

    style: str
    depth: int
    first: int
    rest: str

    @property
    def code(self) -> int:
        """Number of the style."""
        return STYLES.index(self.style)


def split_number(text: str) -> Number:
    """Split a heading into its number and the rest; depth is 0 where there is no number.

    >>> split_number("3.2 Data collection")
    Number(style='arabic', depth=2, first=3, rest='Data collection')
    >>> split_number("IV. RESULTS"), split_number("3D models").style
    (Number(style='roman', depth=1, first=4, rest='RESULTS'), 'none')
    """
    if found := _NUMBERED_WORD.match(text):
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
    """Return the value of a Roman number, however it is written; letters that are no digits count nothing."""
    values = [_VALUES.get(digit, 0) for digit in digits]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
