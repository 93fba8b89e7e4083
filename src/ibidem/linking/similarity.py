"""Similarity features of pairs of references, for many pairs at a time.

Every feature is between 0 and 1. Those of the group `whole` compare the strings; the others compare fields and are 0
where one of the two lacks the field. `same` and `other` are 1 where both have a value, equal or different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ibidem.linking.pairs import abbreviations, edit_similarities, ngram_cosines, row_products, unshared
from ibidem.linking.pairs_numpy import SCORERS
from ibidem.linking.table import Table, Vocabulary
from ibidem.linking.vectors import Floats, Ints, Numbers, Sparse

Feature = tuple[str, Floats]
CLOSE = 0.9
"""The Jaro–Winkler similarity from which two words count as near in soft TF-IDF."""

_LONGEST = 1_000  # characters of a string that are compared
_OPENING = 40  # characters at the beginning that are compared on their own
_SOFT_WORDS = 40  # unshared words of a title that soft TF-IDF compares


def similarity_features(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
    """Yield each similarity feature of the pairs of rows `left[k]` and `right[k]`, by name."""
    for group in GROUPS.values():
        yield from group(table, left, right)


def similarity_features_of_nbest(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
    """Yield the same where rows are labellings of few references: what is equal to a group is compared once."""
    for name, group in GROUPS.items():
        code = table.group_codes[name]
        packed = code[left] * (int(code.max(initial=0)) + 1) + code[right]
        _, first, place = np.unique(packed, return_index=True, return_inverse=True)
        for feature, values in group(table, left[first], right[first]):
            yield feature, values[place]


def soft_tfidf(matrix: Sparse, vocabulary: Vocabulary, left: Ints, right: Ints) -> Floats:
    """Return the soft TF-IDF of rows `left[k]` and `right[k]` of a matrix of unit rows over the words.  # [pairs]

    SoftTFIDF(S, T) = Σ over words w of S with a word v of T at similarity ≥ 0.9 of V(w, S) · V(v, T) · sim(w, v), where
    V are TF-IDF weights of unit length and sim is Jaro–Winkler (Cohen, Ravikumar & Fienberg 2003). Shared words are a
    sparse product; of the others, only words with the same initial are compared, each pair of words once.
    """
    from rapidfuzz.distance import JaroWinkler
    from rapidfuzz.process import cpdist

    words = vocabulary.words
    total, pair, single, a, b, weight = unshared(matrix, vocabulary.initials, left, right, _SOFT_WORDS)
    if len(single):
        first, second, place = _distinct_pairs(a, b)
        one, other = ([words[k][:_LONGEST] for k in side.tolist()] for side in (first, second))
        near = cpdist(one, other, scorer=JaroWinkler.similarity, score_cutoff=CLOSE, dtype=np.float32)
        begins = np.flatnonzero(np.append(True, single[1:] != single[:-1]))
        best = np.maximum.reduceat(near[place] * weight, begins)  # a word counts with its nearest one
        total += np.bincount(pair[begins], best, minlength=len(left))
    return np.minimum(total, 1.0).astype(np.float32)


def _name_similarities(table: tuple[list[str], Numbers], left: Ints, right: Ints) -> Floats:
    """Return the Jaro–Winkler similarity of names; 0 where a name is empty.  # [pairs]"""
    from rapidfuzz.distance import JaroWinkler
    from rapidfuzz.process import cpdist

    names, place = table
    first, second, where = _distinct_pairs(place[left], place[right])
    one, other = ([names[k][:_LONGEST] for k in side.tolist()] for side in (first, second))
    near: Any = cpdist(one, other, scorer=JaroWinkler.similarity, dtype=np.float32)
    there = np.array([bool(a and b) for a, b in zip(one, other, strict=True)], dtype=np.bool_)
    return np.where(there, near, np.float32(0))[where]


def _distinct_pairs(one: Numbers, other: Numbers) -> tuple[Ints, Ints, Ints]:
    """Return the distinct pairs of numbers, the lower first, and the index of each pair among them."""
    width = int(max(one.max(initial=0), other.max(initial=0))) + 1
    packed = np.minimum(one, other).astype(np.int64) * width + np.maximum(one, other)
    two, where = np.unique(packed, return_inverse=True)
    return two // width, two % width, where


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _word_similarities(table: Table, name: str, left: Ints, right: Ints) -> tuple[Floats, Floats]:
    """Return the cosine of the words, and the shared weight as a share of the smaller side's."""
    weight = table.sums[name]
    shared = row_products(getattr(table, name), left, right)
    cosine = _ratio(shared, np.sqrt(weight[left] * weight[right]))
    return cosine, _ratio(shared, np.minimum(weight[left], weight[right]))


