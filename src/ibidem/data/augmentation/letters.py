"""Letters as other people and programs write them: case, ligatures, full width, HTML, decomposed accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from random import Random

from ibidem.data.augmentation.editing import identifiers_of, mask_of, rebuild
from ibidem.types import Annotation, Example

_LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\u00a0": "&nbsp;"}
_NAMED = {"–": "&ndash;", "—": "&mdash;", "’": "&rsquo;", "‘": "&lsquo;", "“": "&ldquo;", "”": "&rdquo;"}
_WIDE = frozenset("0123456789()[],.:;-&/")
_SMALL = frozenset(
    "a an and as at by for from in of on or the to with und der die das et de la le les el y e di".split()
)


def lower(example: Example, _random: Random) -> Example:
    """Write everything in small letters."""
    return rebuild(example, [one.lower() for one in example.text])


def upper(example: Example, _random: Random) -> Example:
    """Write everything in capitals."""
    return rebuild(example, [one.upper() for one in example.text])


def capitalise_names(example: Example, _random: Random) -> Example:
    """Write the family names in capitals."""
    names = [one for one in example.annotations if one.label.endswith("/family")]
    return _within(example, names, str.upper)


def capitalise_titles(example: Example, _random: Random) -> Example:
    """Write the words of titles with a capital, short function words aside."""
    text = list(example.text)
    for start, end in _words(example):
        if example.text[start:end] not in _SMALL:
            text[start] = text[start].title()
    return rebuild(example, text)


def lower_titles(example: Example, _random: Random) -> Example:
    """Write titles with one capital at the beginning, abbreviations aside."""
    text = list(example.text)
    for number, (start, end) in enumerate(_words(example)):
        if number and example.text[start:end].istitle():
            text[start] = text[start].lower()
    return rebuild(example, text)


def _words(example: Example) -> Iterable[tuple[int, int]]:
    """Yield the first and last places of the words of titles."""
    inside = mask_of(len(example.text), [one for one in example.annotations if one.label == "title"])
    start = -1
    for place, character in enumerate((*example.text, " ")):
        letter = place < len(inside) and inside[place] and (character.isalpha() or character in "'’")
        if letter and start < 0:
            start = place
        elif not letter and start >= 0:
            yield start, place
            start = -1


def _within(example: Example, annotations: Iterable[Annotation], change: Callable[[str], str]) -> Example:
    inside = mask_of(len(example.text), annotations)
    pairs = zip(example.text, inside, strict=True)
    return rebuild(example, [change(one) if wanted else one for one, wanted in pairs])


def use_ligatures(example: Example, _random: Random) -> Example:
    """Write the letters fi, fl and ff as one character each, as PDF files have them."""
    text, whole = list(example.text), example.text
    edges = {place for one in example.annotations for place in (one.start, one.end)}
    place = 0
    while place < len(whole):
        found = next((one for one in _LIGATURES if whole.startswith(one, place)), "")
        if found and edges.isdisjoint(range(place + 1, place + len(found))):
            text[place : place + len(found)] = [_LIGATURES[found], *[""] * (len(found) - 1)]
        place += len(found) or 1
    return rebuild(example, text)


def widen(example: Example, _random: Random) -> Example:
    """Write digits and marks in full width, as in East Asian texts, identifiers aside."""
    pairs = zip(example.text, identifiers_of(example), strict=True)
    return rebuild(example, [chr(ord(one) + 0xFEE0) if one in _WIDE and not keep else one for one, keep in pairs])


def escape(example: Example, random: Random) -> Example:
    """Write marks as the entities of HTML."""
    table = _ENTITIES | _NAMED if random.random() < 0.5 else _ENTITIES
    numbered = table is _ENTITIES
    return rebuild(
        example,
        [table.get(one, f"&#{ord(one)};" if numbered and one in _NAMED else one) for one in example.text],
    )


def decompose(example: Example, _random: Random) -> Example:
    """Write letters with accents as letters and accents, as some systems do."""
    return rebuild(example, [unicodedata.normalize("NFD", one) for one in example.text])
