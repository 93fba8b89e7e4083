"""A reference that can be read in several ways, and what is expected of a pair of such references.

The N best readings of a reference have the probabilities that the parser gives them, made to add up to 1. What a pair
is worth is integrated over them (Wellner et al. 2004, section 3): every feature is its mean over all ways to read the
two, weighted by the product of their probabilities. The potential of a pair being log-linear, that is the mean of its
log-odds as well. Features that join two measures are means of products, not products of means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ibidem.errors import ConfigError
from ibidem.linking.comparison import View, view_of, view_of_text
from ibidem.linking.vectors import Floats, Ints
from ibidem.records.build import record_of
from ibidem.types import Parsed

Readings = tuple[tuple[View, float], ...]
"""The ways to read one reference, the likeliest first, each with its probability; these add up to 1."""

_ROUNDED = 6  # digits of a probability: what is the same but for the last bits must be one


def several(views: Sequence[View], chances: Sequence[float]) -> Readings:
    """Views with their probabilities; views that are the same are one, and the probabilities add up to 1.

    >>> one, other = View("a reed", title="reed"), View("a reed")
    >>> [(view.title, chance) for view, chance in several([one, other, one], [0.3, 0.3, 0.2])]
    [('reed', 0.625), ('', 0.375)]
    """
    if len(views) != len(chances) or not views:
        raise ConfigError(f"{len(views)} views and {len(chances)} probabilities: give one of each, and at least one")
    support: dict[View, float] = {}
    for view, chance in zip(views, chances, strict=True):
        support[view] = support.get(view, 0.0) + chance
    total = sum(support.values())
    if total <= 0:
        return ((views[0], 1.0),)
    ordered = sorted(support, key=lambda view: (-round(support[view], _ROUNDED), view != views[0]))
    return tuple((view, round(support[view] / total, _ROUNDED)) for view in ordered)


def parses_of(parsed: Parsed, count: int) -> tuple[Parsed, ...]:
    """The best `count` ways to read a parsed reference, as far as it has them."""
    return (parsed, *parsed.alternatives)[:count]


def readings_of(parsed: Parsed, count: int) -> Readings:
    """The best `count` readings of a parsed reference, as far as it has them."""
    found = parses_of(parsed, count)
    if len(found) == 1:
        return ((view_of(record_of(parsed)), 1.0),)
    return several([view_of(record_of(one)) for one in found], [one.confidence for one in found])


def readings_of_text(text: str) -> Readings:
    """The one reading of a string of which nothing but its words is known."""
    return ((view_of_text(text), 1.0),)


def spread_out(begin: Ints, left: Ints, right: Ints) -> tuple[Ints, Ints, Ints]:
    """All ways to read the pairs of references: the pair of each, and the rows of its two readings.

    The readings of reference k are the rows from `begin[k]` to `begin[k + 1]`. The ways come pair by pair.
    """
    mine, theirs = np.diff(begin)[left], np.diff(begin)[right]
    ways = mine * theirs
    pair = np.repeat(np.arange(len(left)), ways)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(ways) - ways, ways)
    return pair, begin[left][pair] + step // theirs[pair], begin[right][pair] + step % theirs[pair]


def averaged(values: Floats, weight: Floats, pair: Ints) -> Floats:
    """The weighted sums of rows that belong to one pair; every pair has a row at least.  # [pairs, columns]"""
    if not len(pair):
        return values
    starts = np.flatnonzero(np.concatenate([[True], pair[1:] != pair[:-1]]))
    found: Floats = np.add.reduceat(values * weight[:, None], starts, axis=0)
    return found


def in_bounds(begin: Ints, left: Ints, right: Ints, most: int) -> Iterator[slice]:
    """The pairs in slices of no more than `most` ways to read them, or of one pair."""
    sizes = np.diff(begin)
    ends = np.cumsum(sizes[left] * sizes[right])
    first = 0
    while first < len(left):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield slice(first, last)
        first = last
