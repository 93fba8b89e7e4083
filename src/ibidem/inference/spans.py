"""The scores of all spans of a batch from the scores of its tokens, by C++ kernels or their NumPy reference.

Every token has a score for each label and role: what it adds to every span that holds it (*bag*), to a span that begins
with it (*first*) and to one that ends with it (*last*). The sum of the bags of a span is one addition more than that of
the span that is a token shorter; such features are *extensible* (Cuong and others 2015). Every other feature of a span
is a row of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.inference import core, spans_numpy
from ibidem.kernels import compiled
from ibidem.types import Automaton, BoolArray, FloatArray, IntArray, Potentials

ROLES = {"bag": True, "first": False, "last": False}
"""The roles of a token in a span, in their order, and whether what they add is extensible."""

_ROOM = 1 << 22  # scores of spans held at once, except those of a very long string


def spans_of(lengths: IntArray, longest: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first tokens, and the last tokens + 1, of all spans of up to `longest` tokens.  # [M] each

    They are in the order of their first tokens and then of their lengths.
    """
    tokens = int(lengths.sum())
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(tokens)  # tokens up to the end of the string
    count = np.minimum(left, longest)
    begin = np.repeat(np.arange(tokens), count)
    first = np.repeat(np.cumsum(count) - count, count)
    return begin, begin + np.arange(len(begin)) - first + 1


def count_spans(lengths: IntArray, longest: int) -> int:
    """Return the number of spans of `spans_of`."""
    return int(_count_each(lengths, longest).sum())


def span_scores(
    token: FloatArray,
    lengths: IntArray,
    limits: IntArray,
    table: FloatArray,
    ids: IntArray,
    longest: int,
    threads: int = 1,
) -> FloatArray:
    """Return the score of every span of up to L = `longest` tokens: [N, L, Y].

    `token` is [N, R, Y], R of the roles; `limits` [Y] the longest span of each label; `ids` [M, F] the rows of `table`
    [P, Y] that each of the M spans of `spans_of` adds, -1 for none. A span longer than its label may be or past the end
    of its string has -inf.

    >>> token = np.array([[[1.0]], [[2.0]], [[4.0]]])
    >>> table, ids = np.zeros((0, 1)), np.zeros((5, 0), dtype=np.int32)
    >>> span_scores(token, np.array([3]), np.array([2]), table, ids, 2)[..., 0].tolist()
    [[1.0, 3.0], [2.0, 6.0], [4.0, -inf]]
    """
    scores = core._reals("token", token, 3)
    shared = np.ascontiguousarray(table, dtype=scores.dtype)
    sizes, reach, rows = _check(scores.shape, lengths, limits, ids, core._positive("longest", longest), len(shared))
    if shared.ndim != 2 or shared.shape[1] != scores.shape[2]:
        raise IbidemError(f"expected a table [P, {scores.shape[2]}]; got {shared.shape}")
    found: FloatArray = _kernels().span_scores(scores, sizes, reach, shared, rows, longest, core._threads(threads))
    return found


