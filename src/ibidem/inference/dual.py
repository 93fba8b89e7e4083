"""The best path under soft constraints, by dual decomposition (Anzaroot 2014, algorithms 1 and 2).

It maximises over paths y

    score(y) - sum over constraints i of   penalty_i * max(0, a_i . counts(y) - bound_i)

Every constraint has a dual multiplier lambda_i between 0 and its penalty. A decoder without constraints finds the best
path of the scores less the multipliers, label by label; a multiplier rises where its constraint is exceeded and falls
where there is room (projected subgradient). D(lambda), the score of that path plus lambda . bound, is an upper bound of
the optimum, and the penalised score of any path a lower one: where the two meet, the path is optimal. An infinite
penalty makes a constraint hard.

`SoftDual` does this with any decoder. For that of the shared core there is a kernel, constrained.hpp, which never
looks again at a path that scores less than the best value known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.inference import core
from ibidem.inference.constraints import CompiledConstraints
from ibidem.inference.core import Paths, best, kbest
from ibidem.kernels import compiled
from ibidem.types import Automaton, BoolArray, IntArray, Potentials

Reals = NDArray[np.float64]
Oracle = Callable[[Automaton, Potentials, int], Paths]

_CLOSED = 1e-3  # a gap between bound and value that counts as none
_HARD_STEP = 1.0  # of the multiplier of a hard constraint, doubled for as long as no path is known that keeps it


@dataclass(frozen=True, slots=True)
class ConstrainedPaths:
    """The paths of a batch, and for each string how its path was found and whether it is certain to be optimal.

    `paths.score` is the model's own score of each path, penalties not counted.
    """

    paths: Paths
    value: Reals  # [B] the score less the penalties
    optimal: BoolArray  # [B] certain to be optimal
    gap: Reals  # [B] upper bound of what a better path could gain
    iterations: IntArray  # [B] calls of the decoder
    multipliers: Reals  # [B, C] under which the path was found

    @property
    def binding(self) -> BoolArray:
        """Which constraints are binding.  # [B, C]"""
        return np.asarray(self.multipliers > 0)


def label_counts(automaton: Automaton, potentials: Potentials, paths: Paths) -> Reals:
    """Count the spans of each label on the path of each string.  # [B, Y]"""
    B, Y = len(potentials.lengths), int(potentials.span.shape[2])
    string = np.repeat(np.arange(B), potentials.lengths)[paths.start]
    code = string * Y + np.asarray(automaton.label)[paths.state[paths.start]]
    return np.bincount(code, minlength=B * Y).reshape(B, Y).astype(np.float64)


