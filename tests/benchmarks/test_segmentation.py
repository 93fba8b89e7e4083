from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.support.segmentation import score_boundaries, score_clusters

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=40)


@given(PAIRS)
def test_precision_and_recall_are_the_sums_of_the_largest_overlaps(pairs: list[tuple[int, int]]):
    true, found = np.array(pairs).T
    score = score_clusters(true, found)
    best = sum(max(pairs.count((e, k)) for e in range(4)) for k in range(6))
    back = sum(max(pairs.count((e, k)) for k in range(6)) for e in range(4))
    assert score.precision == best / len(pairs) and score.recall == back / len(pairs)
    other = score_clusters(found, true)
    assert (other.precision, other.recall) == (score.recall, score.precision)


@given(PAIRS, st.permutations(range(6)))
def test_the_names_of_clusters_do_not_matter(pairs: list[tuple[int, int]], names: list[int]):
    true, found = np.array(pairs).T
    assert score_clusters(true, found) == score_clusters(true, np.array(names)[found])


@given(PAIRS, st.lists(st.integers(0, 40), max_size=6))
def test_boundaries_are_counted_inside_citations_alone(pairs: list[tuple[int, int]], cuts: list[int]):
    true, found = np.array(pairs).T
    starts = np.array([0, *sorted(min(cut, len(pairs)) for cut in cuts), len(pairs)])
    score = score_boundaries(true, found, starts)
    inside = [i for i in range(1, len(pairs)) if i not in starts]
    here, there = ({i for i in inside if labels[i] != labels[i - 1]} for labels in (true, found))
    assert (score.true_positives, score.predicted, score.gold) == (len(here & there), len(there), len(here))


def test_labels_of_other_tokens_are_refused():
    with pytest.raises(ValueError, match="one of each"):
        score_clusters(np.zeros(3, dtype=int), np.zeros(2, dtype=int))


def test_one_cluster_for_everything_has_full_recall_and_the_precision_of_the_largest_element():
    score = score_clusters(np.array([0, 0, 0, 1]), np.zeros(4, dtype=int))
    assert (score.precision, score.recall) == (0.75, 1.0)
    assert score_clusters(np.zeros(0, dtype=int), np.zeros(0, dtype=int)).f1 == 1.0
