"""From paths through the automaton to spans, and from spans to the question how likely they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ibidem.labels.bio import levels_of, spans_of_levels
from ibidem.types import Automaton, BoolArray, FloatArray, IntArray, Potentials, Span


class Decoder:
    """Reads the spans of all levels off a path of states."""

    def __init__(self, automaton: Automaton, labels: Sequence[str]) -> None:
        self._labels = tuple(labels)
        by_label = [levels_of(label) for label in labels]
        self._levels = [by_label[label] for label in automaton.label]  # [S]
        self.paths = tuple(dict.fromkeys(path for paths, _ in by_label for path in paths))
        self._number = {path: number for number, path in enumerate(self.paths)}
        first = np.zeros((len(self.paths), len(automaton.label)), dtype=np.bool_)
        inside = np.zeros_like(first)
        for state, (paths, going_on) in enumerate(self._levels):
            for depth, path in enumerate(paths):
                (inside if depth < going_on else first)[self._number[path], state] = True
        self.masks: tuple[BoolArray, BoolArray] = (first, inside)  # [paths, S] each

    def spans(self, states: IntArray, lengths: IntArray) -> list[list[Span]]:
        """The spans of each string, in order of their start, parents before children."""
        found: list[list[Span]] = []
        path = states.tolist()
        start = 0
        for length in lengths.tolist():
            found.append(spans_of_levels([self._levels[state] for state in path[start : start + length]]))
            start += length
        return found

    def only(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """The scores of one string with nothing left but what these labels of its tokens use."""
        kept = np.array([[name == label for name in self._labels] for label in labels])[:, None]
        return np.where(kept, potentials.span, potentials.span.dtype.type(-np.inf))

    def segments(self, spans: Sequence[Sequence[Span]]) -> IntArray:
        """The spans as rows (string, start, end, number of the label's path).  # [M, 4]"""
        rows = [
            (string, span.start, span.end, self._number[span.label])
            for string, each in enumerate(spans)
            for span in each
        ]
        return np.array(rows, dtype=np.int32).reshape(-1, 4)
