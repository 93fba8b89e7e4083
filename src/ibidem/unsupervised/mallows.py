"""The generalized Mallows model: a distribution over orders of K elements, centred on the order 0, 1, …, K - 1.

An order is represented by its inversion counts: v[k], for k < K - 1, is the number of elements larger than k that
precede it. They are independent, with probability exp(-ρ_k v_k) / ψ_k(ρ_k) (Fligner & Verducci 1986; Chen et al. 2009;
equations 1 to 5 of Masada et al. 2011). Elements are counted from 0 here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FloatVector = NDArray[np.float64]

CENTRE = 1.0
"""ρ_0, the mode of the prior of ρ."""
STRENGTH = 0.1
"""ν, the number of orders the prior is worth."""
LARGEST_RHO = 50.0  # beyond it the probability of an inversion vanishes in double precision


def order_of(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the order that has these K - 1 inversion counts.

    >>> order_of((1, 0, 0, 0)), order_of((2, 1))
    ((1, 0, 2, 3, 4), (2, 1, 0))
    """
    order = [len(counts)]
    for k in range(len(counts) - 1, -1, -1):  # all elements in `order` so far are larger than k
        order.insert(counts[k], k)
    return tuple(order)


def log_normalisers(rho: Sequence[float] | FloatVector) -> FloatVector:
    """Return log ψ_k(ρ_k) for each k: [K - 1] (equation 2)."""
    sizes = np.arange(len(rho) + 1, 1, -1)
    return np.array([log_normaliser(float(value), int(size)) for value, size in zip(rho, sizes, strict=True)])


def log_normaliser(rho: float, size: int) -> float:
    """Return log ψ for one inversion count with `size` values, 0 … size - 1."""
    if abs(rho) < 1e-8:
        return math.log(size) - rho * (size - 1) / 2
    return math.log(math.expm1(-size * rho) / math.expm1(-rho))


def mean_count(rho: float, size: int) -> float:
    """Return the expected value of an inversion count with `size` values, 0 … size - 1."""
    if abs(rho) < 1e-6:
        return (size - 1) / 2 - rho * (size * size - 1) / 12
    return 1 / math.expm1(rho) - size / math.expm1(min(size * rho, 700.0))


def log_posterior(rho: float, size: int, total: float, number: float) -> float:
    """Return the unnormalised log-density of ρ_k after `number` orders whose counts add up to `total` (equation 5)."""
    seen = mean_count(CENTRE, size) * STRENGTH + total  # γ of equation 4 times ν, and the counts
    return -seen * rho - (number + STRENGTH) * log_normaliser(rho, size)


def fit_rho(totals: Sequence[float] | FloatVector, number: float) -> FloatVector:
    """Return the posterior mode of each ρ_k ≥ 0 after `number` orders whose counts add up to `totals`: [K - 1].

    At the mode the expected count equals the observed mean, pseudo-counts included; found by bisection.

    >>> fit_rho([0.0, 0.0], 0.0).round(6).tolist()
    [1.0, 1.0]
    """
    K = len(totals) + 1
    rho = np.zeros(K - 1)
    for k, total in enumerate(totals):
        size = K - k
        mean = (mean_count(CENTRE, size) * STRENGTH + float(total)) / (number + STRENGTH)
        low, high = 0.0, LARGEST_RHO
        if mean >= mean_count(low, size):
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if mean_count(middle, size) > mean else (low, middle)
        rho[k] = (low + high) / 2
    return rho


def step_weights(rho: Sequence[float] | FloatVector) -> FloatVector:
    """Return the weight of each element coming next after a set of elements: [K, 2^K], 0 where the set contains it.

    Placing element k after a set adds as many inversions as the set has elements larger than k. The product of the
    weights along an order is the order's probability: each step carries its own ψ_k.
    """
    K = len(rho) + 1
    rhos = np.append(np.asarray(rho, dtype=np.float64), 0.0)
    log_psi = np.append(log_normalisers(rhos[:-1]), 0.0)
    sets = np.arange(1 << K)
    weights = np.zeros((K, 1 << K))
    for k in range(K):
        larger = np.array([int(chosen >> (k + 1)).bit_count() for chosen in sets])
        free = (sets >> k & 1) == 0
        weights[k, free] = np.exp(-rhos[k] * larger[free] - log_psi[k])
    return weights


def next_probabilities(rho: Sequence[float] | FloatVector) -> FloatVector:
    """Return the probability of each element coming next, given the set of those before it: [K, 2^K], columns sum to 1.

    >>> next_probabilities([0.0, 0.0])[:, 0].round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    weights = step_weights(rho)
    K, sets = weights.shape
    rest = np.zeros(sets)  # total weight of all completions
    rest[-1] = 1
    for chosen in range(sets - 2, -1, -1):
        for k in range(K):
            if not chosen >> k & 1:
                weights[k, chosen] *= rest[chosen | 1 << k]
        rest[chosen] = weights[:, chosen].sum()
        weights[:, chosen] /= rest[chosen]
    return weights
