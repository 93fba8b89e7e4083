"""Reference implementation of the C++ kernels, in NumPy: their specification, and their substitute.

Every function has the name, the arguments and the results of its counterpart in `ibidem._kernels`. Everything is in
logarithms and in double precision; the results have the type of the scores. `core` checks the arguments before either
is called. Scores are rounded to multiples of 2^-36: double precision adds such numbers without rounding as long as the
sums stay below 2^17, so that equal scores are equal in both kernels, and the same path is chosen among them.

    enter[t, s]     = ⊕ over arcs r→s of   alpha[t, r] ⊗ arc[r→s]
    alpha[t + d, s] = ⊕ over d ≤ L of      enter[t, s] ⊗ span[t, d, label(s)]
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.types import BoolArray, FloatArray, IntArray

Double = NDArray[np.float64]
Choose = Callable[[Double], int]
Join = Callable[[Double, NDArray[np.intp], int], Double]
MOST_NODES = 1 << 23  # of a k-best search; kbest.hpp has the same number


def on_grid(scores: Double | float) -> Double:
    """Return the nearest multiples of 2^-36; infinities stay."""
    shift = 98304.0  # 1.5 * 2^16, whose last bit is 2^-36
    return np.asarray((scores + shift) - shift)


class Graph(NamedTuple):
    """An automaton with the scores of its arcs; those out of the start stand apart."""

    label: IntArray  # [S]
    final: BoolArray  # [S]
    start: Double  # [S]: the score of entering s at the first token
    start_arc: NDArray[np.intp]  # arcs out of the start
    inner_arc: NDArray[np.intp]  # all others: [I]
    src: NDArray[np.intp]  # [I]
    dst: NDArray[np.intp]  # [I]
    score: Double  # [I]
    dst_of_start: NDArray[np.intp]


def _graph(label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, arc: FloatArray) -> Graph:
    """Return the automaton split into start arcs and inner arcs."""
    pairs, count = np.unique(np.stack([src, dst]), axis=1, return_counts=True)
    if (count > 1).any():
        twice_src, twice_dst = pairs[:, count > 1][:, 0]
        one, other = np.flatnonzero((src == twice_src) & (dst == twice_dst))[:2]
        raise ValueError(
            f"arcs {one} and {other} of the automaton both lead from state {twice_src} to state {twice_dst}; "
            "give one arc for each pair of states"
        )
    scores = on_grid(arc.astype(np.float64))
    start_arc, inner_arc = np.flatnonzero(src < 0), np.flatnonzero(src >= 0)
    start = np.full(len(label), -np.inf)
    start[dst[start_arc]] = scores[start_arc]
    inner = (src[inner_arc].astype(np.intp), dst[inner_arc].astype(np.intp), scores[inner_arc])
    return Graph(label, final, start, start_arc, inner_arc, *inner, dst[start_arc].astype(np.intp))


def _strings(span: FloatArray, lengths: IntArray) -> Iterator[tuple[int, slice, Double]]:
    """Yield for every string its number, its place in the batch and its scores [T, L, Y]."""
    ends = np.cumsum(lengths, dtype=np.int64)
    for number, (length, end) in enumerate(zip(lengths.tolist(), ends.tolist(), strict=True)):
        place = slice(end - length, end)
        yield number, place, on_grid(span[place].astype(np.float64))


def _join_max(values: Double, into: NDArray[np.intp], size: int) -> Double:
    """Return the largest of the values that go into each of `size` places; -inf where none goes."""
    best = np.full(size, -np.inf)
    np.maximum.at(best, into, values)
    return best


def _join_log(values: Double, into: NDArray[np.intp], size: int) -> Double:
    """Return the logarithm of the sum of exp(values) that go into each of `size` places; -inf where none goes."""
    best = _join_max(values, into, size)
    finite = np.where(best > -np.inf, best, 0.0)
    total = np.bincount(into, np.exp(values - finite[into]), size)
    return finite + np.log(total, out=np.full(size, -np.inf), where=total > 0)


def _ending(graph: Graph, span: Double, enter: Double, t: int) -> Double:
    """Return the scores of the spans that end at t, by length and state: [min(L, t), S]."""
    longest = min(span.shape[1], t)
    return np.stack([enter[t - d] + span[t - d, d - 1, graph.label] for d in range(1, longest + 1)])


def _forward(join: Join, graph: Graph, span: Double) -> tuple[Double, Double]:
    """Return the tables alpha [T + 1, S] and enter [T, S]; row 0 of alpha, the start, is unused."""
    T, S = len(span), len(graph.label)
    alpha, enter = np.full((T + 1, S), -np.inf), np.full((T, S), -np.inf)
    for t in range(T):
        enter[t] = join(alpha[t, graph.src] + graph.score, graph.dst, S) if t else graph.start
        ending = _ending(graph, span, enter, t + 1)
        alpha[t + 1] = join(ending.ravel(), np.tile(np.arange(S), len(ending)), S)
    return alpha, enter


def _log_total(graph: Graph, alpha: Double) -> float:
    """Return the logarithm of the sum over all paths; 0 for a string without tokens."""
    if len(alpha) == 1:
        return 0.0
    last = alpha[-1, graph.final]
    return float(_join_log(last, np.zeros(len(last), dtype=np.intp), 1)[0])


def _quotient(above: Double, below: Double) -> Double:
    """exp(above - below), and 0 wherever either is -inf."""
    return np.exp(above - np.where(below > -np.inf, below, np.inf))


def _share(
    graph: Graph, span: Double, alpha: Double, enter: Double, log_z: float
) -> tuple[Double, Double, Double, Double]:
    """Return the marginals of a string: spans [T, L, Y], arcs [A], ends [T + 1, S] and beginnings of spans [T, S]."""
    T, S = len(span), len(graph.label)
    span_counts, arc_counts = np.zeros_like(span), np.zeros(len(graph.start_arc) + len(graph.inner_arc))
    ended, entered = np.zeros_like(alpha), np.zeros_like(enter)
    if T == 0 or log_z == -np.inf:
        return span_counts, arc_counts, ended, entered
    ended[T] = np.exp(np.where(graph.final, alpha[T] - log_z, -np.inf))
    for t in range(T, 0, -1):
        shares = ended[t] * _quotient(_ending(graph, span, enter, t), alpha[t])
        for d in range(1, len(shares) + 1):
            entered[t - d] += shares[d - 1]
            np.add.at(span_counts[t - d, d - 1], graph.label, shares[d - 1])
        if t > 1:
            ways = entered[t - 1, graph.dst] * _quotient(alpha[t - 1, graph.src] + graph.score, enter[t - 1, graph.dst])
            ended[t - 1] = np.bincount(graph.src, ways, S)
            arc_counts[graph.inner_arc] += ways
    arc_counts[graph.start_arc] += entered[0, graph.dst_of_start]
    return span_counts, arc_counts, ended, entered


def _argmax(scores: Double) -> int:
    """Return the first of the largest."""
    return int(scores.argmax())


_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    """The finishing step of splitmix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


