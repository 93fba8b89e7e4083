"""Hashed sets hold what was put in, and (but for one question in millions) nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.features.lexicons import (
    LONGEST_PHRASE,
    Lexicons,
    WordStatistics,
    empty,
    hashed_phrases,
    hashed_words,
    phrase_prints,
    words_of,
)
from ibidem.text.fold import fold, hash32

some_words = st.lists(st.text(min_size=1, max_size=8), max_size=20)


@given(some_words, some_words)
def test_a_set_of_words_holds_what_was_put_in_and_nothing_else(inside, outside):
    found = hashed_words(inside)
    folded = {fold(word) for word in inside}
    assert all(hash32(word) in found for word in folded)
    assert not any(hash32(fold(word)) in found for word in outside if fold(word) not in folded)
    assert (found.prints[1:] > found.prints[:-1]).all()


@given(some_words, st.lists(st.integers(0, 2**32 - 1), max_size=20))
def test_asking_for_many_is_asking_for_each(inside, others):
    found = hashed_words(inside)
    asked = np.array([*others, *(hash32(fold(word)) for word in inside)], dtype=np.uint32)
    assert found.member(asked).tolist() == [int(print_) in found for print_ in asked]


def prints_of(phrase: str) -> int:
    words = np.array([hash32(word) for word in words_of(phrase)[:LONGEST_PHRASE]], dtype=np.uint64)
    return int(phrase_prints(words, len(words))[0])


phrases = st.lists(
    st.lists(st.sampled_from("bog review river bells of the Letters 12".split()), min_size=1, max_size=10).map(
        " ".join
    ),
    max_size=12,
)


@given(phrases, phrases)
def test_a_set_of_phrases_holds_what_was_put_in_and_nothing_else(inside, outside):
    found = hashed_phrases(inside)
    cut = {tuple(words_of(phrase)[:LONGEST_PHRASE]) for phrase in inside}
    assert all(prints_of(phrase) in found for phrase in inside)
    assert not any(prints_of(p) in found for p in outside if tuple(words_of(p)[:LONGEST_PHRASE]) not in cut)
    assert len(found.prints) == len(cut)


def test_the_order_of_the_words_of_a_phrase_matters():
    found = hashed_phrases(["Bog Review"])
    assert prints_of("BOG. REVIEW!") in found
    assert prints_of("Review Bog") not in found
    assert prints_of("Bog") not in found


def test_phrases_without_words_are_left_out():
    assert len(hashed_phrases(["", "...", "—"]).prints) == 0


@given(st.integers(1, 10), st.integers(0, 12))
def test_there_is_a_print_for_each_run_of_words(length, count):
    assert len(phrase_prints(np.arange(count, dtype=np.uint64), length)) == max(count - length + 1, 0)


@given(some_words, phrases, st.dictionaries(st.integers(0, 2**32 - 1), st.integers(0, 31), max_size=8))
def test_arrays_come_back_as_the_lexicons_they_were(words, names, codes):
    prints = np.array(sorted(codes), dtype=np.uint32)
    statistics = WordStatistics(prints, np.array([codes[int(p)] for p in prints], dtype=np.uint8))
    before = Lexicons({"family": hashed_words(words)}, {"journal/short": hashed_phrases(names)}, statistics)
    after = Lexicons.from_arrays(before.arrays())
    assert set(after.words) == {"family"} and set(after.phrases) == {"journal/short"}
    np.testing.assert_array_equal(after.words["family"].prints, before.words["family"].prints)
    np.testing.assert_array_equal(after.phrases["journal/short"].prints, before.phrases["journal/short"].prints)
    assert all(after.statistics.code(print_) == code for print_, code in codes.items())


def test_statistics_of_unknown_words_are_nothing():
    statistics = WordStatistics(np.array([5, 9], dtype=np.uint32), np.array([1, 2], dtype=np.uint8))
    assert [statistics.code(print_) for print_ in (0, 5, 7, 9, 2**32 - 1)] == [0, 1, 0, 2, 0]


def test_empty_lexicons_know_nothing():
    nothing = empty()
    assert not nothing.words and not nothing.phrases and nothing.statistics.code(0) == 0
    assert 0 not in hashed_words([])
    assert not hashed_words([]).member(np.arange(3, dtype=np.uint32)).any()


def test_statistics_with_more_words_than_codes_are_refused():
    arrays = empty().arrays() | {"statistics/prints": np.zeros(1, dtype=np.uint32)}
    with pytest.raises(ValueError, match="number of words"):
        Lexicons.from_arrays(arrays)
