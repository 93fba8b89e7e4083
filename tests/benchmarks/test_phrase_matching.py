"""Phrase matching: equal to its definition, written out, and fitted on the training folds alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.wellner_2004.cases import nbest_of_text
from benchmarks.wellner_2004.phrase_matching import (
    choose_threshold,
    cluster_by_phrases,
    measure_overlap,
    merge_down_to,
    merge_in_order,
)
from benchmarks.wellner_2004.splits import PROTOCOLS, compare
from ibidem.metrics.clustering import score_partition

TITLES = (
    "drift of bells|salivary markers in pilots|tides around inner deltas|grammar for flag signals|lanterns at sea|"
    "harbour cranes without rails|a chart of lost buoys|fog horns and memory|pressure under locks|shells as money"
).split("|")
WORKS = np.repeat(np.arange(len(TITLES)), 3)
EASY = compare(
    [nbest_of_text(text) for k, title in enumerate(TITLES)
     for text in (f"Reed{k} A. {title}. Coast Letters {k}, 19{80 + k}.", f"A. Reed{k}, 19{80 + k}. {title}, Coast {k}.",
                  f"Reed{k}. {title}. In Coast Letters, 19{80 + k}.")],
    WORKS, WORKS % 3,
)  # fmt: skip

TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6).map(" ".join), min_size=2, max_size=7)


def overlap(one, other):
    one, other = ({*t.split(), *zip(t.split(), t.split()[1:], strict=False)} for t in (one, other))
    return len(one & other) / len(one | other)


def merged(similarity, threshold):
    """Greedy agglomerative clustering, written out."""
    clusters = [[k] for k in range(len(similarity))]
    while len(clusters) > 1:
        mean = {
            (one, other): np.mean([similarity[a][b] for a in clusters[one] for b in clusters[other]])
            for one, other in combinations(range(len(clusters)), 2)
        }
        one, other = max(mean, key=mean.get)
        if mean[one, other] < threshold:
            break
        clusters[one] += clusters.pop(other)
    return {frozenset(cluster) for cluster in clusters}


def parts(label):
    return {frozenset(np.flatnonzero(label == number).tolist()) for number in set(label.tolist())}


@given(TEXTS)
def test_the_overlap_is_the_share_of_words_and_phrases_in_both(texts):
    expected = [[overlap(one, other) for other in texts] for one in texts]
    np.testing.assert_allclose(measure_overlap(texts), expected)


@given(TEXTS, st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_the_clusters_are_those_of_merging_the_two_most_similar_again_and_again(texts, seed, threshold):
    noise = np.random.default_rng(seed).uniform(0, 0.04, (len(texts), len(texts)))  # so that no two means are equal
    similarity = 0.9 * measure_overlap(texts) + noise + noise.T
    assert parts(merge_down_to(merge_in_order(similarity), threshold)) == merged(similarity, threshold)


def test_the_threshold_is_one_with_the_highest_pair_f1():
    similarity = np.array([[1, 0.8, 0.3], [0.8, 1, 0.2], [0.3, 0.2, 1]])
    assert 0.25 < choose_threshold(similarity, np.array([0, 0, 1])) <= 0.8
    assert choose_threshold(similarity, np.array([0, 0, 0])) <= 0.25


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_easy_works_are_told_apart_by_words_and_phrases(protocol):
    found = cluster_by_phrases(EASY, PROTOCOLS[protocol](EASY, 0))
    assert score_partition(WORKS.tolist(), found).pairs.f1 > 0.9


def test_the_works_of_a_fold_do_not_change_how_it_is_clustered():
    split = PROTOCOLS["within"](EASY, 0)
    mine = np.flatnonzero(split.group == 0)
    own = EASY.own.copy()
    own[mine] = np.arange(len(mine)) % 2
    before, after = (cluster_by_phrases(each, split) for each in (EASY, replace(EASY, own=own)))
    one, other = (np.array([each[k][1] for k in np.flatnonzero(np.isin(EASY.node, mine))]) for each in (before, after))
    assert parts(one) == parts(other)


def test_references_that_are_not_linked_stay_apart():
    split = PROTOCOLS["within"](EASY, 0)
    found = cluster_by_phrases(EASY, split)
    group = split.group[EASY.node].tolist()
    assert len({(cluster, fold) for cluster, fold in zip(found, group, strict=True)}) == len(set(found))
