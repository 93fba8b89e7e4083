"""Reading under soft constraints: strings whose best reading breaks a constraint are read again at its price.

What is said of such a string (its fields, their confidence, its alternatives) is said under the prices at which the
answer is the best path: scores less the price of every segment that counts. Strings that break nothing are untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.inference import Reading
from ibidem.inference.constraints import ANYWHERE, Compiled, Constraint, compiled, parse_constraint
from ibidem.inference.dual import SoftDual, some_strings
from ibidem.types import Automaton, Potentials

Read = Callable[[Potentials], Reading]


@dataclass(frozen=True, slots=True)
class Change:
    """What constraints did to one string: what was found without them, and the price of each that had a part in it."""

    string: int
    before: tuple[tuple[str, int, int], ...]  # label, first token, last token + 1
    price: tuple[tuple[str, float], ...]  # constraint and price


class Limits:
    """The constraints of a model at work."""

    def __init__(self, constraints: Mapping[str, float], labels: Sequence[str], paths: Sequence[str]) -> None:
        self._constraints = tuple(map(parse_constraint, constraints))
        self._terms = compiled(self._constraints, labels)
        self._of_paths = _of_paths(self._constraints, paths)
        self._paths = tuple(paths)
        self._dual = SoftDual(self._terms, np.array(list(constraints.values()), dtype=np.float64), iterations=20)

    def apply(
        self, automaton: Automaton, potentials: Potentials, reading: Reading, read: Read
    ) -> tuple[Potentials, Reading, list[Change]]:
        """The scores less prices, the reading under them, and what was changed in which string."""
        broken = self._broken(reading)
        if not len(broken):
            return potentials, reading, []
        part = some_strings(potentials, broken)
        price = self._dual.decode(automaton, part).price
        moved = np.flatnonzero(price.any(axis=1))
        if not len(moved):
            return potentials, reading, []
        broken, price, part = broken[moved], price[moved], some_strings(part, moved)
        cost = np.repeat(price @ self._terms.coefficient, part.lengths, axis=0)[:, None, :]
        repriced = Potentials((part.span - cost).astype(part.span.dtype), part.arc, part.lengths)
        changes = [self._change(int(s), reading, prices) for s, prices in zip(broken, price, strict=True)]
        return _with(potentials, broken, repriced), _merged(reading, broken, read(repriced)), changes

    def _broken(self, reading: Reading) -> NDArray[np.intp]:
        """The strings whose best reading breaks a constraint."""
        string, _, _, path = reading.segments.T
        B, K = len(reading.score), len(self._paths)
        counts = np.bincount(string.astype(np.int64) * K + path, minlength=B * K).reshape(B, K)
        return np.flatnonzero((self._of_paths.excess(counts.astype(np.float64)) > 0).any(axis=1))

    def _change(self, string: int, reading: Reading, price: NDArray[np.float64]) -> Change:
        rows = reading.segments[reading.segments[:, 0] == string].tolist()
        told = [(str(self._constraints[i]), float(price[i])) for i in np.flatnonzero(price > 0).tolist()]
        before = tuple((self._paths[path], start, end) for _, start, end, path in rows)
        return Change(string, before, tuple(sorted(told, key=lambda one: -one[1])))


def _of_paths(constraints: Sequence[Constraint], paths: Sequence[str]) -> Compiled:
    """The constraints in terms of the counts of segments by their path."""
    rows = np.zeros((len(constraints), len(paths)))
    for row, constraint in zip(rows, constraints, strict=True):
        for name, value in constraint.terms:
            wanted = name.removeprefix(ANYWHERE)
            for place, path in enumerate(paths):
                if path == name or (name.startswith(ANYWHERE) and path.rpartition("/")[2] == wanted):
                    row[place] += value
    return Compiled(rows, np.array([one.bound for one in constraints], dtype=np.float64))


def _with(potentials: Potentials, strings: NDArray[np.intp], other: Potentials) -> Potentials:
    """The same scores with those of some strings replaced."""
    lengths = np.asarray(potentials.lengths)
    chosen = np.zeros(len(lengths), dtype=np.bool_)
    chosen[strings] = True
    span = np.array(potentials.span)
    span[np.repeat(chosen, lengths)] = other.span
    return Potentials(span, potentials.arc, potentials.lengths)


def _merged(reading: Reading, strings: NDArray[np.intp], other: Reading) -> Reading:
    """The same reading with what is said of some strings replaced."""
    score, log_z = reading.score.copy(), reading.log_partition.copy()
    score[strings], log_z[strings] = other.score, other.log_partition
    kept = ~np.isin(reading.segments[:, 0], strings)
    new = other.segments.copy()
    new[:, 0] = strings[new[:, 0]]
    segments = np.concatenate([reading.segments[kept], new])
    order = np.argsort(segments[:, 0], kind="stable")
    return Reading(score, log_z, segments[order], np.concatenate([reading.mass[kept], other.mass])[order])
