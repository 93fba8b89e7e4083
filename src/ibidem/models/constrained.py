"""The constraints of a model at work: what they mean to its labels, and what they changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ibidem.config import from_toml
from ibidem.errors import ConfigError
from ibidem.inference.constraints import ANYWHERE, Compiled, Constraint, compiled, contradictions, parse_constraint
from ibidem.inference.dual import SoftDual
from ibidem.types import Span

ITERATIONS, SEVERAL = 10, 30


def readable(constraints: Mapping[str, float]) -> list[Constraint]:
    """The constraints as they are written, or an error that says which cannot be read or has no penalty."""
    parsed = [parse_constraint(text) for text in constraints]
    for text, penalty in constraints.items():
        if not penalty >= 0:  # NaN is not
            raise ConfigError(f"the penalty of {text} is {penalty}: a number of 0 or more, or inf, is wanted")
    return parsed


def checked(constraints: Mapping[str, float], labels: Sequence[str]) -> dict[str, float]:
    """The same constraints, or an error that says what is wrong with one of them.

    A constraint that cannot be read, counts what no label has or cannot hold together with another that may not be
    broken, and a penalty that is no number of 0 or more, are refused.
    """
    parsed = readable(constraints)
    compiled(parsed, labels)
    hard = [one for one, penalty in zip(parsed, constraints.values(), strict=True) if np.isinf(penalty)]
    for one, other in contradictions(hard):
        raise ConfigError(f"{one} and {other} cannot hold together; give one of them a finite penalty, or drop it")
    return {str(one): float(penalty) for one, penalty in zip(parsed, constraints.values(), strict=True)}


@dataclass(frozen=True, slots=True)
class ByHand:
    """A TOML file of constraints: a table `[constraints]` with lines such as `"count(title) <= 1" = 4.0`, or inf."""

    constraints: dict[str, float]


def read_constraints(path: Path, labels: Sequence[str]) -> dict[str, float]:
    """The constraints in a TOML file, each with its penalty."""
    return checked(from_toml(ByHand, path).constraints, labels)


def in_force(constraints: Mapping[str, float]) -> dict[str, float]:
    """The constraints that cost something to break."""
    return {text: penalty for text, penalty in constraints.items() if penalty > 0}


class ConstraintSet:
    """The constraints of a model in terms of its labels."""

    def __init__(self, constraints: Mapping[str, float], labels: Sequence[str]) -> None:
        self.constraints = tuple(map(parse_constraint, constraints))
        self.penalty = np.array(list(constraints.values()), dtype=np.float64)
        self.dual = SoftDual(compiled(self.constraints, labels), self.penalty, iterations=ITERATIONS, several=SEVERAL)

    def saved(self, before: Sequence[Span], after: Sequence[Span]) -> tuple[tuple[str, float], ...]:
        """The constraints that one labelling of a string breaks more than another, and how much that would cost."""
        names = sorted({span.label for span in (*before, *after)})
        terms = by_paths(self.constraints, names)
        over = [np.maximum(terms.excess(_counts(spans, names)), 0.0)[0] for spans in (before, after)]
        less = over[0] - over[1]
        told = [(str(self.constraints[c]), float(less[c] * self.penalty[c])) for c in np.flatnonzero(less > 0)]
        return tuple(sorted((one for one in told if one[1] > 0), key=lambda one: -one[1]))


def _counts(spans: Sequence[Span], names: Sequence[str]) -> NDArray[np.float64]:
    labels = [span.label for span in spans]
    return np.array([[labels.count(name) for name in names]], dtype=np.float64)


def by_paths(constraints: Sequence[Constraint], paths: Sequence[str]) -> Compiled:
    """The constraints in terms of the counts of segments by their path."""
    rows = np.zeros((len(constraints), len(paths)))
    for row, constraint in zip(rows, constraints, strict=True):
        for name, value in constraint.terms:
            wanted = name.removeprefix(ANYWHERE)
            for place, path in enumerate(paths):
                if path == name or (name.startswith(ANYWHERE) and path.rpartition("/")[2] == wanted):
                    row[place] += value
    return Compiled(rows, np.array([one.bound for one in constraints], dtype=np.float64))
