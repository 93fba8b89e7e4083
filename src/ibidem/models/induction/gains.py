"""What a feature would add to the log likelihood if its weight alone were trained (McCallum 2003)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
_FARTHEST = 20.0  # no weight is sought beyond
_LONGEST = 2.0  # step: far from the best weight the curve is flat and says little
_STEPS = 14


def gains(
    candidate: NDArray[np.int64], truth: Doubles, chance: Doubles, count: int, l2: float
) -> tuple[Doubles, Doubles]:
    """The best weight of each of `count` candidates, a feature with a label, and what it adds to the objective.

    A candidate stands at several tokens: `candidate`, `truth` and `chance` have an entry for each of its tokens, with
    how often (0 or 1, or between where the annotation leaves it open) the token has the label and what the model gives
    it. With the tokens taken one by one and all other weights as they are, a weight w adds

        Σ truth · w − log(1 + chance · (e^w − 1)) − l2 · w²

    which is concave: Newton's steps, halving the interval where one would leave it.
    """
    low, high = np.full(count, -_FARTHEST), np.full(count, _FARTHEST)
    weight = np.zeros(count)
    for _ in range(_STEPS):
        grown = chance * np.exp(weight[candidate])
        tilted = grown / (1 - chance + grown)  # the chance under the new weight
        slope = np.bincount(candidate, truth - tilted, count) - 2 * l2 * weight
        curve = np.bincount(candidate, tilted * (1 - tilted), count) + 2 * l2
        low, high = np.where(slope > 0, weight, low), np.where(slope < 0, weight, high)
        step = weight + np.clip(slope / np.maximum(curve, 1e-12), -_LONGEST, _LONGEST)
        weight = np.where((step >= low) & (step <= high), step, (low + high) / 2)
    added = truth * weight[candidate] - np.log1p(chance * np.expm1(weight[candidate]))
    return weight, np.bincount(candidate, added, count) - l2 * weight * weight


def quick_gain(slope: Doubles, curve: Doubles, l2: float) -> Doubles:
    """What a feature adds by the first step of Newton's method: slope² / (2 (curve + 2 l2))."""
    return slope * slope / (2 * (curve + 2 * l2) + 1e-12)
