"""The chain CRF: labels, automaton, weights, and how they score a batch of strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ibidem.features import batch_of
from ibidem.inference import milestone, nested_bio, product
from ibidem.models.encoder import Encoder, blanks_of
from ibidem.models.likelihood import Weights
from ibidem.models.rows import SparseRows, TypeRows, sparse_rows
from ibidem.types import Automaton, FloatArray, Potentials, Token


def automaton_of(labels: Sequence[str], remember: bool, milestones: Sequence[str]) -> Automaton:
    """The automaton of the valid label sequences, with what its states are to remember beyond the label before.

    With `remember`, "outside" knows the field before it; with `milestones`, every state knows whether one of those
    fields has begun.
    """
    plain = nested_bio(labels, remember)[0]
    return product(plain, milestone(labels, milestones)).automaton if milestones else plain


@dataclass(frozen=True, slots=True)
class ChainModel:
    """Everything that is saved: what a model knows, and the card that says where it comes from."""

    labels: tuple[str, ...]  # [Y]
    automaton: Automaton
    encoder: Encoder
    attribute: SparseRows  # [K, W * Y]
    context: SparseRows  # [P, Y]
    arc: FloatArray  # [A]
    calibration: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    card: Mapping[str, Any] = field(default_factory=dict)


def packed(
    labels: Sequence[str],
    automaton: Automaton,
    encoder: Encoder,
    weights: Weights,
    smallest: float,
    card: Mapping[str, Any],
) -> ChainModel:
    """The model of freshly trained weights; entries smaller than `smallest` are dropped."""
    attributes, window, count = weights.attribute.shape
    attribute = sparse_rows(weights.attribute.reshape(attributes, window * count), smallest)
    context = sparse_rows(weights.context, smallest)
    return ChainModel(tuple(labels), automaton, encoder, attribute, context, weights.arc.astype(np.float32), {}, card)


class ChainScorer:
    """Scores batches of tokenised strings with a model; keeps the cache of rows between batches."""

    def __init__(self, model: ChainModel) -> None:
        self.model = model
        self.automaton = model.automaton
        self._table = model.context.dense()
        self._types = TypeRows(model.encoder, model.attribute, len(model.labels))

    def potentials(self, strings: Sequence[Sequence[Token]]) -> Potentials:
        """The scores of every label at every token, and of every arc."""
        from ibidem.inference import emissions

        texts = [token.text for tokens in strings for token in tokens]
        blank = np.fromiter((flag for tokens in strings for flag in blanks_of(tokens)), np.bool_, count=len(texts))
        lengths = np.fromiter(map(len, strings), dtype=np.int32, count=len(strings))
        slots = self._types.slots(texts)
        context = self.model.encoder.rows_of_context(batch_of(lengths, blank, self._types.traits[slots]))
        span = emissions(self._types.rows, slots, lengths, self._table, context)
        return Potentials(span[:, None], self.model.arc, lengths)
