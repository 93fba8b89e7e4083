"""Selection of soft constraints and fitting of their penalties (Anzaroot 2014, sections 3.1 and 5.6).

A constraint is important if the model without constraints violates it much more often than the gold labels do.
Penalties are fitted by a perceptron or a structured SVM: they rise for what the prediction violates and the gold labels
do not, fall for the opposite, and never go below zero. A constraint whose penalty ends at zero is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ibidem.config import renamed_keys
from ibidem.errors import ConfigError
from ibidem.inference.constraints import (
    ANYWHERE,
    Constraint,
    beginnings,
    compile_constraints,
    compile_counts,
    countable,
    equalities,
    pairs,
    singletons,
)
from ibidem.inference.core import Paths, best, kbest
from ibidem.inference.dual import SoftDual, label_counts, select_strings
from ibidem.labels.bio import Compatibility
from ibidem.labels.tasks import REFERENCES, Task
from ibidem.models.parser import Parser
from ibidem.models.semi.labels import continuation
from ibidem.models.training import tokens_of
from ibidem.types import Automaton, Example, FloatArray, IntArray, Potentials, Reference, Span

Reals = NDArray[np.float64]
METHODS = ("perceptron", "averaged", "svm")
FAMILIES = ("only-one", "pairwise", "hierarchical")
TOKENS_ONLY = "it needs a scorer that gives each token one label, such as chain; leave [constraints] out"


@renamed_keys(learning_rate="rate")
@dataclass(frozen=True, slots=True)
class PenaltyConfig:
    """Settings of the selection of constraints and the fitting of their penalties."""

    method: str = "perceptron"  # perceptron (many end at 0), averaged (the mean of its steps), svm (with a margin)
    passes: int = 10
    batch: int = 16  # strings between two steps
    learning_rate: float = 0.1
    margin: float = 1.0  # of the svm, for each wrongly labelled token
    importance: float = 2.75  # least ratio of violations by the model to those in the gold labels
    violations: int = 3  # least number of violations by the model
    distinct: bool = False  # of constraints that are violated in the same strings, keep only the simplest
    iterations: int = 20
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ConfigError(f"method is {self.method!r}: give one of {', '.join(METHODS)}")
        for name in ("passes", "batch", "iterations"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}: give 1 or more")


@dataclass(frozen=True, slots=True)
class GoldStrings:
    """Strings with their scores and gold labels, to fit penalties on."""

    labels: tuple[str, ...]  # [Y] of the model
    automaton: Automaton
    potentials: Potentials
    gold: tuple[tuple[str, ...], ...]  # the gold label of each token of each string
    spans: Callable[[Paths, IntArray], list[list[Span]]]  # the spans on paths

    def part(self, strings: Sequence[int]) -> GoldStrings:
        """Return some of the strings."""
        potentials = select_strings(self.potentials, np.array(strings, dtype=np.intp))
        return replace(self, potentials=potentials, gold=tuple(self.gold[s] for s in strings))


def count_segments(strings: Sequence[Sequence[str]], names: Sequence[str]) -> Reals:
    """Count the segments of each name in strings of labels.  # [B, names]"""
    place = {name: number for number, name in enumerate(names)}
    counts = np.zeros((len(strings), len(names)))
    for row, labels in zip(counts, strings, strict=True):
        for label in labels:
            for name in beginnings(label):
                if name in place:
                    row[place[name]] += 1
    return counts


def candidates(labels: Sequence[str]) -> dict[str, list[Constraint]]:
    """Return the constraints of each template over everything that the labels can count."""
    names = sorted(countable(labels))
    paths = [name for name in names if not name.startswith(ANYWHERE)]
    return {
        "only-one": singletons(paths),
        "pairwise": pairs(paths),
        "hierarchical": equalities([name for name in names if name.startswith(ANYWHERE)]),
    }


def drop_duplicates(constraints: Sequence[Constraint]) -> list[Constraint]:
    """Return the constraints without those equal to an earlier one."""
    found: dict[tuple[frozenset[tuple[str, int]], int], Constraint] = {}
    for one in constraints:
        found.setdefault((frozenset(one.terms), one.bound), one)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Selection:
    """Constraints to fit penalties for, with the importance of each."""

    constraints: tuple[Constraint, ...]
    importance: Reals  # ratio of violations by the model to those in the gold labels, of which 0 count as a half
    violations: IntArray  # by the model


