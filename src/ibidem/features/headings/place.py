"""Where a heading stands among the headings of its paper, and between headings of which roles.

Position absolute and relative is Luong's; the rest looks at the nearest headings whose words speak of a role.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch, Codes
from ibidem.features.headings.roles import COUNT, NUMBER
from ibidem.features.place import before, location, total

ANNOUNCED = ("related-work", "evaluation", "discussion", "conclusions")
__all__ = ["location"]  # the same as for references


def from_start(batch: Batch) -> Codes:
    """How many headings stand before, up to fifteen."""
    return np.minimum(batch.place, 15).astype(np.int64)


def from_end(batch: Batch) -> Codes:
    """How many headings stand after, up to fifteen."""
    return np.minimum(_left(batch), 15)


def length(batch: Batch) -> Codes:
    """How many headings the paper has, in eight bins."""
    bins = np.array([2, 5, 8, 10, 12, 15, 20])
    found: Codes = np.searchsorted(bins, batch.lengths[batch.string], side="right").astype(np.int64)
    return found


def _left(batch: Batch) -> Codes:
    left: Codes = batch.lengths[batch.string].astype(np.int64) - 1 - batch.place
    return left


def roles_around(batch: Batch) -> Codes:
    """What the heading before, the heading and the heading after speak of."""
    return (batch.shifted(batch.kind, -1) * COUNT + batch.kind) * COUNT + batch.shifted(batch.kind, 1)


def _nearest(batch: Batch, forward: bool) -> tuple[Codes, Codes]:
    """The role of the nearest other heading that speaks of one and how far it is, 0 for none.  # [N] each"""
    count = len(batch.kind)
    places = np.arange(count, dtype=np.int64)
    speaks = batch.kind > 0
    if forward:
        mine = np.where(speaks, places, count)
        upto = np.minimum.accumulate(mine[::-1])[::-1]
        nearest = np.append(upto[1:], count)
        last = batch.origin.astype(np.int64) + batch.lengths[batch.string]
        there = nearest < last
    else:
        mine = np.where(speaks, places, -1)
        nearest = np.insert(np.maximum.accumulate(mine)[:-1], 0, -1) if count else mine
        there = nearest >= batch.origin
    role = np.where(there, batch.kind[np.where(there, nearest, 0)] if count else 0, 0)
    return role.astype(np.int64), np.where(there, np.abs(nearest - places), 0)


def role_before(batch: Batch) -> Codes:
    """The role that the nearest speaking heading before speaks of, with that of the heading itself."""
    return _nearest(batch, forward=False)[0] * COUNT + batch.kind


def role_after(batch: Batch) -> Codes:
    """The role that the nearest speaking heading after speaks of, with that of the heading itself."""
    return _nearest(batch, forward=True)[0] * COUNT + batch.kind


def between(batch: Batch) -> Codes:
    """The roles that the nearest speaking headings before and after speak of."""
    return _nearest(batch, forward=False)[0] * COUNT + _nearest(batch, forward=True)[0]


def since(batch: Batch) -> Codes:
    """How far back the nearest speaking heading is (none, 1, 2, 3, more), with its role."""
    role, far = _nearest(batch, forward=False)
    return np.minimum(far, 4) * COUNT + role


def until(batch: Batch) -> Codes:
    """How far ahead the nearest speaking heading is (none, 1, 2, 3, more), with its role."""
    role, far = _nearest(batch, forward=True)
    return np.minimum(far, 4) * COUNT + role


def _later(batch: Batch, flags: NDArray[np.bool_]) -> Codes:
    """How many flagged headings stand after each heading in its paper.  # [N]"""
    return total(batch, flags) - before(batch, flags) - flags


def announced(batch: Batch) -> Codes:
    """Which telling roles are spoken of later in the paper, and whether the heading itself speaks of one."""
    code = (batch.kind > 0).astype(np.int64)
    for name in ANNOUNCED:
        code = code * 2 + (_later(batch, batch.kind == NUMBER[name]) > 0)
    return code


def numbering(batch: Batch) -> Codes:
    """The style of the number, its depth, and its first part as far as it is small."""
    return (batch.head * 5 + batch.tail) * 6 + batch.statistics
