"""Reference implementation of the compiled loops over pairs, by rapidfuzz and NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import require, require_range, require_starts
from ibidem.linking.vectors import BUCKETS, Doubles, Floats, Ints, Numbers, hash_ngrams

SCORERS = ("ratio", "token_sort_ratio", "token_set_ratio")
"""Edit similarities by their names in rapidfuzz; the kernels know them by their indices here."""


def edit_ratios(texts: list[str], left: Ints, right: Ints, scorers: Numbers, longest: int) -> Floats:
    """Return the edit similarities, between 0 and 1; 0 where a text is empty.  # [scorers, pairs]"""
    from rapidfuzz import fuzz
    from rapidfuzz.process import cpdist

    _check_pairs(left, right, len(texts))
    require_range("scorers", scorers, 0, len(SCORERS))
    one, other = ([texts[k][:longest] for k in side.tolist()] for side in (left, right))
    there = np.array([bool(a and b) for a, b in zip(one, other, strict=True)], dtype=np.bool_)
    found = np.zeros((len(scorers), len(one)), dtype=np.float32)
    for row, scorer in zip(found, scorers.tolist(), strict=True):
        values: Any = cpdist(one, other, scorer=getattr(fuzz, SCORERS[scorer]), dtype=np.float32)
        row[:] = np.where(there, values / np.float32(100), 0)
    return found


def ngram_cosines(texts: list[str], left: Ints, right: Ints, longest: int) -> Floats:
    """Return the cosines of the character n-gram counts; 0 where a text is empty.  # [pairs]"""
    _check_pairs(left, right, len(texts))
    packed, lengths = hash_ngrams(texts, longest)
    columns = (packed >> np.uint32(32 - BUCKETS.bit_length() + 1)).astype(np.int64)
    rows = np.repeat(np.arange(len(texts)), lengths)
    cells, counts = np.unique(rows * BUCKETS + columns, return_counts=True)
    begin = np.searchsorted(cells, np.arange(len(texts) + 1) * BUCKETS).astype(np.int32)
    matrix = begin, (cells % BUCKETS).astype(np.int32), counts.astype(np.float32)
    every = np.arange(len(texts))
    squares, shared = (row_products(*matrix, *pair).astype(np.float64) for pair in ((every, every), (left, right)))
    there = np.array([bool(text[:longest]) for text in texts], dtype=np.bool_)
    found = np.minimum((shared / np.sqrt(squares[left] * squares[right])).astype(np.float32), 1)
    return np.where(there[left] & there[right], found, np.float32(0))


def abbreviations(names: list[str], left: Ints, right: Ints) -> Floats:
    """Return how far one venue name abbreviates the other, each name given as its content words.  # [pairs]"""
    _check_pairs(left, right, len(names))
    words = [name.split() for name in names]
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return np.array([abbreviation(words[one], words[other]) for one, other in pairs], dtype=np.float32)