def _rows_of(lengths: IntArray, strings: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the places of the tokens of some strings of a batch, in the order given."""
    begin, chosen = np.cumsum(lengths) - lengths, lengths[strings]
    first = np.repeat(begin[strings] - (np.cumsum(chosen) - chosen), chosen)
    return np.asarray(first + np.arange(len(first)))


def select_strings(potentials: Potentials, strings: NDArray[np.intp]) -> Potentials:
    """Return the scores of some strings of a batch, in the order given."""
    lengths = np.asarray(potentials.lengths)
    span = np.asarray(potentials.span)[_rows_of(lengths, strings)]
    return Potentials(span, potentials.arc, lengths[strings].astype(np.int32))


def _gap(closed: BoolArray, bound: Reals, value: Reals) -> Reals:
    """Return what a better path could still gain; infinite where no known path satisfies the hard constraints."""
    gap = np.where(np.isfinite(value), 0.0, np.inf)
    np.subtract(bound, value, out=gap, where=np.isfinite(value))
    return np.where(closed, 0.0, np.maximum(gap, 0.0))


def subtract_multipliers(potentials: Potentials, multipliers: Reals, constraints: CompiledConstraints) -> Potentials:
    """Return the scores of every string less the multipliers of its labels."""
    span = np.asarray(potentials.span)
    cost = (multipliers @ constraints.coefficient).astype(span.dtype)
    return Potentials(
        span - np.repeat(cost, potentials.lengths, axis=0)[:, None, :], potentials.arc, potentials.lengths
    )


class SoftDual:
    """A decoder under soft constraints, made of one without; it can itself be used as one.

    After `iterations` calls of the decoder, the `several` best paths under the best multipliers are searched for each
    string that is not solved: no path after them can be better than the last of them.
    """

    def __init__(
        self,
        constraints: CompiledConstraints,
        penalty: Reals,
        decoder: Oracle = best,
        iterations: int = 10,
        several: int = 30,
    ) -> None:
        penalty = np.asarray(penalty, dtype=np.float64)
        if penalty.shape != constraints.bound.shape or np.isnan(penalty).any() or (penalty < 0).any():
            raise ConfigError(f"give a penalty of 0 or more for each of the {len(constraints.bound)} constraints")
        if iterations < 1:
            raise ConfigError(f"iterations is {iterations}: give 1 or more")
        self._kept = np.flatnonzero(penalty > 0)
        self._constraints = CompiledConstraints(constraints.coefficient[self._kept], constraints.bound[self._kept])
        self._quick = self._constraints.coefficient.T.astype(np.float32), self._constraints.bound.astype(np.float32)
        self._penalty = penalty[self._kept]
        # arguments of a kernel: coefficients, bounds, penalties, iterations, and how many paths to search
        arrays = (self._constraints.coefficient, self._constraints.bound, self._penalty)
        self.limits = (*(np.ascontiguousarray(each, dtype=np.float64) for each in arrays), iterations, several)
        self._count = len(penalty)
        self._whole = constraints
        self._decoder = decoder
        self._iterations = iterations
        self._several = several

    def __call__(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> Paths:
        """Return the best paths found under the constraints."""
        return self.decode(automaton, potentials, threads).paths

    def decode(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> ConstrainedPaths:
        """Return the best paths found under the constraints, with bounds."""
        if self._decoder is best and compiled() is not None:
            return self._decode_in_kernel(automaton, potentials, threads)
        self._require_labels(potentials)
        paths = self._decoder(automaton, potentials, threads)
        B = len(paths.score)
        found = ConstrainedPaths(
            Paths(paths.state.copy(), paths.start.copy(), paths.score.copy(), paths.count),
            paths.score.copy(),
            np.ones(B, dtype=np.bool_),
            np.zeros(B),
            np.ones(B, dtype=np.int32),
            np.zeros((B, self._count)),
        )
        coefficient, bound = self._quick
        counts = label_counts(automaton, potentials, paths).astype(np.float32)
        violated = np.flatnonzero((counts @ coefficient > bound).any(axis=1))
        if len(violated):
            self._improve(automaton, potentials, violated, found, threads)
        return found

    def label_costs(self, multipliers: Reals) -> Reals:
        """Return the cost of a span of each label under the multipliers.  # [B, Y]"""
        return np.asarray(multipliers @ self._whole.coefficient)

    def subtract(self, potentials: Potentials, multipliers: Reals) -> Potentials:
        """Return the scores of every string less the multipliers of its labels."""
        return subtract_multipliers(potentials, multipliers, self._whole)

    def scatter(self, place: IntArray, values: Reals, strings: int) -> Reals:
        """Return the multipliers of a kernel's sparse result by string and constraint.  # [B, C]"""
        whole = np.zeros((strings, self._count))
        whole[place[:, 0], self._kept[place[:, 1]]] = values
        return whole

    def _decode_in_kernel(self, automaton: Automaton, potentials: Potentials, threads: int) -> ConstrainedPaths:
        batch = core._batch(automaton, potentials)
        self._require_labels(potentials)
        found = core._call("soft_best", batch, *self.limits, core._threads(threads))
        state, start, score, value, bound, iterations, optimal, place, multipliers = found
        core._require_paths(score)
        value[batch[6] == 0] -= self._cost(-self._constraints.bound[None])
        paths = Paths(state, start, score, np.ones(len(score), dtype=np.int32))
        gap = _gap(optimal, bound, value)
        return ConstrainedPaths(paths, value, optimal, gap, iterations, self.scatter(place, multipliers, len(score)))

    def _require_labels(self, potentials: Potentials) -> None:
        wanted, given = self._constraints.coefficient.shape[1], potentials.span.shape[2]
        if wanted != given:
            raise ConfigError(f"the constraints are over {wanted} labels, the scores over {given}")

    def _cost(self, excess: Reals) -> Reals:
        """Return the penalties of each string.  # [B]"""
        over = np.maximum(excess, 0.0)
        return np.asarray(np.multiply(over, self._penalty, where=over > 0, out=np.zeros_like(over)).sum(axis=1))

    def _improve(
        self,
        automaton: Automaton,
        potentials: Potentials,
        violated: NDArray[np.intp],
        found: ConstrainedPaths,
        threads: int,
    ) -> None:
        """Replace the paths of strings that violate a constraint by better ones."""
        rows = _rows_of(np.asarray(potentials.lengths), violated)
        paths = Paths(
            found.paths.state[rows], found.paths.start[rows], found.paths.score[violated], found.paths.count[violated]
        )
        search = _Search(self, automaton, select_strings(potentials, violated), paths)
        for _ in range(1, self._iterations):
            moved = search.move_multipliers()
            if not len(moved):
                break
            reduced = search.reduce(moved, search.multipliers)
            search.update(moved, reduced, self._decoder(automaton, reduced, threads))
        if self._several:
            search.search_kbest(self._several, threads)
        found.paths.state[rows], found.paths.start[rows] = search.state, search.start
        found.paths.score[violated], found.value[violated] = search.best_score, search.best_value
        found.optimal[violated], found.iterations[violated] = search.closed, search.iterations
        found.gap[violated] = _gap(search.closed, search.bound, search.best_value)
        found.multipliers[np.ix_(violated, self._kept)] = search.best_multipliers


class _Search:
    """The multipliers of all strings of a batch during the iterations, and the best path of each so far."""

    def __init__(self, dual: SoftDual, automaton: Automaton, potentials: Potentials, paths: Paths) -> None:
        self._constraints, self._penalty, self._cost = dual._constraints, dual._penalty, dual._cost
        self._automaton = automaton
        self._potentials = potentials
        lengths = np.asarray(potentials.lengths)
        self._end = np.cumsum(lengths)
        self._begin = self._end - lengths
        self.state, self.start = paths.state.copy(), paths.start.copy()
        B, C = len(lengths), len(self._penalty)
        self.multipliers = np.zeros((B, C))
        self._excess = self._constraints.excess(label_counts(automaton, potentials, paths))
        self.best_multipliers = np.zeros((B, C))
        self.best_score = paths.score.copy()
        self.best_value = paths.score - self._cost(self._excess)
        self.bound = paths.score.copy()  # the least of the duals
        self._bound_multipliers = np.zeros((B, C))  # those of the least dual
        self._dual = paths.score.copy()
        self._step_size = np.ones(B)
        self.iterations = np.ones(B, dtype=np.int32)
        self.closed = self._solved(np.arange(B))

    def _solved(self, strings: NDArray[np.intp]) -> BoolArray:
        """Return of which strings the last path is optimal, or the gap closed."""
        multipliers, excess = self.multipliers[strings], self._excess[strings]
        at_rest = (excess == 0) | ((multipliers == 0) & (excess < 0)) | ((multipliers >= self._penalty) & (excess > 0))
        return np.asarray(at_rest.all(axis=1) | (self.bound[strings] - self.best_value[strings] <= _CLOSED))

    def move_multipliers(self) -> NDArray[np.intp]:
        """Take a subgradient step for the strings that are not solved, and return these."""
        strings = np.flatnonzero(~self.closed)
        if not len(strings):
            return strings
        multipliers, excess = self.multipliers[strings], self._excess[strings]
        free = ~(((multipliers == 0) & (excess < 0)) | ((multipliers >= self._penalty) & (excess > 0)))
        size = np.maximum((np.where(free, excess, 0.0) ** 2).sum(axis=1), 1e-12)
        gap = self._dual[strings] - self.best_value[strings]
        step = np.where(
            np.isfinite(gap),
            self._step_size[strings] * gap / size,
            _HARD_STEP * 2.0 ** np.minimum(self.iterations[strings], 20),
        )
        self.multipliers[strings] = np.clip(multipliers + step[:, None] * excess, 0.0, self._penalty)
        return strings

    def reduce(self, strings: NDArray[np.intp], multipliers: Reals) -> Potentials:
        """Return the scores of some strings less the multipliers of their labels."""
        return subtract_multipliers(select_strings(self._potentials, strings), multipliers[strings], self._constraints)

    def update(self, strings: NDArray[np.intp], reduced: Potentials, paths: Paths) -> None:
        """Take in the decoder's best paths under the new multipliers."""
        multipliers = self.multipliers[strings]
        dual = self._take(strings, multipliers, reduced, paths, np.ones(len(strings), dtype=np.bool_))
        self._step_size[strings] *= np.where(dual > self._dual[strings] - _CLOSED, 0.5, 1.0)
        self._dual[strings] = dual
        lower = dual < self.bound[strings]
        self.bound[strings[lower]], self._bound_multipliers[strings[lower]] = dual[lower], multipliers[lower]
        self.iterations[strings] += 1
        self.closed[strings] = self._solved(strings)

    def search_kbest(self, count: int, threads: int) -> None:
        """Take in the best paths under the multipliers of the least dual, of the strings that are not solved."""
        strings = np.flatnonzero(~self.closed)
        if not len(strings):
            return
        reduced = self.reduce(strings, self._bound_multipliers)
        paths = kbest(self._automaton, reduced, count, threads)
        multipliers = self._bound_multipliers[strings]
        last = self.bound[strings]
        for rank in range(count):
            there = paths.count > rank
            row = paths.row(rank)
            filled = Paths(np.where(row.state >= 0, row.state, 0), row.start, row.score, row.count)
            dual = self._take(strings, multipliers, reduced, filled, there)
            last = np.where(there, dual, -np.inf)  # where there is no further path, all have been seen
        self.bound[strings] = np.minimum(self.bound[strings], np.maximum(last, self.best_value[strings]))
        known = np.isfinite(self.best_value[strings])
        self.closed[strings] |= known & (self.bound[strings] <= self.best_value[strings] + _CLOSED)

    def _take(
        self, strings: NDArray[np.intp], multipliers: Reals, reduced: Potentials, paths: Paths, there: BoolArray
    ) -> Reals:
        """Keep the paths that are better, and return an upper bound of those that follow under the multipliers."""
        lengths = reduced.lengths
        counts = label_counts(self._automaton, reduced, paths)
        excess = self._constraints.excess(counts)
        if there.all():
            self._excess[strings] = excess
        score = paths.score + (multipliers * (counts @ self._constraints.coefficient.T)).sum(axis=1)
        value = score - self._cost(excess)
        ends = np.cumsum(lengths)
        for place in np.flatnonzero(there & (value > self.best_value[strings])).tolist():
            string = int(strings[place])
            here = slice(int(ends[place] - lengths[place]), int(ends[place]))
            at = slice(int(self._begin[string]), int(self._end[string]))
            self.state[at], self.start[at] = paths.state[here], paths.start[here]
            self.best_value[string], self.best_score[string] = value[place], score[place]
            self.best_multipliers[string] = multipliers[place]
        return np.asarray(paths.score + multipliers @ self._constraints.bound)
