"""Strings as sparse vectors: words weighted by how rare they are, and runs of characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
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
_TEXTS = 20_000  # whose words are held at a time
_MIX = np.uint32(2654435761)


def sparse(data: Floats, columns: Ints | NDArray[np.int32], lengths: Ints, width: int) -> Sparse:
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

    How much a word weighs is told by the collection, or, where there is a `background` of counts in so many
    `documents`, by that alone: what two texts have in common then does not depend on which others there are.
    """

    def __init__(self, texts: Iterable[str], background: Mapping[str, int] | None = None, documents: int = 0) -> None:
        counts: dict[str, int] = {}
        held = list(texts)
        total = len(held)
        for text in held:
            for word in set(text.split()):
                counts[word] = counts.get(word, 0) + 1
        self.words: list[str] = sorted(counts)
        self.place: dict[str, int] = {word: number for number, word in enumerate(self.words)}
        self.here: Ints = np.array([counts[word] for word in self.words], dtype=np.int64)
        known = self.here
        if background and documents:
            total, known = documents, np.array([background.get(word, 0) for word in self.words], dtype=np.int64)
        self.weight: Floats = np.log1p(total / (1.0 + known)).astype(np.float32)

    def __len__(self) -> int:
        return len(self.words)

    def rows(self, texts: Sequence[str]) -> Sparse:
        """The weights of each text's words, every word once.  # [texts, words]"""
        parts = [self._places(texts[begin : begin + _TEXTS]) for begin in range(0, len(texts), _TEXTS)]
        lengths = np.concatenate([np.zeros(0, np.int64), *(count for count, _ in parts)])
        columns = np.concatenate([np.zeros(0, np.int32), *(places for _, places in parts)])
        return sparse(self.weight[columns], columns, lengths, len(self))

    def _places(self, texts: Sequence[str]) -> tuple[Ints, NDArray[np.int32]]:
        """How many different words each text has, and their places, ascending, one text after the other."""
        split = [text.split() for text in texts]
        sizes = np.fromiter(map(len, split), dtype=np.int64, count=len(split))
        found = map(self.place.get, chain.from_iterable(split), repeat(-1))
        columns = np.fromiter(found, dtype=np.int64, count=int(sizes.sum()))
        rows = np.repeat(np.arange(len(split)), sizes)
        width = max(1, len(self))
        packed = once((rows * width + columns)[columns >= 0])
        return np.bincount(packed // width, minlength=len(split)), (packed % width).astype(np.int32)


def once(numbers: Ints) -> Ints:
    """The numbers in order, each once; sorting beats the hashing of `np.unique`."""
    ordered = np.sort(numbers)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


def indicator(items: Iterable[Sequence[str]]) -> Sparse:
    """Which of all items each row has, as ones.  # [rows, items]"""
    place: dict[str, int] = {}
    found: list[int] = []
    sizes: list[int] = []
    for row in items:
        sizes.append(len(row))
        found += [place.setdefault(item, len(place)) for item in row]
    width = max(1, len(place))
    rows = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    packed = once(rows * width + np.array(found, dtype=np.int64))
    lengths = np.bincount(packed // width, minlength=len(sizes))
    return sparse(np.ones(len(packed), np.float32), (packed % width).astype(np.int32), lengths, width)


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
    made = matrix.copy()
    counts = np.diff(made.indptr)
    rows = np.repeat(np.arange(len(counts)), counts)
    squares = np.bincount(rows, np.square(made.data, dtype=np.float64), len(counts)).astype(np.float64)
    scale = np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    made.data = (made.data * np.repeat(scale, counts)).astype(np.float32)
    return made


def dots(matrix: Sparse, left: Ints, right: Ints) -> Floats:
    """The products of rows `left[k]` and `right[k]`.  # [pairs]"""
    return np.asarray(matrix[left].multiply(matrix[right]).sum(axis=1), dtype=np.float32).ravel()
