"""Clustering references into works by correlation clustering.

The weight of a pair is its log-odds of citing the same work; the objective of a partition is the sum of the weights of
all pairs within its clusters (Bansal, Blum & Chawla 2002; for coreference: McCallum & Wellner 2003). Starting from
single references, the two clusters with the highest mean weight between them are merged while that mean is positive, so
that every step increases the objective, and the number of clusters need not be given.

A pair that was not compared has the negative weight `absent`.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator

import numpy as np

from ibidem.errors import ConfigError
from ibidem.linking.blocking import Pairs
from ibidem.linking.vectors import Doubles, Ints

ABSENT = -2.0
Edge = tuple[float, int]  # the summed weight of the compared pairs between two clusters, and their number
Component = tuple[list[int], list[tuple[int, int, float]]]
"""References connected by positive weights, and all their compared pairs with weights."""
Found = tuple[list[list[int]], list[float]]
"""The clusters of a component, and the gain in the objective of each step of the search."""
Search = Callable[..., Found]
"""A function of a component and of the weight `absent`."""


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability that is neither 0 nor 1."""
    if not 0.0 < probability < 1.0:
        raise ConfigError(f"the threshold is {probability}: give a probability between 0 and 1, such as 0.5")
    return math.log(probability / (1.0 - probability))


def cluster(count: int, pairs: Pairs, scores: Doubles, threshold: float) -> Ints:
    """Return the cluster of each of `count` references, by the log-odds of pairs relative to a threshold."""
    shift = log_odds(threshold)
    return partition(count, pairs, scores - shift, absent_weight(shift))


def absent_weight(shift: float) -> float:
    """Return the weight of pairs that were not compared where weights are log-odds less `shift`; it is negative."""
    return min(ABSENT - shift, -0.01)


def objective(labels: Ints, pairs: Pairs, weights: Doubles, absent: float = ABSENT) -> float:
    """Return the sum of the weights of all pairs within clusters; `labels` is the cluster of each reference."""
    within = labels[pairs.left] == labels[pairs.right]
    sizes = np.bincount(labels)
    unseen = float((sizes * (sizes - 1) // 2).sum()) - float(within.sum())
    return float(weights[within].sum()) + absent * unseen


def partition(
    count: int, pairs: Pairs, weights: Doubles, absent: float = ABSENT, on_step: Callable[[float], None] | None = None,
    search: Search | None = None,
) -> Ints:  # fmt: skip
    """Return the cluster of each of `count` references, numbered by their first members.

    Clusters can only grow along positive weights, so the connected components of these are searched separately.
    `on_step` is called with the gain of each step; `search` is greedy by default.
    """
    labels = np.arange(count)
    for component in _components(count, pairs, weights):
        clusters, steps = (search or search_greedily)(component, absent)
        if on_step:
            for step in steps:
                on_step(step)
        for members in clusters:
            labels[members] = min(members)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _components(count: int, pairs: Pairs, weights: Doubles) -> Iterator[Component]:
    """Yield the components of more than one reference, each with all its compared pairs."""
    likely = weights > 0
    component = _connected_components(count, pairs.left[likely], pairs.right[likely])
    sizes = np.bincount(component, minlength=1)
    inside = np.flatnonzero((component[pairs.left] == component[pairs.right]) & (sizes[component[pairs.left]] > 1))
    inside = inside[np.argsort(component[pairs.left[inside]], kind="stable")]
    own = component[pairs.left[inside]]
    members = np.argsort(component, kind="stable")
    ends = np.cumsum(sizes)
    for number in np.unique(own).tolist():
        mine = inside[np.searchsorted(own, number) : np.searchsorted(own, number, side="right")]
        edges = zip(pairs.left[mine].tolist(), pairs.right[mine].tolist(), weights[mine].tolist(), strict=True)
        yield members[ends[number] - sizes[number] : ends[number]].tolist(), list(edges)


def _connected_components(count: int, left: Ints, right: Ints) -> Ints:
    """Return the first node of the component of each of `count` nodes, by hooking and shortcutting in parallel.

    Shiloach & Vishkin (1982): every node points at a lower node of its component, in the end at the lowest.
    """
    parent = np.arange(count)
    while True:
        before = parent.copy()
        lower = np.minimum(before[left], before[right])
        for side in (left, right):
            np.minimum.at(parent, before[side], lower)
        parent = parent[parent]
        if (parent == before).all():
            return parent


def singletons(component: Component) -> tuple[dict[int, list[int]], dict[int, dict[int, Edge]]]:
    """Return each member as a cluster of its own, and the edges between the clusters."""
    members, edges = component
    near: dict[int, dict[int, Edge]] = {member: {} for member in members}
    for one, other, weight in edges:
        near[one][other] = near[other][one] = (weight, 1)
    return {member: [member] for member in members}, near


def search_greedily(component: Component, absent: float) -> Found:
    """Cluster one component: the clusters with the highest mean weight between them are merged first."""
    clusters, near = singletons(component)
    steps: list[float] = []

    def average(one: int, other: int) -> float:
        weight, seen = near[one][other]
        pairs = len(clusters[one]) * len(clusters[other])
        return (weight + absent * (pairs - seen)) / pairs

    heap = [(-weight, one, other, 2) for one, other, weight in component[1] if weight > 0]
    heapq.heapify(heap)
    while heap:
        negative, one, other, size = heapq.heappop(heap)
        if one not in clusters or other not in clusters or len(clusters[one]) + len(clusters[other]) != size:
            continue  # one of the two has grown since
        steps.append(-negative * len(clusters[one]) * len(clusters[other]))
        kept, gone = (one, other) if len(near[one]) >= len(near[other]) else (other, one)
        merge(kept, gone, clusters, near)
        for third in near[kept]:
            if (value := average(kept, third)) > 0:
                entry = (-value, min(kept, third), max(kept, third), len(clusters[kept]) + len(clusters[third]))
                heapq.heappush(heap, entry)
    return list(clusters.values()), steps


def merge(kept: int, gone: int, clusters: dict[int, list[int]], near: dict[int, dict[int, Edge]]) -> None:
    """Merge one cluster into another, in place."""
    clusters[kept] += clusters.pop(gone)
    del near[kept][gone]
    for third, (weight, seen) in near.pop(gone).items():
        if third == kept:
            continue
        old, before = near[kept].get(third, (0.0, 0))
        near[kept][third] = near[third][kept] = (old + weight, before + seen)
        del near[third][gone]
