"""Constraints on how often fields appear in a string: linear functions of counts with a bound (Anzaroot 2014, §5).

A constraint is written as an inequality:

>>> constraint = parse_constraint("count(title) - count(journal) <= 0")
>>> constraint.terms, constraint.bound
((('title', 1), ('journal', -1)), 0)
>>> str(parse_constraint("count(pages) >= 1"))
'count(pages) >= 1'

`count(a/b)` is the number of segments with that path of labels, `count(*/b)` that of all segments called b whatever
they lie in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError

_TOKEN = re.compile(r"\s*(?:(count)\s*\(\s*([^()\s]+)\s*\)|(\d{1,6})|([+\-*])|(<=|>=|==?))")
_SHOWN = 80  # characters of a constraint in a message
ANYWHERE = "*/"
"""Prefix of the name of a segment, whatever it lies in."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """The sum of coefficient times count is at most the bound; `flipped` where it was written with >=."""

    terms: tuple[tuple[str, int], ...]  # what is counted, and its coefficient
    bound: int
    flipped: bool = False

    def __str__(self) -> str:
        sign = -1 if self.flipped else 1
        text = ""
        for name, coefficient in self.terms:
            value = sign * coefficient
            size = "" if abs(value) == 1 else f"{abs(value)} * "
            mark = (" - " if value < 0 else " + ") if text else "-" * (value < 0)
            text += f"{mark}{size}count({name})"
        return f"{text} {'>=' if self.flipped else '<='} {sign * self.bound}"


def at_most(terms: Iterable[tuple[str, int]], bound: int) -> Constraint:
    """Return the constraint that a sum is at most a bound."""
    return Constraint(tuple(terms), bound)


def at_least(terms: Iterable[tuple[str, int]], bound: int) -> Constraint:
    """Return the constraint that a sum is at least a bound."""
    return Constraint(tuple((name, -value) for name, value in terms), -bound, flipped=True)


def parse_constraint(text: str) -> Constraint:
    """Return the constraint that a text means; an error points at the character that cannot be parsed.

    >>> parse_constraint("count(title) + <= 1")
    Traceback (most recent call last):
        ...
    ibidem.errors.ConfigError: `count(title) + <= 1` breaks off at character 16: expected count(field), not `<= 1`
    """
    return _ConstraintParser(text).constraint()


def shorten(text: str) -> str:
    """Return the beginning of a text that is too long for a message."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


class _ConstraintParser:
    """A parser of one constraint, from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._found: re.Match[str] | None = None
        self._step()

    def _step(self) -> None:
        self._found = _TOKEN.match(self._text, self._place)
        if self._found:
            self._place = self._found.end()

    def _fail(self, wanted: str) -> ConfigError:
        place = self._found.start() if self._found else self._place
        rest = self._text[place:].lstrip()
        here, found = len(self._text) - len(rest) + 1, f"`{shorten(rest)}`" if rest else "its end"
        return ConfigError(f"`{shorten(self._text)}` breaks off at character {here}: expected {wanted}, not {found}")

    def constraint(self) -> Constraint:
        terms: dict[str, int] = {}
        sign = self._sign(first=True)
        while sign:
            size = self._number(default=1)
            name = self._group(2)
            if name is None:
                raise self._fail("count(field)")
            terms[name] = terms.get(name, 0) + sign * size
            self._step()
            sign = self._sign(first=False)
        relation = self._group(5)
        if relation not in ("<=", ">="):
            raise self._fail("<= or >= and a whole number")
        self._step()
        negative = -1 if self._group(4) == "-" else 1
        if negative < 0:
            self._step()
        value = self._group(3)
        if value is None:
            raise self._fail("a whole number")
        if self._text[self._place :].strip():
            self._found = None
            raise self._fail("nothing more")
        kept = [(name, coefficient) for name, coefficient in terms.items() if coefficient]
        if not kept:
            self._found = None
            raise self._fail("a count that does not cancel out")
        return (at_most if relation == "<=" else at_least)(kept, negative * int(value))

    def _group(self, number: int) -> str | None:
        return self._found.group(number) if self._found else None

    def _sign(self, first: bool) -> int:
        mark = self._group(4)
        if mark in ("+", "-"):
            self._step()
            return 1 if mark == "+" else -1
        return 1 if first else 0

    def _number(self, default: int) -> int:
        value = self._group(3)
        if value is None:
            return default
        self._step()
        if self._group(4) == "*":
            self._step()
        return int(value)


def in_words(constraint: Constraint) -> str:
    """Return a constraint in English, if it is a sum or a difference of one or two counts; else its formula.

    >>> in_words(parse_constraint("count(title) <= 1"))
    'at most 1 title'
    >>> in_words(parse_constraint("count(pages) - count(journal) >= -1"))
    'at most 1 journal more than pages'
    >>> in_words(parse_constraint("count(book) + count(*/person) >= 1"))
    'at least 1 of book and person (anywhere)'
    """
    names = [name.removeprefix(ANYWHERE) + " (anywhere)" * name.startswith(ANYWHERE) for name, _ in constraint.terms]
    values = tuple(value for _, value in constraint.terms)
    bound = constraint.bound
    if values in ((1,), (1, 1)):
        return f"at most {bound} {'of ' * (len(names) > 1)}{' and '.join(names)}"
    if values in ((-1,), (-1, -1)):
        return f"at least {-bound} {'of ' * (len(names) > 1)}{' and '.join(names)}"
    if values in ((1, -1), (-1, 1)):
        more, fewer = names if values == (1, -1) else names[::-1]
        if bound == 0:
            return f"no more {more} than {fewer}"
        return (
            f"at most {bound} {more} more than {fewer}" if bound > 0 else f"at least {-bound} {fewer} more than {more}"
        )
    return str(constraint)


def contradictions(constraints: Sequence[Constraint]) -> list[tuple[Constraint, Constraint]]:
    """Return the pairs of constraints that no counts can satisfy together: x <= 1 and x >= 2, or x + y <= -1 alone.

    Only what can be seen from two constraints at a time is found.
    """
    found = [(one, one) for one in constraints if one.bound < 0 and all(value > 0 for _, value in one.terms)]
    by_terms: dict[frozenset[tuple[str, int]], list[Constraint]] = {}
    for one in constraints:
        by_terms.setdefault(frozenset(one.terms), []).append(one)
    for one in constraints:
        opposite = frozenset((name, -value) for name, value in one.terms)
        found += [
            (one, other) for other in by_terms.get(opposite, ()) if one.bound + other.bound < 0 and id(one) < id(other)
        ]
    return found


@dataclass(frozen=True, slots=True)
class CompiledConstraints:
    """Constraints in terms of the labels of a model: coefficient times the count of each label is at most the bound."""

    coefficient: NDArray[np.float64]  # [C, Y]
    bound: NDArray[np.float64]  # [C]

    def excess(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by how much each constraint is exceeded, negative where there is room.  # [B, C]"""
        return np.asarray(counts @ self.coefficient.T - self.bound)


