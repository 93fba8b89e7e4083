"""Dirichlet priors whose one parameter is learnt from counts (Minka 2000, the fixed point of equation 55)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

SMALLEST, LARGEST = 1e-6, 1e4


def digamma(values: ArrayLike) -> NDArray[np.float64]:
    """The derivative of log Γ at each value, all of them above 0: the recurrence up to 6, the asymptotic series there.

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


def fixed_point(parameter: float, times: NDArray[np.integer], totals: NDArray[np.integer], size: int) -> float:
    """The next value of the parameter of a symmetric Dirichlet over `size` outcomes.

    `times[c]` says how many of the counts are c, over all groups together; `totals` are the sums of the groups, or
    pairs (sum, how many groups have it) as an array [G, 2].
    """
    if size == 0:
        return parameter
    counts = np.flatnonzero(times)
    counts = counts[counts > 0]
    above = float((times[counts] * (digamma(counts + parameter) - digamma(parameter))).sum())
    groups = totals if totals.ndim == 2 else np.stack([totals, np.ones_like(totals)], axis=1)
    whole = size * parameter
    below = float((groups[:, 1] * (digamma(groups[:, 0] + whole) - digamma(whole))).sum())
    if not (above > 0 and below > 0):  # nothing was counted
        return parameter
    return float(np.clip(parameter * above / (size * below), SMALLEST, LARGEST))
