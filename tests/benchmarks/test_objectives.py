"""Partitions and measures of Table 5: local moves do what they say, and each objective equals its definition."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.fuzz import ratio

from benchmarks.wellner_2004.objectives import (
    EntityObjective,
    LocalMoves,
    correlate,
    draw_partitions,
    medoids,
    sum_within,
    trivial_measures,
)
from ibidem.linking.blocking import Pairs
from ibidem.linking.joint.entities import Candidate, Citation, EntityModel
from ibidem.linking.joint.loop import members_by_cluster

TRUE = np.repeat(np.arange(6), 3)
NEAR = [(a, b) for a, b in combinations(range(18), 2) if b - a <= 4]
PAIRS = Pairs(*(np.array(side, dtype=np.int64) for side in zip(*NEAR, strict=True)))


def clusters(label):
    return {frozenset(members) for _, members in members_by_cluster(label)}


@pytest.fixture
def moves():
    return LocalMoves(len(TRUE), PAIRS, np.random.default_rng(1))


@pytest.mark.parametrize("number", [1, 5, 20])
def test_the_number_of_works_stays_where_it_is_to_stay(moves, number):
    for _ in range(50):
        assert len(clusters(moves.draw(TRUE, number, same_number=True))) == 6


def test_a_merge_joins_two_works_with_a_candidate_pair_between_them(moves):
    for _ in range(50):
        label = TRUE.copy()
        assert moves.merge(label)
        [merged] = clusters(label) - clusters(TRUE)
        one, other = clusters(TRUE) - clusters(label)
        assert merged == one | other
        assert any((a in one and b in other) or (a in other and b in one) for a, b in NEAR)


def test_a_split_divides_one_work(moves):
    for _ in range(50):
        label = TRUE.copy()
        moves.split(label)
        [whole] = clusters(TRUE) - clusters(label)
        one, other = clusters(label) - clusters(TRUE)
        assert one | other == whole and not one & other


def test_a_move_takes_one_reference_to_a_work_with_one_of_its_candidates(moves):
    for _ in range(50):
        label = TRUE.copy()
        moves.move(label, same_number=False)
        [moved] = np.flatnonzero(label != TRUE).tolist()
        joined = np.flatnonzero(label == label[moved]).tolist()
        assert any(tuple(sorted((moved, member))) in NEAR for member in joined if member != moved)


def test_a_work_without_candidates_is_left_alone():
    moves = LocalMoves(3, Pairs(np.array([], dtype=np.int64), np.array([], dtype=np.int64)), np.random.default_rng(0))
    label = np.arange(3)
    assert not moves.merge(label)
    moves.move(label, same_number=False)
    moves.split(label)
    assert label.tolist() == [0, 1, 2]


def test_the_same_generator_draws_the_same_partitions():
    one, other = (draw_partitions([TRUE], PAIRS, True, np.random.default_rng(5)) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))


TEXTS = ["a reed 1999 drift", "a moss 1999 drift", "bell 2001 flags", "a reed 2001 flags"]


@given(st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_an_objective_of_pairs_is_the_sum_over_the_pairs_within_works(numbers):
    label = np.array(numbers)
    weights = np.random.default_rng(0).normal(size=(4, 4))
    within = [(a, b) for a, b in combinations(range(4), 2) if numbers[a] == numbers[b]]
    assert sum_within(weights)(label) == pytest.approx(sum(weights[pair] for pair in within))
    alike = {
        "same first letter": lambda one, other: one[0] == other[0],
        "same year": lambda one, other: one.split()[-2] == other.split()[-2],
        "same words": lambda one, other: len({*one.split()} & {*other.split()}) >= 0.5 * len(
            {*one.split()} | {*other.split()}
        ),
    }  # fmt: skip
    found = trivial_measures(TEXTS)
    for name, same in alike.items():
        assert found[name](label) == sum(1 if same(TEXTS[a], TEXTS[b]) else -1 for a, b in within), name
    assert found["fewer works"](label) == -len(set(numbers))


def citation(title):
    return Citation(title, (Candidate({"title": title}),))


@given(st.lists(st.text("ab ", min_size=1, max_size=4), min_size=1, max_size=5))
def test_a_medoid_has_the_least_distance_to_the_others(titles):
    found = medoids([citation(title) for title in titles])["title"]
    distance = {title: sum(100 - ratio(title, other) for other in titles) for title in titles}
    assert found in titles
    assert distance[found] == pytest.approx(min(distance.values()), abs=1e-3)


def test_the_entity_objective_is_the_sum_over_works():
    model = EntityModel({"any.same": 1.0, "any.edit": 0.5})
    citations = [citation(title) for title in ("drift", "drift", "bells", "bell")]
    measure = EntityObjective(model, citations)
    expected = 0.0
    for members in ([0, 1], [2, 3]):
        values = medoids([citations[member] for member in members])
        own = model.base_scores([citations[member] for member in members])
        expected += sum(model.potential(values, citations[member], 0) for member in members)
        expected += sum(float(base[0]) for base in own)
    assert measure(np.array([0, 0, 1, 1])) == pytest.approx(expected)
    assert measure(np.array([0, 0, 1, 1])) > measure(np.array([0, 1, 0, 1]))


def test_what_knows_the_truth_correlates_and_what_is_the_same_for_all_is_left_out():
    partitions = draw_partitions([TRUE], PAIRS, True, np.random.default_rng(2))
    same = TRUE[:, None] == TRUE[None, :]
    measures = {"truth": sum_within(np.where(same, 1.0, -1.0)), "number": lambda label: len(set(label.tolist()))}
    found = correlate(measures, partitions, TRUE)
    assert list(found) == ["truth"]
    assert found["truth"][1] > 0.8