def select_constraints(
    constraints: Sequence[Constraint], parts: Sequence[GoldStrings], config: PenaltyConfig
) -> Selection:
    """Return the constraints that the model violates much more often than the gold labels do (section 5.6).

    The parts of the data may come from models with different labels; only what all of them can count is selected.
    """
    names = sorted(set.intersection(*(set(countable(part.labels)) for part in parts)))
    place = {name: number for number, name in enumerate(names)}
    predicted = np.concatenate([_count_predicted(part, names) for part in parts])
    gold = np.concatenate([count_segments(part.gold, names) for part in parts])
    kept: list[Constraint] = []
    scores: list[float] = []
    violated: list[int] = []
    seen: set[bytes] = set()
    for constraint in sorted(constraints, key=lambda one: len(one.terms)) if config.distinct else constraints:
        if not all(name in place for name, _ in constraint.terms):
            continue
        columns = [place[name] for name, _ in constraint.terms]
        values = np.array([value for _, value in constraint.terms], dtype=np.float64)
        violating = predicted[:, columns] @ values > constraint.bound
        model = int(violating.sum())
        if model < config.violations or (config.distinct and violating.tobytes() in seen):
            continue
        true = int((gold[:, columns] @ values > constraint.bound).sum())
        if model >= config.importance * true:
            seen.add(violating.tobytes())
            kept.append(constraint)
            scores.append(model / max(true, 0.5))
            violated.append(model)
    return Selection(tuple(kept), np.array(scores), np.array(violated, dtype=np.int32))


@dataclass(frozen=True, slots=True)
class FittedConstraints:
    """Constraints with their penalties, and statistics of each on the strings they were fitted on."""

    constraints: tuple[Constraint, ...]
    penalty: Reals
    importance: Reals
    violations: IntArray  # by the model without constraints
    binding: IntArray  # strings in which it is binding
    strings: int

    @property
    def by_text(self) -> dict[str, float]:
        """The penalty of each constraint, by its text, where it is above 0."""
        pairs = zip(self.constraints, self.penalty.tolist(), strict=True)
        return {str(one): penalty for one, penalty in pairs if penalty > 0}


def fit_constraints(
    parts: Sequence[GoldStrings],
    config: PenaltyConfig,
    families: Sequence[str] = FAMILIES,
    report: Callable[[TrainingProgress], None] = lambda _: None,
    templates: Callable[[Sequence[str]], dict[str, list[Constraint]]] = candidates,
) -> FittedConstraints:
    """Return the important constraints of some templates on these strings, with fitted penalties."""
    made = templates(parts[0].labels)
    selected = select_constraints(drop_duplicates([one for family in families for one in made[family]]), parts, config)
    penalty = fit_penalties(selected.constraints, parts, config, report=report)
    binding = np.zeros(len(penalty), dtype=np.int32)
    for part in parts:
        dual = SoftDual(compile_constraints(selected.constraints, part.labels), penalty, iterations=config.iterations)
        binding += dual.decode(part.automaton, part.potentials).binding.sum(axis=0).astype(np.int32)
    strings = sum(len(part.gold) for part in parts)
    return FittedConstraints(selected.constraints, penalty, selected.importance, selected.violations, binding, strings)


def _count_predicted(part: GoldStrings, names: Sequence[str]) -> Reals:
    """Count the segments of each name that the model finds without constraints.  # [B, names]"""
    known = countable(part.labels)
    found = best(part.automaton, part.potentials)
    by_name = np.stack([known[name] for name in names], axis=1)  # [Y, names]
    return np.asarray(label_counts(part.automaton, part.potentials, found) @ by_name)


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """State of the fitting after some passes."""

    penalty: Reals  # after the last step
    passes: int
    error: float  # of the last pass: mean difference of violations to the gold labels, a string


def fit_penalties(
    selected: Sequence[Constraint],
    parts: Sequence[GoldStrings],
    config: PenaltyConfig,
    report: Callable[[TrainingProgress], None] = lambda _: None,
) -> Reals:
    """Return the penalty of each constraint, by the last step or the mean of all; `report` is called after a pass."""
    steps_of = [_violation_step(selected, part, config) for part in parts]
    # in units of the learning rate these are whole numbers: what has come back to zero is exactly zero
    units, total, steps = np.zeros(len(selected)), np.zeros(len(selected)), 0
    strings = max(sum(len(part.gold) for part in parts), 1)
    for turn in range(config.passes):
        error = 0.0
        random = np.random.default_rng([config.seed, turn])
        for number, group in _batches([len(part.gold) for part in parts], config.batch, random):
            step = steps_of[number](group, config.learning_rate * units)
            units = np.maximum(units + step, 0.0)
            error += float(np.abs(step).sum())
            total += units
            steps += 1
        report(TrainingProgress(config.learning_rate * units, turn + 1, error / strings))
    return config.learning_rate * (total / steps if config.method == "averaged" and steps else units)


