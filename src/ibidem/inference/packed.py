"""Emission scores from a table as a model keeps it: rows of small whole numbers, each with its scale behind it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.inference import core
from ibidem.types import FloatArray, IntArray

_LINE = 64  # bytes that a processor fetches at once
_SCALE = np.dtype(np.float32).itemsize


def empty_rows(count: int, width: int) -> NDArray[np.int8]:
    """A table for so many rows of `width` numbers, all zero, each row on lines of its own.  # [count, bytes]"""
    stride = -(-(width + _SCALE) // _LINE) * _LINE
    room = np.zeros(count * stride + _LINE, dtype=np.int8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + count * stride].reshape(count, stride)


def put_scales(table: NDArray[np.int8], width: int, rows: NDArray[np.int64], scale: NDArray[np.float32]) -> None:
    """Nothing: the chosen rows of a table get their scales."""
    parts = np.ascontiguousarray(scale, dtype=np.float32).view(np.int8).reshape(-1, _SCALE)
    table[rows, width : width + _SCALE] = parts


def _plain(table: NDArray[np.int8], width: int) -> FloatArray:
    scale = np.ascontiguousarray(table[:, width : width + _SCALE]).view(np.float32)
    plain: FloatArray = table[:, :width] * scale
    return plain


def packed_emissions(
    rows: FloatArray,
    types: IntArray,
    lengths: IntArray,
    table: NDArray[np.int8],
    ids: IntArray,
    threads: int = 1,
    steady: Sequence[tuple[int, int]] = (),
) -> FloatArray:
    """The scores of the labels at each token: [N, Y], as `emissions` gives them for the numbers times their scales.

    `table` is one of `empty_rows` that was filled. A quarter of the memory is read, which is what the time goes into.
    `steady` are stretches of the columns of `ids`, in order, that often stay the same from token to token: it pays to
    say so.
    """
    cached = core._reals("rows", rows, 3)
    width = cached.shape[2]
    if cached.shape[1] % 2 == 0 or table.dtype != np.int8 or table.ndim != 2 or table.shape[1] < width + _SCALE:
        raise IbidemError(
            f"rows [R, W, Y], W odd, and a table of empty_rows(P, Y) are wanted; got {cached.shape} and "
            f"{table.dtype} {table.shape}"
        )
    stretches = np.array(steady, dtype=np.int32).reshape(-1, 2)
    if np.any(np.diff(stretches.ravel(), prepend=0, append=np.shape(ids)[1]) < 0):
        raise IbidemError(f"the steady stretches {list(steady)} are not columns of ids {np.shape(ids)} in order")
    kernels = core._kernels()
    if not hasattr(kernels, "packed_emissions"):
        used, place = np.unique(ids, return_inverse=True)
        number = np.where(used >= 0, np.arange(len(used)), -1).astype(np.int32)
        plain = _plain(table[used], width)
        return core.emissions(cached, types, lengths, plain, number[place].reshape(np.shape(ids)), threads)
    tokens = core._tokens(types, lengths, ids, len(cached), len(table))
    scores: FloatArray = kernels.packed_emissions(
        cached, tokens[0], tokens[1], table, tokens[2], stretches, core._threads(threads)
    )
    return scores