def beginnings(label: str) -> list[str]:
    """Return the paths of the segments that begin at a token with a nested BIO label, each also by its last name alone.

    >>> beginnings("I-author/B-person/B-family")
    ['author/person', '*/person', 'author/person/family', '*/family']
    """
    if label == "O":
        return []
    found: list[str] = []
    path = ""
    for level in label.split("/"):
        tag, _, name = level.partition("-")
        path = f"{path}/{name}" if path else name
        if tag == "B":
            found += [path, ANYWHERE + name]
    return found


def countable(labels: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Return the names that can be counted with these labels, and which labels count for each.  # each [Y]"""
    found: dict[str, NDArray[np.float64]] = {}
    for place, label in enumerate(labels):
        for name in beginnings(label):
            found.setdefault(name, np.zeros(len(labels)))[place] = 1.0
    return found


def compile_constraints(constraints: Sequence[Constraint], labels: Sequence[str]) -> CompiledConstraints:
    """Return the constraints over a model's labels; a name that no label has is an error that lists those there are."""
    return compile_counts(constraints, countable(labels), len(labels))


def compile_counts(
    constraints: Sequence[Constraint], known: Mapping[str, NDArray[np.float64]], width: int
) -> CompiledConstraints:
    """Return the constraints over `width` counts; those that add up to each name are given.  # [width] each"""
    rows = np.zeros((len(constraints), width))
    for row, constraint in zip(rows, constraints, strict=True):
        for name, value in constraint.terms:
            if name not in known:
                there = ", ".join(sorted(name for name in known if not name.startswith(ANYWHERE)))
                raise ConfigError(
                    f"{shorten(str(constraint))} counts {shorten(name)!r}, which no label has; there are {there}"
                )
            row += value * known[name]
    return CompiledConstraints(rows, np.array([one.bound for one in constraints], dtype=np.float64))


def singletons(names: Sequence[str]) -> list[Constraint]:
    """Return the constraints of at most one of each (section 5.2)."""
    return [at_most([(name, 1)], 1) for name in names]


def pairs(names: Sequence[str], bounds: Sequence[int] = (0, 1, 2, 3)) -> list[Constraint]:
    """Return the constraints on sums and differences of two counts, at most and at least each bound (section 5.3)."""
    found: list[Constraint] = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            for terms in ([(one, 1), (other, 1)], [(one, 1), (other, -1)]):
                found += [make(terms, bound) for bound in bounds for make in (at_most, at_least)]
                if terms[1][1] < 0:  # the other way round, except what is there already
                    turned = [(other, 1), (one, -1)]
                    found += [make(turned, bound) for bound in bounds if bound for make in (at_most, at_least)]
    return found


def equalities(names: Sequence[str]) -> list[Constraint]:
    """Return the constraints of as many of one as of another, from both sides (section 5.4)."""
    return [
        make([(one, 1), (other, -1)], 0)
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        for make in (at_most, at_least)
    ]