def abbreviation(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the share of letters of the shorter name in words that abbreviate words of the longer one, in order.

    Of two names with as many letters the first counts as the shorter.

    >>> abbreviation(["j", "appl", "phys"], ["journal", "applied", "physics"]), abbreviation(["jacm"], ["j", "acm"])
    (1.0, 1.0)
    >>> abbreviation(["nature"], ["reed", "letters"])
    0.0
    """
    letters = [sum(map(len, words)) for words in (one, other)]
    short, long = (one, other) if letters[0] <= letters[1] else (other, one)
    if not short or not long:
        return 0.0
    if len(short) == 1 and len(long) > 1 and _is_acronym(short[0], long):
        return 1.0
    place = matched = 0
    for word in short:
        found = next((k for k in range(place, len(long)) if _abbreviates(word, long[k])), None)
        if found is not None:
            matched += len(word)
            place = found + 1
    return matched / min(letters)


def _abbreviates(one: str, other: str) -> bool:
    """Return whether one word is a prefix of the other, or its first letter and later ones in order."""
    if one[0] != other[0]:
        return False
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return long.startswith(short) or (len(short) > 2 and _is_subsequence(short, long))


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _is_acronym(short: str, long: Sequence[str]) -> bool:
    """Return whether a word consists of the initials of words, the last of which may be written out."""
    firsts = "".join(word[0] for word in long)
    return len(short) > 1 and (short == firsts or short == firsts[:-1] + long[-1])


def number_words(texts: list[str]) -> tuple[Numbers, Numbers, list[str]]:
    """Return the word numbers, text after text, the number of words of each text, and the sorted vocabulary."""
    split = [text.split() for text in texts]
    words = sorted(set(chain.from_iterable(split)))
    place = {word: number for number, word in enumerate(words)}
    lengths = np.fromiter(map(len, split), dtype=np.int32, count=len(split))
    numbers = map(place.__getitem__, chain.from_iterable(split))
    return np.fromiter(numbers, dtype=np.int32, count=int(lengths.sum())), lengths, words


def row_products(begin: Numbers, columns: Numbers, values: Floats, left: Ints, right: Ints) -> Floats:
    """Return the dot products of rows `left[k]` and `right[k]` of a CSR matrix.  # [pairs]"""
    _check_matrix(begin, columns, values, 2**31)
    _check_pairs(left, right, len(begin) - 1)
    one, other = (_entries(begin, columns, values, rows) for rows in (left, right))
    return _products(one, other, len(left)).astype(np.float32)


def unshared(
    begin: Numbers, columns: Numbers, values: Floats, classes: Numbers, left: Ints, right: Ints, most: int
) -> tuple[Doubles, Numbers, Numbers, Numbers, Numbers, Floats]:
    """Return the row products, and all pairs of columns of the same class that only the left or the right row has.

    For each pair of columns: the pair of rows, the index of the left column among all unshared left columns, the two
    columns, and the product of their values. At most the first `most` unshared columns of a row are used.
    """
    _check_matrix(begin, columns, values, len(classes))
    _check_pairs(left, right, len(begin) - 1)
    one, other = (_entries(begin, columns, values, rows) for rows in (left, right))
    products = _products(one, other, len(left))
    one, other = _only_in(one, other, most), _only_in(other, one, most)
    mine, theirs = _join_keys(*(side.pair * 0x110000 + classes[side.columns] for side in (one, other)))
    weights: Floats = one.values[mine] * other.values[theirs]
    numbers = (one.pair[mine], mine, one.columns[mine], other.columns[theirs])
    return products, *(each.astype(np.int32) for each in numbers), weights  # type: ignore[return-value]


def _check_pairs(left: Ints, right: Ints, rows: int) -> None:
    require(len(left) == len(right), "left and right must have the same length")
    require_range("left", left, 0, rows)
    require_range("right", right, 0, rows)


def _check_matrix(begin: Numbers, columns: Numbers, values: Floats, width: int) -> None:
    require(len(columns) == len(values), "columns and values must have the same length")
    require_starts(begin, len(columns))
    require_range("columns", columns, 0, width)
    first = np.zeros(len(columns) + 1, dtype=np.bool_)
    first[begin] = True
    require((first[1:-1] | (np.diff(columns) > 0)).all(), "the columns of a row must ascend")


class _Entries(NamedTuple):
    """Entries of the rows of one side of pairs: the pair, the column and the value; `cell` packs pair and column."""

    pair: Ints
    columns: Numbers
    values: Floats
    cell: Ints


def _entries(begin: Numbers, columns: Numbers, values: Floats, rows: Ints) -> _Entries:
    """Return the entries of some rows of a CSR matrix, row after row."""
    lengths = np.diff(begin)[rows]
    pair = np.repeat(np.arange(len(rows)), lengths)
    place = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + begin[rows][pair]
    width = int(columns.max(initial=0)) + 1
    return _Entries(pair, columns[place], values[place], pair * width + columns[place])


def _products(one: _Entries, other: _Entries, pairs: int) -> Doubles:
    _, mine, theirs = np.intersect1d(one.cell, other.cell, assume_unique=True, return_indices=True)
    products = one.values[mine] * other.values[theirs]
    return np.bincount(one.pair[mine], products, minlength=pairs).astype(np.float64)


def _only_in(side: _Entries, other: _Entries, most: int) -> _Entries:
    """Return the first `most` entries of each row whose columns the other side lacks."""
    rest = np.flatnonzero(~np.isin(side.cell, other.cell, assume_unique=True))
    rest = rest[np.arange(len(rest)) - np.searchsorted(side.pair[rest], side.pair[rest]) < most]
    return _Entries(side.pair[rest], side.columns[rest], side.values[rest], side.cell[rest])


def _join_keys(mine: Ints, theirs: Ints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of all equal keys of two lists (an inner join)."""
    order = np.argsort(theirs, kind="stable")
    begin = np.searchsorted(theirs[order], mine, side="left")
    count = np.searchsorted(theirs[order], mine, side="right") - begin
    one = np.repeat(np.arange(len(mine)), count)
    step = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
    return one, order[np.repeat(begin, count) + step]
