"""The position of a heading among the headings of its paper, and the roles of the headings around it.

Absolute and relative position are Luong's; the rest looks at the nearest headings whose words point to a role.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch, Codes
from ibidem.features.headings.roles import COUNT, NUMBER
from ibidem.features.position import count_all, count_before, find_nearest

ANNOUNCED = ("related-work", "evaluation", "discussion", "conclusions")


def from_start(batch: Batch) -> Codes:
    """The number of headings before, up to fifteen."""
    return np.minimum(batch.position, 15).astype(np.int64)


def from_end(batch: Batch) -> Codes:
    """The number of headings after, up to fifteen."""
    left = batch.lengths[batch.string].astype(np.int64) - 1 - batch.position
    return np.asarray(np.minimum(left, 15))


def length(batch: Batch) -> Codes:
    """The number of headings of the paper, in eight bins."""
    bins = np.array([2, 5, 8, 10, 12, 15, 20])
    return np.searchsorted(bins, batch.lengths[batch.string], side="right").astype(np.int64)


def roles_around(batch: Batch) -> Codes:
    """The roles of the heading before, the heading and the heading after."""
    return (batch.shift(batch.token_class, -1) * COUNT + batch.token_class) * COUNT + batch.shift(batch.token_class, 1)


def role_before(batch: Batch) -> Codes:
    """The role of the nearest heading before that has one, with that of the heading itself."""
    return _nearest_role(batch, forward=False)[0] * COUNT + batch.token_class


def role_after(batch: Batch) -> Codes:
    """The role of the nearest heading after that has one, with that of the heading itself."""
    return _nearest_role(batch, forward=True)[0] * COUNT + batch.token_class


def between(batch: Batch) -> Codes:
    """The roles of the nearest headings before and after that have one."""
    return _nearest_role(batch, forward=False)[0] * COUNT + _nearest_role(batch, forward=True)[0]


def since(batch: Batch) -> Codes:
    """The distance back to the nearest heading with a role (none, 1, 2, 3, more), with its role."""
    role, distance = _nearest_role(batch, forward=False)
    return np.minimum(distance, 4) * COUNT + role


def until(batch: Batch) -> Codes:
    """The distance ahead to the nearest heading with a role (none, 1, 2, 3, more), with its role."""
    role, distance = _nearest_role(batch, forward=True)
    return np.minimum(distance, 4) * COUNT + role


def _nearest_role(batch: Batch, forward: bool) -> tuple[Codes, Codes]:
    return find_nearest(batch, batch.token_class, forward)


def _later(batch: Batch, flags: NDArray[np.bool_]) -> Codes:
    """Return the number of flagged headings after each heading in its paper.  # [N]"""
    return count_all(batch, flags) - count_before(batch, flags) - flags


def announced(batch: Batch) -> Codes:
    """Which of some telling roles come later in the paper, and whether the heading itself has a role."""
    code = (batch.token_class > 0).astype(np.int64)
    for name in ANNOUNCED:
        code = code * 2 + (_later(batch, batch.token_class == NUMBER[name]) > 0)
    return code


def numbering(batch: Batch) -> Codes:
    """The style of the number, its depth, and its first part if small."""
    return (batch.head * 5 + batch.tail) * 6 + batch.statistics
