"""Dividing references into works: the partition of a graph whose edges have positive and negative weights.

The weight of a pair is how much more likely it is to mean one work than two; what a partition is worth is the sum of
the weights of all pairs within its parts (correlation clustering: Bansal, Blum & Chawla 2002; as coreference: McCallum
& Wellner 2003). Starting from single references, the two parts with the highest average weight between them are joined
for as long as that average is positive, so every step adds to the worth, and the number of parts falls out.

A pair that was not compared has the weight `absent`, which is negative.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import MissingExtra
from ibidem.linking.blocking import Pairs
from ibidem.linking.vectors import Ints

ABSENT = -2.0
Doubles = NDArray[np.float64]
Told = Callable[[float], None]
Edge = tuple[float, int]  # the sum of the weights of the pairs that were compared, and how many they are
Component = tuple[list[int], list[tuple[int, int, float]]]
"""References that positive weights connect, and all pairs of them that were compared, with their weights."""
Found = tuple[list[list[int]], list[float]]
"""The parts of a component, and what each step of the search added to the worth."""
Search = Callable[..., Found]
"""A function of a component and of the weight `absent`."""

_CHUNK = 200  # components that a process is given at a time


def worth(labels: Ints, pairs: Pairs, weights: Doubles, absent: float = ABSENT) -> float:
    """The sum of the weights of all pairs within the parts; `labels` says in which part each reference is."""
    within = labels[pairs.left] == labels[pairs.right]
    sizes = np.bincount(labels)
    unseen = float((sizes * (sizes - 1) // 2).sum()) - float(within.sum())
    return float(weights[within].sum()) + absent * unseen


def partition(
    count: int, pairs: Pairs, weights: Doubles, absent: float = ABSENT, told: Told | None = None,
    search: Search | None = None, jobs: int = 1,
) -> Ints:  # fmt: skip
    """The part of each of `count` references, numbered by their first members.

    `told` is told what each step adds to the worth. Parts can grow together only along positive weights, so each
    connected component of those is worked on by itself, by `jobs` processes. `search` is `greedy` where none is given;
    `ibidem.linking.searches` has others.
    """
    labels = np.arange(count)
    for parts, steps in _searched(_components(count, pairs, weights), partial(search or greedy, absent=absent), jobs):
        if told:
            for step in steps:
                told(step)
        for part in parts:
            labels[part] = min(part)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _searched(components: Iterator[Component], search: Callable[[Component], Found], jobs: int) -> Iterator[Found]:
    """What a search finds in each component, in order."""
    if jobs == 1:
        yield from map(search, components)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(search, components, chunksize=_CHUNK)


def _components(count: int, pairs: Pairs, weights: Doubles) -> Iterator[Component]:
    """The components of more than one reference, each with all its compared pairs."""
    try:
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components
    except ImportError:
        raise MissingExtra("linking needs scipy and rapidfuzz: pip install 'ibidem[link]'") from None
    likely = weights > 0
    graph = coo_matrix((np.ones(int(likely.sum())), (pairs.left[likely], pairs.right[likely])), shape=(count, count))
    _, component = connected_components(graph, directed=False)
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


def links_of(component: Component) -> tuple[dict[int, list[int]], dict[int, dict[int, Edge]]]:
    """Every member as a part of its own, and the edges between the parts."""
    members, edges = component
    near: dict[int, dict[int, Edge]] = {member: {} for member in members}
    for one, other, weight in edges:
        near[one][other] = near[other][one] = (weight, 1)
    return {member: [member] for member in members}, near


def greedy(component: Component, absent: float) -> Found:
    """The parts of one component: those with the highest mean weight between them are joined first."""
    parts, near = links_of(component)
    steps: list[float] = []

    def average(one: int, other: int) -> float:
        weight, seen = near[one][other]
        pairs = len(parts[one]) * len(parts[other])
        return (weight + absent * (pairs - seen)) / pairs

    heap = [(-weight, one, other, 2) for one, other, weight in component[1] if weight > 0]
    heapq.heapify(heap)
    while heap:
        negative, one, other, size = heapq.heappop(heap)
        if one not in parts or other not in parts or len(parts[one]) + len(parts[other]) != size:
            continue  # one of the two has grown since
        steps.append(-negative * len(parts[one]) * len(parts[other]))
        kept, gone = (one, other) if len(near[one]) >= len(near[other]) else (other, one)
        join(kept, gone, parts, near)
        for third in near[kept]:
            if (value := average(kept, third)) > 0:
                entry = (-value, min(kept, third), max(kept, third), len(parts[kept]) + len(parts[third]))
                heapq.heappush(heap, entry)
    return list(parts.values()), steps


def join(kept: int, gone: int, parts: dict[int, list[int]], near: dict[int, dict[int, Edge]]) -> None:
    """Nothing: puts one part into the other."""
    parts[kept] += parts.pop(gone)
    del near[kept][gone]
    for third, (weight, seen) in near.pop(gone).items():
        if third == kept:
            continue
        old, before = near[kept].get(third, (0.0, 0))
        near[kept][third] = near[third][kept] = (old + weight, before + seen)
        del near[third][gone]
