"""Tokens together with their neighbours: classes in a row, words in pairs, the nearest punctuation."""

from __future__ import annotations

import numpy as np

from ibidem.features.batch import Batch, Codes
from ibidem.features.position import find_nearest
from ibidem.features.token_class import COUNT

PAIR_BITS = 18
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def hash_codes(*parts: Codes, bits: int = PAIR_BITS) -> Codes:
    """Return one hashed code of `bits` bits for the values of several arrays together.  # [N]"""
    state = np.full(len(parts[0]), 0x2545F4914F6CDD1D, dtype=np.uint64)
    for part in parts:
        state = (state ^ part.astype(np.uint64)) * _MULTIPLIER
        state ^= state >> np.uint64(31)
    return (state >> np.uint64(64 - bits)).astype(np.int64)


def classes_around(batch: Batch) -> Codes:
    """The classes of the token before, the token and the token after."""
    return (batch.shift(batch.token_class, -1) * COUNT + batch.token_class) * COUNT + batch.shift(batch.token_class, 1)


def classes_before(batch: Batch) -> Codes:
    """The classes of the two tokens before and the token."""
    return (batch.shift(batch.token_class, -2) * COUNT + batch.shift(batch.token_class, -1)) * COUNT + batch.token_class


def classes_after(batch: Batch) -> Codes:
    """The classes of the token and the two after."""
    return (batch.token_class * COUNT + batch.shift(batch.token_class, 1)) * COUNT + batch.shift(batch.token_class, 2)


def classes_wide(batch: Batch) -> Codes:
    """The classes of five tokens, two on each side, as one hashed code."""
    return hash_codes(*(batch.shift(batch.token_class, offset) for offset in range(-2, 3)), bits=17)


def word_pair(batch: Batch) -> Codes:
    """The word before with the word."""
    return hash_codes(batch.shift(batch.word, -1), batch.word)


def word_pair_after(batch: Batch) -> Codes:
    """The word with the word after."""
    return hash_codes(batch.word, batch.shift(batch.word, 1), batch.token_class * 0 + 1)


def word_and_classes(batch: Batch) -> Codes:
    """The word with the classes on both sides."""
    return hash_codes(batch.word, batch.shift(batch.token_class, -1), batch.shift(batch.token_class, 1))


def last_punctuation(batch: Batch) -> Codes:
    """The class of the nearest punctuation before the token and its distance (1, 2, 3, 4 to 6, more)."""
    return _punctuation(*find_nearest(batch, batch.tail, forward=False))


def next_punctuation(batch: Batch) -> Codes:
    """The class of the nearest punctuation after the token and its distance."""
    return _punctuation(*find_nearest(batch, batch.head, forward=True))


def _punctuation(mark: Codes, distance: Codes) -> Codes:
    return mark * 5 + np.digitize(distance, (2, 3, 4, 7))
