"""Scores of partitions: their definitions by counting every pair."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.metrics.clustering import score_partition

TWO = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9)


def groups(labels):
    return {frozenset(k for k, other in enumerate(labels) if other == label) for label in labels}


@given(TWO)
def test_scores_are_what_counting_gives(both):
    true, found = zip(*both, strict=True)
    score = score_partition(true, found)
    mine = {p for p in combinations(range(len(true)), 2) if found[p[0]] == found[p[1]]}
    theirs = {p for p in combinations(range(len(true)), 2) if true[p[0]] == true[p[1]]}
    assert score.pairs.precision == pytest.approx(len(mine & theirs) / len(mine) if mine else 1)
    assert score.pairs.recall == pytest.approx(len(mine & theirs) / len(theirs) if theirs else 1)
    exact = groups(true) & groups(found)
    assert score.clusters.recall == pytest.approx(len(exact) / len(groups(true)))
    assert score.clusters.precision == pytest.approx(len(exact) / len(groups(found)))
    shares = [[sum(true[k] == true[j] and found[k] == found[j] for j in range(len(true))) / side.count(side[k])
               for k in range(len(true))] for side in (found, true)]  # fmt: skip
    assert score.b_cubed.precision == pytest.approx(sum(shares[0]) / len(true))
    assert score.b_cubed.recall == pytest.approx(sum(shares[1]) / len(true))


@given(TWO)
def test_the_true_partition_is_perfect_whatever_its_names(both):
    true = [one for one, _ in both]
    score = score_partition(true, [f"part {one}" for one in true])
    assert score.pairs.f1 == score.clusters.f1 == score.b_cubed.f1 == 1


def test_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 gold and 1 predicted clusters"):
        score_partition([1, 2], [1])
