"""The chain CRF: labels, automaton, weights, and how they score a batch of strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ibidem.inference import Decoded, Paths, best_segments, milestone, nested_bio, product
from ibidem.inference.dual import SoftDual
from ibidem.labels.bio import OUTSIDE
from ibidem.models.decoding import Decoder
from ibidem.models.encoder import Encoder
from ibidem.models.likelihood import Weights
from ibidem.models.rows import SparseRows, sparse_rows
from ibidem.models.tokens import TokenScorer
from ibidem.text.tokens import TokenBatch, batch_tokens
from ibidem.types import Automaton, FloatArray, IntArray, Potentials, Span, Token


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
    kept, attribute, context = packed_rows(encoder, weights, smallest)
    arc = weights.arc.astype(np.float32)
    return ChainModel(tuple(labels), automaton, kept, attribute, context, arc, card=card)


def packed_rows(encoder: Encoder, weights: Weights, smallest: float) -> tuple[Encoder, SparseRows, SparseRows]:
    """The encoder without features that weigh nothing, and the weights of tokens of `smallest` or more."""
    attributes, window, count = weights.attribute.shape
    attribute = sparse_rows(weights.attribute.reshape(attributes, window * count), smallest)
    return without_empty_rows(encoder, attribute, sparse_rows(weights.context, smallest))


def without_empty_rows(
    encoder: Encoder, attribute: SparseRows, context: SparseRows
) -> tuple[Encoder, SparseRows, SparseRows]:
    """The same without the attributes, codes of context and conjunctions that weigh nothing."""
    attributes, used, codes = attribute.used(), context.used(), encoder.contexts
    contexts, weighed = used[:codes], used[codes:]
    induced = encoder.induced.only(weighed)
    attributes[induced.attributes()] = True  # what conjunctions are made of is needed even if it weighs nothing itself
    contexts[induced.contexts()] = True
    number = np.full(len(contexts) + 1, -1, dtype=np.int32)  # the last entry stands for "no row"
    number[:-1][contexts] = np.arange(contexts.sum())
    kept = replace(
        encoder,
        attributes=encoder.attributes[attributes],
        context={name: number[rows] for name, rows in encoder.context.items()},
        induced=induced.renumbered(attributes, contexts),
    )
    return kept, attribute.only(attributes), context.only(np.concatenate([contexts, weighed]))


class ChainScorer:
    """Scores batches of tokenised strings with a model, and reads what is most likely off the scores."""

    characters = 1 << 16  # of the strings that are scored at once

    def __init__(self, model: ChainModel) -> None:
        self.model = model
        self.automaton = model.automaton
        self._tokens = TokenScorer(model.encoder, model.attribute, model.context, len(model.labels))
        self._decoder = Decoder(model.automaton, model.labels)
        self.paths = self._decoder.paths

    def potentials(self, strings: Sequence[Sequence[Token]]) -> Potentials:
        """The scores of every label at every token, and of every arc."""
        return self.score(batch_tokens(strings))

    def score(self, tokens: TokenBatch) -> Potentials:
        """The scores of every label at every token, and of every arc."""
        return Potentials(self._tokens.score(tokens)[:, None], self.model.arc, tokens.lengths)

    def read(self, potentials: Potentials, threads: int, with_marginals: bool, dual: SoftDual | None = None) -> Decoded:
        """The segments on the best path of each string, with their log-probabilities where those are asked for."""
        return best_segments(self.automaton, potentials, *self._decoder.masks, threads, with_marginals, dual)

    def only(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """The scores of one string with nothing left but what these labels of its tokens use."""
        return self._decoder.only(potentials, labels)

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """The spans on a path of each string, in order of their start, parents before children."""
        return self._decoder.spans(paths.state, lengths)
