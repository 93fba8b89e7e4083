"""Algorithms 1 and 2 of Anzaroot 2014 to the letter: every projected subgradient decodes the whole string anew.

Ibidem's `SoftDual` seldom decodes whole strings, chooses its steps otherwise and keeps bounds. This counts iterations
as the paper does. The paper stops when every constraint is satisfied with equality, has the multiplier 0 or has its
penalty as multiplier; here, as optimality demands, only a satisfied constraint may have 0 and only a violated one its
penalty. The answer of a string that does not converge is its last path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.inference.constraints import CompiledConstraints
from ibidem.inference.core import Paths, best
from ibidem.inference.core_numpy import on_grid
from ibidem.inference.dual import SoftDual, label_counts, select_strings
from ibidem.types import Automaton, BoolArray, IntArray, Potentials

Reals = NDArray[np.float64]


class Descent(NamedTuple):
    """The paths of a batch, the decodings that each string took, and whether it converged."""

    paths: Paths
    iterations: IntArray  # [B]
    converged: BoolArray  # [B]


def descend(
    automaton: Automaton,
    potentials: Potentials,
    constraints: CompiledConstraints,
    penalty: Reals,
    step: float,
    most: int,
) -> Descent:
    """Return the paths by at most so many projected subgradients of size step / sqrt(iteration).

    An infinite penalty makes a constraint hard (algorithm 1), any other soft (algorithm 2).
    """
    dual = SoftDual(constraints, penalty)
    limit = on_grid(penalty)
    lengths = np.asarray(potentials.lengths)
    begin = np.cumsum(lengths) - lengths
    found = best(automaton, potentials)
    multiplier = np.zeros((len(lengths), len(penalty)))
    iterations, converged = np.zeros(len(lengths), dtype=np.int32), np.zeros(len(lengths), dtype=np.bool_)
    for turn in range(1, most + 1):
        open_ = np.flatnonzero(~converged)
        some = select_strings(potentials, open_)
        paths = best(automaton, dual.subtract(some, multiplier[open_]))
        places = np.concatenate([np.arange(begin[b], begin[b] + lengths[b]) for b in open_])
        found.state[places], found.start[places] = paths.state, paths.start
        excess = constraints.excess(label_counts(automaton, some, paths))  # [open, C]
        at_zero, at_most = multiplier[open_] == 0, multiplier[open_] == limit
        settled = (excess == 0) | (at_zero & ((excess < 0) | (limit == 0))) | (at_most & (excess > 0))
        iterations[open_] += 1
        converged[open_] = settled.all(axis=1)
        if converged.all():
            break
        multiplier[open_] = np.clip(on_grid(multiplier[open_] + step / np.sqrt(turn) * excess), 0.0, limit)
    return Descent(found, iterations, converged)
