"""Strings as sparse vectors: words weighted by how rare they are, and runs of characters."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import MissingExtra

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Value = TypeVar("Value", bound=Hashable)
Sparse = Any  # scipy.sparse.csr_matrix, which has no types

RUN = 4
"""Characters in a run."""

LONGEST = 400
"""Characters of a text whose runs are looked at."""

BUCKETS = 1 << 18
"""Into how many buckets runs fall."""

_ROWS = 20_000  # that are put in order at a time
_MIX = np.uint32(2654435761)


def sparse(data: Floats, columns: Ints | Numbers, lengths: Ints, width: int) -> Sparse:
    """The sparse matrix of rows that lie one after the other; what stands twice in a row is added up."""
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtra("linking needs scipy and rapidfuzz: pip install 'ibidem[link]'") from None
    ends = np.concatenate([[0], np.cumsum(lengths)])
    made = csr_matrix((data, columns, ends), shape=(len(lengths), width))
    made.sum_duplicates()
    return made


def once(numbers: Ints) -> Ints:
    """The numbers in order, each once; sorting beats the hashing of `np.unique`."""
    ordered = np.sort(numbers)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


def distinct(values: Iterable[Value]) -> tuple[list[Value], Numbers]:
    """The values, each once, in the order they come in, and which of them each one is."""
    place: dict[Value, int] = {}
    numbers = np.fromiter((place.setdefault(value, len(place)) for value in values), dtype=np.int32)
    return list(place), numbers


def indicator(items: Iterable[Sequence[str]]) -> Sparse:
    """Which of all items each row has, as ones.  # [rows, items]"""
    lengths: list[int] = []

    def every() -> Iterator[str]:
        for row in items:
            lengths.append(len(row))
            yield from row

    found, numbers = distinct(every())
    return presence(numbers, np.array(lengths, dtype=np.int64), len(found))


def presence(columns: Numbers, lengths: Ints, width: int) -> Sparse:
    """Rows of columns that lie one after the other, each column of a row once, as ones.  # [rows, columns]"""
    ends = np.concatenate([[0], np.cumsum(lengths)])
    sizes, kept = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for begin in range(0, len(lengths), _ROWS):
        some = lengths[begin : begin + _ROWS]
        rows = np.repeat(np.arange(len(some), dtype=np.int64), some)
        packed = once(rows * max(1, width) + columns[ends[begin] : ends[begin + len(some)]])
        sizes.append(np.bincount(packed // max(1, width), minlength=len(some)))
        kept.append((packed % max(1, width)).astype(np.int32))
    every = np.concatenate(kept)
    return sparse(np.ones(len(every), np.float32), every, np.concatenate(sizes), max(1, width))


def runs(texts: Sequence[str], longest: int = LONGEST) -> tuple[NDArray[np.uint32], Ints]:
    """A number for each run of characters of each text, one text after the other, and how many each has."""
    data = [f"{text[:longest]:<{RUN}}".encode("utf-8", "replace") for text in texts]
    sizes = np.fromiter(map(len, data), dtype=np.int64, count=len(data))
    joined = np.frombuffer(b"".join(data) + bytes(RUN), dtype=np.uint8).astype(np.uint32)
    packed = np.zeros(len(joined) - RUN, dtype=np.uint32)
    for offset in range(RUN):
        packed = (packed << np.uint32(8)) | joined[offset : len(joined) - RUN + offset]
    ends = np.cumsum(sizes)
    whole = np.ones(len(packed), dtype=np.bool_)
    for offset in range(1, RUN):
        whole[ends - offset] = False
    return packed[whole] * _MIX, sizes - (RUN - 1)


def unit(matrix: Sparse) -> Sparse:
    """The rows made vectors of length one; an empty row stays empty."""
    made = matrix.copy()
    counts = np.diff(made.indptr)
    rows = np.repeat(np.arange(len(counts)), counts)
    squares = np.bincount(rows, np.square(made.data, dtype=np.float64), len(counts)).astype(np.float64)
    scale = np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    made.data = (made.data * np.repeat(scale, counts)).astype(np.float32)
    return made
