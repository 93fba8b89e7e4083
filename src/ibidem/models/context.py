"""The rows of weights that the context of each token switches on, by the compiled kernel where it has the feature.

`ibidem.features` defines every feature of context. The kernel has most of those of references by name and gives the
same codes in a fraction of the time; every other feature is computed by its definition.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.features import batch_of
from ibidem.kernels import compiled
from ibidem.models.encoder import Encoder
from ibidem.models.rows import LazyRows
from ibidem.text.tokens import TokenBatch
from ibidem.types import IntArray

_FEW = 2000  # tokens; building the tables of the kernel takes longer than these take without it


class ContextRows:
    """Finds the rows of tokens, and makes sure that a table holds them."""

    def __init__(self, encoder: Encoder, table: LazyRows, few: int = _FEW) -> None:
        self._encoder = encoder
        self._table = table
        # tokens until it pays to build the tables of the kernel, which has features of references alone
        self._left: float = few if encoder.task == "references" else math.inf
        self._kernel: _KernelTables | None = None
        self.steady = _steady_columns(list(encoder.context))

    def rows(self, tokens: TokenBatch, traits: NDArray[np.int64], types: IntArray) -> IntArray:
        """Return the rows of each token, -1 for none; afterwards the table holds them.  # [N, F]

        `traits` are those of the types, `types` the number of each token's type.
        """
        kernels = compiled()
        self._left -= len(types)
        if kernels is None or self._left >= 0:
            found = self._encoder.rows_of_context(batch_of(tokens.lengths, tokens.space_before, traits[types]))
            self._table.need(found)
            return found
        if self._kernel is None:
            self._kernel = _build_tables(kernels, self._encoder)
        rows: IntArray
        rows, missing = kernels.context_rows(
            tokens.lengths, tokens.space_before, traits, types, *self._kernel.arrays, len(self._encoder.context)
        )
        if len(missing):
            known = self._kernel.known
            new = -2 - known[missing]
            self._table.need(new)
            known[missing] = new
        if others := self._kernel.others:
            batch = batch_of(tokens.lengths, tokens.space_before, traits[types])
            self._encoder.fill_rows(rows, batch, list(others))
            self._table.need(rows[:, list(others.values())])
        return rows


@dataclass(frozen=True, slots=True)
class _KernelTables:
    """What the kernel looks things up in, and the features that it does not have."""

    phrase_filter: NDArray[np.uint8]
    hashes: NDArray[np.uint32]  # of all sets of phrases
    hash_begin: NDArray[np.int64]  # [sets + 1] first hash of each
    known: IntArray  # row of every code of every feature, -2 less the row while it is not in the table, -1 for none
    known_begin: NDArray[np.int64]  # [kernel's features + 1] first code of each
    column: IntArray  # [kernel's features] column in the model, -1 for a feature that the model does not have
    others: dict[str, int]  # features of the model that the kernel does not have, with their columns

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays in the order of the kernel's arguments."""
        return self.phrase_filter, self.hashes, self.hash_begin, self.known, self.known_begin, self.column


def _build_tables(kernels: Any, encoder: Encoder) -> _KernelTables:
    """Build the tables of the kernel for a model; the kernel has a feature if name and number of codes agree."""
    lexicons, columns = encoder.lexicons, {name: column for column, name in enumerate(encoder.context)}
    have: list[tuple[str, int]] = kernels.context_features(list(lexicons.phrases))
    used = {name for name, size in have if len(encoder.context.get(name, ())) == size}
    known = [encoder.context[name] if name in used else np.zeros(0, dtype=np.int32) for name, _ in have]
    return _KernelTables(
        lexicons.phrase_filter(),
        *_concatenate([each.hashes for each in lexicons.phrases.values()], np.uint32),
        *_concatenate([np.where(rows >= 0, -2 - rows, -1) for rows in known], np.int32),
        np.array([columns[name] if name in used else -1 for name, _ in have], dtype=np.int32),
        {name: column for name, column in columns.items() if name not in used},
    )


def _steady_columns(names: list[str]) -> list[tuple[int, int]]:
    """Return the ranges of columns that many tokens share: those of a chunk, or of a class in a string."""
    group = ["" if name.endswith("/inside") or "/opening" in name else name.rpartition("/")[0] for name in names]
    edges = [0, *(place for place in range(1, len(group)) if group[place] != group[place - 1]), len(group)]
    return [(begin, end) for begin, end in pairwise(edges) if begin < end and group[begin]]


def _concatenate(parts: list[NDArray[Any]], dtype: type) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the parts one after the other, and where each begins."""
    begin = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype, copy=False), begin
