"""The semi-CRF (Sarawagi and Cohen 2004; Cuong and others 2015): scores segments, by an automaton of label patterns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ibidem.features import Lexicons
from ibidem.features.segments import segment_sizes
from ibidem.inference import SpanPotentials, SpanWeights
from ibidem.labels.tasks import task_of
from ibidem.models.crf import CRF, TokenScorer, dump_crf, load_crf, load_rows, prune
from ibidem.models.encoder import Encoder
from ibidem.models.likelihood import Encoded, Lattice, Weights
from ibidem.models.rows import SparseRows, sparse_rows
from ibidem.models.scorer import Arrays, Description, register, take_array
from ibidem.models.semi.columns import Columns, load_columns
from ibidem.models.semi.decoding import SegmentDecoder
from ibidem.models.semi.labels import LONGEST
from ibidem.models.semi.lattice import Segments, SemiLattice, build_lattice
from ibidem.text.tokens import TokenBatch
from ibidem.types import IntArray

if TYPE_CHECKING:
    from ibidem.models.training import CRFConfig, Pack, TrainingSet

_ROOM = 1 << 24  # scores of the spans of a string, at most, except for very long ones
_MIN_LENGTH = 48  # tokens that a segment may have in a string of any length


@register
@dataclass(frozen=True, slots=True)
class SemiModel(CRF):
    """Weights of a semi-CRF: of attributes [K, W * R * C], of context [P, R * C], of arcs [A], of segments.

    `labels` has the label of a segment of each of the C columns: those of patterns repeat that of the last segment.
    """

    kind: ClassVar[str] = "semi"
    labels_tokens: ClassVar[bool] = False

    limits: IntArray  # [C] the longest segment of each column
    roles: int  # R
    segment: SparseRows  # [Q, C]; no rows where there are no features of whole segments
    columns: Columns

    def scorer(self) -> SemiScorer:
        """Return a scorer with these weights."""
        return SemiScorer(self)

    def dump(self) -> tuple[Description, Arrays]:
        """Return the description and the arrays of a model file."""
        labels = self.columns.labels
        own = {"limits": self.limits[:labels].astype(np.int32)}
        if labels < len(self.labels):
            own["suffix"] = self.columns.suffix[labels:].astype(np.int32)
        description, arrays = dump_crf(self, own, {"segment": self.segment})
        description |= {"labels": self.labels[:labels]}
        if "suffix" in own:
            description |= {"format": 3}  # older versions do not know columns of patterns
        sizes = segment_sizes(self.encoder.lexicons) if len(self.segment.scale) else {}
        return {**description, "roles": self.roles, "stretches": sizes}, arrays

    @classmethod
    def load(cls, description: Description, arrays: Arrays) -> SemiModel:
        """Return the model that `dump` described."""
        roles = int(description["roles"])
        names, limits = description["labels"], take_array(arrays, "limits", np.int32)
        none = np.zeros(0, dtype=np.int32)
        columns = load_columns(len(names), take_array(arrays, "suffix", np.int32) if "suffix" in arrays else none)
        given = description | {"labels": [names[label] for label in columns.label]}
        labels, automaton, encoder, attribute, context, arc = load_crf(given, arrays, roles)
        if len(limits) != len(names) or limits.min() < 1 or limits.max() > LONGEST:
            raise ValueError("the limits of its segments do not fit its labels")
        sizes = {str(name): int(size) for name, size in description["stretches"].items()}
        if sizes and sizes != segment_sizes(encoder.lexicons):
            raise ValueError("its features of segments are not those of this version")
        segment = load_rows(arrays, "segment", len(labels))
        if len(segment.scale) != sum(sizes.values()):
            raise ValueError("the numbers of features of segments and of weights differ")
        reach = limits[columns.label]
        return cls(labels, automaton, encoder, attribute, context, arc, reach, roles, segment, columns)

    @classmethod
    def pack(cls, lattice: SemiLattice, below: float, encoder: Encoder, weights: Weights) -> SemiModel:
        """Return the model of trained weights, without weights smaller than `below` and features left with none."""
        kept, attribute, context = prune(encoder, weights, below)
        return cls(
            lattice.labels,
            lattice.automaton,
            kept,
            attribute,
            context,
            lattice.arc_scores(weights.arc).astype(np.float32),
            lattice.spans.limits,
            lattice.spans.roles,
            sparse_rows(weights.segment, below),
            lattice.spans.columns,
        )

    @classmethod
    def prepare(
        cls, data: TrainingSet, encoded: Encoded, lexicons: Lexicons, config: CRFConfig
    ) -> tuple[Lattice, Pack]:
        """Return the lattice to train weights in, and the function that makes a model of them."""
        lattice = build_lattice(data.labels, encoded, config, lexicons, not task_of(data.task).one_token)
        return lattice, partial(cls.pack, lattice, config.prune_below)


class SemiScorer(SegmentDecoder):
    """Scores and decodes batches of strings with a semi-CRF."""

    def __init__(self, model: SemiModel) -> None:
        super().__init__(model.automaton, model.labels, model.limits)
        self.model = model
        columns = model.roles * len(model.labels)
        self._tokens = TokenScorer(model.encoder, model.attribute, model.context, columns)
        whole = len(model.segment.scale) > 0
        self._segments = Segments(model.columns, model.limits, model.roles, model.encoder.lexicons if whole else None)
        self._weights = SpanWeights(model.limits, model.columns.add_suffixes(model.segment.dense()))

    def score(self, tokens: TokenBatch) -> SpanPotentials:
        """Return the scores of every column of every span, computed when they are needed, and of every arc."""
        longest = min(self._segments.longest(tokens.lengths), self._max_length(int(tokens.lengths.max(initial=1))))
        scores, batch = self._tokens.score_with_batch(tokens)
        ids = self._segments.ids(batch, tokens.lengths, longest)
        columns = scores.reshape(len(scores), self.model.roles, len(self.model.labels))
        columns = self.model.columns.add_suffixes(columns)
        return SpanPotentials(columns, self._weights, ids, longest, self.model.arc, tokens.lengths)

    def _max_length(self, tokens: int) -> int:
        """Return the length of segments for which the scores of so many tokens fit in memory; no reference is near."""
        return max(_MIN_LENGTH, _ROOM // max(tokens * len(self.model.labels), 1))
