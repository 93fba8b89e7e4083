"""How alike two views are, measure by measure, for many pairs at a time.

Every measure is between 0 and 1. Those of the group `whole` look at the strings alone; the others at fields, and are 0
where one of the two does not have the field. `same` and `other` are 1 where both have a value, equal or different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ibidem.coref.soft import soft_cosines
from ibidem.coref.table import Table
from ibidem.coref.vectors import Floats, Ints, dots, run_vectors
from ibidem.coref.venues import abbreviates
from ibidem.errors import MissingExtra

Measure = tuple[str, Floats]
_LONGEST = 1_000  # characters of a string that are compared


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


def edits(texts: Sequence[str], left: Ints, right: Ints, scorer: str = "ratio") -> Floats:
    """The similarity by edits of the texts of pairs; 0 where one of them is empty."""
    try:
        from rapidfuzz import distance, fuzz
        from rapidfuzz.process import cpdist
    except ImportError:
        raise MissingExtra("linking needs scipy and rapidfuzz: pip install 'ibidem[link]'") from None
    one, other = ([texts[k][:_LONGEST] for k in side.tolist()] for side in (left, right))
    if scorer == "names":
        found: Any = cpdist(one, other, scorer=distance.JaroWinkler.similarity, dtype=np.float32)
    else:
        found = cpdist(one, other, scorer=getattr(fuzz, scorer), dtype=np.float32) / np.float32(100)
    there = np.minimum(*(np.fromiter(map(len, side), dtype=np.int64, count=len(side)) for side in (one, other))) > 0
    return np.where(there, found, np.float32(0)).astype(np.float32)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _local(left: Ints, right: Ints) -> tuple[Ints, Ints, Ints]:
    """The rows that occur, and the pairs as places among them."""
    rows, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    return rows, place[: len(left)], place[len(left) :]


def _grams(texts: Sequence[str], left: Ints, right: Ints) -> Floats:
    """The cosine of the runs of characters; the vectors are made for the rows that occur and thrown away."""
    rows, one, other = _local(left, right)
    found = dots(run_vectors([texts[row] for row in rows.tolist()]), one, other)
    there = np.array([bool(texts[row]) for row in rows.tolist()], dtype=np.bool_)
    return np.where(there[one] & there[other], np.minimum(found, 1), 0).astype(np.float32)


def _words(table: Table, name: str, left: Ints, right: Ints) -> tuple[Floats, Floats]:
    """The cosine of the words, and the weight of those that both have as a share of the one that has less."""
    weight = table.sums[name]
    shared = dots(getattr(table, name), left, right)
    cosine = _share(shared, np.sqrt(weight[left] * weight[right]))
    return cosine, _share(shared, np.minimum(weight[left], weight[right]))


def _whole(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    yield "whole.edit", edits(table.texts, left, right)
    yield "whole.sorted", edits(table.texts, left, right, "token_sort_ratio")
    yield "whole.set", edits(table.texts, left, right, "token_set_ratio")
    cosine, within = _words(table, "words", left, right)
    yield "whole.words", cosine
    yield "whole.within", within
    yield "whole.grams", _grams(table.texts, left, right)
    yield "whole.opening", edits(table.openings, left, right)
    yield "whole.first", edits(table.first_words, left, right, "names")
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
    yield "title.edit", edits(table.titles, left, right)
    yield "title.set", edits(table.titles, left, right, "token_set_ratio")
    cosine, within = _words(table, "title_words", left, right)
    yield "title.words", cosine
    yield "title.soft", soft_cosines(vectors, table.vocabulary.words, left, right)
    yield "title.within", within
    yield "title.grams", _grams(table.titles, left, right)


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
    yield "author.first", np.where(both, edits(table.first_names, left, right, "names"), 0).astype(np.float32)
    single = both & ~more[left] & ~more[right]
    yield "author.count", (single & (families[left] == families[right])).astype(np.float32)
    yield "author.order", np.where(both, edits(table.name_lists, left, right), 0).astype(np.float32)


def _venues(table: Table, left: Ints, right: Ints) -> Iterator[Measure]:
    there = table.filled["venue"]
    yield "venue.both", (there[left] & there[right]).astype(np.float32)
    yield "venue.words", dots(table.venue_vectors, left, right)
    yield "venue.edit", edits(table.venues, left, right)
    names, place = table.venue_names
    one, other = place[left], place[right]
    two, where = np.unique(np.minimum(one, other) * len(names) + np.maximum(one, other), return_inverse=True)
    pairs = zip((two // len(names)).tolist(), (two % len(names)).tolist(), strict=True)
    short = np.array([abbreviates(names[a], names[b]) for a, b in pairs], dtype=np.float32)
    yield "venue.short", short[where] if len(short) else np.zeros(0, np.float32)


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
