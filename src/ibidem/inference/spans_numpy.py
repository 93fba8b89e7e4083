"""Reference implementation of the C++ kernels of spans, in NumPy: their specification, and their substitute.

    span[t, d, y] = Σ over i < d of bag[t + i, y]  +  first[t, y]  +  last[t + d - 1, y]
                  + Σ over f of table[ids[m, f], y]

where m is the number of the span (t, d) among all spans of up to L tokens, in the order of t and then of d.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ibidem.inference import core_numpy
from ibidem.types import FloatArray, IntArray


def _strings(lengths: IntArray) -> Iterator[tuple[int, int]]:
    """Yield where each string begins and ends."""
    ends = np.cumsum(lengths, dtype=np.int64).tolist()
    yield from ((end - length, end) for length, end in zip(lengths.tolist(), ends, strict=True))


def span_scores(
    token: FloatArray, lengths: IntArray, limits: IntArray, table: FloatArray, ids: IntArray, longest: int, threads: int
) -> FloatArray:
    """Return the score of every span: [N, L, Y]; -inf for those longer than their label may be or past the end."""
    _, roles, labels = token.shape
    place = 0
    out = np.full((len(token), longest, labels), -np.inf, dtype=token.dtype)
    allowed = np.arange(1, longest + 1)[:, None] <= limits  # [L, Y]
    for begin, end in _strings(lengths):
        for t in range(begin, end):
            reach = min(longest, end - t)
            scores = np.cumsum(token[t : t + reach, 0], axis=0)
            if roles > 1:
                scores += token[t, 1]
            if roles > 2:
                scores += token[t : t + reach, 2]
            rows = ids[place : place + reach]
            place += reach
            for column in rows.T:  # one after the other, as the compiled kernel does it
                some = np.flatnonzero(column >= 0)
                scores[some] += table[column[some]]
            out[t, :reach] = np.where(allowed[:reach], scores, -np.inf)
    return out


def span_credit(
    counts: FloatArray, lengths: IntArray, roles: int, limits: IntArray, table_count: int, ids: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the gradients of the tokens [N, R, Y] and of the table [P, Y]: the transpose of `span_scores`."""
    longest, labels = counts.shape[1:]
    token = np.zeros((len(counts), roles, labels), dtype=counts.dtype)
    table = np.zeros((table_count, labels), dtype=counts.dtype)
    reached, place = min(longest, int(limits.max(initial=0))), 0
    for begin, end in _strings(lengths):
        for t in range(begin, end):
            here = counts[t, : min(reached, end - t)]
            token[t : t + len(here), 0] += np.cumsum(here[::-1], axis=0)[::-1]
            if roles > 1:
                token[t, 1] += here.sum(axis=0)
            if roles > 2:
                token[t : t + len(here), 2] += here
            for d, rows in enumerate(ids[place : place + len(here)]):
                np.add.at(table, rows[rows >= 0], here[d])
            place += min(longest, end - t)
    return token, table


def spans_anew(
    rows: FloatArray, types: IntArray, lengths: IntArray, table: FloatArray, ids: IntArray, roles: int,
    limits: IntArray, longest: int, threads: int,
) -> FloatArray:  # fmt: skip
    """Return what the tokens add to every span, summed for each span from the scores of its tokens: [N, L, Y]."""
    token = core_numpy.emissions(rows, types, lengths, table, ids, threads).reshape(
        len(types), roles, rows.shape[2] // roles
    )
    out = np.zeros((len(types), longest, token.shape[2]), dtype=token.dtype)
    for begin, end in _strings(lengths):
        for t in range(begin, end):
            for d in range(1, min(longest, end - t, int(limits.max(initial=0))) + 1):
                out[t, d - 1] = token[t : t + d, 0].sum(axis=0)
                if roles > 1:
                    out[t, d - 1] += token[t, 1]
                if roles > 2:
                    out[t, d - 1] += token[t + d - 1, 2]
    return out
