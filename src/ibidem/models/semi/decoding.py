"""From paths of segments to fields, with the probability of each field."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ibidem.inference import Decoded, Paths, SpanPotentials, decode_spans, log_partition, marginals, split_potentials
from ibidem.inference.decoding import best_under
from ibidem.inference.dual import SoftDual, select_strings
from ibidem.labels.bio import levels_of, spans_of_levels
from ibidem.models.decoding import Fields
from ibidem.models.semi.labels import continuation
from ibidem.types import Automaton, BoolArray, ExpectedCounts, FloatArray, IntArray, Potentials, Span

_ROOM = 1 << 22  # scores held at once for the probabilities of fields with parts
Reals = NDArray[np.float64]


class SegmentDecoder:
    """Decodes the scores of spans: the half of a `Scorer` of segments that has no weights.

    A field without parts is one segment. (Several of one label in a row that could not be one, because together they
    are longer than a segment of that label may be, are one field all the same.) A field with parts is a run of several.
    Several columns of the scores may have one label: `labels` has that of each.
    """

    batch_characters = 1 << 14

    def __init__(self, automaton: Automaton, labels: Sequence[str], limits: IntArray) -> None:
        self.automaton = automaton
        self._labels = tuple(labels)
        self.fields = Fields(labels)  # by the label of a segment's first token
        self.paths = self.fields.paths
        self._inside = [levels_of(continuation(label)) for label in labels]  # [Y]
        self._limits = np.asarray(limits)
        self._named = np.array([self._labels.index(label) for label in labels])  # [Y] the first column of its label
        self._shared = len(set(self._labels)) < len(self._labels)
        self._joins = np.array([continuation(label) not in labels for label in labels])  # [Y]
        self._whole: BoolArray = ~np.asarray(self.fields.continues.any(axis=1))  # [paths] fields that are one segment
        number, inside = self.fields.number, np.zeros_like(self.fields.begins)
        for y, (paths, _) in enumerate(self._inside):
            inside[[number[path] for path in paths], y] = True
        self._masks: tuple[BoolArray, BoolArray, BoolArray] = (self.fields.begins, self.fields.continues, inside)
        self._flat = all(len(paths) <= 1 and not going_on for paths, going_on in self.fields.levels)

    def decode(
        self, potentials: Potentials, threads: int = 1, with_marginals: bool = True, dual: SoftDual | None = None
    ) -> Decoded:
        """Return the fields on the best path of each string, as `ibidem.inference.best_segments` does for a chain.

        Scores that are not computed yet go to a kernel that leaves out what cannot matter; strings of which it is not
        sure, those under constraints, and columns that share a label go to the loops over all spans.
        """
        found = None
        if dual is None and isinstance(potentials, SpanPotentials) and not self._shared:
            found = decode_spans(self.automaton, potentials, self._masks, self._joins, with_marginals, threads)
        parts, left = [], np.arange(len(potentials.lengths))
        if found is not None:
            score, log_z, segments, mass, sure = found
            parts.append((left, Decoded(score, log_z, segments, mass, np.zeros((len(sure), 0)))))
            left = np.flatnonzero(~sure)
        for strings, part in split_potentials(potentials, left):
            parts.append((strings, self.decode_exactly(part, threads, with_marginals, dual)))
        return parts[0][1] if len(parts) == 1 else _merge(parts, len(potentials.lengths))

    def decode_exactly(
        self, potentials: Potentials, threads: int = 1, with_marginals: bool = True, dual: SoftDual | None = None
    ) -> Decoded:
        """Return the same by loops over all spans: the definition of `decode`."""
        paths, potentials, multipliers = best_under(self.automaton, potentials, threads, dual)
        segments, joined = self.segments(paths, potentials.lengths)
        if not with_marginals:
            return Decoded(paths.score, np.zeros(len(paths.score)), segments, np.zeros(len(segments)), multipliers)
        span = np.asarray(potentials.span, dtype=np.float64)  # sums in single precision would lose too much
        potentials = Potentials(span, potentials.arc, potentials.lengths)
        log_z, counts = marginals(self.automaton, potentials, threads)
        mass = np.full(len(segments), -np.inf)
        whole = self._whole[segments[:, 3]] & ~joined
        mass[whole] = self._mass_of_spans(potentials.lengths, counts, segments[whole])
        for m in np.flatnonzero(joined):
            mass[m] = self._mass_of_joined(paths, potentials.lengths, counts, segments[m])
        runs = np.flatnonzero(~whole & ~joined)
        mass[runs] = self._mass_of_runs(potentials, log_z, segments[runs], threads)
        return Decoded(paths.score, log_z, segments, mass, multipliers)

    def restrict(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """Return the scores of one string with -inf for everything that these labels of its tokens do not use."""
        span = np.full_like(potentials.span, -np.inf)
        starts = [n for n, label in enumerate(labels) if n == 0 or label != continuation(labels[n - 1])]
        for start, end in pairwise([*starts, len(labels)]):
            if labels[start] in self._labels and end - start <= span.shape[1]:
                place = start, end - start - 1, self._named == self._labels.index(labels[start])
                span[place] = potentials.span[place]
        return span

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """Return the spans on a path of each string, in order of their start, parents before children."""
        label = np.asarray(self.automaton.label)[paths.state].tolist()
        starts = self._starts(paths, lengths).tolist()
        found: list[list[Span]] = []
        place = 0
        for length in lengths.tolist():
            tokens = [
                (self.fields.levels if starts[n] else self._inside)[label[n]] for n in range(place, place + length)
            ]
            found.append(spans_of_levels(tokens))
            place += length
        return found

    def segments(self, paths: Paths, lengths: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the fields of a path of each string, (string, start, end, path), and which are several segments."""
        starts = self._starts(paths, lengths)
        joined = paths.start & ~starts
        flat = self._flat
        rows = self._flat_rows(paths, lengths, starts) if flat else self.fields.rows(self.spans(paths, lengths))
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
        label = np.asarray(self.automaton.label)[paths.state[begin]]
        path = np.array([self.fields.number[each[0]] if each else -1 for each, _ in self.fields.levels])[label]
        rows = np.stack([string, begin - origin, end - origin, path], axis=1).astype(np.int32)
        return np.asarray(rows[path >= 0])

    def _starts(self, paths: Paths, lengths: IntArray) -> BoolArray:
        """Return where segments begin, except within a run that is one field longer than a segment may be.  # [N]"""
        begin = np.flatnonzero(paths.start)
        length = np.diff(np.append(begin, len(paths.start)))
        label = self._named[np.asarray(self.automaton.label)[paths.state[begin]]]
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

    def _mass_of_spans(self, lengths: IntArray, counts: ExpectedCounts, segments: IntArray) -> Reals:
        """Return the log-probabilities of fields that are one segment.  # [M]"""
        origin = (np.cumsum(lengths) - lengths)[segments[:, 0]]
        span = counts.span[origin + segments[:, 1], segments[:, 2] - segments[:, 1] - 1]  # [M, Y]
        return _logarithm((span * self.fields.begins[segments[:, 3]]).sum(axis=1))

    def _mass_of_joined(self, paths: Paths, lengths: IntArray, counts: ExpectedCounts, segment: IntArray) -> float:
        """Return the least of the log-probabilities of its segments: an upper bound of that of the field."""
        origin = int((np.cumsum(lengths) - lengths)[segment[0]])
        begin = origin + segment[1] + np.flatnonzero(paths.start[origin + segment[1] : origin + segment[2]])
        size = np.diff(np.append(begin, origin + segment[2]))
        label = self._named[np.asarray(self.automaton.label)[paths.state[begin]]]
        span = counts.span[begin, size - 1]  # [segments, Y]
        return float(_logarithm((span * (self._named == label[:, None])).sum(axis=1)).min())

    def _mass_of_runs(self, potentials: Potentials, log_z: Reals, segments: IntArray, threads: int) -> Reals:
        """Return the log-probabilities of fields that are runs of segments: sums over all paths with them.  # [M]"""
        mass = np.zeros(len(segments))
        _, longest, labels = potentials.span.shape
        size = np.asarray(potentials.lengths)[segments[:, 0]].astype(np.int64) * longest * labels
        group = np.cumsum(size) // _ROOM
        for each in np.unique(group):
            chosen = np.flatnonzero(group == each)
            part = select_strings(potentials, segments[chosen, 0].astype(np.intp))
            span = np.array(part.span)
            place = 0
            for length, (_, start, end, path) in zip(part.lengths.tolist(), segments[chosen].tolist(), strict=True):
                self._forbid_others(span[place : place + length], start, end, path)
                place += length
            total = log_partition(self.automaton, Potentials(span, part.arc, part.lengths), threads)
            mass[chosen] = total - log_z[segments[chosen, 0]]
        return np.minimum(mass, 0.0)

    def _forbid_others(self, span: FloatArray, start: int, end: int, path: int) -> None:
        """Forbid, in the scores of one string, everything but a field of that path from start to end."""
        reach = span.shape[1]
        for edge in (start, end):
            for t in range(max(0, edge - reach + 1), edge):
                span[t, edge - t :] = -np.inf
        span[start, :, ~self.fields.begins[path]] = -np.inf
        span[start + 1 : end, :, ~self.fields.continues[path]] = -np.inf
        if end < len(span):
            span[end, :, self.fields.continues[path]] = -np.inf


def _logarithm(probability: FloatArray) -> Reals:
    wide = np.minimum(np.asarray(probability, dtype=np.float64), 1.0)
    return np.log(wide, out=np.full(len(wide), -np.inf), where=wide > 0)


def _merge(parts: Sequence[tuple[NDArray[np.intp], Decoded]], strings: int) -> Decoded:
    """Return what was found for all strings, given the strings of each part; what comes later counts."""
    score, log_z = np.zeros(strings), np.zeros(strings)
    multipliers = np.zeros((strings, parts[-1][1].multipliers.shape[1] if parts else 0))
    for chosen, part in parts:
        score[chosen], log_z[chosen], multipliers[chosen] = part.score, part.log_partition, part.multipliers
    rows = [np.zeros((0, 4), dtype=np.int32)]
    for chosen, part in parts:
        rows.append(part.segments.copy())
        rows[-1][:, 0] = chosen[part.segments[:, 0]]
    segments, mass = np.concatenate(rows), np.concatenate([np.zeros(0), *(part.mass for _, part in parts)])
    order = np.argsort(segments[:, 0], kind="stable")
    return Decoded(score, log_z, segments[order], mass[order], multipliers)
