"""Updates of hyperparameters: slice sampling (Neal 2003) and Minka's fixed point for Dirichlet priors (Minka 2000)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

SMALLEST, LARGEST = 1e-6, 1e4
_STEPS = 60


def slice_sample(
    log_density: Callable[[float], float], value: float, width: float, random: np.random.Generator, low: float = 0.0
) -> float:
    """Return the next value of a Markov chain whose density above `low` is proportional to exp(log_density).

    The slice is found by stepping out in steps of `width`, 60 at most, then shrunk around rejected proposals.
    """
    height = log_density(value) - random.exponential()
    left = value - width * random.random()
    right = left + width
    before = int(random.integers(_STEPS))  # sharing the limit at random keeps the chain invariant
    after = _STEPS - 1 - before
    while before > 0 and left > low and log_density(left) > height:
        left, before = left - width, before - 1
    while after > 0 and log_density(right) > height:
        right, after = right + width, after - 1
    left = max(left, low)
    while True:
        proposal = left + (right - left) * random.random()
        if log_density(proposal) >= height:
            return proposal
        left, right = (proposal, right) if proposal < value else (left, proposal)
        if right - left < math.ulp(value):
            return value


def digamma(values: ArrayLike) -> NDArray[np.float64]:
    """Return the derivative of log Γ at values above 0: the recurrence up to 8, the asymptotic series from there.

    >>> digamma([1.0, 0.5]).round(9).tolist()
    [-0.577215665, -1.963510026]
    """
    x = np.array(values, dtype=np.float64)
    below = np.zeros_like(x)
    for _ in range(8):
        small = x < 8
        below -= np.where(small, 1 / x, 0.0)
        x = np.where(small, x + 1, x)
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    result: NDArray[np.float64] = below + np.log(x) - 0.5 / x - series
    return result


def update_dirichlet(parameter: float, times: NDArray[np.integer], totals: NDArray[np.integer], size: int) -> float:
    """Return the next value of the parameter of a symmetric Dirichlet over `size` outcomes (Minka 2000, equation 55).

    `times[c]` is the number of counts equal to c, over all groups together; `totals` are the sums of the groups, or
    pairs (sum, number of groups that have it) as an array [G, 2].
    """
    if size == 0:
        return parameter
    counts = np.flatnonzero(times)
    counts = counts[counts > 0]
    numerator = float((times[counts] * (digamma(counts + parameter) - digamma(parameter))).sum())
    groups = totals if totals.ndim == 2 else np.stack([totals, np.ones_like(totals)], axis=1)
    whole = size * parameter
    denominator = float((groups[:, 1] * (digamma(groups[:, 0] + whole) - digamma(whole))).sum())
    if not (numerator > 0 and denominator > 0):  # nothing was counted
        return parameter
    return float(np.clip(parameter * numerator / (size * denominator), SMALLEST, LARGEST))