def _drawer(seed: int, draw: int, string: int) -> Choose:
    """A chooser that draws in proportion to exp(score), from a stream that depends on its three numbers alone."""
    state = seed
    for number in (0, draw, string):
        state = _mix((state + number + _STEP) & _WORD)

    def choose(scores: Double) -> int:
        nonlocal state
        state = (state + _STEP) & _WORD
        weights = np.exp(scores - scores.max())
        passed = np.cumsum(weights)
        index = int(np.searchsorted(passed, (_mix(state) >> 11) * 2.0**-53 * passed[-1], side="right"))
        return min(index, int(np.flatnonzero(weights)[-1]))

    return choose


def _walk(
    choose: Choose, graph: Graph, span: Double, alpha: Double, enter: Double
) -> tuple[NDArray[np.int32], NDArray[np.bool_], float]:
    """A path from the end to the start: the state of each token, whether a span begins there, and the score."""
    state, starts = np.full(len(span), -1, dtype=np.int32), np.zeros(len(span), dtype=np.bool_)
    t, score = len(span), 0.0
    if t == 0:
        return state, starts, score
    last = np.where(graph.final, alpha[t], -np.inf)
    if not (last > -np.inf).any():
        return state, starts, -np.inf
    s = choose(last)
    while True:
        d = 1 + choose(_ending(graph, span, enter, t)[:, s]) if span.shape[1] > 1 else 1
        t -= d
        state[t : t + d] = s
        starts[t] = True
        score += span[t, d - 1, graph.label[s]]
        if t == 0:
            return state, starts, float(score + graph.start[s])
        into = np.flatnonzero(graph.dst == s)
        way = into[choose(alpha[t, graph.src[into]] + graph.score[into])]
        score += graph.score[way]
        s = int(graph.src[way])


