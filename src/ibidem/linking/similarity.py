"""How alike two views are, measure by measure, for many pairs at a time.

Every measure is between 0 and 1. Those of the group `whole` look at the strings alone; the others at fields, and are 0
where one of the two does not have the field. `same` and `other` are 1 where both have a value, equal or different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ibidem.errors import MissingExtra
from ibidem.linking.pairs import abbreviations, dots, edits, grams
from ibidem.linking.pairs_numpy import SCORERS
from ibidem.linking.soft_tfidf import soft_cosines
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats, Ints, Numbers

Measure = tuple[str, Floats]
_LONGEST = 1_000  # characters of a string that are compared
_OPENING = 40  # characters that it begins with


def measures(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    """Every measure of the pairs of rows `left[k]` and `right[k]`, by name."""
    for group in GROUPS.values():
        yield from group(table, left, right)


def measures_of_ways(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    """The same where rows are ways to read few references: what looks the same to a group is compared once."""
    for name, group in GROUPS.items():
        look = table.values_of_groups[name]
        packed = look[left] * (int(look.max(initial=0)) + 1) + look[right]
        _, first, place = np.unique(packed, return_index=True, return_inverse=True)
        for measure, values in group(table, left[first], right[first]):
            yield measure, values[place]


def _names(table: tuple[list[str], Numbers], left: Ints, right: Ints) -> Floats:
    """The similarity of names by Jaro and Winkler; 0 where one of them is empty.  # [pairs]"""
    try:
        from rapidfuzz import distance
        from rapidfuzz.process import cpdist
    except ImportError:
        raise MissingExtra("linking needs scipy and rapidfuzz: pip install 'ibidem[link]'") from None
    names, place = table
    first, second, where = _different(place[left], place[right])
    one, other = ([names[k] for k in side.tolist()] for side in (first, second))
    near: Any = cpdist(one, other, scorer=distance.JaroWinkler.similarity, dtype=np.float32)
    there = np.array([bool(a and b) for a, b in zip(one, other, strict=True)], dtype=np.bool_)
    return np.where(there, near, np.float32(0))[where]


def _different(one: Numbers, other: Numbers) -> tuple[Ints, Ints, Ints]:
    """The pairs of numbers, each once and the lower first, and which of them each pair is."""
    width = int(max(one.max(initial=0), other.max(initial=0))) + 1
    packed = np.minimum(one, other).astype(np.int64) * width + np.maximum(one, other)
    two, where = np.unique(packed, return_inverse=True)
    return two // width, two % width, where


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _words(table: Table, name: str, left: Ints, right: Ints) -> tuple[Floats, Floats]:
    """The cosine of the words, and the weight of those that both have as a share of the one that has less."""
    weight = table.sums[name]
    shared = dots(getattr(table, name), left, right)
    cosine = _share(shared, np.sqrt(weight[left] * weight[right]))
    return cosine, _share(shared, np.minimum(weight[left], weight[right]))


def _whole(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    names = ("whole.edit", "whole.sorted", "whole.set")
    yield from zip(names, edits(table.texts, left, right, SCORERS, _LONGEST), strict=True)
    cosine, within = _words(table, "words", left, right)
    yield "whole.words", cosine
    yield "whole.within", within
    yield "whole.grams", grams(table.texts, left, right)
    yield "whole.opening", edits(table.texts, left, right, ("ratio",), _OPENING)[0]
    yield "whole.first", _names(table.first_words, left, right)
    size = table.sums["numbers"]
    shared = dots(table.numbers, left, right)
    yield "whole.numbers", _share(shared, np.minimum(size[left], size[right]))
    yield "whole.numbers-all", _share(shared, size[left] + size[right] - shared)
    years = table.sums["years_in_text"]
    both = (years[left] > 0) & (years[right] > 0)
    same = dots(table.years_in_text, left, right) > 0
    yield "whole.year.same", (both & same).astype(np.float32)
    yield "whole.year.other", (both & ~same).astype(np.float32)


def _titles(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    vectors = table.title_vectors
    there = table.filled["title"]
    yield "title.both", (there[left] & there[right]).astype(np.float32)
    scorers = ("ratio", "token_set_ratio")
    yield from zip(("title.edit", "title.set"), edits(table.titles, left, right, scorers, _LONGEST), strict=True)
    cosine, within = _words(table, "title_words", left, right)
    yield "title.words", cosine
    yield "title.soft", soft_cosines(vectors, table.vocabulary, left, right)
    yield "title.within", within
    yield "title.grams", grams(table.titles, left, right)


def _authors(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    there, more = table.filled["author"], table.filled["more"]
    both = there[left] & there[right]
    families, people = table.sums["families"], table.sums["people"]
    shared, exact = dots(table.families, left, right), dots(table.people, left, right)
    fewest = np.minimum(families[left], families[right])
    yield "author.both", both.astype(np.float32)
    yield "author.shared", _share(shared, fewest)
    yield "author.all", _share(shared, families[left] + families[right] - shared)
    yield "author.initials", _share(exact, np.minimum(people[left], people[right]))
    # a family name that both have, with another first letter: two persons
    lettered = np.minimum(people[left], people[right])
    yield "author.clash", _share(np.maximum(np.minimum(shared, lettered) - exact, 0), fewest)
    yield "author.first", np.where(both, _names(table.first_names, left, right), 0).astype(np.float32)
    single = both & ~more[left] & ~more[right]
    yield "author.count", (single & (families[left] == families[right])).astype(np.float32)
    order = edits(table.name_lists, left, right, ("ratio",), _LONGEST)[0]
    yield "author.order", np.where(both, order, 0).astype(np.float32)


def _venues(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    names, place = table.venue_names
    one, other, where = _different(place[left], place[right])
    both = np.array([bool(names[a] and names[b]) for a, b in zip(one.tolist(), other.tolist(), strict=True)])
    yield "venue.both", both.astype(np.float32)[where]
    yield "venue.words", dots(table.venue_vectors, one, other)[where]
    yield "venue.edit", edits(names, one, other, ("ratio",), _LONGEST)[0][where]
    yield "venue.short", abbreviations(table.venue_words, one, other)[where]


def _numbers(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    year = table.year
    both = (year[left] > 0) & (year[right] > 0)
    apart = np.abs(year[left] - year[right])
    yield "year.same", (both & (apart == 0)).astype(np.float32)
    yield "year.next", (both & (apart == 1)).astype(np.float32)
    yield "year.other", (both & (apart > 1)).astype(np.float32)
    yield "year.distance", np.where(both, np.minimum(apart, 10) / 10, 0).astype(np.float32)
    for name, codes in table.codes.items():
        there = (codes[left] > 0) & (codes[right] > 0)
        equal = codes[left] == codes[right]
        yield f"{name}.same", (there & equal).astype(np.float32)
        yield f"{name}.other", (there & ~equal).astype(np.float32)


def _identifiers(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    same = dots(table.identifiers, left, right) > 0
    both = dots(table.identifier_kinds, left, right) > 0
    yield "identifier.same", same.astype(np.float32)
    yield "identifier.other", (both & ~same).astype(np.float32)


GROUPS: dict[str, Callable[[Table, Ints, Ints], Iterator[Measure]]] = {
    "whole": _whole,
    "title": _titles,
    "author": _authors,
    "venue": _venues,
    "numbers": _numbers,
    "identifier": _identifiers,
}
"""The measures by what they look at; the order is that of the features."""
