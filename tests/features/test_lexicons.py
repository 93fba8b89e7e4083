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
    hash_phrase_runs,
    hash_phrases,
    hash_words,
    words_of,
)
from ibidem.text.fold import fold, hash32

some_words = st.lists(st.text(min_size=1, max_size=8), max_size=20)


@given(some_words, some_words)
def test_a_set_of_words_holds_what_was_put_in_and_nothing_else(inside, outside):
    found = hash_words(inside)
    folded = {fold(word) for word in inside}
    assert all(hash32(word) in found for word in folded)
    assert not any(hash32(fold(word)) in found for word in outside if fold(word) not in folded)
    assert (found.hashes[1:] > found.hashes[:-1]).all()


@given(some_words, st.lists(st.integers(0, 2**32 - 1), max_size=20))
def test_asking_for_many_is_asking_for_each(inside, others):
    found = hash_words(inside)
    asked = np.array([*others, *(hash32(fold(word)) for word in inside)], dtype=np.uint32)
    assert found.member(asked).tolist() == [int(value) in found for value in asked]


def phrase_hash(phrase: str) -> int:
    words = np.array([hash32(word) for word in words_of(phrase)[:LONGEST_PHRASE]], dtype=np.uint64)
    return int(hash_phrase_runs(words, len(words))[0])


phrases = st.lists(
    st.lists(st.sampled_from("bog review river bells of the Letters 12".split()), min_size=1, max_size=10).map(
        " ".join
    ),
    max_size=12,
)


@given(phrases, phrases)
def test_a_set_of_phrases_holds_what_was_put_in_and_nothing_else(inside, outside):
    found = hash_phrases(inside)
    cut = {tuple(words_of(phrase)[:LONGEST_PHRASE]) for phrase in inside}
    assert all(phrase_hash(phrase) in found for phrase in inside)
    assert not any(phrase_hash(p) in found for p in outside if tuple(words_of(p)[:LONGEST_PHRASE]) not in cut)
    assert len(found.hashes) == len(cut)


def test_the_order_of_the_words_of_a_phrase_matters():
    found = hash_phrases(["Bog Review"])
    assert phrase_hash("BOG. REVIEW!") in found
    assert phrase_hash("Review Bog") not in found
    assert phrase_hash("Bog") not in found


def test_phrases_without_words_are_left_out():
    assert len(hash_phrases(["", "...", "—"]).hashes) == 0


@given(st.integers(1, 10), st.integers(0, 12))
def test_there_is_a_valuefor_each_run_of_words(length, count):
    assert len(hash_phrase_runs(np.arange(count, dtype=np.uint64), length)) == max(count - length + 1, 0)


@given(some_words, phrases, st.dictionaries(st.integers(0, 2**32 - 1), st.integers(0, 31), max_size=8))
def test_arrays_come_back_as_the_lexicons_they_were(words, names, codes):
    hashes = np.array(sorted(codes), dtype=np.uint32)
    statistics = WordStatistics(hashes, np.array([codes[int(value)] for value in hashes], dtype=np.uint8))
    before = Lexicons({"family": hash_words(words)}, {"journal/short": hash_phrases(names)}, statistics)
    after = Lexicons.from_arrays(before.arrays())
    assert set(after.words) == {"family"} and set(after.phrases) == {"journal/short"}
    np.testing.assert_array_equal(after.words["family"].hashes, before.words["family"].hashes)
    np.testing.assert_array_equal(after.phrases["journal/short"].hashes, before.phrases["journal/short"].hashes)
    assert all(after.statistics.code(value) == code for value, code in codes.items())


def test_statistics_of_unknown_words_are_nothing():
    statistics = WordStatistics(np.array([5, 9], dtype=np.uint32), np.array([1, 2], dtype=np.uint8))
    assert [statistics.code(value) for value in (0, 5, 7, 9, 2**32 - 1)] == [0, 1, 0, 2, 0]


def test_empty_lexicons_know_nothing():
    nothing = empty()
    assert not nothing.words and not nothing.phrases and nothing.statistics.code(0) == 0
    assert 0 not in hash_words([])
    assert not hash_words([]).member(np.arange(3, dtype=np.uint32)).any()


def test_statistics_with_more_words_than_codes_are_refused():
    arrays = empty().arrays() | {"statistics/prints": np.zeros(1, dtype=np.uint32)}
    with pytest.raises(ValueError, match="numbers of words"):
        Lexicons.from_arrays(arrays)
