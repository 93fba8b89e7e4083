"""From paths through an automaton to spans: the fields that labels spell, and the decoder of token labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ibidem.inference import Decoded, Paths, best_segments
from ibidem.inference.dual import SoftDual
from ibidem.labels.bio import levels_of, spans_of_levels
from ibidem.types import Automaton, BoolArray, FloatArray, IntArray, Potentials, Span


class Fields:
    """The fields that nested BIO labels spell: their paths, and which labels begin or continue each."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.levels = [levels_of(label) for label in labels]  # [Y]
        self.paths = tuple(dict.fromkeys(path for paths, _ in self.levels for path in paths))
        self.number = {path: number for number, path in enumerate(self.paths)}
        self.begins = np.zeros((len(self.paths), len(labels)), dtype=np.bool_)  # [paths, Y]
        self.continues = np.zeros_like(self.begins)
        for y, (paths, going_on) in enumerate(self.levels):
            for depth, path in enumerate(paths):
                (self.continues if depth < going_on else self.begins)[self.number[path], y] = True

    def rows(self, spans: Sequence[Sequence[Span]]) -> IntArray:
        """Return the spans of each string as rows (string, start, end, number of the path).  # [M, 4]"""
        rows = [
            (string, span.start, span.end, self.number[span.label])
            for string, each in enumerate(spans)
            for span in each
        ]
        return np.array(rows, dtype=np.int32).reshape(-1, 4)


class TokenDecoder:
    """Decodes the scores of models that give each token one label (L = 1): the half of a `Scorer` that has no weights.

    A scorer of such a model inherits from it and adds `score`.
    """

    batch_characters = 1 << 16

    def __init__(self, automaton: Automaton, labels: Sequence[str]) -> None:
        self.automaton = automaton
        self._labels = tuple(labels)
        self.fields = Fields(labels)
        self.paths = self.fields.paths
        shown = np.asarray(automaton.label)
        self._levels = [self.fields.levels[label] for label in shown]  # [S]
        self.masks: tuple[BoolArray, BoolArray] = (  # [paths, S] each
            np.ascontiguousarray(self.fields.begins[:, shown]),
            np.ascontiguousarray(self.fields.continues[:, shown]),
        )

    def decode(
        self, potentials: Potentials, threads: int, with_marginals: bool, dual: SoftDual | None = None
    ) -> Decoded:
        """Return the fields on the best path of each string, with their log-probabilities if `with_marginals`."""
        return best_segments(self.automaton, potentials, *self.masks, threads, with_marginals, dual)

    def restrict(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """Return the scores of one string with -inf for everything that these labels of its tokens do not use."""
        kept = np.array([[name == label for name in self._labels] for label in labels])[:, None]
        return np.where(kept, potentials.span, potentials.span.dtype.type(-np.inf))

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """Return the spans on a path of each string, in order of their start, parents before children."""
        found: list[list[Span]] = []
        path = paths.state.tolist()
        start = 0
        for length in lengths.tolist():
            found.append(spans_of_levels([self._levels[state] for state in path[start : start + length]]))
            start += length
        return found
