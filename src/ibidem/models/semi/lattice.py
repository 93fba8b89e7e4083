"""The lattice of a semi-CRF: segments of up to so many tokens, patterns of labels, and how their scores add up.

    score(segmentation) = Σ over segments (t, d, y) of  Σ over its tokens i of bag[i, y]
                                                      + first[t, y] + last[t + d - 1, y]
                                                      + Σ over features f of segment[code_f(t, d), y]
                        + Σ over the patterns of labels in it of  weight[pattern]

Patterns are the label sequences of two segments, and of up to `order` + 1 that the data show; "the start" counts as a
label before the first. They become states and arcs of an automaton (`ibidem.inference.patterns`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ibidem import inference
from ibidem.features import Batch, Lexicons
from ibidem.features.batch import SegmentBatch
from ibidem.features.segments import segment_codes, segment_sizes
from ibidem.inference.automata import OUTSIDE, START, patterns
from ibidem.models.likelihood import Encoded, Tally, Weights
from ibidem.models.semi.labels import Found, Vocabulary, runs, vocabulary_of
from ibidem.types import Automaton, FloatArray, IntArray, Potentials

_ROOM = 1 << 20  # scores of spans held at once
Reals = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Segments:
    """How the spans of strings are scored, given the scores of their tokens."""

    limits: IntArray  # [Y] the longest segment of each label
    roles: int  # of tokens: bag alone, or bag, first and last
    lexicons: Lexicons | None  # None where nothing is said of segments as a whole

    @property
    def rows(self) -> int:
        """How many weights of segments each label has."""
        return 0 if self.lexicons is None else sum(segment_sizes(self.lexicons).values())

    def longest(self, lengths: IntArray) -> int:
        """The longest span that strings of these lengths may have."""
        return max(1, min(int(self.limits.max()), int(lengths.max(initial=1))))

    def ids(self, batch: Batch | None, lengths: IntArray, longest: int) -> IntArray:
        """The rows of the weights of segments that every span of up to `longest` tokens switches on.  # [M, F]"""
        if self.lexicons is None or batch is None:
            return np.zeros((0, 0), dtype=np.int32)
        return self.rows_of(batch, *inference.spans_of(lengths, longest))

    def rows_of(self, batch: Batch, begin: NDArray[np.intp], end: NDArray[np.intp]) -> IntArray:
        """The rows that some segments switch on.  # [M, F]"""
        assert self.lexicons is not None
        sizes = list(segment_sizes(self.lexicons).values())
        offset = (np.cumsum(sizes) - sizes).astype(np.int32)
        return segment_codes(SegmentBatch(batch, begin, end), self.lexicons) + offset

    def score(self, token: FloatArray, lengths: IntArray, table: FloatArray, ids: IntArray, longest: int) -> FloatArray:
        """The scores of all spans; `token` is [N, R * Y].  # [N, L, Y]"""
        columns = token.reshape(len(token), self.roles, len(self.limits))
        return inference.span_scores(columns, lengths, self.limits, table, ids, longest)


