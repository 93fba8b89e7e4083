"""What a parser asks of a model, whatever its kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ibidem.inference import Decoded, Paths
from ibidem.inference.dual import SoftDual
from ibidem.models.chain import ChainModel, ChainScorer
from ibidem.models.semi.model import SemiModel, SemiScorer
from ibidem.text.tokens import TokenBatch
from ibidem.types import Automaton, FloatArray, IntArray, Potentials, Span, Token

Model = ChainModel | SemiModel


class Scorer(Protocol):
    """Scores batches of tokenised strings, and reads what is most likely off the scores."""

    automaton: Automaton
    paths: tuple[str, ...]  # what fields may be called
    characters: int  # of the strings that are scored at once

    def potentials(self, strings: Sequence[Sequence[Token]]) -> Potentials:
        """The scores of labels and arcs."""

    def score(self, tokens: TokenBatch) -> Potentials:
        """The scores of labels and arcs."""

    def read(self, potentials: Potentials, threads: int, with_marginals: bool, dual: SoftDual | None = None) -> Decoded:
        """The fields on the best path of each string, with their log-probabilities where those are asked for.

        With a `dual`, on the best path under its constraints.
        """

    def only(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """The scores of one string with nothing left but what these labels of its tokens use."""

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """The spans on a path of each string, in order of their start, parents before children."""


def scorer_of(model: Model) -> Scorer:
    """The scorer of a model."""
    return SemiScorer(model) if isinstance(model, SemiModel) else ChainScorer(model)
