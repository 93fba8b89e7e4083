"""What the compiled loops over pairs compute, said by rapidfuzz, SciPy and NumPy; used where nothing was compiled."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import MissingExtra
from ibidem.linking.vectors import BUCKETS, Floats, Ints, Numbers, Sparse, runs, sparse
from ibidem.linking.venues import abbreviated

SCORERS = ("ratio", "token_sort_ratio", "token_set_ratio")
"""What rapidfuzz calls the ways to compare by edits; the kernels know them by their places here."""


def edit_ratios(texts: list[str], left: Ints, right: Ints, scorers: Numbers, longest: int) -> Floats:
    """The similarities by edits, each between 0 and 1; 0 where a text is empty.  # [scorers, pairs]"""
    try:
        from rapidfuzz import fuzz
        from rapidfuzz.process import cpdist
    except ImportError:
        raise MissingExtra("linking needs scipy and rapidfuzz: pip install 'ibidem[link]'") from None
    one, other = ([texts[k][:longest] for k in side.tolist()] for side in (left, right))
    there = np.array([bool(a and b) for a, b in zip(one, other, strict=True)], dtype=np.bool_)
    found = np.zeros((len(scorers), len(one)), dtype=np.float32)
    for row, scorer in zip(found, scorers.tolist(), strict=True):
        values: Any = cpdist(one, other, scorer=getattr(fuzz, SCORERS[scorer]), dtype=np.float32)
        row[:] = np.where(there, values / np.float32(100), 0)
    return found


def run_cosines(texts: list[str], left: Ints, right: Ints, longest: int) -> Floats:
    """The cosines of the counts of runs of characters; 0 where a text is empty.  # [pairs]"""
    packed, lengths = runs(texts, longest)
    columns = (packed >> np.uint32(32 - BUCKETS.bit_length() + 1)).astype(np.int64)
    counts = sparse(np.ones(len(columns), np.float32), columns, lengths, BUCKETS)
    squares = np.asarray(counts.multiply(counts).sum(axis=1), dtype=np.float64).ravel()
    shared = np.asarray(counts[left].multiply(counts[right]).sum(axis=1), dtype=np.float64).ravel()
    there = np.array([bool(text) for text in texts], dtype=np.bool_)
    found = np.minimum((shared / np.sqrt(squares[left] * squares[right])).astype(np.float32), 1)
    return np.where(there[left] & there[right], found, np.float32(0))


def abbreviations(names: list[str], left: Ints, right: Ints) -> Floats:
    """How much of one name of a venue is words of the other, cut short, each name being its words that count."""
    words = [name.split() for name in names]
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return np.array([abbreviated(words[one], words[other]) for one, other in pairs], dtype=np.float32)


def number_words(texts: list[str]) -> tuple[Numbers, Numbers, list[str]]:
    """The numbers of the words of texts, one text after the other, how many each has, and the words in their order."""
    split = [text.split() for text in texts]
    words = sorted(set(chain.from_iterable(split)))
    place = {word: number for number, word in enumerate(words)}
    lengths = np.fromiter(map(len, split), dtype=np.int32, count=len(split))
    numbers = map(place.__getitem__, chain.from_iterable(split))
    return np.fromiter(numbers, dtype=np.int32, count=int(lengths.sum())), lengths, words


def row_products(begin: Numbers, columns: Numbers, values: Floats, left: Ints, right: Ints) -> Floats:
    """The products of rows `left[k]` and `right[k]` of a sparse matrix.  # [pairs]"""
    matrix = _matrix(begin, columns, values)
    return np.asarray(matrix[left].multiply(matrix[right]).sum(axis=1), dtype=np.float32).ravel()


def unshared(
    begin: Numbers, columns: Numbers, values: Floats, classes: Numbers, left: Ints, right: Ints, most: int
) -> tuple[NDArray[np.float64], Numbers, Numbers, Numbers, Numbers, Floats]:
    """The products of rows, and of the columns that one row alone has every two, one of each row, of the same class.

    Of those: the pair of rows, which of all columns that only a left row has it is, the two columns, and the product
    of their values. No more than the first `most` columns that a row has alone are looked at.
    """
    matrix = _matrix(begin, columns, values)
    one, other = matrix[left], matrix[right]
    common = one.multiply(other).tocsr()
    products = np.asarray(common.sum(axis=1), dtype=np.float64).ravel()
    sides = [_left_over(side, common, classes, most) for side in (one, other)]
    mine, theirs = _joined(sides[0][0], sides[1][0])
    pairs, ones, others = sides[0][1][mine], sides[0][2][mine], sides[1][2][theirs]
    weights: Floats = sides[0][3][mine] * sides[1][3][theirs]
    numbers = (np.asarray(each, dtype=np.int32) for each in (pairs, mine, ones, others))
    return products, *numbers, weights  # type: ignore[return-value]


def _left_over(side: Sparse, common: Sparse, classes: Numbers, most: int) -> tuple[Ints, Ints, Numbers, Floats]:
    """Of the columns that only one side has: a key of row and class, the row, the column and its value."""
    rest = (side - side.multiply(common > 0)).tocsr()
    rest.eliminate_zeros()
    rows = np.repeat(np.arange(rest.shape[0]), np.diff(rest.indptr))
    few = np.arange(len(rows)) - rest.indptr[rows] < most
    columns = rest.indices[few]
    return rows[few] * 0x110000 + classes[columns], rows[few], columns, rest.data[few]


def _joined(mine: Ints, theirs: Ints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of all equal keys of two lists."""
    order = np.argsort(theirs, kind="stable")
    begin = np.searchsorted(theirs[order], mine, side="left")
    count = np.searchsorted(theirs[order], mine, side="right") - begin
    one = np.repeat(np.arange(len(mine)), count)
    step = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
    return one, order[np.repeat(begin, count) + step]


def _matrix(begin: Numbers, columns: Numbers, values: Floats) -> Sparse:
    from scipy.sparse import csr_matrix

    width = int(columns.max(initial=0)) + 1
    return csr_matrix((values, columns, begin), shape=(len(begin) - 1, width))
