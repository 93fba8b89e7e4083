"""Which constraints are worth having, and what breaking them costs (Anzaroot 2014, sections 3.1 and 5.6).

A constraint is important when the model without constraints breaks it much more often than the truth does. Penalties
are learnt by comparing what is found under them with the truth: they rise for what the answer breaks and the truth
does not, fall for the opposite, and never go below zero. A constraint whose penalty ends at zero is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.inference.constraints import (
    ANYWHERE,
    Compiled,
    Constraint,
    beginnings,
    compiled,
    countable,
    equalities,
    pairs,
    singletons,
)
from ibidem.inference.core import Paths, best, kbest
from ibidem.inference.dual import SoftDual, label_counts, some_strings
from ibidem.labels.bio import Compatibility
from ibidem.labels.tasks import REFERENCES, Task
from ibidem.models.chain import ChainModel
from ibidem.models.parser import Parser
from ibidem.models.semi.labels import continuation
from ibidem.models.training import tokens_of
from ibidem.types import Automaton, Example, FloatArray, IntArray, Potentials, Reference, Span

Reals = NDArray[np.float64]
METHODS = ("perceptron", "averaged", "svm")
FAMILIES = ("only-one", "pairwise", "hierarchical")


@dataclass(frozen=True, slots=True)
class PenaltyConfig:
    """How constraints are chosen and their penalties learnt."""

    method: str = "averaged"  # perceptron, averaged (the mean of its steps), svm (the answer must win by a margin)
    passes: int = 10
    batch: int = 16  # strings between two steps
    rate: float = 0.1
    margin: float = 1.0  # of the svm, for each token that is labelled wrong
    importance: float = 2.75  # how much more often the model must break a constraint than the truth does
    violations: int = 3  # how often the model must break it at least
    distinct: bool = False  # of constraints that the model breaks in the same strings, keep the simplest alone
    iterations: int = 20
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ConfigError(f"method is {self.method!r}: it must be one of {', '.join(METHODS)}")
        for name in ("passes", "batch", "iterations"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}: at least 1 is wanted")


@dataclass(frozen=True, slots=True)
class Truth:
    """Strings with their scores and their true labels, for learning penalties on."""

    labels: tuple[str, ...]  # [Y] of the model
    automaton: Automaton
    potentials: Potentials
    gold: tuple[tuple[str, ...], ...]  # the true label of each token of each string
    spans: Callable[[Paths, IntArray], list[list[Span]]]  # reads the spans off paths

    def part(self, strings: Sequence[int]) -> Truth:
        """Some of the strings."""
        potentials = some_strings(self.potentials, np.array(strings, dtype=np.intp))
        return replace(self, potentials=potentials, gold=tuple(self.gold[s] for s in strings))


def counts_of_labels(strings: Sequence[Sequence[str]], names: Sequence[str]) -> Reals:
    """How often segments of each name begin in strings of labels.  # [B, names]"""
    place = {name: number for number, name in enumerate(names)}
    counts = np.zeros((len(strings), len(names)))
    for row, labels in zip(counts, strings, strict=True):
        for label in labels:
            for name in beginnings(label):
                if name in place:
                    row[place[name]] += 1
    return counts


def candidates(labels: Sequence[str]) -> dict[str, list[Constraint]]:
    """The constraints of each template over everything that the labels can count."""
    names = sorted(countable(labels))
    paths = [name for name in names if not name.startswith(ANYWHERE)]
    return {
        "only-one": singletons(paths),
        "pairwise": pairs(paths),
        "hierarchical": equalities([name for name in names if name.startswith(ANYWHERE)]),
    }


def once(constraints: Sequence[Constraint]) -> list[Constraint]:
    """The constraints, those that say the same only once: the first of them."""
    found: dict[tuple[frozenset[tuple[str, int]], int], Constraint] = {}
    for one in constraints:
        found.setdefault((frozenset(one.terms), one.bound), one)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Chosen:
    """Constraints that are worth learning a penalty for, with how important each is."""

    constraints: tuple[Constraint, ...]
    importance: Reals  # how much more often the model breaks it than the truth
    violations: IntArray  # how often the model breaks it


