"""Weights as a model keeps them: sparse rows of small numbers, and a bounded cache of the rows of token types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.features import TRAITS, traits_of
from ibidem.models.encoder import Encoder
from ibidem.types import FloatArray, IntArray

WIDEST = 1 << 16
"""The columns that a matrix may have: their numbers are kept in sixteen bits."""

_SMALLEST_SCALE = float(np.finfo(np.float32).tiny)  # rows of smaller numbers become zero instead of overflowing


@dataclass(frozen=True, slots=True)
class SparseRows:
    """A matrix with few entries other than zero, each a small whole number times the scale of its row."""

    start: NDArray[np.uint32]  # [K + 1]
    column: NDArray[np.uint16]  # [E]
    value: NDArray[np.int8]  # [E]
    scale: NDArray[np.float32]  # [K]
    width: int

    def sum(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The sum of the chosen rows.  # [width]"""
        start, end = self.start[rows].astype(np.int64), self.start[rows + 1].astype(np.int64)
        sizes = end - start
        entries = np.repeat(start - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        weights = self.value[entries] * np.repeat(self.scale[rows], sizes)
        return np.bincount(self.column[entries], weights=weights, minlength=self.width).astype(np.float64, copy=False)

    def dense(self) -> NDArray[np.float32]:
        """The whole matrix.  # [K, width]"""
        sizes = self.start[1:].astype(np.int64) - self.start[:-1]
        matrix = np.zeros((len(sizes), self.width), dtype=np.float32)
        row = np.repeat(np.arange(len(sizes)), sizes)
        matrix[row, self.column] = self.value * self.scale[row]
        return matrix


def sparse_rows(matrix: FloatArray, smallest: float) -> SparseRows:
    """The matrix with entries below `smallest` dropped and the rest rounded to 127 steps on either side."""
    size = np.abs(matrix)
    scale = np.maximum(np.max(size, axis=1, initial=0.0) / 127, _SMALLEST_SCALE).astype(np.float32)
    row, column = np.nonzero((size >= smallest) & (size > 0))
    value = np.rint(matrix[row, column] / scale[row]).astype(np.int8)
    row, column, value = (part[value != 0] for part in (row, column, value))
    start = np.insert(np.cumsum(np.bincount(row, minlength=len(matrix))), 0, 0).astype(np.uint32)
    return SparseRows(start, column.astype(np.uint16), value, scale, matrix.shape[1])


class TypeRows:
    """The rows and traits of the token types seen last, computed when a type is first seen.

    The cache holds `capacity` types; when a batch does not fit in any more it is emptied, so memory stays bounded
    whatever is parsed. A batch with more types than that gets a larger cache for as long as it needs it.
    """

    def __init__(self, encoder: Encoder, attribute: SparseRows, labels: int, capacity: int = 1 << 14) -> None:
        self._encoder = encoder
        self._attribute = attribute
        self._shape = (attribute.width // labels, labels)
        self._capacity = capacity
        self._clear(capacity)

    def _clear(self, capacity: int) -> None:
        self._slots: dict[str, int] = {}
        self.rows = np.zeros((capacity, *self._shape), dtype=np.float32)  # [capacity, W, Y]
        self.traits = np.zeros((capacity, len(TRAITS)), dtype=np.int64)  # [capacity, traits]

    def slots(self, texts: Sequence[str]) -> IntArray:
        """The place of each token's type in `rows` and `traits`.  # [N]"""
        slots = self._slots
        try:
            return np.fromiter(map(slots.__getitem__, texts), dtype=np.int32, count=len(texts))
        except KeyError:
            self._learn(set(texts).difference(slots), set(texts))
            return np.fromiter(map(self._slots.__getitem__, texts), dtype=np.int32, count=len(texts))

    def _learn(self, new: set[str], wanted: set[str]) -> None:
        if len(self._slots) + len(new) > len(self.rows):
            self._clear(max(self._capacity, len(wanted)))
            new = wanted
        for text in sorted(new):
            slot = len(self._slots)
            self.rows[slot] = self._attribute.sum(self._encoder.numbers(text)).reshape(self._shape)
            self.traits[slot] = traits_of(text, self._encoder.lexicons)
            self._slots[text] = slot  # last, so that an interruption leaves no half-made row
