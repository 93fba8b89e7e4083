"""Laws of the other searches: the exact one is optimal, and the stochastic one never falls."""

from __future__ import annotations

import numpy as np
import pytest
from brute import best_partition
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.wellner_2004.clustering_searches import LARGEST, SearchRecord, StochasticSearch, search_exactly
from ibidem.errors import ConfigError
from ibidem.linking.clustering import ABSENT, objective, partition
from tests.linking.test_clustering import arrays, graphs


@given(graphs())
def test_the_exact_search_finds_the_best_there_is(graph):
    count, weight = graph
    pairs, weights = arrays(weight)
    labels = partition(count, pairs, weights, search=search_exactly)
    assert objective(labels, pairs, weights) == pytest.approx(best_partition(count, weight, ABSENT))


@given(graphs(), st.integers(0, 5), st.integers(1, 6))
def test_stochastic_steps_increase_the_objective_and_never_exceed_the_best(graph, seed, width):
    count, weight = graph
    pairs, weights = arrays(weight)
    steps = []
    labels = partition(count, pairs, weights, ABSENT, steps.append, StochasticSearch(width, 2, seed))
    assert all(step > 0 for step in steps)
    assert sum(steps) == pytest.approx(objective(labels, pairs, weights))
    assert objective(labels, pairs, weights) <= best_partition(count, weight, ABSENT) + 1e-9


@given(graphs())
def test_the_same_seed_gives_the_same_clusters(graph):
    count, weight = graph
    pairs, weights = arrays(weight)
    one, other = (partition(count, pairs, weights, search=StochasticSearch(seed=3)) for _ in range(2))
    assert one.tolist() == other.tolist()


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_references_changes_no_part_of_the_greedy_search_where_no_two_weights_are_equal(graph, random):
    count, weight = graph
    # numbers of which no few have the same mean
    weight = {pair: value + np.sin(k + 1.0) / 1000 for k, (pair, value) in enumerate(sorted(weight.items()))}
    order = list(range(count))
    random.shuffle(order)
    moved = {tuple(sorted((order[a], order[b]))): value for (a, b), value in weight.items()}
    plain, shuffled = (partition(count, *arrays(each)) for each in (weight, moved))
    groups = {frozenset(np.flatnonzero(plain == part).tolist()) for part in set(plain.tolist())}
    again = {frozenset(k for k in range(count) if shuffled[order[k]] == part) for part in set(shuffled.tolist())}
    assert groups == again


@given(graphs())
def test_the_record_holds_the_objective_that_each_search_reaches(graph):
    count, weight = graph
    pairs, weights = arrays(weight)
    record = SearchRecord()
    labels = partition(count, pairs, weights, search=record)
    assert labels.tolist() == partition(count, pairs, weights, search=StochasticSearch()).tolist()
    for name, search in (("greedy", None), ("stochastic", StochasticSearch()), ("exact", search_exactly)):
        reached = objective(partition(count, pairs, weights, search=search), pairs, weights)
        assert record.small.get(name, 0.0) == pytest.approx(reached)
        if name != "exact":
            assert record.objective.get(name, 0.0) == pytest.approx(reached)
    assert record.differing.get("better", 0) or record.objective["stochastic"] <= record.objective["greedy"] + 1e-6


def test_what_is_too_large_for_the_exact_search_is_left_to_the_greedy_one():
    count = LARGEST + 1
    pairs, weights = arrays({(a, a + 1): 1.0 for a in range(count - 1)})
    found = partition(count, pairs, weights, search=search_exactly)
    assert found.tolist() == partition(count, pairs, weights).tolist()


@pytest.mark.parametrize("settings_", [{"width": 0}, {"runs": 0}])
def test_a_search_without_samples_is_refused(settings_):
    with pytest.raises(ConfigError, match="1 or more"):
        StochasticSearch(**settings_)
