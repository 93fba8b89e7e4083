"""Cluster confidence: a probability, higher for coherent clusters, lower where others are near."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.linking.blocking import Pairs
from ibidem.linking.confidence import CLUSTER_FEATURES, cluster_confidence, cluster_features, weakest_and_outside
from ibidem.linking.matcher import default_matcher

LEFT, RIGHT = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3])
LABEL = np.array([0, 0, 0, 1])


def test_the_weakest_member_and_the_nearest_outside_are_found():
    weakest, outside = weakest_and_outside(LABEL, Pairs(LEFT, RIGHT), np.array([6.0, 2.0, 1.0, -3.0]))
    assert weakest.tolist() == [1.5, np.inf] and outside.tolist() == [-3.0, -3.0]


def test_a_pair_that_was_not_compared_counts_against_a_member():
    weakest, _ = weakest_and_outside(np.zeros(3, np.int64), Pairs(LEFT[:2], RIGHT[:2]), np.array([6.0, 2.0]))
    assert weakest.tolist() == [0.0]  # of node 2: (2 - 2) / 2


@given(st.lists(st.floats(-20, 20), min_size=4, max_size=4))
def test_confidence_is_a_probability_with_and_without_weights(scores):
    pairs, values = Pairs(LEFT, RIGHT), np.array(scores)
    assert cluster_features(LABEL, pairs, values).shape == (2, len(CLUSTER_FEATURES))
    for weights in ({}, default_matcher().confidence):
        sure = cluster_confidence(LABEL, pairs, values, weights)
        assert ((sure >= 0) & (sure <= 1)).all()


@pytest.mark.parametrize("weights", [{}, default_matcher().confidence], ids=["plain", "fitted"])
def test_coherent_clusters_are_more_confident_and_those_near_others_less(weights):
    pairs = Pairs(LEFT, RIGHT)
    good = cluster_confidence(LABEL, pairs, np.array([6.0, 6.0, 6.0, -6.0]), weights)
    weak = cluster_confidence(LABEL, pairs, np.array([6.0, 0.5, 0.5, -6.0]), weights)
    near = cluster_confidence(LABEL, pairs, np.array([6.0, 6.0, 6.0, -0.6]), weights)
    assert good[0] > weak[0] and good[1] > near[1]


def test_no_clusters_have_no_confidence():
    empty = np.zeros(0, np.int64)
    assert cluster_confidence(empty, Pairs(empty, empty), np.zeros(0), {}).size == 0
