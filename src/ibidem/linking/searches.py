"""Other ways to divide a component than the greedy one: by chance, as the paper has it, and exactly where it is small.

All take a component and the weight of pairs that were not compared, and are given to
`ibidem.linking.clustering.partition` as `search`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from ibidem.errors import ConfigError
from ibidem.linking.clustering import Component, Edge, Found, greedy, join, links_of

LARGEST = 12
"""Members that a component may have to be divided exactly: the work grows with three to their power."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The stochastic beam search of Wellner et al. 2004, section 2, done `runs` times, of which the best is kept.

    From single references on, `width` pairs of parts are drawn with probability proportional to the weight between
    them, and the first of them that adds to the worth is joined, until none of those drawn does.
    """

    width: int = 5
    runs: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        if self.width < 1 or self.runs < 1:
            raise ConfigError(f"width is {self.width} and runs {self.runs}: give 1 or more of each")

    def __call__(self, component: Component, absent: float) -> Found:
        """The parts of a component and what each step added."""
        # the same draws for the same component, whatever was searched before it
        chance = random.Random(f"{self.seed} {min(component[0])} {len(component[0])}")  # noqa: S311
        found = [self._once(component, absent, chance) for _ in range(self.runs)]
        return max(found, key=lambda each: sum(each[1]))

    def _once(self, component: Component, absent: float, chance: random.Random) -> Found:
        parts, near = links_of(component)
        steps: list[float] = []
        while True:
            # a pair of parts with little or nothing for it is never drawn
            choices = [(a, b) for a in near for b in near[a] if a < b and near[a][b][0] > 0]
            if not choices:
                return list(parts.values()), steps
            weights = [near[a][b][0] for a, b in choices]
            for a, b in chance.choices(choices, weights, k=self.width):
                gain = _gain(near[a][b], len(parts[a]) * len(parts[b]), absent)
                if gain > 0:
                    steps.append(gain)
                    join(a, b, parts, near)
                    break
            else:
                return list(parts.values()), steps


def _gain(edge: Edge, pairs: int, absent: float) -> float:
    """What joining two parts adds to the worth."""
    weight, seen = edge
    return weight + absent * (pairs - seen)


def exact(component: Component, absent: float) -> Found:
    """The best parts of a component of up to `LARGEST` members; a larger one is divided by the greedy search.

    The best division of a set of members is the best, over all parts that hold its first member, of the worth of that
    part and of the best division of the others: each set is looked at once, and each of its subsets.
    """
    members, edges = component
    if len(members) > LARGEST:
        return greedy(component, absent)
    size = len(members)
    place = {member: number for number, member in enumerate(members)}
    weight = np.full((size, size), absent)
    for one, other, value in edges:
        weight[place[one], place[other]] = weight[place[other], place[one]] = value
    worth = _worths(weight)
    best, chosen = [0.0] * (1 << size), [0] * (1 << size)
    for members_left in range(1, 1 << size):
        first = members_left & -members_left
        rest = others = members_left ^ first
        best[members_left], chosen[members_left] = -np.inf, members_left
        while True:
            value = worth[first | others] + best[rest ^ others]
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


def _worths(weight: np.ndarray) -> list[float]:
    """The sum of the weights within every set of members, numbered by its bits."""
    size = len(weight)
    worth = [0.0] * (1 << size)
    for members in range(1, 1 << size):
        first = (members & -members).bit_length() - 1
        rest = members & (members - 1)
        worth[members] = worth[rest] + sum(float(weight[first, k]) for k in range(first + 1, size) if rest >> k & 1)
    return worth
