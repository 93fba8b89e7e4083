"""From paths through the automaton to spans, and from spans to the question how likely they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ibidem.types import Automaton, BoolArray, IntArray, Span


def levels(label: str) -> tuple[tuple[str, str], ...]:
    """The levels of a nested BIO label: whether each begins there, and its path.

    >>> levels("I-author/B-person")
    (('I', 'author'), ('B', 'author/person'))
    """
    if label == "O":
        return ()
    found: list[tuple[str, str]] = []
    for part in label.split("/"):
        flag, name = part.split("-", 1)
        found.append((flag, f"{found[-1][1]}/{name}" if found else name))
    return tuple(found)


class Decoder:
    """Reads the spans of all levels off a path of states."""

    def __init__(self, automaton: Automaton, labels: Sequence[str]) -> None:
        by_label = [levels(label) for label in labels]
        self._levels = [by_label[label] for label in automaton.label]  # [S]
        self.paths = tuple(dict.fromkeys(path for each in by_label for _, path in each))
        self._number = {path: number for number, path in enumerate(self.paths)}
        first = np.zeros((len(self.paths), len(automaton.label)), dtype=np.bool_)
        inside = np.zeros_like(first)
        for state, each in enumerate(self._levels):
            for flag, path in each:
                (first if flag == "B" else inside)[self._number[path], state] = True
        self.masks: tuple[BoolArray, BoolArray] = (first, inside)  # [paths, S] each

    def spans(self, states: IntArray, lengths: IntArray) -> list[list[Span]]:
        """The spans of each string, in order of their start, parents before children."""
        found: list[list[Span]] = []
        path = states.tolist()
        start = 0
        for length in lengths.tolist():
            found.append(self._read(path[start : start + length]))
            start += length
        return found

    def _read(self, path: list[int]) -> list[Span]:
        open_: list[tuple[str, int]] = []
        found: list[tuple[int, int, str, int]] = []

        def close(depth: int, end: int) -> None:
            while len(open_) > depth:
                name, begin = open_.pop()
                found.append((begin, len(open_), name, end))

        previous = -1
        for place, state in enumerate(path):
            each = self._levels[state]
            if state == previous and (not each or all(flag == "I" for flag, _ in each)):
                continue
            previous = state
            kept = 0
            for flag, _ in each:
                if flag == "B" or kept >= len(open_):
                    break
                kept += 1
            close(kept, place)
            open_.extend((name, place) for _, name in each[kept:])
        close(0, len(path))
        found.sort()
        return [Span(name, begin, end) for begin, _, name, end in found]

    def segments(self, spans: Sequence[Sequence[Span]]) -> IntArray:
        """The spans as rows (string, start, end, number of the label's path).  # [M, 4]"""
        rows = [
            (string, span.start, span.end, self._number[span.label])
            for string, each in enumerate(spans)
            for span in each
        ]
        return np.array(rows, dtype=np.int32).reshape(-1, 4)
