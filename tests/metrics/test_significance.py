"""Statistics: against scipy, against enumeration, and by their own laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.metrics import significance

COUNT = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)).map(
    lambda c: (c[0], c[0] + c[1], c[0] + c[2])
)
COUNTS = st.lists(COUNT, min_size=1, max_size=30)


@given(COUNTS)
def test_an_interval_holds_its_value_and_lies_within_bounds(counts):
    interval = significance.bootstrap_f1(counts, draws=200)
    assert 0.0 <= interval.low <= interval.high <= 1.0 + 1e-12
    right, predicted, true = np.sum(counts, axis=0)
    assert interval.value == pytest.approx(2 * right / (predicted + true) if predicted + true else 0.0)


def test_an_interval_is_the_same_for_the_same_seed_and_not_for_another():
    counts = np.random.default_rng(1).integers(0, 5, size=(40, 3)).cumsum(axis=1)[:, ::1]
    assert significance.bootstrap_f1(counts, seed=3) == significance.bootstrap_f1(counts, seed=3)
    assert significance.bootstrap_f1(counts, seed=3) != significance.bootstrap_f1(counts, seed=4)


def test_drawing_in_blocks_covers_every_draw(monkeypatch):
    monkeypatch.setattr(significance, "_BLOCK", 100)
    interval = significance.bootstrap_accuracy([True] * 30 + [False] * 10, draws=500)
    assert interval.value == 0.75
    assert interval.low < 0.75 < interval.high


def test_the_interval_of_an_accuracy_is_near_the_normal_one():
    right = np.arange(1000) < 800
    interval = significance.bootstrap_accuracy(right, draws=4000)
    half = 1.96 * np.sqrt(0.8 * 0.2 / 1000)
    assert (interval.low, interval.high) == pytest.approx((0.8 - half, 0.8 + half), abs=0.004)


@given(COUNTS)
def test_a_system_differs_from_itself_by_nothing(counts):
    assert significance.compare_f1(counts, counts, draws=50) == significance.Difference(0.0, 0.0, 0.0, 1.0)


def test_pairing_makes_the_interval_of_a_steady_gain_narrow():
    generator = np.random.default_rng(0)
    theirs = generator.random(400) < 0.5
    ours = theirs | (generator.random(400) < 0.05)
    paired = significance.compare_accuracy(ours, theirs)
    alone = significance.bootstrap_accuracy(ours)
    assert paired.low > 0.0
    assert paired.p_value < 0.01
    assert paired.high - paired.low < alone.high - alone.low


@pytest.mark.parametrize("size", [1, 5, 12, 49, 80])
@pytest.mark.parametrize("ties", [False, True])
def test_wilcoxon_agrees_with_scipy(size, ties):
    from scipy.stats import wilcoxon

    generator = np.random.default_rng(size)
    ours, theirs = generator.normal(0.3, 1, size), generator.normal(0, 1, size)
    if ties:
        ours, theirs = np.round(ours), np.round(theirs)
        if (ours == theirs).all():
            ours[0] += 1
    expected = wilcoxon(ours, theirs, method="asymptotic" if ties else "auto", correction=False)
    found = significance.wilcoxon(ours, theirs, exact=False if ties else None)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_wilcoxon_exact_is_the_share_of_sign_patterns():
    differences = np.array([1.5, -0.5, 2.5, 3.5, -1.0, 4.5])
    ranks = np.argsort(np.argsort(np.abs(differences))) + 1
    observed = min(ranks[differences > 0].sum(), ranks[differences < 0].sum())
    sums = [np.dot(signs, ranks) for signs in itertools.product([0, 1], repeat=6)]
    expected = sum(min(one, 21 - one) <= observed for one in sums) / 2**6
    assert significance.wilcoxon(differences, np.zeros(6)).p_value == pytest.approx(expected)


def test_wilcoxon_of_equal_lists_says_nothing():
    assert significance.wilcoxon([1, 2, 3], [1, 2, 3]) == significance.Test(0.0, 1.0)


@pytest.mark.parametrize(("mine", "yours"), [(0, 0), (1, 0), (3, 9), (40, 17), (600, 610)])
def test_mcnemar_agrees_with_the_binomial_test(mine, yours):
    from scipy.stats import binomtest

    ours = [True] * mine + [False] * yours + [True, False]
    theirs = [False] * mine + [True] * yours + [True, False]
    expected = binomtest(mine, mine + yours).pvalue if mine + yours else 1.0
    assert significance.mcnemar(ours, theirs).p_value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: significance.bootstrap_f1([1, 2, 3]), r"expected \[strings, 3\]"),
        (lambda: significance.compare_accuracy([1, 0], [1]), "paired test needs the same strings"),
        (lambda: significance.bootstrap_accuracy([1, 0], level=95), "between 0 and 1"),
        (lambda: significance.wilcoxon([1, 1], [0, 0], exact=True), "without ties"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(call, message):
    with pytest.raises(ValueError, match=message):
        call()