def _compare_strings(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
    names = ("whole.edit", "whole.sorted", "whole.set")
    yield from zip(names, edit_similarities(table.texts, left, right, SCORERS, _LONGEST), strict=True)
    cosine, within = _word_similarities(table, "words", left, right)
    yield "whole.words", cosine
    yield "whole.within", within
    yield "whole.grams", ngram_cosines(table.texts, left, right)
    yield "whole.opening", edit_similarities(table.texts, left, right, ("ratio",), _OPENING)[0]
    yield "whole.first", _name_similarities(table.first_words, left, right)
    size = table.sums["numbers"]
    shared = row_products(table.numbers, left, right)
    yield "whole.numbers", _ratio(shared, np.minimum(size[left], size[right]))
    yield "whole.numbers-all", _ratio(shared, size[left] + size[right] - shared)
    years = table.sums["years_in_text"]
    both = (years[left] > 0) & (years[right] > 0)
    same = row_products(table.years_in_text, left, right) > 0
    yield "whole.year.same", (both & same).astype(np.float32)
    yield "whole.year.other", (both & ~same).astype(np.float32)


def _compare_titles(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
    vectors = table.title_vectors
    there = table.filled["title"]
    yield "title.both", (there[left] & there[right]).astype(np.float32)
    scorers = ("ratio", "token_set_ratio")
    found = edit_similarities(table.titles, left, right, scorers, _LONGEST)
    yield from zip(("title.edit", "title.set"), found, strict=True)
    cosine, within = _word_similarities(table, "title_words", left, right)
    yield "title.words", cosine
    yield "title.soft", soft_tfidf(vectors, table.vocabulary, left, right)
    yield "title.within", within
    yield "title.grams", ngram_cosines(table.titles, left, right)


def _compare_authors(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
    there, more = table.filled["author"], table.filled["more"]
    both = there[left] & there[right]
    families, people = table.sums["families"], table.sums["people"]
    shared, exact = row_products(table.families, left, right), row_products(table.people, left, right)
    fewest = np.minimum(families[left], families[right])
    yield "author.both", both.astype(np.float32)
    yield "author.shared", _ratio(shared, fewest)
    yield "author.all", _ratio(shared, families[left] + families[right] - shared)
    yield "author.initials", _ratio(exact, np.minimum(people[left], people[right]))
    # a shared family name with another initial: two persons
    lettered = np.minimum(people[left], people[right])
    yield "author.clash", _ratio(np.maximum(np.minimum(shared, lettered) - exact, 0), fewest)
    yield "author.first", np.where(both, _name_similarities(table.first_names, left, right), 0).astype(np.float32)
    single = both & ~more[left] & ~more[right]
    yield "author.count", (single & (families[left] == families[right])).astype(np.float32)
    order = edit_similarities(table.name_lists, left, right, ("ratio",), _LONGEST)[0]
    yield "author.order", np.where(both, order, 0).astype(np.float32)


def _compare_venues(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
    names, place = table.venue_names
    one, other, where = _distinct_pairs(place[left], place[right])
    both = np.array([bool(names[a] and names[b]) for a, b in zip(one.tolist(), other.tolist(), strict=True)])
    yield "venue.both", both.astype(np.float32)[where]
    yield "venue.words", row_products(table.venue_vectors, one, other)[where]
    yield "venue.edit", edit_similarities(names, one, other, ("ratio",), _LONGEST)[0][where]
    yield "venue.short", abbreviations(table.venue_words, one, other)[where]


def _compare_numbers(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
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


def _compare_identifiers(table: Table, left: Ints, right: Ints) -> Iterator[Feature]:
    same = row_products(table.identifiers, left, right) > 0
    both = row_products(table.identifier_kinds, left, right) > 0
    yield "identifier.same", same.astype(np.float32)
    yield "identifier.other", (both & ~same).astype(np.float32)


GROUPS: dict[str, Callable[[Table, Ints, Ints], Iterator[Feature]]] = {
    "whole": _compare_strings,
    "title": _compare_titles,
    "author": _compare_authors,
    "venue": _compare_venues,
    "numbers": _compare_numbers,
    "identifier": _compare_identifiers,
}
"""The similarity features by what they compare, in the order of the matcher's features."""