def span_gradient(
    counts: FloatArray, lengths: IntArray, roles: int, limits: IntArray, table_count: int, ids: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the gradients of tokens [N, R, Y] and table [P, Y], given that of the spans [N, L, Y].

    This is the transpose of `span_scores`.
    """
    gradient = core._reals("counts", counts, 3)
    shape = (gradient.shape[0], roles, gradient.shape[2])
    sizes, reach, rows = _check(shape, lengths, limits, ids, gradient.shape[1], table_count)
    token, table = _kernels().span_credit(gradient, sizes, roles, reach, table_count, rows)
    return token, table


class SpanWeights:
    """The weights of the features of whole spans, and how long spans may be."""

    __slots__ = ("limits", "order", "ordered", "table")

    def __init__(self, limits: IntArray, table: FloatArray) -> None:
        self.limits = np.ascontiguousarray(limits, dtype=np.int32)  # [Y] the longest span of each label
        self.table = np.ascontiguousarray(table)  # [P, Y]
        self.order = np.argsort(-self.limits, kind="stable").astype(np.int32)  # [Y] labels by falling limits
        self.ordered = np.ascontiguousarray(self.table[:, self.order])  # [P, Y] its columns in that order


class SpanPotentials(Potentials):
    """Potentials whose scores of spans are computed when they are first asked for: decoding rarely needs them."""

    __slots__ = ("_span", "ids", "longest", "token", "weights")
    token: FloatArray  # [N, R, Y] and the others as for `span_scores`
    weights: SpanWeights
    ids: IntArray
    longest: int
    _span: FloatArray | None

    def __init__(
        self, token: FloatArray, weights: SpanWeights, ids: IntArray, longest: int, arc: FloatArray, lengths: IntArray
    ) -> None:
        parts = {"token": token, "weights": weights, "ids": ids, "longest": longest, "arc": arc, "lengths": lengths}
        for name, part in {**parts, "_span": None}.items():
            object.__setattr__(self, name, part)

    @property
    def span(self) -> FloatArray:
        """The scores of all spans.  # [N, L, Y]"""
        if self._span is not None:
            return self._span
        weights = self.weights
        span = span_scores(self.token, self.lengths, weights.limits, weights.table, self.ids, self.longest)
        object.__setattr__(self, "_span", span)
        return span

    def only(self, strings: NDArray[np.intp]) -> SpanPotentials:
        """Return the potentials of some strings, in the order given."""
        lengths = np.asarray(self.lengths)
        tokens = _places(lengths, strings)
        spans = _places(_count_each(lengths, self.longest), strings) if self.ids.shape[1] else slice(0, 0)
        chosen = lengths[strings].astype(np.int32)
        longest = max(1, min(self.longest, int(chosen.max(initial=1))))
        return SpanPotentials(self.token[tokens], self.weights, self.ids[spans], longest, self.arc, chosen)


def split_potentials(
    potentials: Potentials, strings: NDArray[np.intp] | None = None
) -> Iterator[tuple[NDArray[np.intp], Potentials]]:
    """Yield the potentials of strings, of all by default, in parts whose scores of spans fit in memory."""
    lengths = np.asarray(potentials.lengths)
    chosen = np.arange(len(lengths)) if strings is None else strings
    if not isinstance(potentials, SpanPotentials):
        if len(chosen) != len(lengths):
            raise IbidemError("only potentials whose spans are not computed yet can be split")
        yield chosen, potentials
        return
    sizes = lengths[chosen].astype(np.int64)
    size = sizes * np.minimum(sizes, potentials.longest) * potentials.token.shape[2]
    for part in np.split(chosen, np.flatnonzero(np.diff(np.cumsum(size) // _ROOM)) + 1):
        if len(part):
            yield part, potentials.only(part)


Found = tuple[NDArray[np.float64], NDArray[np.float64], IntArray, NDArray[np.float64], BoolArray]


def decode_spans(
    automaton: Automaton,
    potentials: SpanPotentials,
    masks: tuple[BoolArray, BoolArray, BoolArray],
    joins: BoolArray,
    with_marginals: bool = True,
    threads: int = 1,
) -> Found | None:
    """Return the fields on the best path of each string, by a kernel that makes no table of all spans.

    The `masks`, [K, Y] each, say which labels of spans begin a field of each path, which continue one, and within which
    the tokens of a span after its first are; `joins` [Y] of which labels spans in a row are one field if together they
    are longer than their limit. The result is score [B], log-partition [B], fields (string, start, end, path) [M, 4],
    their log-probabilities [M], and which strings are sure [B]: for those the path is that of `best`, and no
    probability is off by more than 1e-9. There is no answer for the others, and None without compiled kernels.
    """
    kernels = compiled()
    if kernels is None:
        return None
    weights, token = potentials.weights, core._reals("token", potentials.token, 3)
    label, src, dst = (
        core._integers(f"automaton.{name}", getattr(automaton, name), 1) for name in ("label", "src", "dst")
    )
    final = np.ascontiguousarray(automaton.final, dtype=np.bool_)
    arc = np.ascontiguousarray(potentials.arc, dtype=token.dtype)
    begins, continues, inside = (np.ascontiguousarray(mask, dtype=np.bool_) for mask in masks)
    try:
        return kernels.decode_spans(  # type: ignore[no-any-return]
            label, src, dst, final, arc, core._integers("lengths", potentials.lengths, 1), token, weights.limits,
            weights.order, weights.ordered.astype(token.dtype, copy=False), core._integers("ids", potentials.ids, 2),
            potentials.longest, begins, continues, inside, joins, with_marginals, core._threads(threads),
        )  # fmt: skip
    except ValueError as error:
        raise IbidemError(str(error)) from error


def _count_each(lengths: IntArray, longest: int) -> NDArray[np.int64]:
    """Return the number of spans of each string.  # [B]"""
    sizes = lengths.astype(np.int64)
    short = np.minimum(sizes, longest)
    return np.asarray(short * (short + 1) // 2 + (sizes - short) * longest)


def _places(sizes: NDArray[np.integer], chosen: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the places of what belongs to the chosen ones, of several that have so many each."""
    begin, size = (np.cumsum(sizes) - sizes)[chosen], sizes[chosen]
    return np.asarray(np.repeat(begin - (np.cumsum(size) - size), size) + np.arange(size.sum()))


def _kernels() -> Any:
    return compiled() or spans_numpy


def _check(
    shape: tuple[int, ...], lengths: IntArray, limits: IntArray, ids: IntArray, longest: int, table_count: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return lengths [B], limits [Y] and ids [M, F], checked."""
    sizes, reach = core._integers("lengths", lengths, 1), core._integers("limits", limits, 1)
    rows = core._integers("ids", ids, 2)
    tokens, roles, labels = shape
    core._require_lengths(sizes, tokens)
    spans = count_spans(sizes, longest)
    if not 1 <= roles <= len(ROLES) or reach.shape != (labels,) or (len(rows) != spans and rows.shape[1]):
        raise IbidemError(
            f"expected scores [N, R, Y], R up to {len(ROLES)}, limits [Y] and ids [{spans}, F]; "
            f"got {shape}, {reach.shape} and {rows.shape}"
        )
    core._require_range("ids", rows, -1, table_count)
    return sizes, reach, rows
