"""Where a token stands: in the string, among brackets and quotes, after how many years and numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch
from ibidem.features.kind import COUNT, NUMBER

Codes = NDArray[np.int64]


def before(batch: Batch, flags: NDArray[np.bool_]) -> Codes:
    """How many flagged tokens stand before each token in its string.  # [N]"""
    running: Codes = np.cumsum(flags, dtype=np.int64) - flags
    return running - running[batch.origin]


def total(batch: Batch, flags: NDArray[np.bool_]) -> Codes:
    """How many flagged tokens each token's string has.  # [N]"""
    running = np.insert(np.cumsum(flags, dtype=np.int64), 0, 0)
    found: Codes = (running[batch.first + batch.lengths] - running[batch.first])[batch.string]
    return found


def location(batch: Batch) -> Codes:
    """The place in the string relative to its length, in twelve bins."""
    length = batch.lengths[batch.string].astype(np.int64)
    relative = batch.place * 12 // np.maximum(length, 1)
    return relative.astype(np.int64)


def from_edges(batch: Batch) -> Codes:
    """The number of tokens to the nearer edges, up to five on the left and four on the right."""
    length = batch.lengths[batch.string].astype(np.int64)
    left = np.minimum(batch.place, 5)
    right = np.minimum(length - 1 - batch.place, 4)
    code: Codes = left * 5 + right
    return code


def blanks(batch: Batch) -> Codes:
    """Whether blanks stand before and after the token, with its kind."""
    after = batch.shifted(batch.blank.astype(np.int64), 1, fill=1)
    code: Codes = (batch.blank * 2 + after) * COUNT + batch.kind
    return code


def _depth(batch: Batch) -> Codes:
    opened = before(batch, batch.head == NUMBER["open"]) + (batch.head == NUMBER["open"])
    closed = before(batch, batch.tail == NUMBER["close"])
    depth: Codes = np.clip(opened - closed, 0, 2)
    return depth


def brackets(batch: Batch) -> Codes:
    """The depth of brackets (0, 1, 2 or more) with the kind of the token."""
    return _depth(batch) * COUNT + batch.kind


def quotes(batch: Batch) -> Codes:
    """Before the quotation, inside it, after it, or in a string that has none; with the kind of the token."""
    flags = (batch.head == NUMBER["quote"]) | (batch.tail == NUMBER["quote"])
    seen, all_ = before(batch, flags), total(batch, flags)
    state = np.where(all_ < 2, 0, np.where(seen == 0, 1, np.where(seen >= all_, 3, 2)))
    return state * COUNT + batch.kind


def years(batch: Batch) -> Codes:
    """How many years stand before and how many from here on, with the kind of the token."""
    flags = batch.kind == NUMBER["year"]
    seen = before(batch, flags)
    left = np.minimum(total(batch, flags) - seen, 2)
    code: Codes = (np.minimum(seen, 2) * 3 + left) * COUNT + batch.kind
    return code


def numbers(batch: Batch) -> Codes:
    """How many numbers stand before, and how many from here on, with the kind of the token."""
    flags = (batch.kind == NUMBER["number1"]) | (batch.kind == NUMBER["number3"])
    seen = before(batch, flags)
    left = np.minimum(total(batch, flags) - seen, 3)
    code: Codes = (np.minimum(seen, 4) * 4 + left) * COUNT + batch.kind
    return code
