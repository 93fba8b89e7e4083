"""Phrases of several words that a lexicon knows: journals, publishers, places, institutions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch
from ibidem.features.lexicons import LONGEST_PHRASE, HashedSet, phrase_prints

Codes = NDArray[np.int64]
SIZE = 5 * 5


def phrase_matches(batch: Batch, known: HashedSet) -> Codes:
    """How long the longest known phrase over each token is, and the longest that begins there.  # [N]

    Punctuation inside a phrase is passed over ("J. Chem. Phys."); lengths are counted in words, up to four.
    """
    words = np.flatnonzero(batch.wordlike)
    prints = batch.word[words].astype(np.uint64)
    string = batch.string[words]
    covers = np.zeros(len(words), dtype=np.int64)
    begins = np.zeros(len(words), dtype=np.int64)
    for length in range(1, min(LONGEST_PHRASE, len(words)) + 1):
        count = len(words) - length + 1
        found = known.member(phrase_prints(prints, length)) & (string[:count] == string[length - 1 :])
        starts = np.flatnonzero(found)
        begins[starts] = length
        for offset in range(length):
            covers[starts + offset] = length
    codes = np.zeros(len(batch.word), dtype=np.int64)
    codes[words] = np.minimum(covers, 4) * 5 + np.minimum(begins, 4)
    return codes