def log_partition(
    label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, span: FloatArray, arc: FloatArray,
    lengths: IntArray, threads: int,
) -> Double:  # fmt: skip
    """Return the logarithm of the sum over all paths of each string: [B]."""
    graph = _graph(label, src, dst, final, arc)
    log_z = np.zeros(len(lengths))
    for b, _, scores in _strings(span, lengths):
        log_z[b] = _log_total(graph, _forward(_join_log, graph, scores)[0])
    return log_z


def marginals(
    label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, span: FloatArray, arc: FloatArray,
    lengths: IntArray, threads: int,
) -> tuple[Double, FloatArray, FloatArray]:  # fmt: skip
    """Return the logarithm of the sum [B], the probabilities of spans [N, L, Y] and the expected counts of arcs [A]."""
    graph = _graph(label, src, dst, final, arc)
    log_z, span_counts, arc_counts = np.zeros(len(lengths)), np.zeros_like(span), np.zeros(len(arc))
    for b, place, scores in _strings(span, lengths):
        alpha, enter = _forward(_join_log, graph, scores)
        log_z[b] = _log_total(graph, alpha)
        span_counts[place], arcs, _, _ = _share(graph, scores, alpha, enter, log_z[b])
        arc_counts += arcs
    return log_z, span_counts, arc_counts.astype(span.dtype)


def best(
    label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, span: FloatArray, arc: FloatArray,
    lengths: IntArray, threads: int,
) -> tuple[IntArray, BoolArray, Double]:  # fmt: skip
    """Return the best path: states [N], beginnings of spans [N], scores [B]; -1 and -inf where a string has no path."""
    graph = _graph(label, src, dst, final, arc)
    state, starts, score = _room(1, span, lengths)
    for b, place, scores in _strings(span, lengths):
        tables = _forward(_join_max, graph, scores)
        state[0, place], starts[0, place], score[0, b] = _walk(_argmax, graph, scores, *tables)
    return state[0], starts[0], score[0]


def sample(
    label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, span: FloatArray, arc: FloatArray,
    lengths: IntArray, seed: int, draws: int, threads: int,
) -> tuple[IntArray, BoolArray, Double]:  # fmt: skip
    """Paths drawn by their probability: states [draws, N], beginnings of spans [draws, N] and scores [draws, B]."""
    graph = _graph(label, src, dst, final, arc)
    state, starts, score = _room(draws, span, lengths)
    for b, place, scores in _strings(span, lengths):
        tables = _forward(_join_log, graph, scores)
        for i in range(draws):
            state[i, place], starts[i, place], score[i, b] = _walk(_drawer(seed, i, b), graph, scores, *tables)
    return state, starts, score


