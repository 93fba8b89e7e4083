"""The best path under soft constraints, by dual decomposition (Anzaroot 2014, algorithms 1 and 2).

Wanted is the path y with the highest

    score(y) - sum over constraints i of   penalty_i * max(0, a_i . counts(y) - bound_i)

Every constraint gets a price lambda_i between 0 and its penalty. A decoder that knows nothing of constraints looks for
the best path of scores from which the prices are taken, label by label; prices rise where a constraint is exceeded and
fall where there is room. D(lambda), the score of that path plus lambda . bound, is never below the value that is
wanted, and the penalised score of any path never above: where the two meet, the path is the best one. An infinite
penalty makes a constraint hard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.inference.constraints import Compiled
from ibidem.inference.core import Paths, best
from ibidem.types import Automaton, BoolArray, IntArray, Potentials

Reals = NDArray[np.float64]
Oracle = Callable[[Automaton, Potentials, int], Paths]

_CLOSED = 1e-3  # a gap between bound and value that is as good as none
_HARD_STEP = 2.0  # of the price of a hard constraint, for as long as no path is known that keeps it


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
    price: Reals  # [B, C] the prices under which the path is the decoder's best

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


def some_strings(potentials: Potentials, strings: NDArray[np.intp]) -> Potentials:
    """The scores of some strings of a batch, in the order given."""
    lengths = np.asarray(potentials.lengths)
    begin, chosen = np.cumsum(lengths) - lengths, lengths[strings]
    first = np.repeat(begin[strings] - (np.cumsum(chosen) - chosen), chosen)
    span = np.asarray(potentials.span)[first + np.arange(len(first))]
    return Potentials(span, potentials.arc, chosen.astype(np.int32))


class SoftDual:
    """Decodes under soft constraints with any decoder; it can itself be used as one."""

    def __init__(self, constraints: Compiled, penalty: Reals, decoder: Oracle = best, iterations: int = 50) -> None:
        penalty = np.asarray(penalty, dtype=np.float64)
        if penalty.shape != constraints.bound.shape or np.isnan(penalty).any() or (penalty < 0).any():
            raise ConfigError(f"a penalty of 0 or more is wanted for each of {len(constraints.bound)} constraints")
        if iterations < 1:
            raise ConfigError(f"iterations is {iterations}: at least 1 is wanted")
        self._kept = np.flatnonzero(penalty > 0)
        self._constraints = Compiled(constraints.coefficient[self._kept], constraints.bound[self._kept])
        self._penalty = penalty[self._kept]
        self._count = len(penalty)
        self._decoder = decoder
        self._iterations = iterations

    def __call__(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> Paths:
        """The best paths under the constraints, as far as they were found."""
        return self.decode(automaton, potentials, threads).paths

    def decode(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> Decoded:
        """The best paths under the constraints, with what is known of each."""
        paths = self._decoder(automaton, potentials, threads)
        search = _Search(self, automaton, potentials, paths)
        for _ in range(1, self._iterations):
            asked = search.asked()
            if not len(asked):
                break
            repriced = search.repriced(asked)
            search.learn(asked, repriced, self._decoder(automaton, repriced, threads))
        price = np.zeros((len(paths.score), self._count))
        price[:, self._kept] = search.best_price
        found = Paths(search.state, search.start, search.best_score, paths.count)
        gap = np.maximum(search.bound - search.best_value, 0.0)
        gap[search.closed] = 0.0
        return Decoded(found, search.best_value, search.closed.copy(), gap, search.iterations, price)


class _Search:
    """The prices of all strings of a batch on their way, and the best path of each so far."""

    def __init__(self, dual: SoftDual, automaton: Automaton, potentials: Potentials, paths: Paths) -> None:
        self._constraints, self._penalty = dual._constraints, dual._penalty
        self._automaton = automaton
        self._potentials = potentials
        lengths = np.asarray(potentials.lengths)
        self._end = np.cumsum(lengths)
        self._begin = self._end - lengths
        self.state, self.start = paths.state.copy(), paths.start.copy()
        B, C = len(lengths), len(self._penalty)
        self._price = np.zeros((B, C))
        self._excess = self._constraints.excess(label_counts(automaton, potentials, paths))
        self.best_price = np.zeros((B, C))
        self.best_score = paths.score.copy()
        self.best_value = paths.score - self._cost(self._excess)
        self.bound = paths.score.copy()  # the least of the duals
        self._dual = paths.score.copy()
        self._pace = np.ones(B)
        self.iterations = np.ones(B, dtype=np.int32)
        self.closed = self._solved(np.arange(B))

    def _cost(self, excess: Reals) -> Reals:
        """The penalties to pay.  # [B]"""
        over = np.maximum(excess, 0.0)
        return np.asarray(np.multiply(over, self._penalty, where=over > 0, out=np.zeros_like(over)).sum(axis=1))

    def _solved(self, strings: NDArray[np.intp]) -> BoolArray:
        """Of which strings the last path is the best, or the gap is closed."""
        price, excess = self._price[strings], self._excess[strings]
        at_rest = (excess == 0) | ((price == 0) & (excess < 0)) | ((price >= self._penalty) & (excess > 0))
        return np.asarray(at_rest.all(axis=1) | (self.bound[strings] - self.best_value[strings] <= _CLOSED))

    def asked(self) -> NDArray[np.intp]:
        """The strings that are not solved, their prices moved on."""
        strings = np.flatnonzero(~self.closed)
        if not len(strings):
            return strings
        price, excess = self._price[strings], self._excess[strings]
        free = ~(((price == 0) & (excess < 0)) | ((price >= self._penalty) & (excess > 0)))
        size = np.maximum((np.where(free, excess, 0.0) ** 2).sum(axis=1), 1e-12)
        gap = self._dual[strings] - self.best_value[strings]
        step = np.where(np.isfinite(gap), self._pace[strings] * gap / size, _HARD_STEP / self.iterations[strings])
        self._price[strings] = np.clip(price + step[:, None] * excess, 0.0, self._penalty)
        return strings

    def repriced(self, strings: NDArray[np.intp]) -> Potentials:
        """The scores of some strings, less the prices of their labels."""
        part = some_strings(self._potentials, strings)
        cost = (self._price[strings] @ self._constraints.coefficient).astype(part.span.dtype)
        span = part.span - np.repeat(cost, part.lengths, axis=0)[:, None, :]
        return Potentials(span, part.arc, part.lengths)

    def learn(self, strings: NDArray[np.intp], repriced: Potentials, paths: Paths) -> None:
        """Nothing: takes in the decoder's best paths under the new prices."""
        lengths = repriced.lengths
        counts = label_counts(self._automaton, repriced, paths)
        price = self._price[strings]
        excess = self._excess[strings] = self._constraints.excess(counts)
        score = paths.score + (price * (counts @ self._constraints.coefficient.T)).sum(axis=1)
        value = score - self._cost(excess)
        dual = paths.score + price @ self._constraints.bound
        self._pace[strings] *= np.where(dual > self._dual[strings] - _CLOSED, 0.5, 1.0)
        self._dual[strings] = dual
        self.bound[strings] = np.minimum(self.bound[strings], dual)
        self.iterations[strings] += 1
        ends = np.cumsum(lengths)
        for place in np.flatnonzero(value > self.best_value[strings]).tolist():
            string = int(strings[place])
            here = slice(int(ends[place] - lengths[place]), int(ends[place]))
            there = slice(int(self._begin[string]), int(self._end[string]))
            self.state[there], self.start[there] = paths.state[here], paths.start[here]
            self.best_value[string], self.best_score[string] = value[place], score[place]
            self.best_price[string] = price[place]
        self.closed[strings] = self._solved(strings)
