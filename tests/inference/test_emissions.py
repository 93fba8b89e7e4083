"""Emission scores are the sums they say, and their gradient is the transpose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.errors import IbidemError
from ibidem.inference import emissions, emissions_gradient

pytestmark = pytest.mark.usefixtures("kernels")


def draw(seed: int, lengths: list[int], W: int, Y: int, F: int, dtype: str = "float64") -> tuple[np.ndarray, ...]:
    """Rows, types, lengths, table and ids."""
    rng = np.random.default_rng(seed)
    N, R, P = sum(lengths), 5, 4
    return (
        rng.normal(size=(R, W, Y)).astype(dtype),
        rng.integers(-1, R, N).astype(np.int32),
        np.array(lengths, dtype=np.int32),
        rng.normal(size=(P, Y)).astype(dtype),
        rng.integers(-1, P, (N, F)).astype(np.int32),
    )


inputs = st.builds(
    draw,
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 6), max_size=4),
    st.sampled_from([1, 3, 5]),
    st.integers(1, 40),
    st.integers(0, 3),
)


@settings(max_examples=40, deadline=None)
@given(inputs)
def test_emissions_are_the_sums_of_their_rows(given_: tuple[np.ndarray, ...]) -> None:
    rows, types, lengths, table, ids = given_
    W = rows.shape[1]
    want = np.zeros((len(types), rows.shape[2]))
    begin = 0
    for length in lengths:
        for t in range(begin, begin + length):
            for w in range(W):
                u = t + w - W // 2
                if begin <= u < begin + length and types[u] >= 0:
                    want[t] += rows[types[u], w]
            want[t] += sum((table[i] for i in ids[t] if i >= 0), np.zeros(rows.shape[2]))
        begin += length
    np.testing.assert_allclose(emissions(*given_, threads=2), want, atol=1e-12)
    single = emissions(rows.astype(np.float32), types, lengths, table, ids)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, want, atol=1e-5)


@settings(max_examples=40, deadline=None)
@given(inputs)
def test_credit_is_the_transpose(given_: tuple[np.ndarray, ...]) -> None:
    rows, types, lengths, table, ids = given_
    scores = emissions(*given_)
    delta = np.random.default_rng(0).normal(size=scores.shape)
    results = [
        emissions_gradient(delta, types, lengths, len(rows), rows.shape[1], ids, len(table), threads=n) for n in (1, 3)
    ]
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)
    grad_rows, grad_table = results[0]
    np.testing.assert_allclose(np.sum(scores * delta), np.sum(grad_rows * rows) + np.sum(grad_table * table), atol=1e-9)


def test_what_does_not_fit_is_refused() -> None:
    rows, types, lengths, table, ids = draw(0, [3, 2], 3, 4, 2)
    with pytest.raises(IbidemError, match="W odd"):
        emissions(rows[:, :2], types, lengths, table, ids)
    with pytest.raises(IbidemError, match="types must be from -1 to 4"):
        emissions(rows, types + 9, lengths, table, ids)
    with pytest.raises(IbidemError, match="ids must be from -1 to 3"):
        emissions(rows, types, lengths, table, ids + 9)
    with pytest.raises(IbidemError, match="add up to the 5 tokens"):
        emissions(rows, types, lengths + 1, table, ids)
    with pytest.raises(IbidemError, match="one row for each token"):
        emissions_gradient(np.zeros((4, 4)), types, lengths, 5, 3, ids, 4)
