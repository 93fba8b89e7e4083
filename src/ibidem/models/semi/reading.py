"""From paths of segments to fields, and how likely each field is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ibidem.inference import Decoded, Paths, log_partition, marginals
from ibidem.inference.decoding import best_under
from ibidem.inference.dual import SoftDual, some_strings
from ibidem.labels.bio import levels_of, spans_of_levels
from ibidem.models.semi.labels import continuation
from ibidem.types import Automaton, BoolArray, ExpectedCounts, FloatArray, IntArray, Potentials, Span

_ROOM = 1 << 22  # scores held at once for the chances of fields with parts
Reals = NDArray[np.float64]


class SegmentReader:
    """Reads fields off segments.

    A field without parts is one segment. (Several of one label in a row that could not be one, because together they
    are longer than a segment of that label may be, are one field all the same.) A field with parts is a run of several.
    """

    def __init__(self, automaton: Automaton, labels: Sequence[str], limits: IntArray) -> None:
        self._automaton = automaton
        self._first = [levels_of(label) for label in labels]  # of a segment's first token, [Y]
        self._inside = [levels_of(continuation(label)) for label in labels]
        self._limits = np.asarray(limits)
        self._joins = np.array([continuation(label) not in labels for label in labels])  # [Y]
        self.paths = tuple(dict.fromkeys(path for paths, _ in self._first for path in paths))
        self._number = {path: number for number, path in enumerate(self.paths)}
        self.begins = np.zeros((len(self.paths), len(labels)), dtype=np.bool_)  # [paths, Y]
        self.goes_on = np.zeros_like(self.begins)
        for y, (paths, going_on) in enumerate(self._first):
            for depth, path in enumerate(paths):
                (self.goes_on if depth < going_on else self.begins)[self._number[path], y] = True
        self._whole: BoolArray = ~np.asarray(self.goes_on.any(axis=1))  # [paths] fields that are one segment
        self._flat = all(len(paths) <= 1 and not going_on for paths, going_on in self._first)

    def read(
        self, potentials: Potentials, threads: int = 1, with_marginals: bool = True, dual: SoftDual | None = None
    ) -> Decoded:
        """The fields on the best path of each string, as `ibidem.inference.best_segments` gives those of a chain."""
        paths, potentials, price = best_under(self._automaton, potentials, threads, dual)
        segments, joined = self.segments(paths, potentials.lengths)
        if not with_marginals:
            return Decoded(paths.score, np.zeros(len(paths.score)), segments, np.zeros(len(segments)), price)
        log_z, credit = marginals(self._automaton, potentials, threads)
        mass = np.full(len(segments), -np.inf)
        whole = self._whole[segments[:, 3]] & ~joined
        mass[whole] = self._mass_of_spans(potentials.lengths, credit, segments[whole])
        for m in np.flatnonzero(joined):
            mass[m] = self._mass_of_joined(paths, potentials.lengths, credit, segments[m])
        divided = np.flatnonzero(~whole & ~joined)
        mass[divided] = self._mass_of_runs(potentials, log_z, segments[divided], threads)
        return Decoded(paths.score, log_z, segments, mass, price)

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """The spans on a path of each string, in order of their start, parents before children."""
        label = np.asarray(self._automaton.label)[paths.state].tolist()
        starts = self._starts(paths, lengths).tolist()
        found: list[list[Span]] = []
        place = 0
        for length in lengths.tolist():
            tokens = [(self._first if starts[n] else self._inside)[label[n]] for n in range(place, place + length)]
            found.append(spans_of_levels(tokens))
            place += length
        return found

    def segments(self, paths: Paths, lengths: IntArray) -> tuple[IntArray, BoolArray]:
        """The fields of a path of each string as rows (string, start, end, path), and which are several segments."""
        starts = self._starts(paths, lengths)
        joined = paths.start & ~starts
        if self._flat:
            rows = self._flat_rows(paths, lengths, starts)
        else:
            listed = [
                (string, span.start, span.end, self._number[span.label])
                for string, each in enumerate(self.spans(paths, lengths))
                for span in each
            ]
            rows = np.array(listed, dtype=np.int32).reshape(-1, 4)
        if not joined.any():
            return rows, np.zeros(len(rows), dtype=np.bool_)
        running = np.concatenate([[0], np.cumsum(joined)])
        origin = (np.cumsum(lengths) - lengths)[rows[:, 0]]
        several = running[origin + rows[:, 2]] > running[origin + rows[:, 1]]
        return rows, np.asarray(several & self._whole[rows[:, 3]])

    def _flat_rows(self, paths: Paths, lengths: IntArray, starts: BoolArray) -> IntArray:
        begin = np.flatnonzero(starts)
        end = np.append(begin[1:], len(starts))
        string = np.repeat(np.arange(len(lengths)), lengths)[begin]
        origin = (np.cumsum(lengths) - lengths)[string]
        label = np.asarray(self._automaton.label)[paths.state[begin]]
        path = np.array([self._number[each[0]] if each else -1 for each, _ in self._first])[label]
        rows = np.stack([string, begin - origin, end - origin, path], axis=1).astype(np.int32)
        return np.asarray(rows[path >= 0])

    def _starts(self, paths: Paths, lengths: IntArray) -> BoolArray:
        """Where segments begin, but for those of a run that is one field since no segment is so long.  # [N]"""
        begin = np.flatnonzero(paths.start)
        length = np.diff(np.append(begin, len(paths.start)))
        label = np.asarray(self._automaton.label)[paths.state[begin]]
        place = np.arange(len(paths.start)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        again = np.zeros(len(begin), dtype=np.bool_)
        again[1:] = (label[1:] == label[:-1]) & (place[begin[1:]] > 0) & self._joins[label[1:]]
        if not again.any():
            return paths.start
        run = np.cumsum(~again) - 1
        total = np.bincount(run, weights=length)[run]
        starts = paths.start.copy()
        starts[begin[again & (total > self._limits[label])]] = False
        return starts

    def _mass_of_spans(self, lengths: IntArray, credit: ExpectedCounts, segments: IntArray) -> Reals:
        """The log-probabilities of fields that are one segment.  # [M]"""
        origin = (np.cumsum(lengths) - lengths)[segments[:, 0]]
        span = credit.span[origin + segments[:, 1], segments[:, 2] - segments[:, 1] - 1]  # [M, Y]
        return _logarithm((span * self.begins[segments[:, 3]]).sum(axis=1))

    def _mass_of_joined(self, paths: Paths, lengths: IntArray, credit: ExpectedCounts, segment: IntArray) -> float:
        """The least of the log-probabilities of its segments: the field is not more likely than that."""
        origin = int((np.cumsum(lengths) - lengths)[segment[0]])
        begin = origin + segment[1] + np.flatnonzero(paths.start[origin + segment[1] : origin + segment[2]])
        size = np.diff(np.append(begin, origin + segment[2]))
        label = np.asarray(self._automaton.label)[paths.state[begin]]
        return float(_logarithm(credit.span[begin, size - 1, label]).min())

    def _mass_of_runs(self, potentials: Potentials, log_z: Reals, segments: IntArray, threads: int) -> Reals:
        """The log-probabilities of fields that are runs of segments: sums over all paths on which they are.  # [M]"""
        mass = np.zeros(len(segments))
        size = np.asarray(potentials.lengths)[segments[:, 0]].astype(np.int64) * potentials.span[0].size
        group = np.cumsum(size) // _ROOM
        for each in np.unique(group):
            chosen = np.flatnonzero(group == each)
            part = some_strings(potentials, segments[chosen, 0].astype(np.intp))
            span = np.array(part.span)
            place = 0
            for length, (_, start, end, path) in zip(part.lengths.tolist(), segments[chosen].tolist(), strict=True):
                self._only(span[place : place + length], start, end, path)
                place += length
            total = log_partition(self._automaton, Potentials(span, part.arc, part.lengths), threads)
            mass[chosen] = total - log_z[segments[chosen, 0]]
        return np.minimum(mass, 0.0)

    def _only(self, span: FloatArray, start: int, end: int, path: int) -> None:
        """Nothing: of the scores of one string, those remain with which a field of that path runs from start to end."""
        reach = span.shape[1]
        for edge in (start, end):
            for t in range(max(0, edge - reach + 1), edge):
                span[t, edge - t :] = -np.inf
        span[start, :, ~self.begins[path]] = -np.inf
        span[start + 1 : end, :, ~self.goes_on[path]] = -np.inf
        if end < len(span):
            span[end, :, self.goes_on[path]] = -np.inf


def _logarithm(chance: FloatArray) -> Reals:
    wide = np.minimum(np.asarray(chance, dtype=np.float64), 1.0)
    return np.log(wide, out=np.full(len(wide), -np.inf), where=wide > 0)
