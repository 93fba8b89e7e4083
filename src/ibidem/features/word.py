"""What can be said of a token alone: its word, its affixes, its shape, its patterns (Anzaroot 2014, section 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibidem.features.keywords import BY_WORD
from ibidem.features.kind import KINDS, core, kind_of
from ibidem.features.lexicons import Lexicons
from ibidem.text.fold import fingerprint, fold

_LONGEST = 40  # longer tokens are addresses or noise: their middle says nothing

_PATTERNS = {
    "bracketed": r"[(\[].*[)\]]$",
    "year-bracketed": r"\((?:1[4-9]|20)\d\d[a-z]?\)",
    "range": r"[a-zA-Z]?\d+[-–—~]+[a-zA-Z]?\d+",
    "roman": r"[ivxlc]{1,7}$|[IVXLC]{2,7}$",
    "ordinal": r"\d+(?:st|nd|rd|th|a|e|er|re|o)$",
    "initials": r"(?:[A-Z]\.?[-–]?){1,3}$",
    "letter-number": r"[A-Za-z]{1,2}\d+$",
    "number-letter": r"\d+[A-Za-z]{1,2}$",
    "doi": r"10\.\d{4,9}/|doi",
    "web": r"https?:|www\.|ftp:",
    "arxiv": r"(?:arxiv[:.]?)?(?:\d{4}\.\d{4,5}|[a-z-]{2,8}(?:\.[A-Z]{2})?/\d{7})",
    "mail": r"\S+@\S+",
    "two-digits": r"\d\d$",
    "four-digits": r"\d{4}$",
    "many-digits": r"\d{5,}$",
    "abbreviation": r"[A-Z][a-z]{0,4}\.$",
    "camel": r"[A-Z]?[a-z]+[A-Z]",
    "apostrophe": r"\w+['’]\w",
}
_COMPILED = [(f"p={name}", re.compile(pattern)) for name, pattern in _PATTERNS.items()]


def _shape_character(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character


def shape(text: str) -> str:
    """Letters as X and x, digits as 9, the rest as it is, runs cut to two.

    >>> shape("McDonald"), shape("2019"), shape("A.")
    ('XxXxx', '99', 'X.')
    """
    found = ""
    for character in text[:_LONGEST]:
        mapped = _shape_character(character)
        if not found.endswith(mapped * 2):
            found += mapped
    return found[:10]


def word_features(text: str, lexicons: Lexicons) -> Iterator[str]:
    """The attributes of a token, as short strings; they depend on nothing but the token."""
    folded = fold(text[:_LONGEST])
    inner = core(folded)
    letters = inner.isalpha()
    yield f"w={folded if not inner.isdigit() or len(inner) < 5 else len(inner)}"
    if folded != text:
        yield f"W={text[:_LONGEST]}"
    if inner != folded:
        yield f"c={inner}"
    yield f"k={KINDS[kind_of(text)]}"
    yield f"s={shape(text)}"
    yield f"l={min(len(text), 12)}"
    if letters:
        for size in range(1, min(len(inner), 5)):
            yield f"<{inner[:size]}"
            yield f">{inner[-size:]}"
    for name in BY_WORD.get(inner, ()):
        yield f"n={name}"
    for attribute, pattern in _COMPILED:
        if pattern.match(text):
            yield attribute
    if not text.isascii() and inner[:1].isalpha():
        yield f"script={ord(inner[0]) >> 8}"
    if text[-1] in "-\u00ad" and len(text) > 2:
        yield "hyphenated"
    yield from _known(inner, text, lexicons)


def _known(inner: str, text: str, lexicons: Lexicons) -> Iterator[str]:
    print_ = fingerprint(inner)
    capital = core(text)[:1].isupper()
    for name, members in lexicons.words.items():
        if print_ in members:
            yield f"x={name}"
            if capital:
                yield f"X={name}"
    code = lexicons.statistics.code(print_)
    yield f"f={code}"
    if capital:
        yield f"F={code}"
