"""Slice sampling and the updates of Dirichlet priors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.unsupervised.hyperparameters import digamma, slice_sample, update_dirichlet
from ibidem.unsupervised.mallows import log_posterior


@given(st.floats(1e-5, 1e8))
def test_digamma_rises_by_one_over_x_from_x_to_x_plus_one(x: float):
    low, high = digamma([x, x + 1])
    assert math.isclose(high - low, 1 / x, rel_tol=1e-9, abs_tol=1e-9)


def likelihood(parameter: float, groups: np.ndarray) -> float:
    """Return the log-probability of sequences with these counts [G, K] under a symmetric Dirichlet."""
    G, K = groups.shape
    ends = G * math.lgamma(K * parameter) - sum(math.lgamma(K * parameter + int(n)) for n in groups.sum(axis=1))
    return ends + sum(math.lgamma(parameter + int(c)) - math.lgamma(parameter) for c in groups.ravel())


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("truth", [0.05, 0.5, 3.0])
def test_the_fixed_point_never_lowers_the_likelihood_and_ends_at_its_maximum(truth: float, paired: bool):
    random = np.random.default_rng(3)
    groups = np.array([random.multinomial(30, random.dirichlet([truth] * 6)) for _ in range(200)])
    totals = groups.sum(axis=1)
    given_totals = np.array([[30, 200]]) if paired else totals
    parameter = 0.2
    for _ in range(200):
        before = likelihood(parameter, groups)
        parameter = update_dirichlet(parameter, np.bincount(groups.ravel()), given_totals, 6)
        assert likelihood(parameter, groups) >= before - 1e-9
    near = [likelihood(parameter * factor, groups) for factor in (0.98, 1.0, 1.02)]
    assert max(near) == near[1]
    assert truth / 1.5 < parameter < truth * 1.5


def test_nothing_counted_leaves_the_parameter_as_it_is():
    assert update_dirichlet(0.3, np.array([5]), np.zeros(2, dtype=np.int64), 4) == 0.3
    assert update_dirichlet(0.3, np.zeros(0, dtype=np.int64), np.zeros(2, dtype=np.int64), 0) == 0.3


@pytest.mark.parametrize(("size", "total", "number"), [(2, 1, 3), (4, 3, 5), (5, 40, 200), (3, 150, 100)])
def test_slice_samples_have_the_mean_and_the_deviation_of_the_density(size: int, total: float, number: int):
    grid = np.linspace(0, 60, 240_001)
    scores = np.array([log_posterior(float(x), size, total, number) for x in grid[::10]])
    weights = np.exp(scores - scores.max())
    mean = (grid[::10] * weights).sum() / weights.sum()
    deviation = math.sqrt((grid[::10] ** 2 * weights).sum() / weights.sum() - mean**2)
    random, value, seen = np.random.default_rng(1), 1.0, []
    for _ in range(8000):
        value = slice_sample(
            lambda x: log_posterior(x, size, total, number) if x >= 0 else -math.inf, value, 1.0, random
        )
        seen.append(value)
    seen = seen[100:]
    assert min(seen) >= 0
    assert abs(np.mean(seen) - mean) < 0.12 * deviation
    assert abs(np.std(seen) / deviation - 1) < 0.15