def kbest(
    label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, span: FloatArray, arc: FloatArray,
    lengths: IntArray, k: int, threads: int,
) -> tuple[IntArray, BoolArray, Double, IntArray]:  # fmt: skip
    """Return the k best paths: states [k, N], beginnings [k, N], scores [k, B] and how many there are [B]."""
    graph = _graph(label, src, dst, final, arc)
    state, starts, score = _room(k, span, lengths)
    score[:] = -np.inf
    count = np.zeros(len(lengths), dtype=np.int32)
    for b, place, scores in _strings(span, lengths):
        paths = _best_first(graph, scores, k)
        count[b] = len(paths)
        for i, (value, spans) in enumerate(paths):
            score[i, b] = value
            for begin, end, s in spans:
                state[i, place.start + begin : place.start + end] = s
                starts[i, place.start + begin] = True
    return state, starts, score, count


def segment_mass(
    label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, span: FloatArray, arc: FloatArray,
    lengths: IntArray, segments: IntArray, first: BoolArray, inside: BoolArray, threads: int,
) -> Double:  # fmt: skip
    """Return the log-probability of each segment of a chain: [M]."""
    graph = _graph(label, src, dst, final, arc)
    mass = np.full(len(segments), -np.inf)
    for b, _, scores in _strings(span, lengths):
        wanted = np.flatnonzero(segments[:, 0] == b)
        if not len(wanted):
            continue
        alpha, enter = _forward(_join_log, graph, scores)
        ended = _share(graph, scores, alpha, enter, _log_total(graph, alpha))[2]
        for m in wanted:
            _, start, end, mask = segments[m]
            mass[m] = _mass(graph, alpha, enter, ended, start, end, first[mask], inside[mask])
    return mass


def emissions(
    rows: FloatArray, types: IntArray, lengths: IntArray, table: FloatArray, ids: IntArray, threads: int
) -> FloatArray:
    """Return the sum of the rows of a token's window and of its own ids: [N, Y]."""
    out = _windows(rows, types, lengths)
    for f in range(ids.shape[1]):
        some = np.flatnonzero(ids[:, f] >= 0)
        out[some] += table[ids[some, f]]
    return out


def packed_emissions(
    rows: FloatArray, types: IntArray, lengths: IntArray, table: NDArray[np.int8], ids: IntArray, steady: IntArray,
    threads: int,
) -> FloatArray:  # fmt: skip
    """Return the same with a packed table, the sums of steady columns made first: [N, Y].

    Single precision depends on the order of a sum, and this is that of the compiled kernel.
    """
    out = _windows(rows, types, lengths)
    width, size = rows.shape[2], np.dtype(np.float32).itemsize

    def add(into: FloatArray, columns: NDArray[np.intp]) -> None:
        for f in columns:
            some = np.flatnonzero(ids[:, f] >= 0)
            packed = table[ids[some, f]]
            scale = np.ascontiguousarray(packed[:, width : width + size]).view(np.float32)
            into[some] += packed[:, :width] * scale.astype(rows.dtype)

    for begin, end in steady.tolist():
        kept = np.zeros_like(out)
        add(kept, np.arange(begin, end))
        out += kept
    within = [np.arange(begin, end) for begin, end in steady.tolist()]
    add(out, np.setdiff1d(np.arange(ids.shape[1]), np.concatenate([*within, np.zeros(0, dtype=np.intp)])))
    return out


