"""Reference implementation of the C++ kernel of soft constraints, in NumPy: its specification, and its substitute.

A path whose score lies below the value of a known one, penalties paid, cannot be the answer: only what is near the best
path, a small lattice, is searched, and trying multipliers on that costs little. What falls below under the multipliers
is left out in turn. All scores, penalties and multipliers are on the grid of `core_numpy.on_grid`, so sums are exact
and every comparison comes out alike in both kernels.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.inference.core_numpy import (
    Double,
    Graph,
    _argmax,
    _forward,
    _graph,
    _join_max,
    _room,
    _strings,
    _walk,
    on_grid,
)
from ibidem.types import BoolArray, FloatArray, IntArray

_CLOSED = 1e-3  # a gap between bound and value that counts as none
_SHALLOW = 5.0  # how far below the best path is searched first
_DEEP = 8.0  # and then, and twice as far each time after
_SLACK = 1e-2  # paths so much worse than those that matter are kept
_HARD_STEP = 1.0  # of the multiplier of a hard constraint, doubled for as long as no path is known that keeps it
_MOST = 1 << 21  # edges of a lattice, or open ends of a search: beyond that memory would run out


class _Edge(NamedTuple):
    """A span, with the arc into it."""

    origin: int  # the vertex where it begins, -1 at the start of the string
    begin: int
    end: int
    state: int
    label: int
    score: float  # of the arc and the span


_Path = list[_Edge]  # from the end of the string to its start


class _Lattice:
    """The paths of at least a given score, as a graph of spans. A vertex is an end (t, s) of spans."""

    def __init__(self, graph: Graph, span: Double, cost: Double, alpha: Double, threshold: float) -> None:
        self._graph, self._span, self._cost, self._alpha = graph, span, cost, alpha
        self._threshold = threshold
        self._number: dict[tuple[int, int], int] = {}
        self._at: list[list[tuple[int, int]]] = [[] for _ in range(len(span) + 1)]  # by t: state and vertex
        self._after: list[float] = []  # the best reduced score of the ways from each vertex
        self._before: list[float] = []  # and to it
        self._place: list[int] = []  # t
        self._edges: list[list[_Edge]] = []  # the spans that end at each vertex
        self._order: list[int] = []  # vertices, the last of the string first
        self.complete = True  # no path was left out
        T, count = len(span), 0
        last = np.where(graph.final, alpha[T], -np.inf)
        for s in np.flatnonzero(self._keep(last)).tolist():
            self._touch(T, s, 0.0)
        for t in range(T, 0, -1):
            self._at[t].sort()
            for s, v in self._at[t]:
                self._order.append(v)
                for d in range(1, min(span.shape[1], t) + 1):
                    self._lead_to(v, s, t - d, t)
                count += len(self._edges[v])
        self._ends = [v for _, v in self._at[T]]
        self.too_large = count > _MOST

    def _keep(self, scores: Double) -> BoolArray:
        """Return which of the scores are enough; where one that is not is that of a path, paths are left out."""
        finite = scores > -np.inf
        kept = finite & (scores >= self._threshold)
        self.complete = self.complete and bool((kept == finite).all())
        return np.asarray(kept)

    def _touch(self, t: int, s: int, after: float) -> int:
        number = self._number.setdefault((t, s), len(self._after))
        if number == len(self._after):
            self._after.append(after)
            self._before.append(-math.inf)
            self._place.append(t)
            self._edges.append([])
            self._at[t].append((s, number))
        self._after[number] = max(self._after[number], after)
        return number

    def _lead_to(self, v: int, s: int, begin: int, end: int) -> None:
        """Add the edges of the spans from `begin` to a vertex."""
        graph, label = self._graph, int(self._graph.label[s])
        span = float(self._span[begin, end - begin - 1, label])
        after = self._after[v] + span - float(self._cost[label])
        if begin == 0:
            if self._keep(graph.start[s : s + 1] + after)[0]:
                self._edges[v].append(_Edge(-1, 0, end, s, label, float(graph.start[s]) + span))
            return
        into = np.flatnonzero(graph.dst == s)
        kept = self._keep(self._alpha[begin, graph.src[into]] + graph.score[into] + after)
        for way in into[kept].tolist():
            score = float(graph.score[way])
            origin = self._touch(begin, int(graph.src[way]), score + after)
            self._edges[v].append(_Edge(origin, begin, end, s, label, score + span))

    def _way(self, edge: _Edge) -> float:
        """Return the best reduced score of the ways that end with an edge."""
        return (0.0 if edge.origin < 0 else self._before[edge.origin]) + edge.score - float(self._cost[edge.label])

    def forward(self, cost: Double) -> float:
        """Return the best score of all paths, given the cost of each label."""
        self._cost = cost
        for v in reversed(self._order):
            self._before[v] = max(map(self._way, self._edges[v]), default=-math.inf)
        return max((self._before[v] for v in self._ends), default=-math.inf)

    def best_path(self) -> _Path:
        """Return the path that has it; the first of those that do."""
        path: _Path = []
        v = max(self._ends, key=self._before.__getitem__)
        while v >= 0:
            path.append(max(self._edges[v], key=self._way))
            v = path[-1].origin
        return path

    def prune(self, threshold: float) -> None:
        """Leave out the edges that lie on no path of at least a given score."""
        T = len(self._span)
        for v in self._order:
            self._after[v] = 0.0 if self._place[v] == T else -math.inf
        for v in self._order:
            kept = []
            for edge in self._edges[v]:
                total = self._way(edge) + self._after[v]
                if total > -math.inf and total >= threshold:
                    kept.append(edge)
                    if edge.origin >= 0:
                        after = self._after[v] + edge.score - float(self._cost[edge.label])
                        self._after[edge.origin] = max(self._after[edge.origin], after)
            self._edges[v] = kept

    def single(self) -> bool:
        """Return whether one path is left."""
        ends = sum(bool(self._edges[v]) for v in self._ends)
        return ends == 1 and all(len(self._edges[v]) <= 1 for v in self._order)

    def best_paths(self, count: int, report: Callable[[float, _Path], bool]) -> bool:
        """Report up to `count` paths with their scores, best first, until the answer is that this will do.

        Return whether there are no more. Among equals the one whose open end is nearest to the start comes first, then
        the oldest: ties cannot fan out, and the order is fixed.
        """
        nodes: list[tuple[float, int, _Edge | None, int]] = []  # score from here on, vertex, edge, next node
        queue: list[tuple[float, int, int]] = []

        def push(bound: float, after: float, vertex: int, edge: _Edge | None, following: int) -> None:
            nodes.append((after, vertex, edge, following))
            heapq.heappush(queue, (-bound, 0 if vertex < 0 else self._place[vertex], len(nodes) - 1))

        for v in self._ends:
            if self._before[v] > -math.inf:
                push(self._before[v], 0.0, v, None, -1)
        while queue and count > 0 and len(nodes) < _MOST:
            bound, _, here = heapq.heappop(queue)
            after, vertex, _, _ = nodes[here]
            if vertex >= 0:
                for each in self._edges[vertex]:
                    way = self._way(each)
                    further = after + each.score - float(self._cost[each.label])
                    push(after + way, further, each.origin, each, here)
                continue
            path: _Path = []
            while (edge := nodes[here][2]) is not None:
                path.append(edge)
                here = nodes[here][3]
            count -= 1
            if report(-bound, path[::-1]):
                return False
        return not queue


class _Search:
    """The search for the best path of one string under constraints."""

    def __init__(
        self, graph: Graph, span: Double, limits: tuple[Double, Double, Double], budget: tuple[int, int]
    ) -> None:
        self._graph, self._span = graph, span
        self._coefficient, self._bound, self._penalty = limits
        self._most, self._several = budget
        self._multiplier = np.zeros(len(self._bound))
        self.multiplier = np.zeros(0)  # of the answer; none where none was needed
        self.iterations = 1
        self.state, self.start, self.score = _walk(_argmax, graph, span, *_forward(_join_max, graph, span))
        self.bound = self.value = self.score
        self.solved = True
        if self.score == -math.inf:
            return
        labels = graph.label[self.state[self.start]]
        self._excess = self._count(labels.tolist())
        self.value = self.score - self._pay()
        self.solved = self.bound - self.value <= _CLOSED
        if self.solved:
            self.bound = self.value

    def run(self) -> None:
        """Replace the best path by a better one under the constraints."""
        if self.solved or (self._most == 1 and self._several == 0):
            return
        lattice = self._look(math.inf if self._most == 1 else _SHALLOW)
        far = _DEEP
        while not self.solved and self.iterations < self._most and not lattice.too_large:
            self.iterations += 1
            lattice = self._look(math.inf if self.iterations == self._most and self._several > 0 else far)
            far *= 2

    def _count(self, labels: list[int]) -> Double:
        """Return by how much spans of these labels exceed each constraint."""
        counts = np.bincount(labels, minlength=self._coefficient.shape[1])
        return np.asarray(self._coefficient @ counts - self._bound)

    def _pay(self) -> float:
        over = self._excess > 0
        return float((self._penalty[over] * self._excess[over]).sum())

    def _cost(self) -> Double:
        return np.asarray(self._multiplier @ self._coefficient)

    def _offset(self) -> float:
        return float(self._multiplier @ self._bound)

    def _look(self, far: float) -> _Lattice:
        """Search what is near the best path under the multipliers, as far as is needed in the end."""
        cost = self._cost()
        alpha, _ = _forward(_join_max, self._graph, self._span - cost)
        top = float(alpha[-1, self._graph.final].max())
        dual = top + self._offset()
        gap = dual - self.value
        depth = min(gap, far)
        lattice = _Lattice(self._graph, self._span, cost, alpha, top - depth - _SLACK)
        if lattice.too_large:
            return lattice
        outside = -math.inf if lattice.complete or depth >= gap else dual - depth
        bound = min(max(self._try_multipliers(lattice, outside), outside), dual)
        self.bound = max(min(self.bound, bound), self.value)
        self.solved = self.bound - self.value <= _CLOSED
        return lattice

    def _try_multipliers(self, lattice: _Lattice, outside: float) -> float:
        """Return what no path of the lattice is better than, or less than what paths outside of it may reach."""
        bound = before = math.inf
        pace, tightest = 1.0, self._multiplier
        last = self._most - (self._several > 0 and outside > -math.inf)  # one is kept for the end
        while True:
            dual = lattice.forward(self._cost()) + self._offset()
            self._take(lattice.best_path())
            if dual < bound:
                bound, tightest = dual, self._multiplier
            unsettled = self._unsettled()
            if bound - self.value <= _CLOSED or not unsettled.any():
                return self.value
            lattice.prune(self.value - self._offset() - _SLACK)
            if lattice.single():
                return self.value
            if bound <= outside or self.iterations >= last:
                break
            if dual > before - _CLOSED:
                pace *= 0.5
            before = dual
            self._move(unsettled, pace, dual)
            self.iterations += 1
        self._multiplier = tightest
        enough = self._several > 0 and self.iterations >= self._most
        return self._look_through(lattice, outside, bound) if enough else bound

    def _look_through(self, lattice: _Lattice, outside: float, bound: float) -> float:
        """Take the best paths under the multipliers of the tightest bound, one after the other."""
        lattice.forward(self._cost())
        offset = self._offset()

        def report(score: float, path: _Path) -> bool:
            nonlocal bound
            bound = min(bound, score + offset)
            if bound <= max(self.value + _CLOSED, outside):
                return True
            self._take(path)
            return False

        return self.value if lattice.best_paths(self._several, report) else bound

    def _unsettled(self) -> BoolArray:
        """Return whose multipliers want to move: too low for what is exceeded, too high for what has room."""
        over = (self._excess > 0) & (self._multiplier < self._penalty)
        return np.asarray(over | ((self._multiplier != 0) & (self._excess < 0)))

    def _move(self, unsettled: BoolArray, pace: float, dual: float) -> None:
        excess = np.where(unsettled, self._excess, 0.0)
        gap, size = dual - self.value, max(float((excess**2).sum()), 1e-12)
        step = float(on_grid(pace * gap / size)) if math.isfinite(gap) else _HARD_STEP * 2.0 ** min(self.iterations, 20)
        self._multiplier = np.clip(self._multiplier + step * excess, 0.0, self._penalty)

    def _take(self, path: _Path) -> None:
        """Count what a path exceeds, and make it the answer if it is better than the last one."""
        self._excess = self._count([edge.label for edge in path])
        score = sum(edge.score for edge in path)
        value = score - self._pay()
        if not value > self.value:
            return
        self.value, self.score, self.multiplier = value, score, self._multiplier
        for edge in path:
            self.state[edge.begin : edge.end] = edge.state
            self.start[edge.begin : edge.end] = False
            self.start[edge.begin] = True


def soft_best(
    label: IntArray, src: IntArray, dst: IntArray, final: BoolArray, span: FloatArray, arc: FloatArray,
    lengths: IntArray, coefficient: Double, bound: Double, penalty: Double, iterations: int, several: int, threads: int,
) -> tuple[IntArray, BoolArray, Double, Double, Double, IntArray, BoolArray, NDArray[np.int64], Double]:  # fmt: skip
    """Return the best paths under constraints: states [N], beginnings [N]; score, value, bound, iterations, solved [B].

    Then (string, constraint) [M, 2] and value [M] of all multipliers that are not 0.
    """
    graph = _graph(label, src, dst, final, arc)
    B = len(lengths)
    state, starts, score = _room(1, span, lengths)
    value, least, rounds = np.zeros(B), np.zeros(B), np.ones(B, dtype=np.int32)
    solved, multipliers = np.ones(B, dtype=np.bool_), np.zeros((B, len(bound)))
    for b, place, scores in _strings(span, lengths):
        if not len(scores):
            continue
        search = _Search(graph, scores, (coefficient, bound, penalty), (iterations, several))
        score[0, b] = search.score
        if search.score == -math.inf:
            continue
        search.run()
        state[0, place], starts[0, place], score[0, b] = search.state, search.start, search.score
        value[b], least[b], rounds[b], solved[b] = search.value, search.bound, search.iterations, search.solved
        multipliers[b, : len(search.multiplier)] = search.multiplier
    where = np.argwhere(multipliers != 0)
    return state[0], starts[0], score[0], value, least, rounds, solved, where, multipliers[multipliers != 0]