def _violation_step(
    selected: Sequence[Constraint], part: GoldStrings, config: PenaltyConfig
) -> Callable[[list[int], Reals], Reals]:
    """Return a function of strings and penalties: the violations of each constraint less those in the gold labels."""
    terms = compile_constraints(selected, part.labels)
    names = sorted(countable(part.labels))
    by_name = compile_counts(selected, dict(zip(names, np.eye(len(names)), strict=True)), len(names))
    gold = np.maximum(by_name.excess(count_segments(part.gold, names)), 0.0)  # [B, C]
    scored = _add_margin(part, config.margin) if config.method == "svm" else part

    def step(strings: list[int], penalty: Reals) -> Reals:
        some = scored.part(strings)
        paths = SoftDual(terms, penalty, iterations=config.iterations)(some.automaton, some.potentials)
        counts = label_counts(some.automaton, some.potentials, paths)
        return np.asarray((np.maximum(terms.excess(counts), 0.0) - gold[strings]).sum(axis=0))

    return step


def _batches(counts: Sequence[int], size: int, random: np.random.Generator) -> Iterator[tuple[int, list[int]]]:
    """Yield the strings of several parts in small groups of one part each, in random order."""
    groups: list[tuple[int, list[int]]] = []
    for number, count in enumerate(counts):
        order = random.permutation(count).tolist()
        groups += [(number, order[begin : begin + size]) for begin in range(0, count, size)]
    yield from (groups[place] for place in random.permutation(len(groups)))


def _add_margin(part: GoldStrings, margin: float) -> GoldStrings:
    """Return the same with the score of every span raised by a margin for every wrongly labelled token in it."""
    gold = np.array([label for labels in part.gold for label in labels], dtype=object)
    first = gold[:, None] != np.array(part.labels, dtype=object)  # [N, Y]
    inside = gold[:, None] != np.array([continuation(label) for label in part.labels], dtype=object)
    running = np.concatenate([np.zeros((1, len(part.labels))), np.cumsum(inside, axis=0)])
    tokens, longest, _ = part.potentials.span.shape
    begin = np.minimum(np.arange(tokens) + 1, tokens)
    end = np.minimum(np.arange(tokens)[:, None] + np.arange(1, longest + 1), tokens)  # [N, L]
    wrong = first[:, None] + (running[end] - running[begin][:, None])
    span: FloatArray = part.potentials.span + (margin * wrong).astype(part.potentials.span.dtype)
    return replace(part, potentials=Potentials(span, part.potentials.arc, part.potentials.lengths))


def references_of(examples: Sequence[Example], task: Task = REFERENCES) -> list[Reference]:
    """Return the examples without their annotations."""
    return [Reference(example.text, tokens_of(example, task), example.source) for example in examples]


def gold_strings(parser: Parser, examples: Sequence[Example], uncertain: bool) -> GoldStrings:
    """Return the gold labels of examples with partial annotations: the best labelling that these allow.

    What is not annotated is then as the parser would label it, so nothing is learnt from it. Examples whose annotation
    the labels cannot represent are left out. `uncertain` says that the boundaries of fields are.
    """
    model, automaton = parser.model, parser.automaton
    if not model.labels_tokens:
        raise ConfigError(f"constraints cannot be fitted for the scorer {model.kind!r}: {TOKENS_ONLY}")
    compatibility = Compatibility(model.labels)
    kept: list[Example] = []
    gold: list[tuple[str, ...]] = []
    for example in examples:
        tokens = tokens_of(example, parser.task)
        given = parser.potentials([Reference(example.text, tokens)])
        rows = compatibility.rows(tokens, example, uncertain).astype(np.bool_)
        within = np.where(rows, np.asarray(given.span)[:, 0], np.float32(-np.inf))[:, None]
        found = kbest(automaton, Potentials(within, given.arc, given.lengths), 1) if tokens else None
        if found is not None and found.count[0]:
            kept.append(example)
            gold.append(tuple(model.labels[label] for label in np.asarray(automaton.label)[found.state[0]]))
    scored = parser.potentials(references_of(kept, parser.task))
    return GoldStrings(model.labels, automaton, scored, tuple(gold), parser.spans)
