"""The best path under soft constraints, by dual decomposition (Anzaroot 2014, algorithms 1 and 2).

It maximises over paths y

    score(y) - sum over constraints i of   penalty_i * max(0, a_i . counts(y) - bound_i)

Every constraint has a dual multiplier lambda_i between 0 and its penalty. A decoder without constraints finds the best
path of the scores less the multipliers, label by label; a multiplier rises where its constraint is exceeded and falls
where there is room (projected subgradient). D(lambda), the score of that path plus lambda . bound, is an upper bound of
the optimum, and the penalised score of any path a lower one: where the two meet, the path is optimal. An infinite
penalty makes a constraint hard.

The kernels, constrained.hpp and `dual_numpy`, never look again at a path that scores less than the best value known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.inference import core, dual_numpy
from ibidem.inference.constraints import CompiledConstraints
from ibidem.inference.core import Paths
from ibidem.inference.core_numpy import on_grid
from ibidem.types import Automaton, BoolArray, IntArray, Potentials

Reals = NDArray[np.float64]


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


class SoftDual:
    """A decoder under soft constraints, by that of the shared core.

    After `iterations` calls of the decoder, the `several` best paths under the best multipliers are searched for each
    string that is not solved: no path after them can be better than the last of them.
    """

    def __init__(
        self, constraints: CompiledConstraints, penalty: Reals, iterations: int = 10, several: int = 30
    ) -> None:
        penalty = np.asarray(penalty, dtype=np.float64)
        if penalty.shape != constraints.bound.shape or np.isnan(penalty).any() or (penalty < 0).any():
            raise ConfigError(f"give a penalty of 0 or more for each of the {len(constraints.bound)} constraints")
        if iterations < 1:
            raise ConfigError(f"iterations is {iterations}: give 1 or more")
        penalty = on_grid(penalty)
        self._kept = np.flatnonzero(penalty > 0)
        kept = (constraints.coefficient[self._kept], constraints.bound[self._kept], penalty[self._kept])
        # arguments of a kernel: coefficients, bounds, penalties, iterations, and how many paths to search
        coefficient, bound, limit = (np.ascontiguousarray(each, dtype=np.float64) for each in kept)
        self.limits = (coefficient, bound, limit, iterations, several)
        self._count = len(penalty)
        self._constraints = constraints

    def __call__(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> Paths:
        """Return the best paths found under the constraints."""
        return self.decode(automaton, potentials, threads).paths

    def decode(self, automaton: Automaton, potentials: Potentials, threads: int = 1) -> ConstrainedPaths:
        """Return the best paths found under the constraints, with bounds."""
        wanted, given = self._constraints.coefficient.shape[1], potentials.span.shape[2]
        if wanted != given:
            raise ConfigError(f"the constraints are over {wanted} labels, the scores over {given}")
        batch = core._batch(automaton, potentials)
        found = core._call("soft_best", batch, *self.limits, core._threads(threads), reference=dual_numpy)
        state, start, score, value, bound, iterations, optimal, place, multipliers = found
        core._require_paths(score)
        value[batch[6] == 0] -= self._cost_of_nothing()
        paths = Paths(state, start, score, np.ones(len(score), dtype=np.int32))
        gap = _gap(optimal, bound, value)
        return ConstrainedPaths(paths, value, optimal, gap, iterations, self.scatter(place, multipliers, len(score)))

    def label_costs(self, multipliers: Reals) -> Reals:
        """Return the cost of a span of each label under the multipliers.  # [B, Y]"""
        return np.asarray(multipliers @ self._constraints.coefficient)

    def subtract(self, potentials: Potentials, multipliers: Reals) -> Potentials:
        """Return the scores of every string less the multipliers of its labels, in double precision."""
        span = np.asarray(potentials.span, dtype=np.float64)
        cost = np.repeat(self.label_costs(multipliers), potentials.lengths, axis=0)
        return Potentials(span - cost[:, None, :], potentials.arc, potentials.lengths)

    def scatter(self, place: IntArray, values: Reals, strings: int) -> Reals:
        """Return the multipliers of a kernel's sparse result by string and constraint.  # [B, C]"""
        whole = np.zeros((strings, self._count))
        whole[place[:, 0], self._kept[place[:, 1]]] = values
        return whole

    def _cost_of_nothing(self) -> float:
        """Return the penalties of a string without tokens."""
        bound, penalty = np.asarray(self.limits[1]), np.asarray(self.limits[2])
        over = bound < 0
        return float((penalty[over] * -bound[over]).sum())
