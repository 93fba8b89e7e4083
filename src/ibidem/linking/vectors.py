"""Strings as sparse vectors: indicator rows, unit rows and hashed character n-grams."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Value = TypeVar("Value", bound=Hashable)

NGRAM = 4
"""Bytes in a character n-gram."""

LONGEST = 400
"""Characters of a text whose n-grams are used."""

BUCKETS = 1 << 18
"""Hash buckets of the n-grams."""

_MAX_WEIGHT = 1e9
_ROWS = 20_000  # sorted at a time
_MIX = np.uint32(2654435761)


@dataclass(frozen=True, slots=True)
class Sparse:
    """A CSR matrix in the kernels' types: entries `begin[k]` to `begin[k + 1]` are row k, by ascending column."""

    begin: Numbers  # [rows + 1]
    columns: Numbers
    values: Floats
    width: int

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def parts(self) -> tuple[Numbers, Numbers, Floats]:
        """What the kernels take."""
        return self.begin, self.columns, self.values


def indicator_of_rows(columns: Numbers, lengths: Ints, width: int) -> Sparse:
    """Return the 0/1 matrix of concatenated rows of distinct, ascending column numbers."""
    begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return Sparse(begin, columns, np.ones(len(columns), np.float32), width)


def sort_unique(numbers: Ints) -> Ints:
    """Return the distinct numbers in ascending order; sorting is faster here than the hashing of `np.unique`."""
    ordered = np.sort(numbers)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


def factorize(values: Iterable[Value]) -> tuple[list[Value], Numbers]:
    """Return the distinct values in order of first occurrence, and the index of each value among them."""
    place: dict[Value, int] = {}
    numbers = np.fromiter((place.setdefault(value, len(place)) for value in values), dtype=np.int32)
    return list(place), numbers


def indicator_of_items(items: Iterable[Sequence[str]]) -> Sparse:
    """Return the 0/1 matrix of which items each row has.  # [rows, items]"""
    lengths: list[int] = []

    def every() -> Iterator[str]:
        for row in items:
            lengths.append(len(row))
            yield from row

    found, numbers = factorize(every())
    return indicator(numbers, np.array(lengths, dtype=np.int64), len(found))


def indicator(columns: Numbers, lengths: Ints, width: int) -> Sparse:
    """Return the 0/1 matrix of concatenated rows of column numbers, each column once per row.  # [rows, width]"""
    ends = np.concatenate([[0], np.cumsum(lengths)])
    sizes, kept = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for begin in range(0, len(lengths), _ROWS):
        some = lengths[begin : begin + _ROWS]
        rows = np.repeat(np.arange(len(some), dtype=np.int64), some)
        packed = sort_unique(rows * max(1, width) + columns[ends[begin] : ends[begin + len(some)]])
        sizes.append(np.bincount(packed // max(1, width), minlength=len(some)))
        kept.append((packed % max(1, width)).astype(np.int32))
    return indicator_of_rows(np.concatenate(kept), np.concatenate(sizes), max(1, width))


def hash_ngrams(texts: Sequence[str], longest: int = LONGEST) -> tuple[NDArray[np.uint32], Ints]:
    """Return a hash of each character n-gram, text after text, and the number of n-grams of each text."""
    data = [f"{text[:longest]:<{NGRAM}}".encode("utf-8", "replace") for text in texts]
    sizes = np.fromiter(map(len, data), dtype=np.int64, count=len(data))
    joined = np.frombuffer(b"".join(data) + bytes(NGRAM), dtype=np.uint8).astype(np.uint32)
    packed = np.zeros(len(joined) - NGRAM, dtype=np.uint32)
    for offset in range(NGRAM):
        packed = (packed << np.uint32(8)) | joined[offset : len(joined) - NGRAM + offset]
    ends = np.cumsum(sizes)
    within = np.ones(len(packed), dtype=np.bool_)  # n-grams must not cross from one text to the next
    for offset in range(1, NGRAM):
        within[ends - offset] = False
    return packed[within] * _MIX, sizes - (NGRAM - 1)


def normalise_rows(matrix: Sparse) -> Sparse:
    """Return the matrix with rows of Euclidean length 1; an empty row stays empty."""
    counts = np.diff(matrix.begin)
    rows = np.repeat(np.arange(len(counts)), counts)
    squares = np.bincount(rows, np.square(matrix.values, dtype=np.float64), len(counts)).astype(np.float64)
    scale = np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    return replace(matrix, values=(matrix.values * np.repeat(scale, counts)).astype(np.float32))


def check_weights(weights: Iterable[float]) -> None:
    """Raise a ValueError where a weight from a file is not finite, or so large that sums of such would not be."""
    if not all(-_MAX_WEIGHT < weight < _MAX_WEIGHT for weight in weights):
        raise ValueError("a weight is not finite, or too large")
