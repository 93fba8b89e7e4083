"""Emission scores from a table as a model keeps it: small whole numbers, each row with a scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.inference import core
from ibidem.types import FloatArray, IntArray


def packed_emissions(
    rows: FloatArray,
    types: IntArray,
    lengths: IntArray,
    table: NDArray[np.int8],
    scale: FloatArray,
    ids: IntArray,
    threads: int = 1,
    steady: Sequence[tuple[int, int]] = (),
) -> FloatArray:
    """The scores of the labels at each token: [N, Y], as `emissions` gives them for `table * scale[:, None]`.

    `table` is [P, Y] and `scale` [P]. A quarter of the memory is read, which is what the time goes into. `steady` are
    stretches of the columns of `ids`, in order, that often stay the same from token to token: it pays to say so.
    """
    cached = core._reals("rows", rows, 3)
    scales = np.ascontiguousarray(scale, dtype=cached.dtype)
    if cached.shape[1] % 2 == 0 or table.dtype != np.int8 or table.shape != (len(scales), cached.shape[2]):
        raise IbidemError(
            "rows [R, W, Y], W odd, table [P, Y] of int8 and scale [P] are wanted; "
            f"got {cached.shape}, {table.dtype} {table.shape} and {scales.shape}"
        )
    stretches = np.array(steady, dtype=np.int32).reshape(-1, 2)
    if np.any(np.diff(stretches.ravel(), prepend=0, append=np.shape(ids)[1]) < 0):
        raise IbidemError(f"the steady stretches {list(steady)} are not columns of ids {np.shape(ids)} in order")
    kernels = core._kernels()
    if not hasattr(kernels, "packed_emissions"):
        used, place = np.unique(ids, return_inverse=True)
        plain = table[used] * scales[used, None]
        number = np.where(used >= 0, np.arange(len(used)), -1).astype(np.int32)
        return core.emissions(cached, types, lengths, plain, number[place].reshape(np.shape(ids)), threads)
    tokens = core._tokens(types, lengths, ids, len(cached), len(table))
    scores: FloatArray = kernels.packed_emissions(
        cached, tokens[0], tokens[1], np.ascontiguousarray(table), scales, tokens[2], stretches, core._threads(threads)
    )
    return scores
