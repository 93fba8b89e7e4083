from __future__ import annotations

import math

import numpy as np
import pytest

from ibidem.unsupervised.mallows import log_posterior
from ibidem.unsupervised.slice_sampling import slice_sample


@pytest.mark.parametrize(("size", "total", "number"), [(2, 1, 3), (4, 3, 5), (5, 40, 200), (3, 150, 100)])
def test_drawn_values_have_the_mean_and_the_deviation_of_the_density(size: int, total: float, number: int):
    grid = np.linspace(0, 60, 240_001)
    scores = np.array([log_posterior(float(x), size, total, number) for x in grid[::10]])
    weights = np.exp(scores - scores.max())
    mean = (grid[::10] * weights).sum() / weights.sum()
    deviation = math.sqrt((grid[::10] ** 2 * weights).sum() / weights.sum() - mean**2)
    chance, value, seen = np.random.default_rng(1), 1.0, []
    for _ in range(8000):
        value = slice_sample(
            lambda x: log_posterior(x, size, total, number) if x >= 0 else -math.inf, value, 1.0, chance
        )
        seen.append(value)
    seen = seen[100:]
    assert min(seen) >= 0
    assert abs(np.mean(seen) - mean) < 0.12 * deviation
    assert abs(np.std(seen) / deviation - 1) < 0.15
