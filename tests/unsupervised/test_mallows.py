"""The generalized Mallows model against enumeration of all orders."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posterior import inversion_counts, log_probability

from ibidem.unsupervised import mallows

rhos = st.lists(st.floats(0, 8), min_size=1, max_size=4)


@given(st.permutations(range(5)))
def test_inversion_counts_and_orders_are_inverse_to_each_other(order: list[int]) -> None:
    counts = inversion_counts(order)
    assert all(0 <= count <= 4 - k for k, count in enumerate(counts))
    assert mallows.order_of(counts) == tuple(order)


@given(rhos)
def test_the_probabilities_of_all_orders_sum_to_one(rho: list[float]) -> None:
    counts = [inversion_counts(order) for order in itertools.permutations(range(len(rho) + 1))]
    assert np.exp(log_probability(np.array(counts), rho)).sum() == pytest.approx(1)


@given(rhos, st.data())
def test_steps_multiply_to_the_probability_of_the_order(rho: list[float], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(rho) + 1)))
    steps = mallows.step_weights(rho)
    probability, used = 1.0, 0
    for element in order:
        probability *= steps[element, used]
        used |= 1 << element
    expected = np.exp(log_probability(np.array(inversion_counts(order)), rho))
    assert probability == pytest.approx(expected, rel=1e-9)


@given(st.integers(2, 6), st.floats(0, 5))
def test_the_mean_count_is_that_of_the_distribution(size: int, rho: float) -> None:
    probabilities = np.exp(-rho * np.arange(size) - mallows.log_normaliser(rho, size))
    assert probabilities.sum() == pytest.approx(1)
    assert mallows.mean_count(rho, size) == pytest.approx((probabilities * np.arange(size)).sum(), abs=1e-6)


@given(st.integers(2, 6), st.floats(0, 50), st.integers(1, 100))
def test_no_other_rho_has_a_higher_posterior(size: int, total: float, number: int) -> None:
    total = min(total, number * (size - 1))
    best = mallows.fit_rho([total] + [0.0] * (size - 2), number)[0]
    here = mallows.log_posterior(best, size, total, number)
    for other in np.linspace(0, 10, 101):
        assert mallows.log_posterior(float(other), size, total, number) <= here + 1e-6


@given(rhos, st.data())
def test_next_probabilities_multiply_to_the_probability_of_the_order(rho: list[float], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(rho) + 1)))
    probabilities = mallows.next_probabilities(rho)
    assert probabilities[:, :-1].sum(axis=0) == pytest.approx(1)
    probability, used = 1.0, 0
    for element in order:
        probability *= probabilities[element, used]
        used |= 1 << element
    expected = np.exp(log_probability(np.array(inversion_counts(order)), rho))
    assert probability == pytest.approx(expected, rel=1e-9)
