"""Laws of the logistic regressions: each finds a minimum, and the same where two of them can express the same model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.weights.logistic_regression import Choice, fit_binary, fit_choices, fit_multinomial


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
    found = fit_binary(values, right, weight, penalty)
    best = loss(found, values, right, weight, penalty)
    for _ in range(20):
        near = found + generator.normal(0, 0.05, 5)
        assert best <= loss(near, values, right, weight, penalty) + 1e-3
    again = fit_binary(values, right, weight, penalty, generator.normal(0, 1, 5))
    assert loss(again, values, right, weight, penalty) == pytest.approx(best, abs=1e-2)


def test_rows_of_one_class_give_finite_weights():
    found = fit_binary(np.ones((5, 2), np.float32), np.ones(5, dtype=bool), np.ones(5), 1.0)
    assert np.isfinite(found).all()


def choices(rows, positive):
    """Binary data as choices between a row and nothing."""
    pairs = zip(rows, positive, strict=True)
    return [Choice(np.stack([row, np.zeros_like(row)]), int(not right), 1.0) for row, right in pairs]


def test_the_multinomial_and_the_conditional_model_agree_on_two_classes():
    generator = np.random.default_rng(5)
    values = (generator.random((80, 3)) < 0.5).astype(np.float64)
    positive = generator.random(80) < 0.2 + 0.6 * values[:, 0]
    choices = [
        Choice(np.stack([row, np.zeros(3)]), int(not same), 1.0) for row, same in zip(values, positive, strict=True)
    ]
    conditional = fit_choices(choices, np.zeros(3), 1.0)
    # each of two classes has half of the difference of the weights: with the squares, a quarter of the penalty
    weights = fit_multinomial([np.flatnonzero(row).tolist() for row in values], 3, positive.astype(np.int64), 4.0)
    np.testing.assert_allclose(weights[:, 1] - weights[:, 0], conditional, atol=1e-3)


def test_the_conditional_model_agrees_with_the_binary_one():
    generator = np.random.default_rng(6)
    values = generator.random((80, 3)).astype(np.float32)
    positive = generator.random(80) < values[:, 0]
    binary = fit_binary(values, positive, np.ones(80), 1.0)
    rows = np.hstack([values, np.full((80, 1), 1000.0)])  # a bias that the prior does not reach
    choices = [
        Choice(np.stack([row, np.zeros(4)]), int(not same), 1.0) for row, same in zip(rows, positive, strict=True)
    ]
    np.testing.assert_allclose(fit_choices(choices, np.zeros(4), 1.0)[:3], binary[:3], atol=0.02)
