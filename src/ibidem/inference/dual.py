"""The best path under soft constraints, by dual decomposition (Anzaroot 2014, algorithms 1 and 2).

Wanted is the path y with the highest

    score(y) - sum over constraints i of   penalty_i * max(0, a_i . counts(y) - bound_i)

Every constraint gets a price lambda_i between 0 and its penalty. A decoder that knows nothing of constraints looks for
the best path of scores from which the prices are taken, label by label; prices rise where a constraint is exceeded and
fall where there is room. D(lambda), the score of that path plus lambda . bound, is never below the value that is
wanted, and the penalised score of any path never above: where the two meet, the path is the best one. An infinite
penalty makes a constraint hard.

`SoftDual` does this with any decoder. With that of the shared core it is done by a kernel, constrained.hpp, which
never looks again at a path that scores less than the best value known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.inference import core
from ibidem.inference.constraints import Compiled
from ibidem.inference.core import Paths, best, kbest
from ibidem.kernels import compiled
from ibidem.types import Automaton, BoolArray, IntArray, Potentials

Reals = NDArray[np.float64]
Oracle = Callable[[Automaton, Potentials, int], Paths]

_CLOSED = 1e-3  # a gap between bound and value that is as good as none
_HARD_STEP = 1.0  # of the price of a hard constraint, doubled for as long as no path is known that keeps it


@dataclass(frozen=True, slots=True)
class Decoded:
    """What came of a batch: the paths, and for each string how it was found and how sure it is that it is the best.

    `paths.score` is the model's own score of each path, penalties not counted.
    """

    paths: Paths
    value: Reals  # [B] the score less the penalties
    optimal: BoolArray  # [B] whether no path can be better
    gap: Reals  # [B] by how much a better path could be better at most
    iterations: IntArray  # [B] how often the decoder was asked
    price: Reals  # [B, C] the prices under which the path was found

    @property
    def binding(self) -> BoolArray:
        """Which constraints had a part in the answer.  # [B, C]"""
        return np.asarray(self.price > 0)


def label_counts(automaton: Automaton, potentials: Potentials, paths: Paths) -> Reals:
    """How often spans of each label begin on the path of each string.  # [B, Y]"""
    B, Y = len(potentials.lengths), int(potentials.span.shape[2])
    string = np.repeat(np.arange(B), potentials.lengths)[paths.start]
    code = string * Y + np.asarray(automaton.label)[paths.state[paths.start]]
    return np.bincount(code, minlength=B * Y).reshape(B, Y).astype(np.float64)


def _rows_of(lengths: IntArray, strings: NDArray[np.intp]) -> NDArray[np.int64]:
    """The places of the tokens of some strings of a batch, in the order given."""
    begin, chosen = np.cumsum(lengths) - lengths, lengths[strings]
    first = np.repeat(begin[strings] - (np.cumsum(chosen) - chosen), chosen)
    return np.asarray(first + np.arange(len(first)))


def some_strings(potentials: Potentials, strings: NDArray[np.intp]) -> Potentials:
    """The scores of some strings of a batch, in the order given."""
    lengths = np.asarray(potentials.lengths)
    span = np.asarray(potentials.span)[_rows_of(lengths, strings)]
    return Potentials(span, potentials.arc, lengths[strings].astype(np.int32))


def _gap(closed: BoolArray, bound: Reals, value: Reals) -> Reals:
    """What a better path could still gain; infinite where no path is known that keeps the hard constraints."""
    gap = np.where(np.isfinite(value), 0.0, np.inf)
    np.subtract(bound, value, out=gap, where=np.isfinite(value))
    return np.where(closed, 0.0, np.maximum(gap, 0.0))


def less_prices(potentials: Potentials, price: Reals, constraints: Compiled) -> Potentials:
    """The scores of every string less the prices of its labels."""
    span = np.asarray(potentials.span)
    cost = (price @ constraints.coefficient).astype(span.dtype)
    return Potentials(
        span - np.repeat(cost, potentials.lengths, axis=0)[:, None, :], potentials.arc, potentials.lengths
    )


