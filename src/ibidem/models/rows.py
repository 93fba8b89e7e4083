"""Weights as a model keeps them, sparse rows of small integers, and a bounded cache of the rows of token types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.features import TRAITS
from ibidem.inference import empty_rows, packed_emissions, put_scales
from ibidem.models.encoder import Encoder
from ibidem.models.induction.conjunctions import Matcher, ids_of
from ibidem.types import FloatArray, IntArray

WIDEST = 1 << 16
"""Largest number of columns of a matrix: their numbers are kept in sixteen bits."""

_SMALLEST_SCALE = float(np.finfo(np.float32).tiny)  # rows of smaller numbers become zero instead of overflowing


@dataclass(frozen=True, slots=True)
class SparseRows:
    """A sparse matrix whose entries are small integers times the scale of their row."""

    start: NDArray[np.uint32]  # [K + 1]
    column: NDArray[np.uint16]  # [E]
    value: NDArray[np.int8]  # [E]
    scale: NDArray[np.float32]  # [K]
    width: int

    def entries(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the places of the entries of the chosen rows, and how many each row has."""
        start, end = self.start[rows].astype(np.int64), self.start[rows + 1].astype(np.int64)
        sizes = end - start
        return np.repeat(start - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum()), sizes

    def sum(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the sum of the chosen rows.  # [width]"""
        entries, sizes = self.entries(rows)
        weights = self.value[entries] * np.repeat(self.scale[rows], sizes)
        return np.bincount(self.column[entries], weights=weights, minlength=self.width).astype(np.float64, copy=False)

    def used(self) -> NDArray[np.bool_]:
        """Return which rows have an entry.  # [K]"""
        return np.asarray(self.start[1:] > self.start[:-1])

    def only(self, kept: NDArray[np.bool_]) -> SparseRows:
        """Return the matrix of the rows that are kept; the others must be empty."""
        start = np.append(self.start[:-1][kept], self.start[-1]).astype(np.uint32)
        return SparseRows(start, self.column, self.value, self.scale[kept], self.width)

    def dense(self) -> NDArray[np.float32]:
        """Return the dense matrix.  # [K, width]"""
        sizes = self.start[1:].astype(np.int64) - self.start[:-1]
        matrix = np.zeros((len(sizes), self.width), dtype=np.float32)
        row = np.repeat(np.arange(len(sizes)), sizes)
        matrix[row, self.column] = self.value * self.scale[row]
        return matrix


def sparse_rows(matrix: FloatArray, prune_below: float) -> SparseRows:
    """Return the matrix without entries below `prune_below`, the others rounded to 127 steps on either side of 0."""
    size = np.abs(matrix)
    scale = np.maximum(np.max(size, axis=1, initial=0.0) / 127, _SMALLEST_SCALE).astype(np.float32)
    row, column = np.nonzero((size >= prune_below) & (size > 0))
    value = np.rint(matrix[row, column] / scale[row]).astype(np.int8)
    row, column, value = (part[value != 0] for part in (row, column, value))
    start = np.insert(np.cumsum(np.bincount(row, minlength=len(matrix))), 0, 0).astype(np.uint32)
    return SparseRows(start, column.astype(np.uint16), value, scale, matrix.shape[1])


class LazyRows:
    """The rows of a sparse matrix as dense rows of small integers, each made when it is first needed.

    A model has many more rows of context than a list of references shows, and one reference shows hardly any.
    """

    def __init__(self, packed: SparseRows) -> None:
        self._packed = packed
        self._here = np.zeros(len(packed.scale) + 1, dtype=np.bool_)  # which rows are made
        self._here[-1] = True  # the number -1 stands for no row
        self._missing = len(packed.scale)
        self.table = empty_rows(len(packed.scale), packed.width)

    def need(self, rows: IntArray) -> None:
        """Make the rows with these numbers, unless they are there; -1 stands for none."""
        if not self._missing:
            return
        wanted = np.zeros(len(self._here), dtype=np.bool_)  # np.unique takes long to import
        wanted[rows] = True
        new = np.flatnonzero(wanted & ~self._here)
        if len(new):
            entries, sizes = self._packed.entries(new)
            self.table[np.repeat(new, sizes), self._packed.column[entries]] = self._packed.value[entries]
            put_scales(self.table, self._packed.width, new, self._packed.scale[new])
            self._here[new] = True
            self._missing -= len(new)

    def sums(self, rows: IntArray) -> FloatArray:
        """Return the sums of several lists of rows that were made, lists of one length padded with -1.  # [R, width]"""
        nothing = np.zeros((0, 1, self._packed.width), dtype=np.float32)
        none, count = np.full(len(rows), -1, dtype=np.int32), np.array([len(rows)], dtype=np.int32)
        return packed_emissions(nothing, none, count, self.table, rows)


class EmissionCache:
    """A cache of the rows and traits of token types, computed when a type is first seen.

    The cache holds `capacity` types, so memory stays bounded whatever is parsed. When the types of a batch do not fit
    in any more, the half of the cache that was used least is given up, and the uses of the other half count half from
    then on: what is frequent stays, and what was frequent goes in time (least frequently used, with aging). A batch
    with more types than the cache holds gets a larger one for as long as it needs it.
    """

    def __init__(self, encoder: Encoder, attribute: SparseRows, labels: int, capacity: int = 1 << 14) -> None:
        self._encoder = encoder
        self._attribute = LazyRows(attribute)
        self._shape = (attribute.width // labels, labels)
        self._matcher = Matcher(encoder.induced) if len(encoder.induced) else None
        self._capacity = capacity
        self._clear(capacity)

    def _clear(self, capacity: int) -> None:
        self._slots: dict[str, int] = {}
        self.rows = np.zeros((capacity, *self._shape), dtype=np.float32)  # [capacity, W, Y]
        self.traits = np.zeros((capacity, len(TRAITS)), dtype=np.int64)  # [capacity, traits]
        self._uses = np.zeros(capacity, dtype=np.int64)  # [capacity]
        self._parts = np.full((capacity, 0), -1, dtype=np.int32)  # [capacity, most] of conjunctions

    def slots(self, texts: Sequence[str]) -> IntArray:
        """Return the place of each token's type in `rows` and `traits`.  # [N]"""
        try:
            slots = np.fromiter(map(self._slots.__getitem__, texts), dtype=np.int32, count=len(texts))
        except KeyError:
            self._add(set(texts))
            slots = np.fromiter(map(self._slots.__getitem__, texts), dtype=np.int32, count=len(texts))
        self._uses += np.bincount(slots, minlength=len(self._uses))
        return slots

    def _add(self, wanted: set[str]) -> None:
        new = wanted.difference(self._slots)
        if len(self._slots) + len(new) > len(self.rows):
            self._make_room(wanted)
            new = wanted.difference(self._slots)
        texts = sorted(new)
        numbers = self._encoder.numbers_of(texts)
        self._attribute.need(numbers)
        first, last = len(self._slots), len(self._slots) + len(texts)
        self.rows[first:last] = self._attribute.sums(numbers).reshape(-1, *self._shape)
        traits, lexicons = self._encoder.features.traits, self._encoder.lexicons
        self.traits[first:last] = [traits(text, lexicons) for text in texts]
        if self._matcher is not None:
            self._keep_parts(self._matcher.parts_of_types(numbers), first)
        self._uses[first:last] = 0
        # last, so that an interruption leaves no half-made row
        self._slots.update(zip(texts, range(first, last), strict=True))

    def _make_room(self, wanted: set[str]) -> None:
        """Keep the half of the types that was used most, or none where those wanted need more than the other half."""
        half = self._capacity // 2
        if len(self.rows) > self._capacity or len(wanted) > half:
            self._clear(max(self._capacity, len(wanted)))
            return
        texts, uses = list(self._slots), self._uses[: len(self._slots)]
        kept = np.sort(np.argsort(-uses, kind="stable")[:half])
        self._slots = {}  # first, so that an interruption leaves no name of a row that has moved
        for part in (self.rows, self.traits, self._parts):
            part[: len(kept)] = part[kept]
        self._uses[: len(kept)] = uses[kept] // 2
        self._slots = {texts[place]: number for number, place in enumerate(kept.tolist())}

    def _keep_parts(self, parts: IntArray, first: int) -> None:
        missing = parts.shape[1] - self._parts.shape[1]
        if missing > 0:
            self._parts = np.pad(self._parts, ((0, 0), (0, missing)), constant_values=-1)
        self._parts[first : first + len(parts)] = -1
        self._parts[first : first + len(parts), : parts.shape[1]] = parts

    def conjunctions(self, slots: IntArray, context: IntArray, lengths: IntArray) -> IntArray | None:
        """Return the rows of the conjunctions at tokens of types in these places; None where the model has none.

        `context` are the tokens' rows of context.  # [N, most]
        """
        if self._matcher is None:
            return None
        hits = self._matcher.hits(self._parts, slots, context, lengths)
        return ids_of(hits, len(slots), self._encoder.contexts)
