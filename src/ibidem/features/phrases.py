"""Phrases of several words that a lexicon knows: journals, publishers, places, institutions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch, Codes
from ibidem.features.lexicons import LONGEST_PHRASE, Lexicons, hash_phrase_runs


def sizes(lexicons: Lexicons) -> dict[str, int]:
    """Return the numbers of codes, by name of the lexicon."""
    return dict.fromkeys(lexicons.phrases, 5 * 5)


def compute(batch: Batch, lexicons: Lexicons) -> dict[str, Codes]:
    """Return for each lexicon the lengths of the longest known phrase over each token and beginning at it.  # [N] each

    Punctuation inside a phrase is passed over ("J. Chem. Phys."); lengths are counted in words, up to four.
    """
    words = np.flatnonzero(batch.wordlike)
    hashes, start, length = hash_runs_of_words(batch, words)
    found: dict[str, Codes] = {}
    for name, known in lexicons.phrases_among(hashes).items():
        codes = np.zeros(len(batch.word), dtype=np.int64)
        codes[words] = _longest(start[known], length[known], len(words))
        found[name] = codes
    return found


def hash_runs_of_words(batch: Batch, words: NDArray[np.intp]) -> tuple[NDArray[np.uint32], Codes, Codes]:
    """Return the hash, first word and length of every run of words within a string, short ones first."""
    singles, string = batch.word[words].astype(np.uint64), batch.string[words]
    hashes, starts, lengths = [np.zeros(0, dtype=np.uint32)], [np.zeros(0, dtype=np.intp)], [0]
    for length in range(1, min(LONGEST_PHRASE, len(words)) + 1):
        start = np.flatnonzero(string[: len(words) - length + 1] == string[length - 1 :])
        hashes.append(hash_phrase_runs(singles, length)[start])
        starts.append(start)
        lengths.append(len(start))
    sizes = np.repeat(np.arange(len(lengths)), lengths)
    return np.concatenate(hashes), np.concatenate(starts), sizes


def _longest(start: Codes, length: Codes, words: int) -> Codes:
    """Return the code of each word, given the known runs, short ones first: of several, the last counts."""
    covers, begins = np.zeros(words, dtype=np.int64), np.zeros(words, dtype=np.int64)
    begins[start] = length
    inside = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    covers[np.repeat(start, length) + inside] = np.repeat(length, length)
    return np.minimum(covers, 4) * 5 + np.minimum(begins, 4)
