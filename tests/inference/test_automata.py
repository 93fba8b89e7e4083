"""Automata accept exactly the label sequences they should."""

from __future__ import annotations

from itertools import product as cartesian

import brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inference_cases import random_case

from ibidem.errors import IbidemError
from ibidem.inference import log_partition, nested_bio, patterns, product
from ibidem.inference.automata import START
from ibidem.types import Potentials

LABELS = [
    "O",
    "B-title",
    "I-title",
    "B-authors",
    "I-authors",
    "B-authors/B-person",
    "I-authors/B-person",
    "I-authors/I-person",
    "I-authors/I-person/B-first",
    "I-authors/I-person/I-first",
    "B-venue/B-person",
    "I-venue/I-person",
]


@pytest.mark.parametrize("remember", [False, True])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_nested_bio_accepts_exactly_the_valid_sequences_each_once(length: int, remember: bool) -> None:
    automaton, names = nested_bio(LABELS, remember)
    assert len(names) == len(set(names)) == len(automaton.label)
    valid = [
        labels
        for labels in cartesian(range(len(LABELS)), repeat=length)
        if brute.nested_bio_is_valid(tuple(LABELS[y] for y in labels))
    ]
    assert brute.label_sequences(automaton, length) == valid


def test_remembered_outsides_show_one_label_and_have_their_own_arcs() -> None:
    automaton, names = nested_bio(LABELS, remember=True)
    outside = [s for s, name in enumerate(names) if name.startswith("O")]
    assert [names[s] for s in outside] == ["O", "O after title", "O after authors", "O after venue"]
    assert {int(automaton.label[s]) for s in outside} == {0}
    for s in outside:
        into = {names[r] if r >= 0 else "" for r in automaton.src[automaton.dst == s]}
        field = names[s].removeprefix("O after ")
        assert into == ({"", "O"} if names[s] == "O" else {names[s], *(x for x in LABELS if x[2:].startswith(field))})
        assert {names[t] for t in automaton.dst[automaton.src == s]} - {names[s]} == {
            "B-title",
            "B-authors",
            "B-authors/B-person",
            "B-venue/B-person",
        }


@pytest.mark.parametrize("label", ["title", "B-a/I-b", "X-a", "B-", "B-a/O"])
def test_a_label_that_is_not_nested_bio_is_refused(label: str) -> None:
    with pytest.raises(IbidemError, match=r"BIO|begin"):
        nested_bio(["O", label])


def test_the_same_label_twice_is_refused() -> None:
    with pytest.raises(IbidemError, match="must differ"):
        nested_bio(["O", "O"])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_a_product_has_the_paths_of_both(seed: int, S: int, Q: int, length: int) -> None:
    left = random_case(seed, S, 1, [])
    right = random_case(seed + 1, Q, 1, [])
    both = product(left.automaton, right.automaton)
    ours, theirs = (brute.label_sequences(case.automaton, length) for case in (left, right))
    assert brute.label_sequences(both.automaton, length) == sorted(x for x in ours for y in theirs if x == y)
    for side, factor in enumerate((left.automaton, right.automaton)):
        np.testing.assert_array_equal(both.automaton.label, factor.label[both.state[:, side]])
        np.testing.assert_array_equal(
            factor.src[both.arc[:, side]],
            np.where(both.automaton.src < 0, -1, both.state[both.automaton.src, side] if len(both.state) else -1),
        )
        np.testing.assert_array_equal(factor.dst[both.arc[:, side]], both.state[both.automaton.dst, side])


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4).map(tuple), max_size=5, unique=True),
    st.integers(1, 5),
)
def test_patterns_score_every_sequence_by_the_patterns_in_it(
    seed: int, wanted: list[tuple[int, ...]], length: int
) -> None:
    rng = np.random.default_rng(seed)
    weight = rng.normal(size=len(wanted))
    built = patterns(3, wanted)
    arc = np.array([sum(weight[p] for p in ended) for ended in built.completed])
    span = rng.normal(size=(length, 1, 3))
    scores = [
        sum(w * brute.pattern_count(labels, pattern) for w, pattern in zip(weight, wanted, strict=True))
        + sum(span[t, 0, y] for t, y in enumerate(labels))
        for labels in brute.all_sequences(3, length)
    ]
    assert brute.label_sequences(built.automaton, length) == brute.all_sequences(3, length)
    got = log_partition(built.automaton, Potentials(span, arc, np.array([length], dtype=np.int32)))
    np.testing.assert_allclose(got, [brute.log_total(scores)], atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=3).map(lambda p: (START, *p)), max_size=4, unique=True),
    st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=3).map(tuple), max_size=4, unique=True),
    st.integers(1, 4),
)
def test_patterns_may_begin_at_the_start_and_labels_follow_only_what_they_may(
    seed: int, first: list[tuple[int, ...]], inner: list[tuple[int, ...]], length: int
) -> None:
    rng = np.random.default_rng(seed)
    wanted = first + inner
    weight = rng.normal(size=len(wanted))
    follows = rng.random((4, 3)) < 0.7
    built = patterns(3, wanted, follows)
    arc = np.array([sum(weight[p] for p in ended) for ended in built.completed])
    valid = [
        labels
        for labels in brute.all_sequences(3, length)
        if all(follows[x, y] for x, y in zip((START, *labels), labels, strict=False))
    ]
    assert brute.label_sequences(built.automaton, length) == valid
    scores = [
        sum(w * brute.pattern_count((START, *labels), pattern) for w, pattern in zip(weight, wanted, strict=True))
        for labels in valid
    ]
    span = np.zeros((length, 1, 3))
    got = log_partition(built.automaton, Potentials(span, arc, np.array([length], dtype=np.int32)))
    np.testing.assert_allclose(got, [brute.log_total(scores)], atol=1e-9)


def test_an_impossible_pattern_is_refused() -> None:
    for pattern in ((), (3,), (-1,)):
        with pytest.raises(IbidemError, match="from 0 to 2"):
            patterns(3, [pattern])
