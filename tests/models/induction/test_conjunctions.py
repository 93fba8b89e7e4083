"""A conjunction stands where all of its parts do, in the string of the token, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.models.induction import conjunctions as module
from ibidem.models.induction.conjunctions import Conjunctions, Matcher, ids_of

ATTRIBUTES, CONTEXTS, TYPES = 5, 4, 3

parts = st.one_of(
    st.tuples(st.integers(0, ATTRIBUTES - 1), st.integers(-2, 2)),
    st.tuples(st.integers(-1 - CONTEXTS, -2), st.integers(-1, 1)),
)
rows_of_parts = st.lists(st.lists(parts, min_size=1, max_size=3), min_size=1, max_size=6)


def conjunctions_of(rows: list[list[tuple[int, int]]]) -> Conjunctions:
    widest = max(map(len, rows))
    filled = np.array([row + [(-1, 0)] * (widest - len(row)) for row in rows])
    return Conjunctions(filled[:, :, 0].astype(np.int32), filled[:, :, 1].astype(np.int8))


@st.composite
def corpora(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    lengths = np.array(draw(st.lists(st.integers(0, 5), max_size=5)), dtype=np.int32)
    count = int(lengths.sum())
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    numbers = random.integers(-1, ATTRIBUTES, (TYPES, 4)).astype(np.int32)
    token = random.integers(0, TYPES, count).astype(np.int32)
    return numbers, token, random.integers(-1, CONTEXTS, (count, 2)).astype(np.int32), lengths


def by_looking(rows, numbers, token, context, lengths) -> set[tuple[int, int]]:
    """Every token and conjunction of which all parts are found one by one."""
    string = np.repeat(np.arange(len(lengths)), lengths)
    found = set()
    for place in range(len(token)):
        for which, row in enumerate(rows):
            there = [place + offset for _, offset in row]
            inside = all(0 <= at < len(token) and string[at] == string[place] for at in there)
            if inside and all(
                (part in numbers[token[at]]) if part >= 0 else (-2 - part in context[at])
                for (part, _), at in zip(row, there, strict=True)
            ):
                found.add((place, which))
    return found


@pytest.mark.parametrize("room", [1 << 24, 1])
@given(rows_of_parts, corpora())
def test_hits_are_those_that_looking_at_every_token_gives(room, rows, corpus):
    numbers, token, context, lengths = corpus
    matcher = Matcher(conjunctions_of(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROOM", room)
        patch.setattr(module, "_FEWEST", 3)
        tokens, which = matcher.hits(matcher.parts_of_types(numbers), token, context, lengths)
    pairs = list(zip(tokens.tolist(), which.tolist(), strict=True))
    assert pairs == sorted(pairs) and len(pairs) == len(set(pairs))
    assert set(pairs) == by_looking(rows, numbers, token, context, lengths)


def test_rows_of_weights_are_filled_up_with_nothing():
    hits = np.array([0, 2, 2]), np.array([1, 0, 3])
    np.testing.assert_array_equal(ids_of(hits, 4, 10), [[11, -1], [-1, -1], [10, 13], [-1, -1]])
    assert ids_of((np.zeros(0, np.int64), np.zeros(0, np.int64)), 2, 10).shape == (2, 0)


def test_conjunctions_follow_the_numbers_of_what_is_left():
    whole = conjunctions_of([[(0, 1), (3, 0)], [(4, -1), (-5, 0)]])
    kept = np.array([True, False, False, True, True])
    left = whole.renumber(kept, np.array([False, True, False, True]))
    np.testing.assert_array_equal(left.part, [[0, 1], [2, -3]])
    np.testing.assert_array_equal(left.offset, whole.offset)


def test_conjunctions_of_different_length_stand_one_after_the_other():
    both = conjunctions_of([[(0, 1)]]).extend(conjunctions_of([[(1, 0), (2, -1)]]))
    np.testing.assert_array_equal(both.part, [[0, -1], [1, 2]])
    np.testing.assert_array_equal(both.offset, [[1, 0], [0, -1]])
    assert len(Conjunctions().extend(both)) == 2
