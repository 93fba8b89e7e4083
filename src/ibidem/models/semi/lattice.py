"""The lattice of a semi-CRF: segments of up to so many tokens, patterns of labels, and how their scores add up.

    score(segmentation) = Σ over segments (t, d, y) of  Σ over its tokens i of bag[i, y]
                                                      + first[t, y] + last[t + d - 1, y]
                                                      + Σ over features f of segment[code_f(t, d), y]
                        + Σ over the patterns of labels in it of  weight[pattern]

Patterns are the label sequences of two segments, and of up to `order` + 1 that the data show; "the start" counts as a
label before the first. They become states and arcs of an automaton (`ibidem.inference.patterns`). Where patterns have
features of the observation, y is a column for the patterns that end with the segment (`models/semi/columns.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ibidem import inference
from ibidem.features import Batch, Lexicons
from ibidem.features.batch import SegmentBatch
from ibidem.features.segments import segment_sizes
from ibidem.inference.automata import OUTSIDE, START, patterns
from ibidem.models.likelihood import Encoded, Weights
from ibidem.models.semi.columns import Columns, Pattern, columns_of, longest_suffix
from ibidem.models.semi.labels import Found, Vocabulary, runs, vocabulary_of
from ibidem.models.semi.segment_rows import SegmentTables, rows_of_segments, segment_rows
from ibidem.types import Automaton, ExpectedCounts, FloatArray, IntArray, Potentials

if TYPE_CHECKING:
    from ibidem.models.training import CRFConfig

_ROOM = 1 << 20  # scores of spans held at once
Reals = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Segments:
    """Scores of spans as sums of scores of tokens and of features of whole segments."""

    columns: Columns
    limits: IntArray  # [C] the longest segment of each column
    roles: int  # of tokens: bag alone, or bag, first and last
    lexicons: Lexicons | None  # None where there are no features of whole segments
    _tables: list[SegmentTables] = field(default_factory=list, repr=False, compare=False)

    @property
    def rows(self) -> int:
        """Number of weights of whole segments for each label."""
        return 0 if self.lexicons is None else sum(segment_sizes(self.lexicons).values())

    def longest(self, lengths: IntArray) -> int:
        """Return the length of the longest span that strings of these lengths may have."""
        return max(1, min(int(self.limits.max()), int(lengths.max(initial=1))))

    def ids(self, batch: Batch | None, lengths: IntArray, longest: int) -> IntArray:
        """Return the rows of the weights of every span of up to `longest` tokens.  # [M, F]"""
        if self.lexicons is None or batch is None:
            return np.zeros((0, 0), dtype=np.int32)
        return segment_rows(batch, lengths, longest, self.lexicons, self._tables)

    def rows_of(self, batch: Batch, begin: NDArray[np.intp], end: NDArray[np.intp]) -> IntArray:
        """Return the rows of the weights of some segments.  # [M, F]"""
        assert self.lexicons is not None
        return rows_of_segments(SegmentBatch(batch, begin, end), self.lexicons)

    def score(self, token: FloatArray, lengths: IntArray, table: FloatArray, ids: IntArray, longest: int) -> FloatArray:
        """Return the scores of all spans; `token` [N, R * C] and `table` are of each column alone.  # [N, L, C]"""
        total = self.columns.add_suffixes(token.reshape(len(token), self.roles, len(self.limits)))
        return inference.span_scores(total, lengths, self.limits, self.columns.add_suffixes(table), ids, longest)

    def gradient(self, counts: FloatArray, lengths: IntArray, ids: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the gradients of tokens [N, R, C] and table: the transpose of `score`."""
        token, table = inference.span_gradient(counts, lengths, self.roles, self.limits, self.rows, ids)
        return self.columns.share_with_suffixes(token), self.columns.share_with_suffixes(table)


@dataclass(frozen=True, slots=True)
class SemiLattice:
    """The segmentations of a semi-CRF, and the patterns of labels that have weights."""

    vocabulary: Vocabulary
    names: tuple[str, ...]  # the labels of tokens
    spans: Segments
    automaton: Automaton
    patterns: tuple[Pattern, ...]
    observed: tuple[Pattern, ...]  # [C] the pattern of each column, the label alone first
    arc_of: IntArray  # one entry for each pair of an arc and a pattern that it completes: the arc,
    pattern_of: IntArray  # and the pattern
    step: IntArray  # [S + 1, Y] the arc out of each state with each label, -1 for none; the last row is for the start

    @property
    def columns(self) -> int:
        """Number of scores of a token: one for each role and column."""
        return self.spans.roles * len(self.spans.limits)

    @property
    def optional(self) -> NDArray[np.bool_]:
        """The columns of patterns, in each role.  # [R * C]"""
        return np.tile(self.spans.columns.suffix >= 0, self.spans.roles)

    @property
    def arcs(self) -> int:
        """Number of weights of patterns."""
        return len(self.patterns)

    @property
    def segments(self) -> tuple[int, int]:
        """Shape of the weights of segments."""
        return self.spans.rows, len(self.spans.limits)

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of a segment of each column.  # [C]"""
        return tuple(self.vocabulary.labels[y] for y in self.spans.columns.label)

    def arc_scores(self, weight: FloatArray) -> FloatArray:
        """Return the scores of the arcs, given the weights of the patterns.  # [A]"""
        total = np.bincount(self.arc_of, weights=weight[self.pattern_of], minlength=len(self.automaton.src))
        return total.astype(weight.dtype)

    def expected(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[Reals, ExpectedCounts]:
        """Return the log partition of each string, and the expected counts."""
        return self._sum(encoded, token, weights, self.arc_scores(weights.arc), threads, False)

    def within(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[Reals, ExpectedCounts]:
        """Return the same over what the annotation allows: one path where it is complete."""
        mask = encoded.mask()
        if (mask.sum(axis=1) == 1).all():
            return self._follow(encoded, mask.argmax(axis=1).astype(np.int32), token, weights)
        arc = self.arc_scores(weights.arc)
        arc[self._splitting_arcs()] = -np.inf
        return self._sum(encoded, token, weights, arc, threads, True)

    def _splitting_arcs(self) -> NDArray[np.intp]:
        """Return the arcs that would split a run that is one segment."""
        label, inner = self.spans.columns.label[self.automaton.label], np.flatnonzero(self.automaton.src >= 0)
        before, after = label[self.automaton.src[inner]], label[self.automaton.dst[inner]]
        one = (self.vocabulary.first == self.vocabulary.inside) & (self.vocabulary.limits > 1)
        return np.asarray(inner[(before == after) & one[after]])

    def _sum(
        self, encoded: Encoded, token: FloatArray, weights: Weights, arc: FloatArray, threads: int, allowed: bool
    ) -> tuple[Reals, ExpectedCounts]:
        log_z = np.zeros(len(encoded.lengths))
        used = np.zeros((len(token), self.spans.roles, len(self.spans.limits)), dtype=token.dtype)
        arcs, table = np.zeros(len(arc)), np.zeros(self.segments, dtype=token.dtype)
        for strings, tokens, part in self._chunks(encoded):
            longest = self.spans.longest(part.lengths)
            batch = part.batch() if self.spans.lexicons is not None else None
            ids = self.spans.ids(batch, part.lengths, longest)
            span = self.spans.score(token[tokens], part.lengths, weights.segment, ids, longest)
            if allowed:
                span[~self._allowed(part, longest)[..., self.spans.columns.label]] = -np.inf
            log_z[strings], counts = inference.marginals(self.automaton, Potentials(span, arc, part.lengths), threads)
            used[tokens], rows = self.spans.gradient(counts.span, part.lengths, ids)
            table += rows
            arcs += counts.arc
        return log_z, ExpectedCounts(used, self._count_patterns(arcs).astype(token.dtype), table)

    def _chunks(self, encoded: Encoded) -> Iterator[tuple[Places, Places, Encoded]]:
        """Yield parts of the corpus whose spans fit in memory, with the numbers of their strings and tokens.

        Strings of about the same length go together, since a table of spans is as wide as its longest string.
        """
        order = np.argsort(encoded.lengths, kind="stable")
        lengths = encoded.lengths[order].astype(np.int64)
        reach = np.minimum(lengths, int(self.vocabulary.limits.max()))
        group = np.cumsum(lengths * reach) * len(self.spans.limits) // _ROOM
        begin = np.cumsum(encoded.lengths) - encoded.lengths
        for strings in np.split(order, np.flatnonzero(np.diff(group)) + 1):
            sizes = encoded.lengths[strings]
            tokens = np.repeat(begin[strings] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
            if len(strings):
                yield strings, tokens, _part(encoded, strings, tokens)

    def _allowed(self, encoded: Encoded, longest: int) -> NDArray[np.bool_]:
        """Return which spans the annotation allows.  # [N, L, Y]"""
        mask = encoded.mask()
        tokens = len(mask)
        wrong = ~mask[:, self.vocabulary.inside]  # [N, Y] tokens that cannot be inside
        running = np.zeros((tokens + 1, len(self.vocabulary.labels)), dtype=np.int32)
        np.cumsum(wrong, axis=0, out=running[1:])
        ends = np.minimum(np.arange(1, longest + 1) + np.arange(tokens)[:, None], tokens)  # [N, L]
        inside = running[ends] == running[np.minimum(np.arange(tokens) + 1, tokens)][:, None]
        return np.asarray(inside & mask[:, self.vocabulary.first][:, None])

    def cut(self, token: IntArray, lengths: IntArray) -> tuple[Found, NDArray[np.int64]]:
        """Return the segments of strings with these labels of tokens, and the numbers of their labels (-1: unknown)."""
        limits = np.ones(len(self.names), dtype=np.int32)
        goes_on = self.vocabulary.inside >= 0
        limits[self.vocabulary.inside[goes_on]] = self.vocabulary.limits[goes_on]
        limits[self.vocabulary.first] = self.vocabulary.limits
        cut = runs(self.names, token, lengths, limits)
        number = np.full(len(self.names), -1, dtype=np.int64)
        number[self.vocabulary.first] = np.arange(len(self.vocabulary.first))
        own = number[token[cut.start]]  # a run that was cut goes on under its continuation where that is a label,
        return cut, np.where(own >= 0, own, number[cut.label])  # else under its own once more

    def _follow(
        self, encoded: Encoded, label: IntArray, token: FloatArray, weights: Weights
    ) -> tuple[Reals, ExpectedCounts]:
        """Return the score and the counts of the one path with these labels of tokens; -inf where there is none."""
        cut, named = self.cut(label, encoded.lengths)
        arcs = self._path(cut, named)
        lost = np.zeros(len(encoded.lengths), dtype=np.bool_)
        lost[cut.string[arcs < 0]] = True
        kept = ~lost[cut.string]
        string, start, length, arcs = (x[kept] for x in (cut.string, cut.start, cut.length, arcs))
        column = np.asarray(self.automaton.label)[self.automaton.dst[arcs]]
        used = np.zeros((len(token), self.spans.roles, len(self.spans.limits)), dtype=token.dtype)
        inside = np.repeat(start - (np.cumsum(length) - length), length) + np.arange(length.sum())
        used[inside, 0, np.repeat(column, length)] = 1
        if self.spans.roles > 1:
            used[start, 1, column] = 1
            used[start + length - 1, 2, column] = 1
        used = self.spans.columns.share_with_suffixes(used)
        flat = used.reshape(len(token), -1)
        counts = np.bincount(arcs, minlength=len(self.automaton.src))
        table = np.zeros(self.segments, dtype=token.dtype)
        owner = np.repeat(np.arange(len(encoded.lengths)), encoded.lengths)
        score = np.bincount(owner, (flat * token).sum(axis=1), len(lost)).astype(np.float64)
        score += np.bincount(string, self.arc_scores(weights.arc)[arcs], len(lost))
        if self.spans.lexicons is not None:
            rows = self.spans.rows_of(encoded.batch(), start, start + length)
            np.add.at(table, (rows, column[:, None]), 1)
            total = self.spans.columns.add_suffixes(weights.segment)
            score += np.bincount(string, total[rows, column[:, None]].sum(axis=1), len(lost))
            table = self.spans.columns.share_with_suffixes(table)
        score[lost] = -np.inf
        return score, ExpectedCounts(used, self._count_patterns(counts).astype(token.dtype), table)

    def _path(self, cut: Found, named: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the arc by which each segment is entered, -1 from the first that has none on.  # [M]"""
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

    def _count_patterns(self, arcs: NDArray[np.generic]) -> Reals:
        """Return how often each pattern is used, given how often each arc is.  # [patterns]"""
        return np.asarray(
            np.bincount(self.pattern_of, weights=arcs[self.arc_of], minlength=len(self.patterns)), dtype=np.float64
        )


def _part(encoded: Encoded, strings: Places, tokens: Places) -> Encoded:
    """Return some strings, with the token types of all."""
    return replace(
        encoded,
        token=encoded.token[tokens],
        context=encoded.context[tokens],
        lengths=encoded.lengths[strings],
        allowed=encoded.allowed[tokens],
        blank=None if encoded.blank is None else encoded.blank[tokens],
    )


def frequent_patterns(
    found: Found, named: NDArray[np.int64], order: int, min_count: int, outside: int = -2, shortest: int = 3
) -> list[Pattern]:
    """Return the label sequences of up to `order` + 1 fields seen at least `min_count` times, not below the `shortest`.

    The start counts as a label; the label `outside` does not: what stands between two fields separates them no further.
    """
    counts: Counter[Pattern] = Counter()
    strings = np.split(named, np.flatnonzero(np.diff(found.string)) + 1) if len(named) else []
    for each in strings:
        labels = (START, *each.tolist())
        for end in range(1, len(labels)):
            begin, fields = end, 0
            while begin > 0 and fields < order:
                begin -= 1
                fields += labels[begin] != outside
                if end - begin + 1 >= shortest:
                    counts[labels[begin : end + 1]] += 1
    return sorted(pattern for pattern, count in counts.items() if count >= min_count and -1 not in pattern[1:])


def assemble_lattice(
    names: tuple[str, ...],
    vocabulary: Vocabulary,
    spans: tuple[int, Lexicons | None],
    longer: Sequence[Pattern] = (),
    observed: Sequence[Pattern] = (),
) -> SemiLattice:
    """Return the lattice with the patterns of all pairs of labels that may follow each other, and some longer ones.

    `spans` are the roles of tokens and the lexicons of its `Segments`; the patterns that are `observed` have features
    of the observation.
    """
    count = len(vocabulary.labels)
    pairs = [(int(x) if x < count else START, int(y)) for x, y in zip(*np.nonzero(vocabulary.follows), strict=True)]
    wanted = [*pairs, *longer]
    built = patterns(count, wanted, vocabulary.follows, observed)
    columns, number = columns_of(count, observed)
    limits = vocabulary.limits[columns.label]
    # columns with long segments first, states of one column in a row: so the kernels' loops over spans are short
    column = np.array([longest_suffix(labels, number) for labels in built.history], dtype=np.int32)
    order = np.lexsort((column, -limits[column]))
    rank = np.empty(len(order) + 1, dtype=np.int32)
    rank[order], rank[-1] = np.arange(len(order)), START
    src, dst = rank[built.automaton.src], rank[built.automaton.dst]
    automaton = Automaton(column[order], src, dst, built.automaton.final[order])
    step = np.full((len(order) + 1, count), -1, dtype=np.int32)
    step[src, columns.label[automaton.label[dst]]] = np.arange(len(src))
    ended = [(a, p) for a, numbers in enumerate(built.completed) for p in numbers]
    arc_of, pattern_of = np.array(ended, dtype=np.int32).reshape(-1, 2).T
    segments = Segments(columns, limits, *spans)
    return SemiLattice(vocabulary, names, segments, automaton, tuple(wanted), tuple(number), arc_of, pattern_of, step)


def build_lattice(
    names: tuple[str, ...], encoded: Encoded, config: CRFConfig, lexicons: Lexicons, outside: bool = True
) -> SemiLattice:
    """Return the lattice of the segments and patterns in a labelled corpus; a token may be `outside` of all fields.

    Where the annotation allows several labellings, the best of a model without weights stands for all.
    """
    automaton, _ = inference.nested_bio(names)
    span = np.where(encoded.mask(), np.float32(0), np.float32(-np.inf))[:, None]
    arc = np.zeros(len(automaton.src), dtype=np.float32)
    usable = np.isfinite(inference.log_partition(automaton, Potentials(span, arc, encoded.lengths)))
    lengths = encoded.lengths[usable]
    span = span[np.repeat(usable, encoded.lengths)]
    label = inference.best(automaton, Potentials(span, arc, lengths)).state
    vocabulary = vocabulary_of(names, runs(names, label, lengths), config.stretch, config.longest)
    if not outside and OUTSIDE in vocabulary.labels:
        vocabulary.follows[:, vocabulary.labels.index(OUTSIDE)] = False
    spans = len(inference.ROLES) if config.edges else 1, lexicons if config.whole else None
    found, named = assemble_lattice(names, vocabulary, spans).cut(label, lengths)
    # with `remember`, what is outside of all fields does not count as one of those before
    between = vocabulary.labels.index(OUTSIDE) if config.remember and OUTSIDE in vocabulary.labels else -2
    longer = frequent_patterns(found, named, config.order, config.pattern_min_count, between)
    often = config.pattern_features
    observed = frequent_patterns(found, named, config.order, often, between, 2) if often else []
    return assemble_lattice(names, vocabulary, spans, longer, observed)
