"""The chain CRF (Lafferty 2001): a label for every token, by an automaton of the valid label sequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ibidem import inference
from ibidem.features import Lexicons
from ibidem.inference import nested_bio, product, track_labels
from ibidem.labels.bio import OUTSIDE
from ibidem.labels.tasks import task_of
from ibidem.models.crf import CRF, TokenScorer, dump_crf, load_crf, prune
from ibidem.models.decoding import TokenDecoder
from ibidem.models.encoder import Encoder
from ibidem.models.likelihood import Encoded, Lattice, Weights
from ibidem.models.scorer import Arrays, Description, register
from ibidem.text.tokens import TokenBatch
from ibidem.types import Automaton, ExpectedCounts, FloatArray, Potentials

if TYPE_CHECKING:
    from ibidem.models.training import CRFConfig, Pack, TrainingSet


def build_automaton(
    labels: Sequence[str], remember: bool, label_history: Sequence[str], outside: bool = True
) -> Automaton:
    """Return the automaton of the valid label sequences, with the memory of its states beyond the label before.

    With `remember`, "outside" knows the field before it; with a `label_history`, every state knows whether one of those
    fields has begun. Without `outside` every token is in a field: no arc leads to a state that is outside of all.
    """
    plain = nested_bio(labels, remember)[0]
    if not outside:
        kept = plain.label[plain.dst] != labels.index(OUTSIDE)
        plain = replace(plain, src=plain.src[kept], dst=plain.dst[kept])
    return product(plain, track_labels(labels, label_history)).automaton if label_history else plain


@dataclass(frozen=True, slots=True)
class ChainLattice:
    """The labellings of a chain CRF: a label for every token."""

    automaton: Automaton
    columns: int  # labels
    segments: tuple[int, int] = (0, 0)  # shape of the weights of segments: there are none

    @property
    def optional(self) -> NDArray[np.bool_]:
        """None of its columns."""
        return np.zeros(self.columns, dtype=np.bool_)

    @property
    def arcs(self) -> int:
        """Number of weights of arcs: one each."""
        return len(self.automaton.src)

    def expected(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], ExpectedCounts]:
        """Return the log partition of each string and the marginals."""
        return inference.marginals(self.automaton, Potentials(token[:, None], weights.arc, encoded.lengths), threads)

    def within(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], ExpectedCounts]:
        """Return the same among the labels that the annotation allows."""
        allowed = np.where(encoded.mask(), token, token.dtype.type(-np.inf))
        return self.expected(encoded, allowed, weights, threads)


@register
@dataclass(frozen=True, slots=True)
class ChainModel(CRF):
    """Weights of a chain CRF: of attributes [K, W * Y], of context [P, Y], of arcs [A]."""

    kind: ClassVar[str] = "chain"
    labels_tokens: ClassVar[bool] = True

    def scorer(self) -> ChainScorer:
        """Return a scorer with these weights."""
        return ChainScorer(self)

    def dump(self) -> tuple[Description, Arrays]:
        """Return the description and the arrays of a model file."""
        return dump_crf(self)

    @classmethod
    def load(cls, description: Description, arrays: Arrays) -> ChainModel:
        """Return the model that `dump` described."""
        return cls(*load_crf(description, arrays))

    @classmethod
    def pack(
        cls, labels: tuple[str, ...], automaton: Automaton, below: float, encoder: Encoder, weights: Weights
    ) -> ChainModel:
        """Return the model of trained weights, without weights smaller than `below` and features left with none."""
        kept, attribute, context = prune(encoder, weights, below)
        return cls(labels, automaton, kept, attribute, context, weights.arc.astype(np.float32))

    @classmethod
    def prepare(
        cls, data: TrainingSet, _encoded: Encoded, _lexicons: Lexicons, config: CRFConfig
    ) -> tuple[Lattice, Pack]:
        """Return the lattice to train weights in, and the function that makes a model of them."""
        outside = not task_of(data.task).one_token
        automaton = build_automaton(data.labels, config.remember, config.label_history, outside)
        return ChainLattice(automaton, len(data.labels)), partial(cls.pack, data.labels, automaton, config.prune_below)


class ChainScorer(TokenDecoder):
    """Scores and decodes batches of strings with a chain CRF."""

    def __init__(self, model: ChainModel) -> None:
        super().__init__(model.automaton, model.labels)
        self.model = model
        self._tokens = TokenScorer(model.encoder, model.attribute, model.context, len(model.labels))

    def score(self, tokens: TokenBatch) -> Potentials:
        """Return the scores of every label at every token, and of every arc."""
        return Potentials(self._tokens.score(tokens)[:, None], self.model.arc, tokens.lengths)
