"""Cluster confidence: the calibrated probability that a work is exactly right, by logistic regression.

A work is right when all its references cite the same work and no other reference does. Two features predict it: how
well its weakest member matches the others, and how well any of its members matches a reference outside.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ibidem.linking.blocking import Pairs
from ibidem.linking.clustering import ABSENT
from ibidem.linking.vectors import Doubles, Ints

BOUND = 8.0
"""The bound on a feature; `outside` of a work that was compared with nothing outside is its negative."""

CLUSTER_FEATURES = ("alone", "members", "weakest", "outside", "alone*outside")
"""Whether a work has one reference, the logarithm of their number, and the log-odds within the work and out of it."""


def weakest_and_outside(label: Ints, pairs: Pairs, scores: Doubles) -> tuple[Doubles, Doubles]:
    """Return for each cluster the mean log-odds of its weakest node to the others, and the highest to a node outside.

    The first is infinite for a cluster of one node, the second minus infinity where nothing outside was compared.
    """
    left, right = pairs.left, pairs.right
    size = np.bincount(label)[label] if len(label) else label
    within = label[left] == label[right]
    total, seen = np.zeros(len(label)), np.zeros(len(label))
    for side in (left, right):
        total += np.bincount(side[within], scores[within], minlength=len(label))
        seen += np.bincount(side[within], minlength=len(label))
    mean = np.where(size > 1, (total + ABSENT * (size - 1 - seen)) / np.maximum(size - 1, 1), np.inf)
    clusters = int(label.max(initial=-1)) + 1
    weakest, outside = np.full(clusters, np.inf), np.full(clusters, -np.inf)
    np.minimum.at(weakest, label, mean)
    for side in (left, right):
        np.maximum.at(outside, label[side[~within]], scores[~within])
    return weakest, outside


def cluster_features(label: Ints, pairs: Pairs, scores: Doubles) -> Doubles:
    """Return the `CLUSTER_FEATURES` of each cluster.  # [clusters, features]"""
    weakest, outside = weakest_and_outside(label, pairs, scores)
    alone = np.isinf(weakest)
    near = np.clip(outside, -BOUND, BOUND)
    within = np.where(alone, 0.0, np.clip(weakest, -BOUND, BOUND))
    members = np.log2(np.maximum(np.bincount(label, minlength=len(weakest)), 1))
    return np.column_stack([alone, members, within, near, alone * near]).astype(np.float64)


def cluster_confidence(label: Ints, pairs: Pairs, scores: Doubles, weights: Mapping[str, float]) -> Doubles:
    """Return the confidence of each cluster by fitted weights; without any, by its weakest member or what is near."""
    if weights:
        vector = np.array([weights.get(name, 0.0) for name in CLUSTER_FEATURES])
        return probability(cluster_features(label, pairs, scores) @ vector + weights.get("bias", 0.0))
    weakest, outside = weakest_and_outside(label, pairs, scores)
    return probability(np.where(np.isinf(weakest), -outside, weakest))


def probability(score: Doubles) -> Doubles:
    """Return the probability of log-odds."""
    with np.errstate(over="ignore"):
        found: Doubles = 1.0 / (1.0 + np.exp(-score))
    return found
