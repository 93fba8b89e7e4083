"""What the whole string is like: the same token means different things in different styles of reference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch
from ibidem.features.kind import COUNT, NUMBER
from ibidem.features.neighbours import mixed
from ibidem.features.place import before, total

Codes = NDArray[np.int64]
OPENING_BITS = 16
FLAGS = ("quoted", "in", "editor", "page", "volume", "work", "link", "early-year", "late-year", "month", "semicolons")


def _flags(batch: Batch) -> dict[str, NDArray[np.bool_]]:
    length = batch.lengths[batch.string]
    year = batch.kind == NUMBER["year"]
    late = batch.place >= length - 4
    early = (batch.place > 1) & (batch.place * 2 < length) & ~late
    kinds = {name: batch.kind == NUMBER[name] for name in ("in", "editor", "page", "volume", "work", "link", "month")}
    quote = (batch.head == NUMBER["quote"]) | (batch.tail == NUMBER["quote"])
    return kinds | {
        "quoted": total(batch, quote) > 1,
        "early-year": year & early,
        "late-year": year & late,
        "semicolons": batch.kind == NUMBER["semicolon"],
    }


def style_features(batch: Batch) -> dict[str, tuple[int, Codes]]:
    """Codes of the features of style, by name, each with its number of codes.

    A flag says whether something stands before the token, after it, or nowhere in the string; with the token's kind.
    """
    found: dict[str, tuple[int, Codes]] = {}
    for name, flags in _flags(batch).items():
        state = np.where(total(batch, flags) == 0, 0, 1 + (before(batch, flags) > 0))
        found[name] = (3 * COUNT, state * COUNT + batch.kind)
    first = batch.first[batch.string]
    length = batch.lengths[batch.string]
    opening = [
        np.where(offset < length, batch.kind[np.minimum(first + offset, len(batch.kind) - 1)], 0) for offset in range(5)
    ]
    found["opening"] = (1 << OPENING_BITS, mixed(*opening, batch.kind, bits=OPENING_BITS))
    found["opening-place"] = (
        1 << OPENING_BITS,
        mixed(*opening[:4], np.minimum(batch.place, 12).astype(np.int64), bits=OPENING_BITS),
    )
    return found