def _windows(rows: FloatArray, types: IntArray, lengths: IntArray) -> FloatArray:
    """Return the sum of the rows of each token's window: [N, Y]."""
    out = np.zeros((len(types), rows.shape[2]), dtype=rows.dtype)
    for w in range(rows.shape[1]):
        here, there = _pairs(types, lengths, w - rows.shape[1] // 2)
        out[here] += rows[types[there], w]
    return out


def emissions_credit(
    delta: FloatArray, types: IntArray, lengths: IntArray, rows_count: int, window: int, ids: IntArray,
    table_count: int, threads: int,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Return the transpose of `emissions`: gradients of the rows [R, W, Y] and of the table [P, Y]."""
    rows = np.zeros((rows_count, window, delta.shape[1]), dtype=delta.dtype)
    table = np.zeros((table_count, delta.shape[1]), dtype=delta.dtype)
    for w in range(window):
        here, there = _pairs(types, lengths, w - window // 2)
        np.add.at(rows[:, w], types[there], delta[here])
    for f in range(ids.shape[1]):
        some = np.flatnonzero(ids[:, f] >= 0)
        np.add.at(table, ids[some, f], delta[some])
    return rows, table


def _room(rows: int, span: FloatArray, lengths: IntArray) -> tuple[IntArray, BoolArray, Double]:
    """Empty paths: states [rows, N], beginnings [rows, N] and scores [rows, B]."""
    shape = (rows, len(span))
    return np.full(shape, -1, dtype=np.int32), np.zeros(shape, dtype=np.bool_), np.zeros((rows, len(lengths)))


def _best_first(graph: Graph, span: Double, k: int) -> list[tuple[float, list[tuple[int, int, int]]]]:
    """Return the k best paths, each its score and its spans (begin, end, state).

    A best-first search from the end: `enter` says exactly how well the open part can still be completed. No place
    (t, s) is opened more than k times, since k completions at least as good have gone through it. Where the search
    has grown to `MOST_NODES`, the paths found so far are all.
    """
    if len(span) == 0:
        return [(0.0, [])]
    enter = _forward(_join_max, graph, span)[1]
    queue: list[tuple[float, int, int]] = []  # bound, begin, node; the node nearest to the start first among equals
    nodes: list[tuple[float, int, int, int, int]] = []  # score from here on, begin, end, state, next node
    opened: dict[tuple[int, int], int] = {}
    found: list[tuple[float, list[tuple[int, int, int]]]] = []

    def push(end: int, s: int, suffix: float, following: int) -> None:
        for t in range(end - 1, max(end - span.shape[1], 0) - 1, -1):
            here = suffix + float(span[t, end - t - 1, graph.label[s]])
            bound = here + float(enter[t, s])
            if bound > -np.inf:
                nodes.append((here, t, end, s, following))
                heapq.heappush(queue, (-bound, t, len(nodes) - 1))

    for s in np.flatnonzero(graph.final).tolist():
        push(len(span), s, 0.0, -1)
    while queue and len(found) < k and (len(nodes) < MOST_NODES or not found):
        _, t, node = heapq.heappop(queue)
        suffix, s = nodes[node][0], nodes[node][3]
        opened[t, s] = opened.get((t, s), 0) + 1
        if opened[t, s] > k:
            continue
        if t > 0:
            for way in np.flatnonzero(graph.dst == s).tolist():
                push(t, int(graph.src[way]), suffix + float(graph.score[way]), node)
            continue
        spans = []
        while node >= 0:
            _, begin, end, shown, node = nodes[node]
            spans.append((begin, end, shown))
        found.append((suffix + float(graph.start[s]), spans))
    return sorted(found, key=lambda path: -path[0])


def _mass(
    graph: Graph,
    alpha: Double,
    enter: Double,
    ended: Double,
    start: int,
    end: int,
    first: BoolArray,
    inside: BoolArray,
) -> float:
    """Return the log-probability of one segment: that of what follows it, split backwards among allowed states only."""
    T, S = len(enter), len(graph.label)
    if end == T:
        here = np.where(first if end - start == 1 else inside, ended[T], 0.0)
    else:
        here = np.where(inside, 0.0, ended[end + 1])
    for t in range(end if end < T else end - 1, start, -1):
        share = _quotient(alpha[t, graph.src] + graph.score, enter[t, graph.dst])
        here = np.bincount(graph.src, here[graph.dst] * share, S) * (first if t - 1 == start else inside)
    total = min(float(here.sum()), 1.0)
    return float(np.log(total)) if total > 0 else -np.inf


def _pairs(types: IntArray, lengths: IntArray, offset: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the tokens that have a token of known type `offset` away in the same string, and those tokens."""
    string = np.repeat(np.arange(len(lengths)), lengths)
    here = np.arange(max(0, -offset), min(len(types), len(types) - offset))
    there = here + offset
    good = (string[here] == string[there]) & (types[there] >= 0)
    return here[good], there[good]
