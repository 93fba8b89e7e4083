"""The scores of all spans of a batch from the scores of its tokens, by C++ kernels or their NumPy reference.

Every token has a score for each label and role: what it adds to every span that holds it (*bag*), to a span that begins
with it (*first*) and to one that ends with it (*last*). The sum of the bags of a span is one addition more than that of
the span that is a token shorter; such features are *extensible* (Cuong and others 2015). Every other feature of a span
is a row of a table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.inference import core, spans_numpy
from ibidem.kernels import compiled
from ibidem.types import FloatArray, IntArray

ROLES = {"bag": True, "first": False, "last": False}
"""The roles of a token in a span, in their order, and whether what they add is extensible."""


def spans_of(lengths: IntArray, longest: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first tokens, and the last tokens + 1, of all spans of up to `longest` tokens.  # [M] each

    They are in the order of their first tokens and then of their lengths.
    """
    tokens = int(lengths.sum())
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(tokens)  # tokens up to the end of the string
    count = np.minimum(left, longest)
    begin = np.repeat(np.arange(tokens), count)
    first = np.repeat(np.cumsum(count) - count, count)
    return begin, begin + np.arange(len(begin)) - first + 1


def count_spans(lengths: IntArray, longest: int) -> int:
    """Return the number of spans of `spans_of`."""
    sizes = lengths.astype(np.int64)
    short = np.minimum(sizes, longest)
    return int((short * (short + 1) // 2 + (sizes - short) * longest).sum())


def span_scores(
    token: FloatArray,
    lengths: IntArray,
    limits: IntArray,
    table: FloatArray,
    ids: IntArray,
    longest: int,
    threads: int = 1,
) -> FloatArray:
    """Return the score of every span of up to L = `longest` tokens: [N, L, Y].

    `token` is [N, R, Y], R of the roles; `limits` [Y] the longest span of each label; `ids` [M, F] the rows of `table`
    [P, Y] that each of the M spans of `spans_of` adds, -1 for none. A span longer than its label may be or past the end
    of its string has -inf.

    >>> token = np.array([[[1.0]], [[2.0]], [[4.0]]])
    >>> table, ids = np.zeros((0, 1)), np.zeros((5, 0), dtype=np.int32)
    >>> span_scores(token, np.array([3]), np.array([2]), table, ids, 2)[..., 0].tolist()
    [[1.0, 3.0], [2.0, 6.0], [4.0, -inf]]
    """
    scores = core._reals("token", token, 3)
    shared = np.ascontiguousarray(table, dtype=scores.dtype)
    sizes, reach, rows = _check(scores.shape, lengths, limits, ids, core._positive("longest", longest), len(shared))
    if shared.ndim != 2 or shared.shape[1] != scores.shape[2]:
        raise IbidemError(f"expected a table [P, {scores.shape[2]}]; got {shared.shape}")
    found: FloatArray = _kernels().span_scores(scores, sizes, reach, shared, rows, longest, core._threads(threads))
    return found


def span_gradient(
    counts: FloatArray, lengths: IntArray, roles: int, limits: IntArray, table_count: int, ids: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the gradients of tokens [N, R, Y] and table [P, Y], given that of the spans [N, L, Y].

    This is the transpose of `span_scores`.
    """
    gradient = core._reals("counts", counts, 3)
    shape = (gradient.shape[0], roles, gradient.shape[2])
    sizes, reach, rows = _check(shape, lengths, limits, ids, gradient.shape[1], table_count)
    token, table = _kernels().span_credit(gradient, sizes, roles, reach, table_count, rows)
    return token, table


def _kernels() -> Any:
    return compiled() or spans_numpy


def _check(
    shape: tuple[int, ...], lengths: IntArray, limits: IntArray, ids: IntArray, longest: int, table_count: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return lengths [B], limits [Y] and ids [M, F], checked."""
    sizes, reach = core._integers("lengths", lengths, 1), core._integers("limits", limits, 1)
    rows = core._integers("ids", ids, 2)
    tokens, roles, labels = shape
    core._require_lengths(sizes, tokens)
    spans = count_spans(sizes, longest)
    if not 1 <= roles <= len(ROLES) or reach.shape != (labels,) or (len(rows) != spans and rows.shape[1]):
        raise IbidemError(
            f"expected scores [N, R, Y], R up to {len(ROLES)}, limits [Y] and ids [{spans}, F]; "
            f"got {shape}, {reach.shape} and {rows.shape}"
        )
    core._require_range("ids", rows, -1, table_count)
    return sizes, reach, rows