def choose(constraints: Sequence[Constraint], truths: Sequence[Truth], config: PenaltyConfig) -> Chosen:
    """The constraints that the model breaks so much more often than the truth does (section 5.6).

    Several truths may come from models with different labels; only what all of them can count is chosen.
    """
    names = sorted(set.intersection(*(set(countable(truth.labels)) for truth in truths)))
    place = {name: number for number, name in enumerate(names)}
    predicted = np.concatenate([_found_counts(truth, names) for truth in truths])
    gold = np.concatenate([counts_of_labels(truth.gold, names) for truth in truths])
    kept: list[Constraint] = []
    scores: list[float] = []
    broken: list[int] = []
    seen: set[bytes] = set()
    for constraint in sorted(constraints, key=lambda one: len(one.terms)) if config.distinct else constraints:
        if not all(name in place for name, _ in constraint.terms):
            continue
        columns = [place[name] for name, _ in constraint.terms]
        values = np.array([value for _, value in constraint.terms], dtype=np.float64)
        breaks = predicted[:, columns] @ values > constraint.bound
        model = int(breaks.sum())
        if model < config.violations or (config.distinct and breaks.tobytes() in seen):
            continue
        score = model / max(int((gold[:, columns] @ values > constraint.bound).sum()), 0.5)
        if score >= config.importance:
            seen.add(breaks.tobytes())
            kept.append(constraint)
            scores.append(score)
            broken.append(model)
    return Chosen(tuple(kept), np.array(scores), np.array(broken, dtype=np.int32))


@dataclass(frozen=True, slots=True)
class Learnt:
    """Constraints with their penalties, and what was seen of each on the strings they were learnt on."""

    constraints: tuple[Constraint, ...]
    penalty: Reals
    importance: Reals
    violations: IntArray  # how often the model without constraints breaks it
    binding: IntArray  # how often it has a part in an answer
    strings: int

    @property
    def by_text(self) -> dict[str, float]:
        """The penalty of each constraint that has one."""
        pairs = zip(self.constraints, self.penalty.tolist(), strict=True)
        return {str(one): penalty for one, penalty in pairs if penalty > 0}


def learnt_on(
    truths: Sequence[Truth],
    config: PenaltyConfig,
    families: Sequence[str] = FAMILIES,
    report: Callable[[TrainingProgress], None] = lambda _: None,
) -> Learnt:
    """The constraints of some templates that are worth having on these strings, with their penalties."""
    made = candidates(truths[0].labels)
    chosen = choose(once([one for family in families for one in made[family]]), truths, config)
    penalty = learn(chosen.constraints, truths, config, report=report)
    binding = np.zeros(len(penalty), dtype=np.int32)
    for truth in truths:
        dual = SoftDual(compiled(chosen.constraints, truth.labels), penalty, iterations=config.iterations)
        binding += dual.decode(truth.automaton, truth.potentials).binding.sum(axis=0).astype(np.int32)
    strings = sum(len(truth.gold) for truth in truths)
    return Learnt(chosen.constraints, penalty, chosen.importance, chosen.violations, binding, strings)


def _found_counts(truth: Truth, names: Sequence[str]) -> Reals:
    """How often segments of each name begin in what the model finds without constraints.  # [B, names]"""
    known = countable(truth.labels)
    found = best(truth.automaton, truth.potentials)
    by_name = np.stack([known[name] for name in names], axis=1)  # [Y, names]
    return np.asarray(label_counts(truth.automaton, truth.potentials, found) @ by_name)


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """Where learning stands after some passes; it can be gone on with from here as if it had never stopped."""

    penalty: Reals  # after the last step
    total: Reals  # the sum of the penalties after every step
    steps: int = 0
    passes: int = 0
    error: float = 0.0  # of the last pass: how much more or less than the truth an answer breaks, a string

    def result(self, method: str) -> Reals:
        """The penalties that the method gives: those of the last step, or the mean."""
        return self.total / self.steps if method == "averaged" and self.steps else self.penalty


def learn(
    chosen: Sequence[Constraint],
    truths: Sequence[Truth],
    config: PenaltyConfig,
    start: TrainingProgress | None = None,
    report: Callable[[TrainingProgress], None] = lambda _: None,
) -> Reals:
    """The penalty of each constraint.  # [C]

    `report` is told after every pass where learning stands; given back as `start`, it goes on from there.
    """
    lessons = [_lesson(chosen, truth, config) for truth in truths]
    course = start or TrainingProgress(np.zeros(len(chosen)), np.zeros(len(chosen)))
    strings = max(sum(len(truth.gold) for truth in truths), 1)
    for turn in range(course.passes, config.passes):
        penalty, total, steps, error = course.penalty, course.total.copy(), course.steps, 0.0
        chance = np.random.default_rng([config.seed, turn])
        for number, group in _batches([len(truth.gold) for truth in truths], config.batch, chance):
            step = lessons[number](group, penalty)
            penalty = np.maximum(penalty + config.rate * step, 0.0)
            error += float(np.abs(step).sum())
            total += penalty
            steps += 1
        course = TrainingProgress(penalty, total, steps, turn + 1, error / strings)
        report(course)
    return course.result(config.method)


