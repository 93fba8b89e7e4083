"""The loops over pairs of references: compiled where that could be done, else their twins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import compiled
from ibidem.linking import pairs_numpy as twin
from ibidem.linking.vectors import LONGEST, Floats, Ints, Numbers, Sparse


def edits(texts: Sequence[str], left: Ints, right: Ints, scorers: Sequence[str], longest: int) -> Floats:
    """The similarities by edits of the texts of pairs, each scorer of `twin.SCORERS`; 0 where one of the two is empty.

    No more than `longest` characters of a text are looked at.  # [scorers, pairs]
    """
    rows, one, other = _local(left, right)
    chosen = np.array([twin.SCORERS.index(name) for name in scorers], dtype=np.int32)
    found: Floats = _loop("edit_ratios")([texts[row] for row in rows], one, other, chosen, longest)
    return found


def grams(texts: Sequence[str], left: Ints, right: Ints) -> Floats:
    """The cosine of the runs of characters of the texts of pairs; 0 where one of the two is empty.  # [pairs]"""
    rows, one, other = _local(left, right)
    found: Floats = _loop("run_cosines")([texts[row] for row in rows], one, other, LONGEST)
    return found


def abbreviations(names: list[str], left: Ints, right: Ints) -> Floats:
    """How much of one name of a venue is words of the other, cut short, each name being its words that count.

    The names of pairs are in alphabetical order.  # [pairs]
    """
    found: Floats = _loop("abbreviations")(names, *_rows(left, right))
    return found


def number_words(texts: Sequence[str]) -> tuple[Numbers, Ints, list[str]]:
    """The numbers of the words of texts, one text after the other, how many each has, and the words in their order."""
    numbers, lengths, words = _loop("number_words")(list(texts))
    return numbers, lengths.astype(np.int64), words


def dots(matrix: Sparse, left: Ints, right: Ints) -> Floats:
    """The products of rows `left[k]` and `right[k]` of a matrix.  # [pairs]"""
    found: Floats = _loop("row_products")(*_parts(matrix), *_rows(left, right))
    return found


def unshared(
    matrix: Sparse, classes: Numbers, left: Ints, right: Ints, most: int
) -> tuple[NDArray[np.float64], Numbers, Numbers, Numbers, Numbers, Floats]:
    """What `twin.unshared` tells of the rows of a matrix."""
    found: tuple[NDArray[np.float64], Numbers, Numbers, Numbers, Numbers, Floats]
    found = _loop("unshared")(*_parts(matrix), classes, *_rows(left, right), most)
    return found


def _loop(name: str) -> Any:
    return getattr(compiled(), name, None) or getattr(twin, name)


def _parts(matrix: Sparse) -> tuple[Numbers, Numbers, Floats]:
    """Where the rows of a matrix begin, their columns and their values."""
    begin, columns = (np.ascontiguousarray(each, dtype=np.int32) for each in (matrix.indptr, matrix.indices))
    return begin, columns, np.ascontiguousarray(matrix.data, dtype=np.float32)


def _rows(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    return np.ascontiguousarray(left, dtype=np.int64), np.ascontiguousarray(right, dtype=np.int64)


def _local(left: Ints, right: Ints) -> tuple[list[int], Ints, Ints]:
    """The rows that occur, and the pairs as places among them."""
    rows, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    return rows.tolist(), *_rows(place[: len(left)], place[len(left) :])
