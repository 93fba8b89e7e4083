"""How sure a work is: never beyond a probability, more for what goes together, less for what goes with others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.linking.blocking import Pairs
from ibidem.linking.confidence import SIGNS, certainty, signs_of, weakest_and_outside
from ibidem.linking.matcher import shipped

LEFT, RIGHT = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3])
LABEL = np.array([0, 0, 0, 1])


def test_the_weakest_member_and_the_nearest_outside_are_found():
    weakest, outside = weakest_and_outside(LABEL, Pairs(LEFT, RIGHT), np.array([6.0, 2.0, 1.0, -3.0]))
    assert weakest.tolist() == [1.5, np.inf] and outside.tolist() == [-3.0, -3.0]


def test_a_pair_that_was_not_compared_speaks_against_a_member():
    weakest, _ = weakest_and_outside(np.zeros(3, np.int64), Pairs(LEFT[:2], RIGHT[:2]), np.array([6.0, 2.0]))
    assert weakest.tolist() == [0.0]  # of node 2: (2 - 2) / 2


@given(st.lists(st.floats(-20, 20), min_size=4, max_size=4))
def test_confidence_is_a_probability_with_and_without_learning(scores):
    pairs, values = Pairs(LEFT, RIGHT), np.array(scores)
    assert signs_of(LABEL, pairs, values).shape == (2, len(SIGNS))
    for learnt in ({}, shipped().confidence):
        sure = certainty(LABEL, pairs, values, learnt)
        assert ((sure >= 0) & (sure <= 1)).all()


@pytest.mark.parametrize("learnt", [{}, shipped().confidence], ids=["plain", "learnt"])
def test_what_goes_together_is_surer_and_what_goes_with_others_less(learnt):
    pairs = Pairs(LEFT, RIGHT)
    good = certainty(LABEL, pairs, np.array([6.0, 6.0, 6.0, -6.0]), learnt)
    weak = certainty(LABEL, pairs, np.array([6.0, 0.5, 0.5, -6.0]), learnt)
    near = certainty(LABEL, pairs, np.array([6.0, 6.0, 6.0, -0.6]), learnt)
    assert good[0] > weak[0] and good[1] > near[1]


def test_nothing_is_sure_of_nothing():
    empty = np.zeros(0, np.int64)
    assert certainty(empty, Pairs(empty, empty), np.zeros(0), {}).size == 0
