"""Scores of spans are the sums that they should be, however they are computed, and gradients flow back the same way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.errors import IbidemError
from ibidem.inference import emissions, span_gradient, span_scores, spans, spans_of

pytestmark = pytest.mark.usefixtures("kernels")
Case = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]


def draw(seed: int, lengths: list[int], Y: int, R: int, L: int, F: int) -> Case:
    """Token scores [N, R, Y], lengths, limits, a table, ids and the longest span."""
    rng = np.random.default_rng(seed)
    N, P = sum(lengths), 4
    sizes = np.array(lengths, dtype=np.int32)
    return (
        rng.normal(size=(N, R, Y)),
        sizes,
        rng.integers(1, L + 2, Y).astype(np.int32),
        rng.normal(size=(P, Y)),
        rng.integers(-1, P, (len(spans_of(sizes, L)[0]), F)).astype(np.int32),
        L,
    )


cases = st.builds(
    draw,
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 6), max_size=4),
    st.integers(1, 20),
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(0, 3),
)


def by_hand(case: Case) -> np.ndarray:
    token, lengths, limits, table, ids, longest = case
    N, R, Y = token.shape
    out = np.full((N, longest, Y), -np.inf)
    number = {pair: m for m, pair in enumerate(zip(*map(np.ndarray.tolist, spans_of(lengths, longest)), strict=True))}
    begin = 0
    for length in lengths.tolist():
        for t in range(begin, begin + length):
            for d in range(1, min(longest, begin + length - t) + 1):
                score = sum(token[i, 0] for i in range(t, t + d))
                score = score + (token[t, 1] if R > 1 else 0) + (token[t + d - 1, 2] if R > 2 else 0)
                score = score + sum(table[row] for row in ids[number[t, t + d]] if row >= 0)
                out[t, d - 1] = np.where(d <= limits, score, -np.inf)
        begin += length
    return out


@settings(max_examples=40)
@given(cases)
def test_the_score_of_a_span_is_that_of_its_tokens_its_edges_and_its_rows(case):
    np.testing.assert_allclose(span_scores(*case, threads=2), by_hand(case), atol=1e-12)
    token, lengths, limits, table, ids, longest = case
    single = span_scores(token.astype(np.float32), lengths, limits, table, ids, longest)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, by_hand(case), atol=1e-5)


@settings(max_examples=40)
@given(cases)
def test_credit_of_spans_is_the_transpose(case):
    token, lengths, limits, table, ids, _ = case
    scores = span_scores(*case)
    usable = np.isfinite(scores)
    counts = np.where(usable, np.random.default_rng(1).normal(size=scores.shape), 0)
    tokens, rows = span_gradient(counts, lengths, token.shape[1], limits, len(table), ids)
    np.testing.assert_allclose(
        np.sum(np.where(usable, scores, 0) * counts), np.sum(tokens * token) + np.sum(rows * table), atol=1e-9
    )


@settings(max_examples=40)
@given(cases, st.integers(0, 2**32 - 1), st.sampled_from([1, 3]))
def test_scores_are_the_same_whether_features_are_extended_or_looked_up_anew(case, seed, window):
    token, lengths, limits, table, segments, longest = case
    N, R, Y = token.shape
    rng = np.random.default_rng(seed)
    rows, types = rng.normal(size=(5, window, R * Y)), rng.integers(-1, 5, N).astype(np.int32)
    weights, ids = rng.normal(size=(3, R * Y)), rng.integers(-1, 3, (N, 2)).astype(np.int32)
    extended = emissions(rows, types, lengths, weights, ids).reshape(N, R, Y)
    quick = span_scores(extended, lengths, limits, table, segments, longest)
    anew = spans._kernels().spans_anew(rows, types, lengths, weights, ids, R, limits, longest, 2)
    slow = span_scores(np.zeros_like(token), lengths, limits, table, segments, longest) + anew
    np.testing.assert_allclose(slow, quick, atol=1e-12)


def test_what_does_not_fit_is_refused():
    token, lengths, limits, table, ids, longest = draw(0, [3, 2], 4, 2, 3, 2)
    with pytest.raises(IbidemError, match="limits"):
        span_scores(token, lengths, limits[:2], table, ids, longest)
    with pytest.raises(IbidemError, match="ids must be from -1 to 3"):
        span_scores(token, lengths, limits, table, ids + 9, longest)
    with pytest.raises(IbidemError, match="add up to the 5 tokens"):
        span_scores(token, lengths + 1, limits, table, ids, longest)
    with pytest.raises(IbidemError, match="table"):
        span_scores(token, lengths, limits, table[:, :2], ids, longest)
    with pytest.raises(IbidemError, match=r"ids \[9, F\]"):
        span_gradient(np.zeros((5, 9, 4)), lengths, 2, limits, 4, ids[:3])
