"""N-best labellings of a reference, and expected features of pairs of such references.

The N best labellings of a reference have the probabilities that the parser gives them, normalised to sum to 1. The
score of a pair is integrated over them (Wellner et al. 2004, section 3): every feature is its mean over all pairs of
labellings, weighted by the product of their probabilities. The potential of a pair being log-linear, that is the mean
of its log-odds as well. Conjunctions of two features are means of products, not products of means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ibidem.errors import ConfigError
from ibidem.linking.comparison import ComparisonFields
from ibidem.linking.vectors import Floats, Ints

NBest = tuple[tuple[ComparisonFields, float], ...]
"""The comparison fields of the labellings of one reference, most probable first, with probabilities that sum to 1."""

MAX_NBEST = 20
"""The maximum number of labellings of a reference: the pairs to compare grow with their square."""

_DIGITS = 6  # of a probability: labellings that differ only in rounding errors must be equal


def merge_nbest(fields: Sequence[ComparisonFields], probabilities: Sequence[float]) -> NBest:
    """Merge labellings with equal comparison fields, and normalise the probabilities to sum to 1.

    >>> one, other = ComparisonFields("a reed", title="reed"), ComparisonFields("a reed")
    >>> [(fields.title, p) for fields, p in merge_nbest([one, other, one], [0.3, 0.3, 0.2])]
    [('reed', 0.625), ('', 0.375)]
    """
    if len(fields) != len(probabilities) or not fields:
        raise ConfigError(
            f"{len(fields)} labellings and {len(probabilities)} probabilities: give one of each, and at least one"
        )
    support: dict[ComparisonFields, float] = {}
    for one, probability in zip(fields, probabilities, strict=True):
        support[one] = support.get(one, 0.0) + probability
    total = sum(support.values())
    if total <= 0:
        return ((fields[0], 1.0),)
    ordered = sorted(support, key=lambda one: (-round(support[one], _DIGITS), one != fields[0]))
    return tuple((one, round(support[one] / total, _DIGITS)) for one in ordered)


def expand_pairs(begin: Ints, left: Ints, right: Ints) -> tuple[Ints, Ints, Ints]:
    """Return all pairs of labellings of pairs of references: the index of the pair, and the two rows of labellings.

    The labellings of reference k are the rows from `begin[k]` to `begin[k + 1]`. The result is ordered by pair.
    """
    mine, theirs = np.diff(begin)[left], np.diff(begin)[right]
    combinations = mine * theirs
    pair = np.repeat(np.arange(len(left)), combinations)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(combinations) - combinations, combinations)
    return pair, begin[left][pair] + step // theirs[pair], begin[right][pair] + step % theirs[pair]


def average_by_pair(values: Floats, weight: Floats, pair: Ints) -> Floats:
    """Return the weighted sums of the rows of each pair; every pair has at least one row.  # [pairs, columns]"""
    if not len(pair):
        return values
    starts = np.flatnonzero(np.concatenate([[True], pair[1:] != pair[:-1]]))
    found: Floats = np.add.reduceat(values * weight[:, None], starts, axis=0)
    return found


def bounded_slices(begin: Ints, left: Ints, right: Ints, most: int) -> Iterator[slice]:
    """Yield slices of the pairs with at most `most` pairs of labellings each, or of a single pair."""
    sizes = np.diff(begin)
    ends = np.cumsum(sizes[left] * sizes[right])
    first = 0
    while first < len(left):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield slice(first, last)
        first = last
