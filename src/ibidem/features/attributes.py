"""Attributes of a token alone: its word, its affixes, its shape, its patterns (Anzaroot 2014, section 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ibidem.features.lexicons import Lexicons
from ibidem.features.token_class import KEYWORD_CLASSES, TOKEN_CLASSES, strip_punctuation, token_class_of
from ibidem.text.fold import fold, hash32

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
_COMPILED = [(f"p={name}", re.compile(pattern).match) for name, pattern in _PATTERNS.items()]
# The only ones that can match what is made of letters, or of digits, alone.
_OF_LETTERS = [one for one in _COMPILED if one[0] in ("p=roman", "p=initials", "p=doi", "p=camel")]
_OF_DIGITS = [one for one in _COMPILED if one[0].endswith("-digits")]
_ASCII = {code: "9" if chr(code).isdigit() else "X" if chr(code).isupper() else "x" for code in range(128)}
_ASCII = {code: shown for code, shown in _ASCII.items() if chr(code).isalnum()}
_RUN = re.compile(r"(.)\1\1+", re.DOTALL)


def _shape_character(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character


def _cut_run(run: re.Match[str]) -> str:
    return run[1] * 2


def shape(text: str) -> str:
    """Return `text` with letters as X and x, digits as 9, the rest as it is, and runs cut to two.

    >>> shape("McDonald"), shape("2019"), shape("A.")
    ('XxXxx', '99', 'X.')
    """
    cut = text[:_LONGEST]
    mapped = cut.translate(_ASCII) if cut.isascii() else "".join(map(_shape_character, cut))
    return _RUN.sub(_cut_run, mapped)[:10]


def compute_attributes(texts: Sequence[str], lexicons: Lexicons) -> list[list[str]]:
    """Return the attributes of several tokens, as short strings; they depend on nothing but the token.

    Lexicons are looked up for all tokens at once.
    """
    inner = [strip_punctuation(fold(text[:_LONGEST])) for text in texts]
    hashes = np.fromiter(map(hash32, inner), dtype=np.uint32, count=len(inner))
    codes = lexicons.statistics.codes_of(hashes).tolist()
    found = [_alone(text, word) for text, word in zip(texts, inner, strict=True)]
    capital = [strip_punctuation(text)[:1].isupper() for text in texts]
    for name, members in lexicons.words.items():
        for token in np.flatnonzero(members.member(hashes)).tolist():
            found[token] += (f"x={name}", f"X={name}") if capital[token] else (f"x={name}",)
    for attributes, code, large in zip(found, codes, capital, strict=True):
        attributes += (f"f={code}", f"F={code}") if large else (f"f={code}",)
    return found


def _alone(text: str, inner: str) -> list[str]:
    """Return the attributes that need no lexicon; `inner` is the folded word without punctuation."""
    folded = fold(text[:_LONGEST])
    found = [f"w={folded if not inner.isdigit() or len(inner) < 5 else len(inner)}"]
    if folded != text:
        found.append(f"W={text[:_LONGEST]}")
    if inner != folded:
        found.append(f"c={inner}")
    found += (f"k={TOKEN_CLASSES[token_class_of(text)]}", f"s={shape(text)}", f"l={min(len(text), 12)}")
    if inner.isalpha():
        for size in range(1, min(len(inner), 5)):
            found += (f"<{inner[:size]}", f">{inner[-size:]}")
    found += [f"n={name}" for name in KEYWORD_CLASSES.get(inner, ())]
    patterns = _OF_LETTERS if text.isalpha() else _OF_DIGITS if text.isascii() and text.isdigit() else _COMPILED
    found += [attribute for attribute, matches in patterns if matches(text)]
    if not text.isascii() and inner[:1].isalpha():
        found.append(f"script={ord(inner[0]) >> 8}")
    if text[-1] in "-\u00ad" and len(text) > 2:
        found.append("hyphenated")
    return found
