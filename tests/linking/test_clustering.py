"""Laws of clustering: every step increases the objective, which never exceeds the optimum."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from brute import best_partition
from hypothesis import given
from hypothesis import strategies as st

from ibidem.linking.blocking import Pairs
from ibidem.linking.clustering import ABSENT, objective, partition

WEIGHT = st.integers(-12, 12).map(lambda number: number / 4)


@st.composite
def graphs(draw, most=7):
    count = draw(st.integers(1, most))
    every = [(a, b) for a in range(count) for b in range(a + 1, count)]
    chosen = draw(st.lists(st.sampled_from(every), unique=True)) if every else []
    return count, {pair: draw(WEIGHT) for pair in chosen}


def arrays(weight):
    ordered = sorted(weight)
    left, right = (np.array([pair[k] for pair in ordered], dtype=np.int64) for k in (0, 1))
    return Pairs(left, right), np.array([weight[pair] for pair in ordered], dtype=np.float64)


@given(graphs())
def test_every_step_increases_the_objective_and_the_gains_sum_to_it(graph):
    count, weight = graph
    pairs, weights = arrays(weight)
    steps = []
    labels = partition(count, pairs, weights, ABSENT, steps.append)
    assert all(step > 0 for step in steps)
    assert sum(steps) == pytest.approx(objective(labels, pairs, weights))


@given(graphs())
def test_no_two_clusters_would_be_better_merged(graph):
    count, weight = graph
    pairs, weights = arrays(weight)
    labels = partition(count, pairs, weights)
    before = objective(labels, pairs, weights)
    for one in range(labels.max() + 1):
        for other in range(one):
            joined = np.where(labels == one, other, labels)
            assert objective(np.unique(joined, return_inverse=True)[1], pairs, weights) <= before + 1e-9


@given(graphs())
def test_it_is_never_better_than_the_best_and_the_best_is_reached_where_weights_agree(graph):
    count, weight = graph
    pairs, weights = arrays(weight)
    labels = partition(count, pairs, weights)
    assert objective(labels, pairs, weights) <= best_partition(count, weight, ABSENT) + 1e-9


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.data())
def test_where_the_signs_agree_with_a_partition_it_is_found(true, data):
    every = [(a, b) for a in range(len(true)) for b in range(a + 1, len(true))]
    size = data.draw(st.lists(st.integers(1, 8), min_size=len(every), max_size=len(every)))
    weight = {p: float(s if true[p[0]] == true[p[1]] else -s) for p, s in zip(every, size, strict=True)}
    pairs, weights = arrays(weight)
    labels = partition(len(true), pairs, weights)
    assert all((labels[a] == labels[b]) == (true[a] == true[b]) for a, b in every)
    assert objective(labels, pairs, weights) == pytest.approx(best_partition(len(true), weight, ABSENT))


def test_a_chain_of_likely_pairs_is_not_one_work():
    pairs, weights = arrays({(0, 1): 1.0, (1, 2): 1.0, (2, 3): 1.0, (0, 3): -5.0, (0, 2): -5.0, (1, 3): -5.0})
    assert len(set(partition(4, pairs, weights).tolist())) == 2


@given(st.permutations(range(40)), st.integers(0, 39))
def test_a_chain_of_positive_weights_is_searched_as_one_component(order, cut):
    ends = [sorted(pair) for pair in pairwise(order) if pair[0] != order[cut]]
    pairs = Pairs(*(np.array(side, dtype=np.int64) for side in zip(*sorted(ends), strict=True)))
    seen = []
    partition(40, pairs, np.ones(len(pairs)), search=lambda found, _: (seen.append(sorted(found[0])) or [], []))
    chains = [sorted(order[: cut + 1]), sorted(order[cut + 1 :])]
    assert seen == sorted(chain for chain in chains if len(chain) > 1)