class SoftDual:
    """Decodes under soft constraints with any decoder; it can itself be used as one.

    After `iterations` calls of the decoder, `several` best paths under the best prices are looked through for each
    string that is not solved: no path after them can be better than the last of them.
    """

    def __init__(
        self, constraints: Compiled, penalty: Reals, decoder: Oracle = best, iterations: int = 10, several: int = 30
    ) -> None:
        penalty = np.asarray(penalty, dtype=np.float64)
        if penalty.shape != constraints.bound.shape or np.isnan(penalty).any() or (penalty < 0).any():
            raise ConfigError(f"a penalty of 0 or more is wanted for each of {len(constraints.bound)} constraints")
        if iterations < 1:
            raise ConfigError(f"iterations is {iterations}: at least 1 is wanted")
        self._kept = np.flatnonzero(penalty > 0)
        self._constraints = Compiled(constraints.coefficient[self._kept], constraints.bound[self._kept])
        self._quick = self._constraints.coefficient.T.astype(np.float32), self._constraints.bound.astype(np.float32)
        self._penalty = penalty[self._kept]
        self._limits = (
            np.ascontiguousarray(self._constraints.coefficient, dtype=np.float64),
            np.ascontiguousarray(self._constraints.bound, dtype=np.float64),
            np.ascontiguousarray(self._penalty),
        )
        self._count = len(penalty)
        self._whole = constraints
        self._decoder = decoder
        self._iterations = iterations
        self._several = several

    def __call__(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> Paths:
        """The best paths under the constraints, as far as they were found."""
        return self.decode(automaton, potentials, threads).paths

    def decode(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> Decoded:
        """The best paths under the constraints, with what is known of each."""
        if self._decoder is best and compiled() is not None:
            return self._decode_in_kernel(automaton, potentials, threads)
        self._require_labels(potentials)
        paths = self._decoder(automaton, potentials, threads)
        B = len(paths.score)
        found = Decoded(
            Paths(paths.state.copy(), paths.start.copy(), paths.score.copy(), paths.count),
            paths.score.copy(),
            np.ones(B, dtype=np.bool_),
            np.zeros(B),
            np.ones(B, dtype=np.int32),
            np.zeros((B, self._count)),
        )
        coefficient, bound = self._quick
        counts = label_counts(automaton, potentials, paths).astype(np.float32)
        broken = np.flatnonzero((counts @ coefficient > bound).any(axis=1))
        if len(broken):
            self._mend(automaton, potentials, broken, found, threads)
        return found

    @property
    def limits(self) -> tuple[Reals, Reals, Reals, int, int]:
        """What a kernel has to know: coefficients, bounds, penalties, iterations and how many paths to look through."""
        return *self._limits, self._iterations, self._several

    def label_prices(self, price: Reals) -> Reals:
        """What the spans of each label cost under the prices.  # [B, Y]"""
        return np.asarray(price @ self._whole.coefficient)

    def less(self, potentials: Potentials, price: Reals) -> Potentials:
        """The scores of every string less the prices of its labels."""
        return less_prices(potentials, price, self._whole)

    def prices(self, place: IntArray, price: Reals, strings: int) -> Reals:
        """The prices that a kernel tells of, by string and constraint.  # [B, C]"""
        whole = np.zeros((strings, self._count))
        whole[place[:, 0], self._kept[place[:, 1]]] = price
        return whole

    def _decode_in_kernel(self, automaton: Automaton, potentials: Potentials, threads: int) -> Decoded:
        batch = core._batch(automaton, potentials)
        self._require_labels(potentials)
        found = core._call("soft_best", batch, *self.limits, core._threads(threads))
        state, start, score, value, bound, iterations, optimal, place, price = found
        core._require_paths(score)
        value[batch[6] == 0] -= self._cost(-self._constraints.bound[None])
        paths = Paths(state, start, score, np.ones(len(score), dtype=np.int32))
        gap = _gap(optimal, bound, value)
        return Decoded(paths, value, optimal, gap, iterations, self.prices(place, price, len(score)))

    def _require_labels(self, potentials: Potentials) -> None:
        wanted, given = self._constraints.coefficient.shape[1], potentials.span.shape[2]
        if wanted != given:
            raise ConfigError(f"the constraints are over {wanted} labels, the scores over {given}")

    def _cost(self, excess: Reals) -> Reals:
        """The penalties to pay.  # [B]"""
        over = np.maximum(excess, 0.0)
        return np.asarray(np.multiply(over, self._penalty, where=over > 0, out=np.zeros_like(over)).sum(axis=1))

    def _mend(
        self, automaton: Automaton, potentials: Potentials, broken: NDArray[np.intp], found: Decoded, threads: int
    ) -> None:
        """Nothing: looks for better paths of the strings that break a constraint, and puts them in."""
        rows = _rows_of(np.asarray(potentials.lengths), broken)
        paths = Paths(
            found.paths.state[rows], found.paths.start[rows], found.paths.score[broken], found.paths.count[broken]
        )
        search = _Search(self, automaton, some_strings(potentials, broken), paths)
        for _ in range(1, self._iterations):
            asked = search.asked()
            if not len(asked):
                break
            repriced = search.repriced(asked, search.price)
            search.learn(asked, repriced, self._decoder(automaton, repriced, threads))
        if self._several:
            search.look_through(self._several, threads)
        found.paths.state[rows], found.paths.start[rows] = search.state, search.start
        found.paths.score[broken], found.value[broken] = search.best_score, search.best_value
        found.optimal[broken], found.iterations[broken] = search.closed, search.iterations
        found.gap[broken] = _gap(search.closed, search.bound, search.best_value)
        found.price[np.ix_(broken, self._kept)] = search.best_price


class _Search:
    """The prices of all strings of a batch on their way, and the best path of each so far."""

    def __init__(self, dual: SoftDual, automaton: Automaton, potentials: Potentials, paths: Paths) -> None:
        self._constraints, self._penalty, self._cost = dual._constraints, dual._penalty, dual._cost
        self._automaton = automaton
        self._potentials = potentials
        lengths = np.asarray(potentials.lengths)
        self._end = np.cumsum(lengths)
        self._begin = self._end - lengths
        self.state, self.start = paths.state.copy(), paths.start.copy()
        B, C = len(lengths), len(self._penalty)
        self.price = np.zeros((B, C))
        self._excess = self._constraints.excess(label_counts(automaton, potentials, paths))
        self.best_price = np.zeros((B, C))
        self.best_score = paths.score.copy()
        self.best_value = paths.score - self._cost(self._excess)
        self.bound = paths.score.copy()  # the least of the duals
        self._bound_price = np.zeros((B, C))  # the prices where it was found
        self._dual = paths.score.copy()
        self._pace = np.ones(B)
        self.iterations = np.ones(B, dtype=np.int32)
        self.closed = self._solved(np.arange(B))

    def _solved(self, strings: NDArray[np.intp]) -> BoolArray:
        """Of which strings the last path is the best, or the gap is closed."""
        price, excess = self.price[strings], self._excess[strings]
        at_rest = (excess == 0) | ((price == 0) & (excess < 0)) | ((price >= self._penalty) & (excess > 0))
        return np.asarray(at_rest.all(axis=1) | (self.bound[strings] - self.best_value[strings] <= _CLOSED))

    def asked(self) -> NDArray[np.intp]:
        """The strings that are not solved, their prices moved on."""
        strings = np.flatnonzero(~self.closed)
        if not len(strings):
            return strings
        price, excess = self.price[strings], self._excess[strings]
        free = ~(((price == 0) & (excess < 0)) | ((price >= self._penalty) & (excess > 0)))
        size = np.maximum((np.where(free, excess, 0.0) ** 2).sum(axis=1), 1e-12)
        gap = self._dual[strings] - self.best_value[strings]
        step = np.where(
            np.isfinite(gap),
            self._pace[strings] * gap / size,
            _HARD_STEP * 2.0 ** np.minimum(self.iterations[strings], 20),
        )
        self.price[strings] = np.clip(price + step[:, None] * excess, 0.0, self._penalty)
        return strings

    def repriced(self, strings: NDArray[np.intp], price: Reals) -> Potentials:
        """The scores of some strings, less the prices of their labels."""
        return less_prices(some_strings(self._potentials, strings), price[strings], self._constraints)

    def learn(self, strings: NDArray[np.intp], repriced: Potentials, paths: Paths) -> None:
        """Nothing: takes in the decoder's best paths under the new prices."""
        price = self.price[strings]
        dual = self._take(strings, price, repriced, paths, np.ones(len(strings), dtype=np.bool_))
        self._pace[strings] *= np.where(dual > self._dual[strings] - _CLOSED, 0.5, 1.0)
        self._dual[strings] = dual
        lower = dual < self.bound[strings]
        self.bound[strings[lower]], self._bound_price[strings[lower]] = dual[lower], price[lower]
        self.iterations[strings] += 1
        self.closed[strings] = self._solved(strings)

    def look_through(self, count: int, threads: int) -> None:
        """Nothing: takes in the best paths under the prices of the least dual, of the strings that are not solved."""
        strings = np.flatnonzero(~self.closed)
        if not len(strings):
            return
        repriced = self.repriced(strings, self._bound_price)
        paths = kbest(self._automaton, repriced, count, threads)
        price = self._bound_price[strings]
        last = self.bound[strings]
        for rank in range(count):
            there = paths.count > rank
            row = paths.row(rank)
            filled = Paths(np.where(row.state >= 0, row.state, 0), row.start, row.score, row.count)
            dual = self._take(strings, price, repriced, filled, there)
            last = np.where(there, dual, -np.inf)  # where there is no further path, all have been seen
        self.bound[strings] = np.minimum(self.bound[strings], np.maximum(last, self.best_value[strings]))
        known = np.isfinite(self.best_value[strings])
        self.closed[strings] |= known & (self.bound[strings] <= self.best_value[strings] + _CLOSED)

    def _take(
        self, strings: NDArray[np.intp], price: Reals, repriced: Potentials, paths: Paths, there: BoolArray
    ) -> Reals:
        """What no path can be better than that comes after these under the prices; keeps paths that are better."""
        lengths = repriced.lengths
        counts = label_counts(self._automaton, repriced, paths)
        excess = self._constraints.excess(counts)
        if there.all():
            self._excess[strings] = excess
        score = paths.score + (price * (counts @ self._constraints.coefficient.T)).sum(axis=1)
        value = score - self._cost(excess)
        ends = np.cumsum(lengths)
        for place in np.flatnonzero(there & (value > self.best_value[strings])).tolist():
            string = int(strings[place])
            here = slice(int(ends[place] - lengths[place]), int(ends[place]))
            at = slice(int(self._begin[string]), int(self._end[string]))
            self.state[at], self.start[at] = paths.state[here], paths.start[here]
            self.best_value[string], self.best_score[string] = value[place], score[place]
            self.best_price[string] = price[place]
        return np.asarray(paths.score + price @ self._constraints.bound)
