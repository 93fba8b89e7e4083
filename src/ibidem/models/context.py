"""The rows of the weights that the context of each token switches on, by a compiled kernel or by its twin.

`ibidem.features` says what every feature of context means; the kernel gives the same codes in a fraction of the time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.features import batch_of, context_sizes
from ibidem.kernels import compiled
from ibidem.models.encoder import Encoder
from ibidem.models.rows import LazyRows
from ibidem.text.tokens import TokenBatch
from ibidem.types import IntArray

_FEW = 2000  # tokens; what the kernel looks things up in takes longer to make than these take without it


class ContextRows:
    """Finds the rows of tokens, and sees to it that a table holds them."""

    def __init__(self, encoder: Encoder, table: LazyRows, few: int = _FEW) -> None:
        self._encoder = encoder
        self._table = table
        self._left: int | None = few  # tokens to do without the kernel; None once it is known whether it can be used
        self._tables: tuple[NDArray[Any], ...] | None = None
        self.steady = _steady(list(encoder.context))

    def rows(self, tokens: TokenBatch, traits: NDArray[np.int64], types: IntArray) -> IntArray:
        """The rows of each token, -1 for none; afterwards the table holds them.  # [N, F]

        `traits` are those of the types, `types` the number of each token's type.
        """
        kernels = compiled()
        if self._left is not None:
            self._left -= len(types)
            if self._left < 0:
                self._tables, self._left = _tables(self._encoder), None
        if kernels is None or self._tables is None:
            batch = batch_of(tokens.lengths, tokens.blank, traits[types])
            found = self._encoder.rows_of_context(batch)
            self._table.need(found)
            return found
        rows: IntArray
        rows, missing = kernels.context_rows(tokens.lengths, tokens.blank, traits, types, *self._tables)
        if len(missing):
            known = self._tables[3]
            new = -2 - known[missing]
            self._table.need(new)
            known[missing] = new
        return rows


def _tables(encoder: Encoder) -> tuple[NDArray[Any], ...] | None:
    """What the kernel looks things up in, or None where the model's features are not those the kernel knows.

    The filter of phrases; the prints of all lexicons, and where each begins; the row of every code, -2 less the row
    for those that are not in the table yet, and where the codes of each feature begin.
    """
    sizes, lexicons = context_sizes(encoder.lexicons), encoder.lexicons
    if encoder.task != "references" or {name: len(known) for name, known in encoder.context.items()} != sizes:
        return None
    prints = [known.prints for known in lexicons.phrases.values()]
    codes = [np.where(known >= 0, -2 - known, -1) for known in (encoder.context[name] for name in sizes)]
    return (lexicons.phrase_filter(), *_in_a_row(prints, np.uint32), *_in_a_row(codes, np.int32))


def _steady(names: list[str]) -> list[tuple[int, int]]:
    """The stretches of features that many tokens share: all of a piece, all of one kind in a string, most of all."""
    group = ["" if name.endswith("/inside") or "/opening" in name else name.rpartition("/")[0] for name in names]
    edges = [0, *(place for place in range(1, len(group)) if group[place] != group[place - 1]), len(group)]
    return [(begin, end) for begin, end in pairwise(edges) if begin < end and group[begin]]


def _in_a_row(parts: list[NDArray[Any]], dtype: type) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The parts one after the other, and where each begins."""
    begin = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype, copy=False), begin
