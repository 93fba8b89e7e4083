"""The position of a token: in the string, among brackets and quotes, after how many years and numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch, Codes
from ibidem.features.token_class import COUNT, NUMBER


def count_before(batch: Batch, flags: NDArray[np.bool_]) -> Codes:
    """Return the number of flagged tokens before each token in its string.  # [N]"""
    running: Codes = np.cumsum(flags, dtype=np.int64) - flags
    return running - running[batch.origin]


def count_all(batch: Batch, flags: NDArray[np.bool_]) -> Codes:
    """Return the number of flagged tokens in each token's string.  # [N]"""
    running = np.insert(np.cumsum(flags, dtype=np.int64), 0, 0)
    return np.asarray((running[batch.first + batch.lengths] - running[batch.first])[batch.string])


def find_nearest(batch: Batch, values: Codes, forward: bool) -> tuple[Codes, Codes]:
    """Return the nearest other value above 0 in the same string, and its distance; 0 and 0 for none.  # [N] each"""
    index, count = np.arange(len(values)), len(values)
    if forward:
        nearest = np.append(np.minimum.accumulate(np.where(values > 0, index, count)[::-1])[::-1], count)[1:]
        inside = nearest < batch.origin + batch.lengths[batch.string]
    else:
        nearest = np.insert(np.maximum.accumulate(np.where(values > 0, index, -1)), 0, -1)[:-1]
        inside = nearest >= batch.origin
    safe = np.where(inside, nearest, index)
    return np.where(inside, values[safe], 0), np.abs(safe - index)


def location(batch: Batch) -> Codes:
    """The position in the string relative to its length, in twelve bins."""
    length = batch.lengths[batch.string].astype(np.int64)
    return np.asarray(batch.position * 12 // np.maximum(length, 1), dtype=np.int64)


def from_edges(batch: Batch) -> Codes:
    """The number of tokens to the nearer edges, up to five on the left and four on the right."""
    length = batch.lengths[batch.string].astype(np.int64)
    left = np.minimum(batch.position, 5)
    right = np.minimum(length - 1 - batch.position, 4)
    return np.asarray(left * 5 + right)


def spaces(batch: Batch) -> Codes:
    """Whether there is whitespace before and after the token, with its class."""
    after = batch.shift(batch.space_before.astype(np.int64), 1, fill=1)
    return (batch.space_before * 2 + after) * COUNT + batch.token_class


def brackets(batch: Batch) -> Codes:
    """The depth of brackets (0, 1, 2 or more) with the class of the token."""
    opened = count_before(batch, batch.head == NUMBER["open"]) + (batch.head == NUMBER["open"])
    closed = count_before(batch, batch.tail == NUMBER["close"])
    return np.asarray(np.clip(opened - closed, 0, 2) * COUNT + batch.token_class)


def quotes(batch: Batch) -> Codes:
    """Before the quotation, inside it, after it, or in a string that has none; with the class of the token."""
    flags = (batch.head == NUMBER["quote"]) | (batch.tail == NUMBER["quote"])
    seen, all_ = count_before(batch, flags), count_all(batch, flags)
    state = np.where(all_ < 2, 0, np.where(seen == 0, 1, np.where(seen >= all_, 3, 2)))
    return state * COUNT + batch.token_class


def years(batch: Batch) -> Codes:
    """The number of years before the token and from it on, with the class of the token."""
    return _around(batch, batch.token_class == NUMBER["year"], 2, 2)


def numbers(batch: Batch) -> Codes:
    """The number of numbers before the token and from it on, with the class of the token."""
    flags = (batch.token_class == NUMBER["number1"]) | (batch.token_class == NUMBER["number3"])
    return _around(batch, flags, 4, 3)


def _around(batch: Batch, flags: NDArray[np.bool_], most_before: int, most_after: int) -> Codes:
    """Return the number of flagged tokens before the token and from it on, with the class of the token.  # [N]"""
    seen = count_before(batch, flags)
    left = np.minimum(count_all(batch, flags) - seen, most_after)
    return np.asarray((np.minimum(seen, most_before) * (most_after + 1) + left) * COUNT + batch.token_class)
