"""The weights of pairs in the training of the matcher."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ibidem.linking.blocking import Pairs
from tools.weights.matcher_training import pair_weights

WORKS = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2])


def every_pair() -> Pairs:
    left, right = np.array(list(combinations(range(len(WORKS)), 2))).T
    return Pairs(left, right)


def test_every_pair_counts_the_same_without_balance() -> None:
    assert pair_weights(WORKS, every_pair(), 0.0).tolist() == [1.0] * 36


def test_a_work_counts_by_its_references_with_balance() -> None:
    pairs = every_pair()
    weight = pair_weights(WORKS, pairs, 1.0)
    assert weight.mean() == pytest.approx(1.0)
    within = [weight[(WORKS[pairs.left] == work) & (WORKS[pairs.right] == work)].sum() for work in range(3)]
    # n (n - 1) / 2 pairs, each counting for 1 / n: half as much as the references after the first
    assert np.allclose(np.array(within) / within[0], (np.bincount(WORKS) - 1) / 3)
