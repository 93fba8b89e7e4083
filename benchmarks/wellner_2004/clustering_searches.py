"""Other searches than the greedy one: the stochastic beam search of the paper, and an exact one for small components.

Both take a component and the weight of pairs that were not compared, and are passed to
`ibidem.linking.clustering.partition` as `search`.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from ibidem.errors import ConfigError
from ibidem.linking.clustering import Component, Edge, Found, merge, search_greedily, singletons

LARGEST = 12
"""The largest component that is clustered exactly: the cost grows with three to the power of its size."""

_SAME = 1e-6  # a difference of objectives that is one of rounding


@dataclass(frozen=True, slots=True)
class StochasticSearch:
    """The stochastic beam search of Wellner et al. 2004, section 2; the best of `runs` runs is kept.

    Starting from single references, `width` pairs of clusters are sampled with probability proportional to the weight
    between them, and the first of them that increases the objective is merged, until none of the sampled ones does.
    """

    width: int = 5
    runs: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        if self.width < 1 or self.runs < 1:
            raise ConfigError(f"width is {self.width} and runs {self.runs}: give 1 or more of each")

    def __call__(self, component: Component, absent: float) -> Found:
        """Return the clusters of a component and the gain of each step."""
        # the same samples for the same component, whatever was searched before it
        generator = random.Random(f"{self.seed} {min(component[0])} {len(component[0])}")
        found = [self._run(component, absent, generator) for _ in range(self.runs)]
        return max(found, key=lambda each: sum(each[1]))

    def _run(self, component: Component, absent: float, generator: random.Random) -> Found:
        clusters, near = singletons(component)
        steps: list[float] = []
        while True:
            # a pair of clusters without positive weight is never sampled
            choices = [(a, b) for a in near for b in near[a] if a < b and near[a][b][0] > 0]
            if not choices:
                return list(clusters.values()), steps
            weights = [near[a][b][0] for a, b in choices]
            for a, b in generator.choices(choices, weights, k=self.width):
                gain = _gain(near[a][b], len(clusters[a]) * len(clusters[b]), absent)
                if gain > 0:
                    steps.append(gain)
                    merge(a, b, clusters, near)
                    break
            else:
                return list(clusters.values()), steps


def _gain(edge: Edge, pairs: int, absent: float) -> float:
    """Return the increase of the objective if two clusters are merged."""
    weight, seen = edge
    return weight + absent * (pairs - seen)


def search_exactly(component: Component, absent: float) -> Found:
    """Return the best clusters of a component of up to `LARGEST` members; a larger one is searched greedily.

    Dynamic programming over subsets: the best partition of a set is, over all clusters that contain its first member,
    the best sum of that cluster's objective and of the best partition of the rest.
    """
    members, edges = component
    if len(members) > LARGEST:
        return search_greedily(component, absent)
    size = len(members)
    place = {member: number for number, member in enumerate(members)}
    weight = np.full((size, size), absent)
    for one, other, value in edges:
        weight[place[one], place[other]] = weight[place[other], place[one]] = value
    value_of = _subset_objectives(weight)
    best, chosen = [0.0] * (1 << size), [0] * (1 << size)
    for members_left in range(1, 1 << size):
        first = members_left & -members_left
        rest = others = members_left ^ first
        best[members_left], chosen[members_left] = -np.inf, members_left
        while True:
            value = value_of[first | others] + best[rest ^ others]
            if value > best[members_left]:
                best[members_left], chosen[members_left] = value, first | others
            if not others:
                break
            others = (others - 1) & rest
    parts, left = [], (1 << size) - 1
    while left:
        parts.append([members[k] for k in range(size) if chosen[left] >> k & 1])
        left ^= chosen[left]
    return parts, [best[-1]] if best[-1] > 0 else []


@dataclass
class SearchRecord:
    """The stochastic search, with a record of what it and the others reach on the same components.

    `objective` and `seconds` are sums by search, `small` the objective of the components of up to `LARGEST` members;
    `differing` counts those of all components where the stochastic search is better or worse than the greedy one.
    """

    objective: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    small: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    differing: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def __call__(self, component: Component, absent: float) -> Found:
        """Return what the stochastic search finds."""
        reached: dict[str, float] = {}
        found: Found = ([], [])
        for name, search in (("greedy", search_greedily), ("stochastic", StochasticSearch())):
            began = time.process_time()
            found = search(component, absent)
            self.seconds[name] += time.process_time() - began
            reached[name] = sum(found[1])
            self.objective[name] += reached[name]
        if abs(difference := reached["stochastic"] - reached["greedy"]) > _SAME:
            self.differing["better" if difference > 0 else "worse"] += 1
        if len(component[0]) <= LARGEST:
            reached["exact"] = sum(search_exactly(component, absent)[1])
            for name, value in reached.items():
                self.small[name] += value
        return found


def _subset_objectives(weight: np.ndarray) -> list[float]:
    """Return the sum of the weights within every set of members, indexed by its bits."""
    size = len(weight)
    total = [0.0] * (1 << size)
    for members in range(1, 1 << size):
        first = (members & -members).bit_length() - 1
        rest = members & (members - 1)
        total[members] = total[rest] + sum(float(weight[first, k]) for k in range(first + 1, size) if rest >> k & 1)
    return total
