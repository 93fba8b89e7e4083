"""The scores that a model gives tokens, from its packed weights; what is computed once is kept between batches."""

from __future__ import annotations

from threading import Lock

import numpy as np

from ibidem.features import Batch, batch_of
from ibidem.inference import packed_emissions
from ibidem.models.context import ContextRows
from ibidem.models.encoder import Encoder
from ibidem.models.rows import EmissionCache, LazyRows, SparseRows
from ibidem.text.tokens import TokenBatch
from ibidem.types import FloatArray, IntArray


class TokenScorer:
    """Scores the tokens of batches of strings; keeps the cache of rows between batches."""

    def __init__(self, encoder: Encoder, attribute: SparseRows, context: SparseRows, columns: int) -> None:
        self._lock = Lock()
        self._table = LazyRows(context)
        self._context = ContextRows(encoder, self._table)
        self._types = EmissionCache(encoder, attribute, columns)
        if len(encoder.induced):  # few beside the codes of context, and any of them may stand anywhere
            self._table.need(encoder.contexts + np.arange(len(encoder.induced), dtype=np.int32))

    def score(self, tokens: TokenBatch) -> FloatArray:
        """The scores of every token.  # [N, C]"""
        with self._lock:  # the caches are filled and emptied here
            slots, context = self._rows(tokens)
            return self._emissions(tokens, slots, context)

    def score_with_batch(self, tokens: TokenBatch) -> tuple[FloatArray, Batch]:
        """The scores of every token, and the tokens as the features of segments look at them."""
        with self._lock:
            slots, context = self._rows(tokens)
            batch = batch_of(tokens.lengths, tokens.space_before, self._types.traits[slots])
            return self._emissions(tokens, slots, context), batch

    def plain(self, tokens: TokenBatch) -> tuple[FloatArray, IntArray, FloatArray, IntArray]:
        """The arguments of `ibidem.inference.emissions` that give the same scores: rows, types, table and ids."""
        with self._lock:
            slots, context = self._rows(tokens)
            return self._types.rows.copy(), slots, self._table.plain(), context

    def _rows(self, tokens: TokenBatch) -> tuple[IntArray, IntArray]:
        slots = self._types.slots(tokens.texts)
        context = self._context.rows(tokens, self._types.traits, slots)
        induced = self._types.conjunctions(slots, context, tokens.lengths)
        return slots, context if induced is None else np.concatenate([context, induced], axis=1)

    def _emissions(self, tokens: TokenBatch, slots: IntArray, context: IntArray) -> FloatArray:
        return packed_emissions(
            self._types.rows, slots, tokens.lengths, self._table.table, context, steady=self._context.steady
        )
