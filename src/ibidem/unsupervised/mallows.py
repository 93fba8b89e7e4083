"""The generalized Mallows model: a distribution over orders of K elements, around the order 0, 1, …, K - 1.

An order is told by inversion counts: v[k], for k < K - 1, is how many of the elements larger than k stand before it.
Each is independent of the others and has the chance exp(-ρ_k v_k) / ψ_k(ρ_k) (Fligner & Verducci 1986; Chen et al.
2009; equations 1 to 5 of Masada et al. 2011). Elements are counted from 0 here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FloatVector = NDArray[np.float64]

CENTRE = 1.0
"""ρ_0, where the prior of ρ has its mode."""
STRENGTH = 0.1
"""ν, how many orders the prior counts for."""
_TALLEST = 50.0  # beyond it an inversion has no chance in double precision


def inversion_counts(order: Sequence[int]) -> tuple[int, ...]:
    """The K - 1 inversion counts of an order.

    >>> inversion_counts((1, 0, 2, 3, 4)), inversion_counts((2, 1, 0))
    ((1, 0, 0, 0), (2, 1))
    """
    place = {element: index for index, element in enumerate(order)}
    K = len(place)
    return tuple(sum(place[other] < place[k] for other in range(k + 1, K)) for k in range(K - 1))


def order_of(counts: Sequence[int]) -> tuple[int, ...]:
    """The order that has these K - 1 inversion counts.

    >>> order_of((1, 0, 0, 0)), order_of((2, 1))
    ((1, 0, 2, 3, 4), (2, 1, 0))
    """
    order = [len(counts)]
    for k in range(len(counts) - 1, -1, -1):  # all that stand in `order` already are larger than k
        order.insert(counts[k], k)
    return tuple(order)


def log_normalisers(rho: Sequence[float] | FloatVector) -> FloatVector:
    """log ψ_k(ρ_k) for each k: [K - 1] (equation 2)."""
    sizes = np.arange(len(rho) + 1, 1, -1)
    return np.array([log_normaliser(float(value), int(size)) for value, size in zip(rho, sizes, strict=True)])


def log_normaliser(rho: float, size: int) -> float:
    """log ψ for one inversion count that has `size` values, 0 … size - 1."""
    if abs(rho) < 1e-8:
        return math.log(size) - rho * (size - 1) / 2
    return math.log(math.expm1(-size * rho) / math.expm1(-rho))


def log_probability(counts: NDArray[np.integer], rho: Sequence[float] | FloatVector) -> FloatVector:
    """The log-probability of orders, given by their inversion counts [..., K - 1] (equation 1)."""
    weights = np.asarray(rho, dtype=np.float64)
    total: FloatVector = -(np.asarray(counts) @ weights) - log_normalisers(weights).sum()
    return total


def prior_count(size: int, centre: float = CENTRE) -> float:
    """γ, the inversion count that the prior has seen, for a count of `size` values (equation 4)."""
    return mean_count(centre, size)


def mean_count(rho: float, size: int) -> float:
    """The expected inversion count of an element with `size` values, 0 … size - 1."""
    if abs(rho) < 1e-6:
        return (size - 1) / 2 - rho * (size * size - 1) / 12
    return 1 / math.expm1(rho) - size / math.expm1(min(size * rho, 700.0))


def log_posterior(
    rho: float, size: int, total: float, number: float, centre: float = CENTRE, strength: float = STRENGTH
) -> float:
    """The log-density of ρ_k, up to a constant, after `number` orders whose counts add up to `total` (equation 5)."""
    seen = prior_count(size, centre) * strength + total
    return -seen * rho - (number + strength) * log_normaliser(rho, size)


def likeliest_rho(
    totals: Sequence[float] | FloatVector, number: float, centre: float = CENTRE, strength: float = STRENGTH
) -> FloatVector:
    """The mode of each ρ_k ≥ 0 after `number` orders whose counts add up to `totals`: [K - 1].

    There the expected count equals the mean of what was seen, the prior's part included.

    >>> likeliest_rho([0.0, 0.0], 0.0).round(6).tolist()
    [1.0, 1.0]
    """
    K = len(totals) + 1
    rho = np.zeros(K - 1)
    for k, total in enumerate(totals):
        size = K - k
        mean = (prior_count(size, centre) * strength + float(total)) / (number + strength)
        low, high = 0.0, _TALLEST
        if mean >= mean_count(low, size):
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if mean_count(middle, size) > mean else (low, middle)
        rho[k] = (low + high) / 2
    return rho


def step_weights(rho: Sequence[float] | FloatVector) -> FloatVector:
    """How likely each element comes next after a set of elements: [K, 2^K], 0 where it is in the set already.

    Element k after the set has -ρ_k times as many inversions as the set has elements larger than k, so the products of
    these along an order are the order's probability: ψ is shared out over the steps.
    """
    K = len(rho) + 1
    heights = np.append(np.asarray(rho, dtype=np.float64), 0.0)
    shares = np.append(log_normalisers(heights[:-1]), 0.0)
    sets = np.arange(1 << K)
    weights = np.zeros((K, 1 << K))
    for k in range(K):
        larger = np.array([int(chosen >> (k + 1)).bit_count() for chosen in sets])
        free = (sets >> k & 1) == 0
        weights[k, free] = np.exp(-heights[k] * larger[free] - shares[k])
    return weights


def next_chances(rho: Sequence[float] | FloatVector) -> FloatVector:
    """The chance that an element comes next, given the set of those before it: [K, 2^K]; each set's add up to 1.

    >>> next_chances([0.0, 0.0])[:, 0].round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    weights = step_weights(rho)
    K, sets = weights.shape
    rest = np.zeros(sets)  # the weight of all ways to go on
    rest[-1] = 1
    for chosen in range(sets - 2, -1, -1):
        for k in range(K):
            if not chosen >> k & 1:
                weights[k, chosen] *= rest[chosen | 1 << k]
        rest[chosen] = weights[:, chosen].sum()
        weights[:, chosen] /= rest[chosen]
    return weights
