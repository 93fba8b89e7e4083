"""Phrases of several words that a lexicon knows: journals, publishers, places, institutions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch
from ibidem.features.lexicons import LONGEST_PHRASE, Lexicons, phrase_prints

Codes = NDArray[np.int64]
SIZE = 5 * 5


def phrase_features(batch: Batch, lexicons: Lexicons) -> dict[str, tuple[int, Codes]]:
    """For each lexicon how long the longest known phrase over each token is, and the longest that begins there.  # [N]

    Punctuation inside a phrase is passed over ("J. Chem. Phys."); lengths are counted in words, up to four.
    """
    words = np.flatnonzero(batch.wordlike)
    prints, start, length = runs_of_words(batch, words)
    found: dict[str, tuple[int, Codes]] = {}
    for name, known in lexicons.phrases_among(prints).items():
        codes = np.zeros(len(batch.word), dtype=np.int64)
        codes[words] = _longest(start[known], length[known], len(words))
        found[name] = (SIZE, codes)
    return found


def runs_of_words(batch: Batch, words: NDArray[np.intp]) -> tuple[NDArray[np.uint32], Codes, Codes]:
    """Every run of words within a string: its fingerprint, its first word and its length, short ones first."""
    singles, string = batch.word[words].astype(np.uint64), batch.string[words]
    prints, starts, lengths = [np.zeros(0, dtype=np.uint32)], [np.zeros(0, dtype=np.intp)], [0]
    for length in range(1, min(LONGEST_PHRASE, len(words)) + 1):
        start = np.flatnonzero(string[: len(words) - length + 1] == string[length - 1 :])
        prints.append(phrase_prints(singles, length)[start])
        starts.append(start)
        lengths.append(len(start))
    sizes = np.repeat(np.arange(len(lengths)), lengths)
    return np.concatenate(prints), np.concatenate(starts), sizes


def _longest(start: Codes, length: Codes, words: int) -> Codes:
    """The code of each word, given the known runs, short ones first: where several are, the last one counts."""
    covers, begins = np.zeros(words, dtype=np.int64), np.zeros(words, dtype=np.int64)
    begins[start] = length
    inside = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    covers[np.repeat(start, length) + inside] = np.repeat(length, length)
    return np.minimum(covers, 4) * 5 + np.minimum(begins, 4)
