"""The soft constraints of a model: reading, checking and applying them, and a report on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ibidem.config import from_toml
from ibidem.errors import ConfigError
from ibidem.inference.constraints import (
    ANYWHERE,
    Constraint,
    compile_constraints,
    contradictions,
    in_words,
    parse_constraint,
    shorten,
)
from ibidem.inference.dual import SoftDual
from ibidem.types import Parsed, Span

if TYPE_CHECKING:
    from ibidem.models.parser import Parser

ITERATIONS, SEVERAL = 10, 30


def parse_constraints(constraints: Mapping[str, float]) -> list[Constraint]:
    """Return the constraints, or raise an error that names the one that cannot be parsed or has no penalty."""
    parsed = [parse_constraint(text) for text in constraints]
    for text, penalty in constraints.items():
        if not penalty >= 0:  # NaN is not
            raise ConfigError(f"the penalty of {shorten(text)} is {penalty}: give a number of 0 or more, or inf")
    return parsed


def check_constraints(constraints: Mapping[str, float], labels: Sequence[str]) -> dict[str, float]:
    """Return the constraints in their standard form, or raise an error that says what is wrong with one of them.

    Refused are a constraint that cannot be parsed, that counts what no label has, or that contradicts another hard one,
    and a penalty that is no number of 0 or more.
    """
    parsed = parse_constraints(constraints)
    compile_constraints(parsed, labels)
    hard = [one for one, penalty in zip(parsed, constraints.values(), strict=True) if np.isinf(penalty)]
    for one, other in contradictions(hard):
        both = f"{shorten(str(one))} and {shorten(str(other))}"
        raise ConfigError(f"{both} cannot hold together; give one of them a finite penalty, or drop it")
    return {str(one): float(penalty) for one, penalty in zip(parsed, constraints.values(), strict=True)}


@dataclass(frozen=True, slots=True)
class ConstraintFile:
    """A TOML file of constraints: a table `[constraints]` with lines such as `"count(title) <= 1" = 4.0`, or inf."""

    constraints: dict[str, float]


def read_constraints(path: Path, labels: Sequence[str]) -> dict[str, float]:
    """Return the constraints in a TOML file, each with its penalty."""
    return check_constraints(from_toml(ConstraintFile, path).constraints, labels)


def drop_zero(constraints: Mapping[str, float]) -> dict[str, float]:
    """Return the constraints with a penalty above 0."""
    return {text: penalty for text, penalty in constraints.items() if penalty > 0}


class ConstraintSet:
    """The constraints of a model over its labels."""

    def __init__(self, constraints: Mapping[str, float], labels: Sequence[str]) -> None:
        self.constraints = tuple(map(parse_constraint, constraints))
        self.penalty = np.array(list(constraints.values()), dtype=np.float64)
        self.dual = SoftDual(
            compile_constraints(self.constraints, labels), self.penalty, iterations=ITERATIONS, several=SEVERAL
        )

    def explain(self, before: Sequence[Span], after: Sequence[Span]) -> tuple[tuple[str, float], ...]:
        """Return the constraints that one labelling violates more than another, and what that would cost."""
        counts = [_count_names(spans) for spans in (before, after)]
        found = []
        for one, penalty in zip(self.constraints, self.penalty.tolist(), strict=True):
            sums = [sum(value * count[name] for name, value in one.terms) for count in counts]
            less = max(sums[0] - one.bound, 0) - max(sums[1] - one.bound, 0)
            if less > 0 and penalty > 0:
                found.append((str(one), less * penalty))
        return tuple(sorted(found, key=lambda each: -each[1]))


def _count_names(spans: Sequence[Span]) -> Counter[str]:
    """Count the spans by their path, and by their last name alone."""
    return Counter(name for span in spans for name in (span.label, ANYWHERE + span.label.rpartition("/")[2]))


@dataclass(frozen=True, slots=True)
class ConstraintSummary:
    """One constraint of a model: penalty, statistics from its fitting, and an example."""

    constraint: str
    words: str
    penalty: float
    importance: float | None  # violations by the model without constraints for each one in the gold labels
    broken: int | None  # violations by the model without constraints on the strings it was fitted on
    binding: int | None  # strings there in which it was binding
    example: Parsed | None  # a string whose labelling it changed


def summarise_constraints(parser: Parser, texts: Iterable[str]) -> list[ConstraintSummary]:
    """Return the constraints of a model by falling penalty, each with the first of the strings that it changed."""
    examples: dict[str, Parsed] = {}
    for parsed in parser.parse_many(texts, explain=True):
        for text, _ in parsed.change.because if parsed.change else ():
            examples.setdefault(text, parsed)
    seen: dict[str, Any] = parser.model.card.get("constraints", {}).get("of each", {})
    found = []
    for text, penalty in sorted(parser.model.constraints.items(), key=lambda pair: -pair[1]):
        known = seen.get(text, {})
        numbers = (known.get("importance"), known.get("broken"), known.get("binding"))
        found.append(ConstraintSummary(text, in_words(parse_constraint(text)), penalty, *numbers, examples.get(text)))
    return found
