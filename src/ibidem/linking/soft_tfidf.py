"""Soft TF-IDF (Cohen, Ravikumar & Fienberg 2003): words that are nearly the same count nearly as much.

SoftTFIDF(S, T) = Σ over words w of S with a word v of T at similarity ≥ 0.9 of V(w, S) · V(v, T) · sim(w, v), where V
are TF-IDF weights of length one and sim is that of Jaro and Winkler. It is worked out for many pairs at a time: words
that both have are a sparse product; of the others only those with the same first letter are compared, each two words
once.
"""

from __future__ import annotations

import numpy as np

from ibidem.linking.pairs import unshared
from ibidem.linking.vectors import Floats, Ints, Sparse
from ibidem.linking.words import Vocabulary

CLOSE = 0.9
_LONGEST = 40  # words of a row that are looked at


def soft_cosines(matrix: Sparse, vocabulary: Vocabulary, left: Ints, right: Ints) -> Floats:
    """The soft TF-IDF of rows `left[k]` and `right[k]` of a matrix of unit rows over the words.  # [pairs]"""
    from rapidfuzz.distance import JaroWinkler
    from rapidfuzz.process import cpdist

    words = vocabulary.words
    total, pair, single, a, b, weight = unshared(matrix, vocabulary.initials, left, right, _LONGEST)
    if len(single):
        packed = np.minimum(a, b).astype(np.int64) * len(words) + np.maximum(a, b)
        two, place = np.unique(packed, return_inverse=True)
        first, second = (two // len(words)).tolist(), (two % len(words)).tolist()
        near = cpdist([words[k] for k in first], [words[k] for k in second], scorer=JaroWinkler.similarity,
                      score_cutoff=CLOSE, dtype=np.float32)  # fmt: skip
        begins = np.flatnonzero(np.append(True, single[1:] != single[:-1]))
        best = np.maximum.reduceat(near[place] * weight, begins)  # a word counts with the one that it is nearest to
        total += np.bincount(pair[begins], best, minlength=len(left))
    return np.minimum(total, 1.0).astype(np.float32)
