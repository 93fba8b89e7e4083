"""Weights as a model keeps them: rounded within bounds, and cached without changing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ibidem.features import TRAITS, traits_of
from ibidem.models.rows import EmissionCache, sparse_rows

numbers = st.floats(-50, 50, width=32)
matrices = arrays(np.float32, st.tuples(st.integers(0, 5), st.integers(1, 7)), elements=numbers)


@given(matrices, st.sampled_from([0.0, 0.01, 1.0]))
def test_a_sparse_matrix_comes_back_within_half_a_step(matrix, prune_below):
    sparse = sparse_rows(matrix, prune_below)
    dense = sparse.dense()
    assert dense.shape == matrix.shape
    step = np.abs(matrix).max(axis=1, initial=0.0, keepdims=True) / 127
    kept = np.abs(matrix) >= prune_below
    np.testing.assert_array_less(np.abs(dense - matrix)[kept], (0.501 * step + 1e-30 + 0 * matrix)[kept])
    assert not dense[~kept].any()


@given(matrices)
def test_zeros_are_not_kept(matrix):
    sparse = sparse_rows(matrix, 0.0)
    assert len(sparse.value) == np.count_nonzero(sparse.dense())
    assert sparse.start[-1] == len(sparse.column) == len(sparse.value)


@given(matrices, st.data())
def test_the_sum_of_rows_is_that_of_the_matrix(matrix, data):
    sparse = sparse_rows(matrix, 0.0)
    places = st.integers(0, max(len(matrix) - 1, 0))
    rows = data.draw(st.lists(places, max_size=6) if len(matrix) else st.just([]))
    found = sparse.sum(np.array(rows, dtype=np.int64))
    assert found.shape == (matrix.shape[1],)
    np.testing.assert_allclose(found, sparse.dense()[rows].sum(axis=0), rtol=1e-5, atol=1e-5)


def test_numbers_too_small_to_be_told_from_zero_become_zero():
    assert not sparse_rows(np.array([[1e-320, -1e-310]]), 0.0).dense().any()


@pytest.fixture
def cache(tiny):
    return EmissionCache(tiny.encoder, tiny.attribute, len(tiny.labels), capacity=8)


def rows_of(cache: EmissionCache, texts: list[str]) -> np.ndarray:
    return cache.rows[cache.slots(texts)].copy()


def test_a_type_has_the_same_row_before_and_after_it_was_forgotten(cache):
    wanted = ["Reed", "bells", ".", "1999"]
    before = rows_of(cache, wanted)
    assert before.any()
    for number in range(40):
        cache.slots([f"word{number}", "bells"])
    np.testing.assert_array_equal(rows_of(cache, wanted), before)
    np.testing.assert_array_equal(rows_of(cache, wanted[::-1]), before[::-1])


@given(
    st.lists(
        st.lists(st.sampled_from("Reed Marsh bells . , ( ) 1999 12 River Review A. drift".split()), max_size=12),
        max_size=8,
    )
)
def test_whatever_was_asked_before_the_rows_and_traits_are_right(tiny, batches):
    cache = EmissionCache(tiny.encoder, tiny.attribute, len(tiny.labels), capacity=4)
    for texts in batches:
        slots = cache.slots(texts)
        for text, slot in zip(texts, slots.tolist(), strict=True):
            expected = tiny.attribute.sum(tiny.encoder.numbers(text)).astype(np.float32)
            np.testing.assert_allclose(cache.rows[slot].ravel(), expected, rtol=1e-5, atol=1e-6)
            assert tuple(cache.traits[slot].tolist()) == traits_of(text, tiny.encoder.lexicons)


def test_what_is_frequent_stays_while_other_types_come_and_go(cache, monkeypatch):
    made: list[str] = []
    numbers_of = type(cache._encoder).numbers_of
    monkeypatch.setattr(
        type(cache._encoder), "numbers_of", lambda self, texts: made.extend(texts) or numbers_of(self, texts)
    )
    for number in range(100):
        cache.slots(["bells", "reeds", f"word{number}", "bells"])
    assert made.count("bells") == made.count("reeds") == 1
    for number in range(100):
        cache.slots([f"later{number}", f"later{number}", "ferries"])
    assert not {"bells", "reeds"} & set(cache._slots) and made.count("ferries") <= 2


def test_the_cache_stays_within_its_bounds(cache):
    for number in range(100):
        cache.slots([f"word{number}"])
        assert len(cache.rows) == len(cache.traits) == 8


def test_a_batch_of_more_types_than_the_cache_holds_is_served_whole(cache):
    texts = [f"word{number}" for number in range(20)]
    slots = cache.slots([*texts, *texts])
    assert len(set(slots.tolist())) == 20
    assert cache.traits.shape == (20, len(TRAITS))
    cache.slots(["one"])
    cache.slots([f"other{number}" for number in range(5)])
    assert len(cache.rows) <= 20
    cache.slots([f"another{number}" for number in range(8)])
    assert len(cache.rows) == 8
