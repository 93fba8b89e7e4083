"""The chain CRF: labels, automaton, weights, and how they score a batch of strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import numpy as np

from ibidem.inference import milestone, nested_bio, packed_emissions, product
from ibidem.models.context import ContextRows
from ibidem.models.encoder import Encoder
from ibidem.models.likelihood import Weights
from ibidem.models.rows import LazyRows, SparseRows, TypeRows, sparse_rows
from ibidem.tasks.bio import OUTSIDE
from ibidem.text.tokens import Columns, as_columns
from ibidem.types import Automaton, FloatArray, Potentials, Token


def automaton_of(labels: Sequence[str], remember: bool, milestones: Sequence[str], outside: bool = True) -> Automaton:
    """The automaton of the valid label sequences, with what its states are to remember beyond the label before.

    With `remember`, "outside" knows the field before it; with `milestones`, every state knows whether one of those
    fields has begun. Without `outside` every token is in a field: no arc leads to a state that is outside of all.
    """
    plain = nested_bio(labels, remember)[0]
    if not outside:
        kept = plain.label[plain.dst] != labels.index(OUTSIDE)
        plain = replace(plain, src=plain.src[kept], dst=plain.dst[kept])
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
    constraints: Mapping[str, float] = field(default_factory=dict)  # constraint -> penalty
    card: Mapping[str, Any] = field(default_factory=dict)


def packed(
    labels: Sequence[str],
    automaton: Automaton,
    encoder: Encoder,
    weights: Weights,
    smallest: float,
    card: Mapping[str, Any],
) -> ChainModel:
    """The model of freshly trained weights; entries smaller than `smallest` and features left with none are dropped."""
    attributes, window, count = weights.attribute.shape
    attribute = sparse_rows(weights.attribute.reshape(attributes, window * count), smallest)
    context = sparse_rows(weights.context, smallest)
    arc = weights.arc.astype(np.float32)
    return without_empty_rows(ChainModel(tuple(labels), automaton, encoder, attribute, context, arc, card=card))


def without_empty_rows(model: ChainModel) -> ChainModel:
    """The same model without the attributes and codes of context that weigh nothing."""
    attributes, contexts = model.attribute.used(), model.context.used()
    number = np.full(len(contexts) + 1, -1, dtype=np.int32)  # the last entry stands for "no row"
    number[:-1][contexts] = np.arange(contexts.sum())
    encoder = replace(
        model.encoder,
        attributes=model.encoder.attributes[attributes],
        context={name: number[rows] for name, rows in model.encoder.context.items()},
    )
    return replace(
        model, encoder=encoder, attribute=model.attribute.only(attributes), context=model.context.only(contexts)
    )


class ChainScorer:
    """Scores batches of tokenised strings with a model; keeps the cache of rows between batches."""

    def __init__(self, model: ChainModel) -> None:
        self.model = model
        self.automaton = model.automaton
        self._lock = Lock()
        self._table = LazyRows(model.context)
        self._context = ContextRows(model.encoder, self._table)
        self._types = TypeRows(model.encoder, model.attribute, len(model.labels))

    def potentials(self, strings: Sequence[Sequence[Token]]) -> Potentials:
        """The scores of every label at every token, and of every arc."""
        return self.score(as_columns(strings))

    def score(self, tokens: Columns) -> Potentials:
        """The scores of every label at every token, and of every arc."""
        table = self._table
        with self._lock:  # the caches are filled and emptied here
            slots = self._types.slots(tokens.texts)
            context = self._context.rows(tokens, self._types.traits, slots)
            span = packed_emissions(
                self._types.rows, slots, tokens.lengths, table.table, context, steady=self._context.steady
            )
        return Potentials(span[:, None], self.model.arc, tokens.lengths)
