"""Emission scores: sums of cached rows of token types and of rows of a table, and their gradient.

A model keeps its table packed: rows of small integers, each with its scale behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.inference import core
from ibidem.types import FloatArray, IntArray

_LINE = 64  # bytes that a processor fetches at once
_SCALE = np.dtype(np.float32).itemsize


def emissions(
    rows: FloatArray, types: IntArray, lengths: IntArray, table: FloatArray, ids: IntArray, threads: int = 1
) -> FloatArray:
    """Return the scores of the labels at each token: [N, Y], sums of cached rows and of rows of a table.

    out[t] = Σ_w rows[types[t + w - W // 2], w] + Σ_f table[ids[t, f]], within the string; W is odd. `rows` is
    [R, W, Y], `types` [N], `table` [P, Y] and `ids` [N, F]; a type or an id of -1 adds nothing.
    """
    cached = core._reals("rows", rows, 3)
    shared = np.ascontiguousarray(table, dtype=cached.dtype)
    R, W, Y = cached.shape
    if W % 2 == 0 or shared.ndim != 2 or shared.shape[1] != Y:
        raise IbidemError(f"expected rows [R, W, Y], W odd, and a table [P, Y]; got {cached.shape} and {shared.shape}")
    tokens = check_tokens(types, lengths, ids, R, len(shared))
    scores: FloatArray = core._kernels().emissions(cached, *tokens[:2], shared, tokens[2], core._threads(threads))
    return scores


def emissions_gradient(
    delta: FloatArray,
    types: IntArray,
    lengths: IntArray,
    rows_count: int,
    window: int,
    ids: IntArray,
    table_count: int,
    threads: int = 1,
) -> tuple[FloatArray, FloatArray]:
    """Return the gradients of the rows [R, W, Y] and of the table [P, Y], given that of the scores [N, Y].

    This is the transpose of `emissions`.
    """
    gradient = core._reals("delta", delta, 2)
    if window < 1 or window % 2 == 0 or rows_count < 0 or table_count < 0:
        raise IbidemError(f"expected an odd window and counts >= 0; got {window}, {rows_count} and {table_count}")
    all_types, all_lengths, all_ids = check_tokens(types, lengths, ids, rows_count, table_count)
    if len(gradient) != len(all_types):
        raise IbidemError(f"delta has {len(gradient)} tokens, types has {len(all_types)}: give one row for each token")
    rows, table = core._kernels().emissions_credit(
        gradient, all_types, all_lengths, rows_count, window, all_ids, table_count, core._threads(threads)
    )
    return rows, table


def empty_rows(count: int, width: int) -> NDArray[np.int8]:
    """Return a table for rows of `width` numbers, all zero, each row on its own cache lines.  # [count, bytes]"""
    stride = -(-(width + _SCALE) // _LINE) * _LINE
    room = np.zeros(count * stride + _LINE, dtype=np.int8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + count * stride].reshape(count, stride)


def put_scales(table: NDArray[np.int8], width: int, rows: NDArray[np.int64], scale: NDArray[np.float32]) -> None:
    """Set the scales of the chosen rows of a table."""
    parts = np.ascontiguousarray(scale, dtype=np.float32).view(np.int8).reshape(-1, _SCALE)
    table[rows, width : width + _SCALE] = parts


def packed_emissions(
    rows: FloatArray,
    types: IntArray,
    lengths: IntArray,
    table: NDArray[np.int8],
    ids: IntArray,
    threads: int = 1,
    steady: Sequence[tuple[int, int]] = (),
) -> FloatArray:
    """Return the scores of the labels at each token, [N, Y]: `emissions` with a packed table.

    `table` is a filled one of `empty_rows`. A quarter of the memory is read, which is where the time goes. `steady` are
    ranges of the columns of `ids`, in order, that often stay the same from token to token, which is faster.
    """
    cached = core._reals("rows", rows, 3)
    width = cached.shape[2]
    if cached.shape[1] % 2 == 0 or table.dtype != np.int8 or table.ndim != 2 or table.shape[1] < width + _SCALE:
        raise IbidemError(
            f"expected rows [R, W, Y], W odd, and a table of empty_rows(P, Y); got {cached.shape} and "
            f"{table.dtype} {table.shape}"
        )
    stretches = np.array(steady, dtype=np.int32).reshape(-1, 2)
    if np.any(np.diff(stretches.ravel(), prepend=0, append=np.shape(ids)[1]) < 0):
        raise IbidemError(f"the steady ranges {list(steady)} are not columns of ids {np.shape(ids)} in order")
    tokens = check_tokens(types, lengths, ids, len(cached), len(table))
    scores: FloatArray = core._kernels().packed_emissions(
        cached, tokens[0], tokens[1], table, tokens[2], stretches, core._threads(threads)
    )
    return scores


def check_tokens(
    types: IntArray, lengths: IntArray, ids: IntArray, rows_count: int, table_count: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return types [N], lengths [B] and ids [N, F], checked."""
    all_types, all_lengths = core._integers("types", types, 1), core._integers("lengths", lengths, 1)
    all_ids = core._integers("ids", ids, 2)
    core._require_lengths(all_lengths, len(all_types))
    if len(all_ids) != len(all_types):
        raise IbidemError(f"ids has {len(all_ids)} tokens, types has {len(all_types)}: give one row for each token")
    core._require_range("types", all_types, -1, rows_count)
    core._require_range("ids", all_ids, -1, table_count)
    return all_types, all_lengths, all_ids
