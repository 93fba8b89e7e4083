"""Laws of Newton's method for pairs: nothing near the answer is better, and where it starts does not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.weights.logistic_regression import most_likely


def loss(at, values, right, weight, penalty):
    scores = values @ at[:-1] + at[-1]
    return (weight * np.logaddexp(0.0, -np.where(right, 1, -1) * scores)).sum() + penalty * (at[:-1] ** 2).sum()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from((0.1, 1.0, 10.0)))
def test_nothing_near_the_answer_is_better_and_the_start_does_not_matter(seed, penalty):
    generator = np.random.default_rng(seed)
    values = generator.random((60, 4)).astype(np.float32)
    right = generator.random(60) < values[:, 0]
    weight = generator.random(60) + 0.5
    found = most_likely(values, right, weight, penalty)
    best = loss(found, values, right, weight, penalty)
    for _ in range(20):
        near = found + generator.normal(0, 0.05, 5)
        assert best <= loss(near, values, right, weight, penalty) + 1e-3
    again = most_likely(values, right, weight, penalty, generator.normal(0, 1, 5))
    assert loss(again, values, right, weight, penalty) == pytest.approx(best, abs=1e-2)


def test_pairs_that_are_all_of_one_kind_give_finite_weights():
    found = most_likely(np.ones((5, 2), np.float32), np.ones(5, dtype=bool), np.ones(5), 1.0)
    assert np.isfinite(found).all()
