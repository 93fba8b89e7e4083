"""Strings as sparse vectors: words weighted by how rare they are, and runs of characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import MissingExtra

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Sparse = Any  # scipy.sparse.csr_matrix, which has no types

RUN = 4
"""Characters in a run."""

_BUCKETS = 1 << 18  # of runs
_MIX = np.uint32(2654435761)


def sparse(data: Floats, columns: Ints, lengths: Ints, width: int) -> Sparse:
    """The sparse matrix of rows that lie one after the other; what stands twice in a row is added up."""
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtra("linking needs scipy and rapidfuzz: pip install 'ibidem[link]'") from None
    ends = np.concatenate([[0], np.cumsum(lengths)])
    made = csr_matrix((data, columns, ends), shape=(len(lengths), width))
    made.sum_duplicates()
    return made


class Vocabulary:
    """The words of a collection, in alphabetical order, with the number of texts each is in.

    `background` adds what was counted elsewhere, so that the words of a small collection have sensible weights too.
    """

    def __init__(self, texts: Iterable[str], background: Mapping[str, int] | None = None, documents: int = 0) -> None:
        counts: dict[str, int] = {}
        total = 0
        for text in texts:
            total += 1
            for word in set(text.split()):
                counts[word] = counts.get(word, 0) + 1
        self.words: list[str] = sorted(counts)
        self.place: dict[str, int] = {word: number for number, word in enumerate(self.words)}
        self.here: Ints = np.array([counts[word] for word in self.words], dtype=np.int64)
        known = background or {}
        elsewhere = np.array([known.get(word, 0) for word in self.words], dtype=np.int64)
        self.weight: Floats = np.log1p((total + documents) / (1.0 + self.here + elsewhere)).astype(np.float32)

    def __len__(self) -> int:
        return len(self.words)

    def rows(self, texts: Sequence[str]) -> Sparse:
        """The weights of each text's words, every word once.  # [texts, words]"""
        found = [sorted(self.place[word] for word in set(text.split()) if word in self.place) for text in texts]
        lengths = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        columns = np.fromiter((place for row in found for place in row), dtype=np.int64, count=int(lengths.sum()))
        return sparse(self.weight[columns] if len(columns) else np.zeros(0, np.float32), columns, lengths, len(self))


def indicator(items: Sequence[Sequence[str]]) -> Sparse:
    """Which of all items each row has, as ones.  # [rows, items]"""
    place = {item: number for number, item in enumerate(sorted({item for row in items for item in row}))}
    found = [sorted({place[item] for item in row}) for row in items]
    lengths = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    columns = np.fromiter((number for row in found for number in row), dtype=np.int64, count=int(lengths.sum()))
    return sparse(np.ones(len(columns), np.float32), columns, lengths, max(1, len(place)))


def runs(texts: Sequence[str]) -> tuple[NDArray[np.uint32], Ints]:
    """A number for each run of characters of each text, one text after the other, and how many each has."""
    data = [f"{text[:400]:<{RUN}}".encode("utf-8", "replace") for text in texts]
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


def run_vectors(texts: Sequence[str]) -> Sparse:
    """The runs of characters of each text, as a vector of length one.  # [texts, buckets]"""
    packed, lengths = runs(texts)
    columns = (packed >> np.uint32(14)).astype(np.int64)
    return unit(sparse(np.ones(len(columns), np.float32), columns, lengths, _BUCKETS))


def unit(matrix: Sparse) -> Sparse:
    """The rows made vectors of length one; an empty row stays empty."""
    from scipy.sparse import diags

    length = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return (diags(np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)) @ matrix).tocsr()


def dots(matrix: Sparse, left: Ints, right: Ints) -> Floats:
    """The products of rows `left[k]` and `right[k]`.  # [pairs]"""
    return np.asarray(matrix[left].multiply(matrix[right]).sum(axis=1), dtype=np.float32).ravel()