def _lesson(chosen: Sequence[Constraint], truth: Truth, config: PenaltyConfig) -> Callable[[list[int], Reals], Reals]:
    """A function of some strings and of penalties: how much more the answer breaks each constraint than the truth."""
    terms = compiled(chosen, truth.labels)
    names = sorted(countable(truth.labels))
    gold = np.maximum(_by_name(chosen, names).excess(counts_of_labels(truth.gold, names)), 0.0)  # [B, C]
    scored = _with_margin(truth, config.margin) if config.method == "svm" else truth

    def step(strings: list[int], penalty: Reals) -> Reals:
        part = scored.part(strings)
        paths = SoftDual(terms, penalty, iterations=config.iterations)(part.automaton, part.potentials)
        counts = label_counts(part.automaton, part.potentials, paths)
        return np.asarray((np.maximum(terms.excess(counts), 0.0) - gold[strings]).sum(axis=0))

    return step


def _by_name(constraints: Sequence[Constraint], names: Sequence[str]) -> Compiled:
    place = {name: number for number, name in enumerate(names)}
    rows = np.zeros((len(constraints), len(names)))
    for row, constraint in zip(rows, constraints, strict=True):
        for name, value in constraint.terms:
            row[place[name]] += value
    return Compiled(rows, np.array([one.bound for one in constraints], dtype=np.float64))


def _batches(counts: Sequence[int], size: int, chance: np.random.Generator) -> Iterator[tuple[int, list[int]]]:
    """The strings of several truths in small groups of one truth each, in an order drawn at random."""
    groups: list[tuple[int, list[int]]] = []
    for number, count in enumerate(counts):
        order = chance.permutation(count).tolist()
        groups += [(number, order[begin : begin + size]) for begin in range(0, count, size)]
    yield from (groups[place] for place in chance.permutation(len(groups)))


def _with_margin(truth: Truth, margin: float) -> Truth:
    """The same with every span made better by a margin for every token of it that is labelled wrong."""
    gold = np.array([label for labels in truth.gold for label in labels], dtype=object)
    first = gold[:, None] != np.array(truth.labels, dtype=object)  # [N, Y]
    inside = gold[:, None] != np.array([continuation(label) for label in truth.labels], dtype=object)
    running = np.concatenate([np.zeros((1, len(truth.labels))), np.cumsum(inside, axis=0)])
    tokens, longest, _ = truth.potentials.span.shape
    begin = np.minimum(np.arange(tokens) + 1, tokens)
    end = np.minimum(np.arange(tokens)[:, None] + np.arange(1, longest + 1), tokens)  # [N, L]
    wrong = first[:, None] + (running[end] - running[begin][:, None])
    span: FloatArray = truth.potentials.span + (margin * wrong).astype(truth.potentials.span.dtype)
    return replace(truth, potentials=Potentials(span, truth.potentials.arc, truth.potentials.lengths))


def references_of(examples: Sequence[Example], task: Task = REFERENCES) -> list[Reference]:
    """The examples without their marks."""
    return [Reference(example.text, tokens_of(example, task), example.source) for example in examples]


def truth_within(parser: Parser, examples: Sequence[Example], loose: Callable[[Example], bool]) -> Truth:
    """The same for examples that leave some labels open: their best labelling of those that the marks allow.

    What an example is silent about is then as the parser would have it, so nothing is learnt from it. Examples that no
    labelling agrees with are left out.
    """
    model = parser.model
    if not isinstance(model, ChainModel):
        raise ConfigError(
            "constraints are learnt from partly labelled strings for chains only: leave [constraints] out"
        )
    compatibility = Compatibility(model.labels)
    kept: list[Example] = []
    gold: list[tuple[str, ...]] = []
    for example in examples:
        tokens = tokens_of(example, parser.task)
        given = parser.potentials([Reference(example.text, tokens)])
        rows = compatibility.rows(tokens, example, loose(example)).astype(np.bool_)
        within = np.where(rows, np.asarray(given.span)[:, 0], np.float32(-np.inf))[:, None]
        found = kbest(model.automaton, Potentials(within, given.arc, given.lengths), 1) if tokens else None
        if found is not None and found.count[0]:
            kept.append(example)
            gold.append(tuple(model.labels[label] for label in np.asarray(model.automaton.label)[found.state[0]]))
    scored = parser.potentials(references_of(kept, parser.task))
    return Truth(model.labels, model.automaton, scored, tuple(gold), parser.spans)
