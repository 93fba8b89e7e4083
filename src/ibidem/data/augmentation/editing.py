"""Editing of labelled strings: characters become other pieces of text, and the annotations go with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random

from ibidem.types import Annotation, Example

Change = Callable[[Example, Random], Example]
"""A function that returns the example with something done to it, or unchanged where that cannot be done."""

IDENTIFIERS = frozenset("doi arxiv pmid pmcid isbn issn url".split())
"""Fields that nobody retypes: a change of their characters would make other identifiers of them."""


def rebuild(example: Example, pieces: Sequence[str]) -> Example:
    """Return the example whose characters have become `pieces`, one for each; unchanged if a field would be gone."""
    places = [0, *accumulate(map(len, pieces))]
    text = "".join(pieces)
    first, last = _visible(text)
    annotations = []
    for annotation in example.annotations:
        start, end = first[places[annotation.start]], last[places[annotation.end]]
        if start < end:
            annotations.append(Annotation(annotation.label, start, end))
        elif "/" not in annotation.label:
            return example  # a field would be gone from the text while its parts may remain
    return replace(example, text=text, annotations=tuple(annotations), tokens=()) if text.strip() else example


def _visible(text: str) -> tuple[list[int], list[int]]:
    """Return where the next visible character begins, from each place on, and where the one before each place ends."""
    first, last = list(range(len(text) + 1)), list(range(len(text) + 1))
    for place, character in enumerate(text):
        if character.isspace():
            last[place + 1] = last[place]
    for place in range(len(text) - 1, -1, -1):
        if text[place].isspace():
            first[place] = first[place + 1]
    return first, last


def surround(example: Example, before: str = "", after: str = "", marker: tuple[int, int] | None = None) -> Example:
    """Return the example with text before and after it that is in no field, but for a `marker` at these places."""
    moved = [Annotation(one.label, one.start + len(before), one.end + len(before)) for one in example.annotations]
    if marker:
        moved.insert(0, Annotation("marker", *marker))
    return replace(example, text=before + example.text + after, annotations=tuple(moved), tokens=())


def mask_of(length: int, annotations: Iterable[Annotation]) -> list[bool]:
    """Return whether each of `length` characters is in one of the annotations."""
    steps = [0] * (length + 1)
    for annotation in annotations:
        steps[annotation.start] += 1
        steps[annotation.end] -= 1
    return [depth > 0 for depth in accumulate(steps)][:length]


def identifiers_of(example: Example) -> list[bool]:
    """Return whether each character of an example is in an identifier or an address, or leads to it without a space."""
    found = [one for one in example.annotations if not IDENTIFIERS.isdisjoint(one.label.split("|"))]
    inside = mask_of(len(example.text), found)
    for place in range(len(inside) - 2, -1, -1):
        inside[place] = inside[place] or (inside[place + 1] and not example.text[place].isspace())
    return inside


def fields_of(example: Example) -> list[Annotation]:
    """Return the fields of an example, without their parts, in the order of the text."""
    return sorted((one for one in example.annotations if "/" not in one.label), key=lambda one: (one.start, one.end))


def between_fields(example: Example) -> list[int]:
    """Return the places that are in no field but between two, and not in an address."""
    fields = fields_of(example)
    if not fields:
        return []
    inside, kept = mask_of(len(example.text), fields), identifiers_of(example)
    places = range(fields[0].start, max(one.end for one in fields))
    return [place for place in places if not inside[place] and not kept[place]]


def some(places: Sequence[int], random: Random, share: float = 0.5) -> list[int]:
    """Return about a `share` of the places, at least one if there are any."""
    if not places:
        return []
    certain = random.randrange(len(places))
    return [place for number, place in enumerate(places) if random.random() < share or number == certain]
