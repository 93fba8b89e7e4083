"""The coarse kind of a token: some thirty classes on which the features of context are built."""

from __future__ import annotations

import re

from ibidem.features.keywords import BY_WORD
from ibidem.text.fold import fold

KINDS = (
    "outside lower capitalised upper mixed initial year number1 number3 code comma stop colon semicolon open close "
    "quote dash slash symbol and in page volume issue editor month link function ideograph work etal"
).split()
NUMBER = {name: number for number, name in enumerate(KINDS)}
COUNT = len(KINDS)

_PUNCTUATION = (
    {",": "comma", "，": "comma", "、": "comma", ".": "stop", "。": "stop", "．": "stop", ":": "colon", "：": "colon"}
    | {";": "semicolon", "；": "semicolon", "/": "slash", "?": "stop", "!": "stop"}
    | dict.fromkeys("([{（［【〔<", "open")
    | dict.fromkeys(")]}）］】〕>", "close")
    | dict.fromkeys("\"“”„‟«»‘’‚‹›`´《》「」'", "quote")
    | dict.fromkeys("-–—‐‑‒―−~", "dash")
)
_LINK = re.compile(r"(?i)(?:https?://|ftp://|www\.|10\.[0-9]{4,9}/|(?:dx\.)?doi\.org/)|.*@")
_YEAR = re.compile(r"(?:1[4-9]|20)[0-9]{2}[a-z]?$")
_EDGES = "".join(_PUNCTUATION) + "&*+=|\\_#%^$§†‡•·"
# The keyword classes that are kinds, most telling first; a word may be in several.
_TELLING = (
    ("and", "and"),
    ("etal", "etal"),
    ("in", "in"),
    ("month", "month"),
    ("editor", "editor"),
    ("page", "page"),
    ("volume", "volume"),
    ("issue", "issue"),
    ("thesis", "work"),
    ("report", "work"),
    ("function", "function"),
)


def core(text: str) -> str:
    """`text` without punctuation at its edges (all of it when there is nothing else)."""
    return text.strip(_EDGES) or text


def punctuation(character: str) -> int:
    """The kind of a punctuation character, 0 for anything else."""
    return NUMBER[_PUNCTUATION.get(character, "outside")]


def kind_of(text: str) -> int:
    """The kind of a token, a number below `COUNT`.

    >>> [KINDS[kind_of(word)] for word in ("Smith", "J.", "(2001)", "and", "pp", "12", ";", "D43")]
    ['capitalised', 'initial', 'year', 'and', 'page', 'number1', 'semicolon', 'code']
    """
    word = core(text)
    first = word[0]
    if not first.isalnum():
        if word == "&":
            return NUMBER["and"]
        return punctuation(first) or NUMBER["symbol"]
    if len(text) > 6 and _LINK.match(text):
        return NUMBER["link"]
    if first.isdigit():
        return _kind_of_number(word)
    if "\u2e80" <= first <= "\u9fff" or "\uf900" <= first <= "\ufaff":
        return NUMBER["ideograph"]
    return _kind_of_word(word)


def _kind_of_number(word: str) -> int:
    if _YEAR.match(word):
        return NUMBER["year"]
    if word.isdigit():
        return NUMBER["number1" if len(word) < 3 else "number3"]
    return NUMBER["code"]


def _kind_of_word(word: str) -> int:
    if len(word) == 1 and word.isupper():
        return NUMBER["initial"]
    classes = BY_WORD.get(fold(word), ())
    for name, kind in _TELLING:
        if name in classes:
            return NUMBER[kind]
    if any(character.isdigit() for character in word):
        return NUMBER["code"]
    if word.islower():
        return NUMBER["lower"]
    if word.isupper():
        return NUMBER["upper"]
    return NUMBER["capitalised" if word[0].isupper() and word[1:].islower() else "mixed"]
