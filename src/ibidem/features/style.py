"""The style of the whole string: the same token means different things in different styles of reference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch, Codes
from ibidem.features.lexicons import Lexicons
from ibidem.features.neighbours import hash_codes
from ibidem.features.position import count_all, count_before
from ibidem.features.token_class import COUNT, NUMBER

OPENING_BITS = 16
_CLASSES = ("in", "editor", "page", "volume", "work", "link", "month")
_FLAGS = (*_CLASSES, "quoted", "early-year", "late-year", "semicolons")


def sizes(_lexicons: Lexicons) -> dict[str, int]:
    """Return the numbers of codes, by name."""
    return dict.fromkeys(_FLAGS, 3 * COUNT) | dict.fromkeys(("opening", "opening-place"), 1 << OPENING_BITS)


def _flags(batch: Batch) -> dict[str, NDArray[np.bool_]]:
    length = batch.lengths[batch.string]
    year = batch.token_class == NUMBER["year"]
    late = batch.position >= length - 4
    early = (batch.position > 1) & (batch.position * 2 < length) & ~late
    quote = (batch.head == NUMBER["quote"]) | (batch.tail == NUMBER["quote"])
    return {name: batch.token_class == NUMBER[name] for name in _CLASSES} | {
        "quoted": count_all(batch, quote) > 1,
        "early-year": year & early,
        "late-year": year & late,
        "semicolons": batch.token_class == NUMBER["semicolon"],
    }


def compute(batch: Batch, _lexicons: Lexicons) -> dict[str, Codes]:
    """Return the codes of the features of style, by name.  # [N] each

    A flag says whether something stands before the token, after it, or nowhere in the string; with the token's class.
    """
    found: dict[str, Codes] = {}
    for name, flags in _flags(batch).items():
        state = np.where(count_all(batch, flags) == 0, 0, 1 + (count_before(batch, flags) > 0))
        found[name] = state * COUNT + batch.token_class
    first, length, last = batch.first[batch.string], batch.lengths[batch.string], len(batch.token_class) - 1
    opening = [np.where(offset < length, batch.token_class[np.minimum(first + offset, last)], 0) for offset in range(5)]
    position = np.minimum(batch.position, 12).astype(np.int64)
    found["opening"] = hash_codes(*opening, batch.token_class, bits=OPENING_BITS)
    found["opening-place"] = hash_codes(*opening[:4], position, bits=OPENING_BITS)
    return found
