"""Loops over pairs of references: the compiled kernels where they are installed, else `pairs_numpy`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ibidem.kernels import compiled
from ibidem.linking import pairs_numpy
from ibidem.linking.vectors import LONGEST, Doubles, Floats, Ints, Numbers, Sparse


def edit_similarities(texts: Sequence[str], left: Ints, right: Ints, scorers: Sequence[str], longest: int) -> Floats:
    """Return the edit similarity of pairs of texts by each scorer of `pairs_numpy.SCORERS`; 0 where a text is empty.

    At most `longest` characters of a text are compared.  # [scorers, pairs]
    """
    rows, one, other = _local_pairs(left, right)
    chosen = np.array([pairs_numpy.SCORERS.index(name) for name in scorers], dtype=np.int32)
    found: Floats = _kernel("edit_ratios")([texts[row] for row in rows], one, other, chosen, longest)
    return found


def ngram_cosines(texts: Sequence[str], left: Ints, right: Ints) -> Floats:
    """Return the cosine of the character n-gram counts of pairs of texts; 0 where a text is empty.  # [pairs]"""
    rows, one, other = _local_pairs(left, right)
    found: Floats = _kernel("ngram_cosines")([texts[row] for row in rows], one, other, LONGEST)
    return found


def abbreviations(names: list[str], left: Ints, right: Ints) -> Floats:
    """Return how far one venue name abbreviates the other, each name given as its content words.

    The two names of a pair are in alphabetical order.  # [pairs]
    """
    found: Floats = _kernel("abbreviations")(names, *_contiguous(left, right))
    return found


def number_words(texts: Sequence[str]) -> tuple[Numbers, Ints, list[str]]:
    """Return the word numbers, text after text, the number of words of each text, and the sorted vocabulary."""
    numbers, lengths, words = _kernel("number_words")(list(texts))
    return numbers, lengths.astype(np.int64), words


def row_products(matrix: Sparse, left: Ints, right: Ints) -> Floats:
    """Return the dot products of rows `left[k]` and `right[k]` of a matrix.  # [pairs]"""
    found: Floats = _kernel("row_products")(*matrix.parts, *_contiguous(left, right))
    return found


def unshared(
    matrix: Sparse, classes: Numbers, left: Ints, right: Ints, most: int
) -> tuple[Doubles, Numbers, Numbers, Numbers, Numbers, Floats]:
    """Return what `pairs_numpy.unshared` does for the rows of a matrix."""
    found: tuple[Doubles, Numbers, Numbers, Numbers, Numbers, Floats]
    found = _kernel("unshared")(*matrix.parts, classes, *_contiguous(left, right), most)
    return found


def _kernel(name: str) -> Any:
    return getattr(compiled(), name, None) or getattr(pairs_numpy, name)


def _contiguous(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    return np.ascontiguousarray(left, dtype=np.int64), np.ascontiguousarray(right, dtype=np.int64)


def _local_pairs(left: Ints, right: Ints) -> tuple[list[int], Ints, Ints]:
    """Return the rows that occur, and the pairs as indices into them."""
    rows, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    return rows.tolist(), *_contiguous(place[: len(left)], place[len(left) :])
