"""Soft TF-IDF (Cohen, Ravikumar & Fienberg 2003): words that are nearly the same count nearly as much.

SoftTFIDF(S, T) = Σ over words w of S with a word v of T at similarity ≥ 0.9 of V(w, S) · V(v, T) · sim(w, v), where V
are TF-IDF weights of length one and sim is that of Jaro and Winkler. It is worked out for many pairs at a time: words
that both have are a sparse product; of the others only those with the same first letter are compared, each two words
once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.coref.vectors import Floats, Ints, Sparse

CLOSE = 0.9
_LONGEST = 40  # words of a row that are looked at


def soft_cosines(matrix: Sparse, words: list[str], left: Ints, right: Ints) -> Floats:
    """The soft TF-IDF of rows `left[k]` and `right[k]` of a matrix of unit rows over `words`.  # [pairs]"""
    from rapidfuzz.distance import JaroWinkler
    from rapidfuzz.process import cpdist

    one, other = matrix[left], matrix[right]
    common = one.multiply(other).tocsr()
    total = np.asarray(common.sum(axis=1), dtype=np.float64).ravel()
    initials = np.array([ord(word[0]) for word in words] or [0], dtype=np.int64)
    sides = [_left_over(side, common, initials) for side in (one, other)]
    mine, theirs = _joined(sides[0][0], sides[1][0])
    if not len(mine):
        return total.astype(np.float32)
    rows, a, b = sides[0][1][mine], sides[0][2][mine], sides[1][2][theirs]
    two, place = np.unique(np.minimum(a, b) * len(words) + np.maximum(a, b), return_inverse=True)
    first, second = (two // len(words)).tolist(), (two % len(words)).tolist()
    near = cpdist([words[k] for k in first], [words[k] for k in second], scorer=JaroWinkler.similarity,
                  score_cutoff=CLOSE, dtype=np.float32)  # fmt: skip
    gain = near[place] * sides[0][3][mine] * sides[1][3][theirs]
    best = np.zeros(len(sides[0][0]))
    np.maximum.at(best, mine, gain)  # a word counts with the one word of the other side that it is nearest to
    total += np.bincount(rows[np.unique(mine, return_index=True)[1]], best[np.unique(mine)], minlength=len(left))
    return np.minimum(total, 1.0).astype(np.float32)


def _left_over(side: Sparse, common: Sparse, initials: Ints) -> tuple[Ints, Ints, Ints, Floats]:
    """Of the words that only one side has: a key of row and first letter, the row, the word and its weight."""
    rest = side - side.multiply(common > 0)
    rest = rest.tocsr()
    rest.eliminate_zeros()
    rows = np.repeat(np.arange(rest.shape[0]), np.diff(rest.indptr))
    few = np.arange(len(rows)) - rest.indptr[rows] < _LONGEST
    words = rest.indices[few].astype(np.int64)
    return rows[few] * 0x110000 + initials[words], rows[few], words, rest.data[few]


def _joined(mine: Ints, theirs: Ints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of all equal keys of two lists."""
    order = np.argsort(theirs, kind="stable")
    begin = np.searchsorted(theirs[order], mine, side="left")
    count = np.searchsorted(theirs[order], mine, side="right") - begin
    one = np.repeat(np.arange(len(mine)), count)
    step = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
    return one, order[np.repeat(begin, count) + step]
