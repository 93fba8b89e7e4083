"""The semi-CRF: labels of segments, automaton of patterns, weights, and how they score and read a batch of strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from ibidem.inference import Decoded, Paths, spans_anew
from ibidem.inference.dual import SoftDual
from ibidem.models.chain import packed_rows
from ibidem.models.encoder import Encoder
from ibidem.models.likelihood import Weights
from ibidem.models.rows import SparseRows, sparse_rows
from ibidem.models.semi.labels import continuation
from ibidem.models.semi.lattice import Segments, SemiLattice
from ibidem.models.semi.reading import SegmentReader
from ibidem.models.tokens import TokenScorer
from ibidem.text.tokens import TokenBatch, batch_tokens
from ibidem.types import Automaton, FloatArray, IntArray, Potentials, Span, Token

_ROOM = 1 << 22  # scores of spans held at once when strings are parsed, but for very long ones
_AT_LEAST = 48  # tokens of a segment in a string of any length


@dataclass(frozen=True, slots=True)
class SemiModel:
    """Everything that is saved: what a model knows, and the card that says where it comes from."""

    labels: tuple[str, ...]  # [Y] of segments
    automaton: Automaton
    encoder: Encoder
    attribute: SparseRows  # [K, W * R * Y]
    context: SparseRows  # [P, R * Y]
    arc: FloatArray  # [A]
    limits: IntArray  # [Y] the longest segment of each label
    roles: int  # R
    segment: SparseRows  # [Q, Y]; no rows where nothing is said of segments as a whole
    calibration: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    constraints: Mapping[str, float] = field(default_factory=dict)  # constraint -> penalty
    card: Mapping[str, Any] = field(default_factory=dict)


def packed_semi(
    lattice: SemiLattice, encoder: Encoder, weights: Weights, smallest: float, card: Mapping[str, Any]
) -> SemiModel:
    """The model of freshly trained weights; entries smaller than `smallest` and features left with none are dropped."""
    kept, attribute, context = packed_rows(encoder, weights, smallest)
    return SemiModel(
        lattice.vocabulary.labels,
        lattice.automaton,
        kept,
        attribute,
        context,
        lattice.arc_scores(weights.arc).astype(np.float32),
        lattice.vocabulary.limits,
        lattice.spans.roles,
        sparse_rows(weights.segment, smallest),
        card=card,
    )


class SemiScorer:
    """Scores batches of tokenised strings with a model, and reads what is most likely off the scores.

    Without `extensible` every feature is looked up for every segment anew: the same scores at a much higher price.
    """

    def __init__(self, model: SemiModel, extensible: bool = True) -> None:
        self.model = model
        self.automaton = model.automaton
        self.extensible = extensible
        columns = model.roles * len(model.labels)
        self._tokens = TokenScorer(model.encoder, model.attribute, model.context, columns)
        whole = len(model.segment.scale) > 0
        self._segments = Segments(model.limits, model.roles, model.encoder.lexicons if whole else None)
        self._table = model.segment.dense()
        self._reader = SegmentReader(model.automaton, model.labels, model.limits)
        self.paths = self._reader.paths
        self.characters = max(1 << 10, _ROOM // (int(model.limits.max()) * len(model.labels)))

    def potentials(self, strings: Sequence[Sequence[Token]]) -> Potentials:
        """The scores of every label of every span, and of every arc."""
        return self.score(batch_tokens(strings))

    def score(self, tokens: TokenBatch) -> Potentials:
        """The scores of every label of every span, and of every arc."""
        longest = min(self._segments.longest(tokens.lengths), self._room(len(tokens.texts)))
        scores, batch = self._tokens.score_with_batch(tokens)
        ids = self._segments.ids(batch, tokens.lengths, longest)
        if self.extensible:
            span = self._segments.score(scores, tokens.lengths, self._table, ids, longest)
        else:
            rows, types, table, context = self._tokens.plain(tokens)
            span = self._segments.score(np.zeros_like(scores), tokens.lengths, self._table, ids, longest)
            span += spans_anew(
                rows, types, tokens.lengths, table, context, self.model.roles, self.model.limits, longest
            )
        return Potentials(span, self.model.arc, tokens.lengths)

    def _room(self, tokens: int) -> int:
        """How long segments may be for the scores of so many tokens to fit in memory: of importance to no reference."""
        return max(_AT_LEAST, 4 * _ROOM // max(tokens * len(self.model.labels), 1))

    def read(self, potentials: Potentials, threads: int, with_marginals: bool, dual: SoftDual | None = None) -> Decoded:
        """The segments on the best path of each string, with their log-probabilities where those are asked for."""
        return self._reader.read(potentials, threads, with_marginals, dual)

    def only(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """The scores of one string with nothing left but what these labels of its tokens use."""
        span = np.full_like(potentials.span, -np.inf)
        starts = [n for n, label in enumerate(labels) if n == 0 or label != continuation(labels[n - 1])]
        for start, end in pairwise([*starts, len(labels)]):
            if labels[start] in self.model.labels and end - start <= span.shape[1]:
                place = start, end - start - 1, self.model.labels.index(labels[start])
                span[place] = potentials.span[place]
        return span

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """The spans on a path of each string, in order of their start, parents before children."""
        return self._reader.spans(paths, lengths)
