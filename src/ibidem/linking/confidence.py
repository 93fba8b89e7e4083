"""How sure one may be of a work: the probability that it is exactly right, learnt from works that are known.

A work is right when all references in it mean the same work and no other reference means it. Two things tell of it: how
well its weakest member goes with the others, and how well any of its members goes with a reference outside.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.blocking import Pairs
from ibidem.linking.clustering import ABSENT
from ibidem.linking.vectors import Ints

Doubles = NDArray[np.float64]

BOUND = 8.0
"""What no sign goes beyond; of a work that nothing outside was compared with, `outside` is the negative of it."""

SIGNS = ("alone", "members", "weakest", "outside", "alone*outside")
"""What is looked at: whether a work has one reference, the logarithm of how many it has, and the log-odds within and
out of it."""


def weakest_and_outside(label: Ints, pairs: Pairs, scores: Doubles) -> tuple[Doubles, Doubles]:
    """Of each part the mean log-odds between its weakest node and the others, and the highest to a node outside.

    The first is infinite for a part of one node, the second minus infinity for one that nothing was compared with.
    """
    left, right = pairs.left, pairs.right
    size = np.bincount(label)[label] if len(label) else label
    within = label[left] == label[right]
    total, seen = np.zeros(len(label)), np.zeros(len(label))
    for side in (left, right):
        total += np.bincount(side[within], scores[within], minlength=len(label))
        seen += np.bincount(side[within], minlength=len(label))
    mean = np.where(size > 1, (total + ABSENT * (size - 1 - seen)) / np.maximum(size - 1, 1), np.inf)
    parts = int(label.max(initial=-1)) + 1
    weakest, outside = np.full(parts, np.inf), np.full(parts, -np.inf)
    np.minimum.at(weakest, label, mean)
    for side in (left, right):
        np.maximum.at(outside, label[side[~within]], scores[~within])
    return weakest, outside


def signs_of(label: Ints, pairs: Pairs, scores: Doubles) -> Doubles:
    """The signs of each part.  # [parts, signs]"""
    weakest, outside = weakest_and_outside(label, pairs, scores)
    alone = np.isinf(weakest)
    near = np.clip(outside, -BOUND, BOUND)
    within = np.where(alone, 0.0, np.clip(weakest, -BOUND, BOUND))
    members = np.log2(np.maximum(np.bincount(label, minlength=len(weakest)), 1))
    return np.column_stack([alone, members, within, near, alone * near]).astype(np.float64)


def certainty(label: Ints, pairs: Pairs, scores: Doubles, learnt: Mapping[str, float]) -> Doubles:
    """How sure each part is, by what was learnt; else by its weakest member or, of one alone, by what is near."""
    if learnt:
        weights = np.array([learnt.get(name, 0.0) for name in SIGNS])
        return probability(signs_of(label, pairs, scores) @ weights + learnt.get("bias", 0.0))
    weakest, outside = weakest_and_outside(label, pairs, scores)
    return probability(np.where(np.isinf(weakest), -outside, weakest))


def probability(score: Doubles) -> Doubles:
    """The probability of log-odds."""
    with np.errstate(over="ignore"):
        chance: Doubles = 1.0 / (1.0 + np.exp(-score))
    return chance