@dataclass(frozen=True, slots=True)
class SemiLattice:
    """Everything that segments may be, and the weights of patterns."""

    vocabulary: Vocabulary
    names: tuple[str, ...]  # the labels of tokens
    spans: Segments
    automaton: Automaton
    patterns: tuple[tuple[int, ...], ...]
    arc_of: IntArray  # one entry for each pair of an arc and a pattern that it completes: the arc,
    pattern_of: IntArray  # and the pattern
    step: IntArray  # [S + 1, Y] the arc out of each state with each label, -1 for none; the last row is for the start

    @property
    def columns(self) -> int:
        """How many scores a token has: one for each role and label."""
        return self.spans.roles * len(self.vocabulary.labels)

    @property
    def arcs(self) -> int:
        """How many weights there are for patterns."""
        return len(self.patterns)

    @property
    def segments(self) -> tuple[int, int]:
        """The shape of the weights of segments."""
        return self.spans.rows, len(self.vocabulary.labels)

    def arc_scores(self, weight: FloatArray) -> FloatArray:
        """The scores of the arcs, given the weights of the patterns.  # [A]"""
        total = np.bincount(self.arc_of, weights=weight[self.pattern_of], minlength=len(self.automaton.src))
        return total.astype(weight.dtype)

    def expected(self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int) -> tuple[Reals, Tally]:
        """The log partition of each string, and what is used on average."""
        return self._summed(encoded, token, weights, self.arc_scores(weights.arc), threads, False)

    def within(self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int) -> tuple[Reals, Tally]:
        """The same over what the annotation allows: one path where it says everything."""
        mask = encoded.mask()
        if (mask.sum(axis=1) == 1).all():
            return self._walked(encoded, mask.argmax(axis=1).astype(np.int32), token, weights)
        arc = self.arc_scores(weights.arc)
        arc[self._going_on()] = -np.inf
        return self._summed(encoded, token, weights, arc, threads, True)

    def _going_on(self) -> NDArray[np.intp]:
        """The arcs by which a run that is one segment would be read as several."""
        label, inner = np.asarray(self.automaton.label), np.flatnonzero(self.automaton.src >= 0)
        before, after = label[self.automaton.src[inner]], label[self.automaton.dst[inner]]
        one = (self.vocabulary.first == self.vocabulary.inside) & (self.vocabulary.limits > 1)
        return np.asarray(inner[(before == after) & one[after]])

    def _summed(
        self, encoded: Encoded, token: FloatArray, weights: Weights, arc: FloatArray, threads: int, allowed: bool
    ) -> tuple[Reals, Tally]:
        log_z = np.zeros(len(encoded.lengths))
        used = np.zeros((len(token), self.spans.roles, len(self.vocabulary.labels)), dtype=token.dtype)
        arcs, table = np.zeros(len(arc)), np.zeros(self.segments, dtype=token.dtype)
        for strings, tokens, part in self._chunks(encoded):
            longest = self.spans.longest(part.lengths)
            batch = part.batch() if self.spans.lexicons is not None else None
            ids = self.spans.ids(batch, part.lengths, longest)
            span = self.spans.score(token[tokens], part.lengths, weights.segment, ids, longest)
            if allowed:
                span[~self._allowed(part, longest)] = -np.inf
            log_z[strings], credit = inference.marginals(self.automaton, Potentials(span, arc, part.lengths), threads)
            used[tokens], rows = inference.span_credit(
                credit.span, part.lengths, self.spans.roles, self.vocabulary.limits, self.segments[0], ids
            )
            table += rows
            arcs += credit.arc
        return log_z, Tally(used.reshape(len(token), -1), self._of_patterns(arcs).astype(token.dtype), table)

    def _chunks(self, encoded: Encoded) -> Iterator[tuple[Places, Places, Encoded]]:
        """Parts of the corpus whose spans fit in the room, with the numbers of their strings and tokens.

        Strings of about the same length go together, since a table of spans is as wide as its longest string.
        """
        order = np.argsort(encoded.lengths, kind="stable")
        lengths = encoded.lengths[order].astype(np.int64)
        reach = np.minimum(lengths, int(self.vocabulary.limits.max()))
        group = np.cumsum(lengths * reach) * len(self.vocabulary.labels) // _ROOM
        begin = np.cumsum(encoded.lengths) - encoded.lengths
        for strings in np.split(order, np.flatnonzero(np.diff(group)) + 1):
            sizes = encoded.lengths[strings]
            tokens = np.repeat(begin[strings] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
            if len(strings):
                yield strings, tokens, _part(encoded, strings, tokens)

    def _allowed(self, encoded: Encoded, longest: int) -> NDArray[np.bool_]:
        """Which spans the annotation allows.  # [N, L, Y]"""
        mask = encoded.mask()
        tokens = len(mask)
        wrong = ~mask[:, self.vocabulary.inside]  # [N, Y] tokens that cannot be inside
        running = np.zeros((tokens + 1, len(self.vocabulary.labels)), dtype=np.int32)
        np.cumsum(wrong, axis=0, out=running[1:])
        ends = np.minimum(np.arange(1, longest + 1) + np.arange(tokens)[:, None], tokens)  # [N, L]
        inside = running[ends] == running[np.minimum(np.arange(tokens) + 1, tokens)][:, None]
        return np.asarray(inside & mask[:, self.vocabulary.first][:, None])

    def found(self, token: IntArray, lengths: IntArray) -> tuple[Found, NDArray[np.int64]]:
        """The segments of strings with these labels of tokens, and the numbers of their labels (-1: not known)."""
        limits = np.ones(len(self.names), dtype=np.int32)
        limits[self.vocabulary.inside[self.vocabulary.inside >= 0]] = self.vocabulary.limits[
            self.vocabulary.inside >= 0
        ]
        limits[self.vocabulary.first] = self.vocabulary.limits
        cut = runs(self.names, token, lengths, limits)
        number = np.full(len(self.names), -1, dtype=np.int64)
        number[self.vocabulary.first] = np.arange(len(self.vocabulary.first))
        own = number[token[cut.start]]  # a run that was cut goes on under its continuation where that is a label,
        return cut, np.where(own >= 0, own, number[cut.label])  # else under its own once more

    def _walked(self, encoded: Encoded, label: IntArray, token: FloatArray, weights: Weights) -> tuple[Reals, Tally]:
        """The score and the tally of the one path through these labels of tokens; -inf where there is none."""
        cut, named = self.found(label, encoded.lengths)
        arcs = self._path(cut, named)
        lost = np.zeros(len(encoded.lengths), dtype=np.bool_)
        lost[cut.string[arcs < 0]] = True
        kept = ~lost[cut.string]
        string, start, length, named, arcs = (x[kept] for x in (cut.string, cut.start, cut.length, named, arcs))
        used = np.zeros((len(token), self.spans.roles, len(self.vocabulary.labels)), dtype=token.dtype)
        inside = np.repeat(start - (np.cumsum(length) - length), length) + np.arange(length.sum())
        used[inside, 0, np.repeat(named, length)] = 1
        if self.spans.roles > 1:
            used[start, 1, named] = 1
            used[start + length - 1, 2, named] = 1
        flat = used.reshape(len(token), -1)
        counts = np.bincount(arcs, minlength=len(self.automaton.src))
        table = np.zeros(self.segments, dtype=token.dtype)
        owner = np.repeat(np.arange(len(encoded.lengths)), encoded.lengths)
        score = np.bincount(owner, (flat * token).sum(axis=1), len(lost)).astype(np.float64)
        score += np.bincount(string, self.arc_scores(weights.arc)[arcs], len(lost))
        if self.spans.lexicons is not None:
            rows = self.spans.rows_of(encoded.batch(), start, start + length)
            np.add.at(table, (rows, named[:, None]), 1)
            score += np.bincount(string, weights.segment[rows, named[:, None]].sum(axis=1), len(lost))
        score[lost] = -np.inf
        return score, Tally(flat, self._of_patterns(counts).astype(token.dtype), table)

    def _path(self, cut: Found, named: NDArray[np.int64]) -> NDArray[np.int64]:
        """The arc by which each segment is entered, -1 from where there is none on.  # [M]"""
        count = np.bincount(cut.string) if len(cut.string) else np.zeros(0, dtype=np.int64)
        begin = np.cumsum(count) - count
        arcs = np.full(len(named), -1, dtype=np.int64)
        state = np.full(len(count), START, dtype=np.int64)
        for turn in range(int(count.max(initial=0))):  # the next segment of all strings at once
            strings = np.flatnonzero(count > turn)
            places = begin[strings] + turn
            known = named[places] >= 0
            step = np.where(known & (state[strings] > -2), self.step[state[strings], named[places]], -1)
            arcs[places] = step
            state[strings] = np.where(step >= 0, self.automaton.dst[step], -2)
        return arcs

    def _of_patterns(self, arcs: NDArray[np.generic]) -> Reals:
        """How often each pattern is used, given how often each arc is.  # [patterns]"""
        return np.asarray(
            np.bincount(self.pattern_of, weights=arcs[self.arc_of], minlength=len(self.patterns)), dtype=np.float64
        )


def _part(encoded: Encoded, strings: Places, tokens: Places) -> Encoded:
    """Some strings, the token types of all kept."""
    return replace(
        encoded,
        token=encoded.token[tokens],
        context=encoded.context[tokens],
        lengths=encoded.lengths[strings],
        allowed=encoded.allowed[tokens],
        blank=None if encoded.blank is None else encoded.blank[tokens],
    )


def seen_patterns(
    found: Found, named: NDArray[np.int64], order: int, at_least: int, outside: int = -2
) -> list[tuple[int, ...]]:
    """The sequences of a label and of the `order` or fewer before it that were seen so often, longer than two.

    The start counts as a label; the label `outside` does not: what stands between two fields separates them no further.
    """
    counts: Counter[tuple[int, ...]] = Counter()
    strings = np.split(named, np.flatnonzero(np.diff(found.string)) + 1) if len(named) else []
    for each in strings:
        labels = (START, *each.tolist())
        for end in range(1, len(labels)):
            begin, fields = end, 0
            while begin > 0 and fields < order:
                begin -= 1
                fields += labels[begin] != outside
                if end - begin > 1:
                    counts[labels[begin : end + 1]] += 1
    return sorted(pattern for pattern, count in counts.items() if count >= at_least and -1 not in pattern[1:])


def lattice_of(
    names: tuple[str, ...], vocabulary: Vocabulary, spans: Segments, longer: list[tuple[int, ...]]
) -> SemiLattice:
    """The lattice with the patterns of all two labels that may follow each other, and some longer ones."""
    count = len(vocabulary.labels)
    pairs = [(int(x) if x < count else START, int(y)) for x, y in zip(*np.nonzero(vocabulary.follows), strict=True)]
    wanted = [*pairs, *longer]
    built = patterns(count, wanted, vocabulary.follows)
    # labels with long segments first, states of one label in a row: so the kernels' loops over spans are short
    label = np.asarray(built.automaton.label)
    order = np.lexsort((label, -vocabulary.limits[label]))
    rank = np.empty(len(order) + 1, dtype=np.int32)
    rank[order], rank[-1] = np.arange(len(order)), START
    src, dst = rank[built.automaton.src], rank[built.automaton.dst]
    automaton = Automaton(label[order], src, dst, built.automaton.final[order])
    step = np.full((len(order) + 1, count), -1, dtype=np.int32)
    step[src, automaton.label[dst]] = np.arange(len(src))
    ended = [(a, p) for a, numbers in enumerate(built.completed) for p in numbers]
    arc_of, pattern_of = np.array(ended, dtype=np.int32).reshape(-1, 2).T
    return SemiLattice(vocabulary, names, spans, automaton, tuple(wanted), arc_of, pattern_of, step)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a lattice is to be learnt like: the keys of a recipe for semi-CRFs."""

    order: int = 1
    pattern_at_least: int = 1
    stretch: float = 1.5
    longest: int = 0
    remember: bool = False  # what is outside of all fields does not count as one of those before
    roles: int = len(inference.ROLES)
    outside: bool = True  # a token may be outside of all fields


def learnt_lattice(names: tuple[str, ...], encoded: Encoded, shape: Shape, lexicons: Lexicons | None) -> SemiLattice:
    """The lattice of the segments and patterns that a labelled corpus shows.

    Where the annotation leaves something open, one of the labellings that it allows stands for all.
    """
    automaton, _ = inference.nested_bio(names)
    span = np.where(encoded.mask(), np.float32(0), np.float32(-np.inf))[:, None]
    arc = np.zeros(len(automaton.src), dtype=np.float32)
    usable = np.isfinite(inference.log_partition(automaton, Potentials(span, arc, encoded.lengths)))
    lengths = encoded.lengths[usable]
    span = span[np.repeat(usable, encoded.lengths)]
    label = inference.best(automaton, Potentials(span, arc, lengths)).state
    vocabulary = vocabulary_of(names, runs(names, label, lengths), shape.stretch, shape.longest)
    if not shape.outside and OUTSIDE in vocabulary.labels:
        vocabulary.follows[:, vocabulary.labels.index(OUTSIDE)] = False
    plain = lattice_of(names, vocabulary, Segments(vocabulary.limits, shape.roles, lexicons), [])
    outside = vocabulary.labels.index(OUTSIDE) if shape.remember and OUTSIDE in vocabulary.labels else -2
    longer = seen_patterns(*plain.found(label, lengths), shape.order, shape.pattern_at_least, outside)
    return lattice_of(names, vocabulary, plain.spans, longer)
