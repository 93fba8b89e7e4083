"""Whether conjunctions that the chain CRF grows itself do what the hand-made features of context do (Wellner 2004).

Cora's strings, divided by work, so that no work is in training and test. How conjunctions are induced was chosen on
CiteSeer's strings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from benchmarks.coreference_cases import Case, cora_cases
from benchmarks.experiments import parser_of
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.timing import say
from ibidem.metrics.scoring import Report, score_tokens
from ibidem.metrics.significance import accuracy_interval, f1_difference, f1_interval, mcnemar
from ibidem.models.crf import CRF
from ibidem.models.induction import InductionConfig
from ibidem.models.training import CRFConfig
from ibidem.types import Parsed

FOLDS = 3
SEED = 1
HAND = CRFConfig(optimiser="lbfgs", l2=0.1, iterations=100, min_count=2, context_min_count=2)
OWN = replace(HAND, window=1, context=False)
INDUCTION = InductionConfig()
VARIANTS = {
    "own attributes": OWN,
    "own attributes + induced": replace(OWN, induce=True, induction=INDUCTION),
    "window of five": replace(HAND, context=False),
    "hand-made": HAND,
    "hand-made + induced": replace(HAND, induce=True, induction=INDUCTION),
}
_PAIRS = (
    ("own attributes + induced", "own attributes"),
    ("own attributes + induced", "hand-made"),
    ("hand-made + induced", "hand-made"),
)


@dataclass
class Answers:
    """The true and the found fields of tokens, string by string, and the conjunctions of each fold's model."""

    gold: list[Sequence[str]] = field(default_factory=list)
    found: list[Sequence[str]] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)  # the whole string; tokens of which nothing is known set aside
    conjunctions: list[int] = field(default_factory=list)

    def add(self, cases: Sequence[Case], parsed: Sequence[Parsed]) -> None:
        """Nothing: what was found in some strings is added."""
        for case, one in zip(cases, parsed, strict=True):
            self.gold.append(case.gold)
            self.found.append(case.labels(one))
            self.right.append(all(case.right(one)))

    def report(self) -> Report:
        """The token scores; a token in no field is no item."""
        return score_tokens(self.gold, self.found, ignore="")


def parts_by_work(cases: Sequence[Case], count: int) -> list[list[Case]]:
    """The cases in parts, all of a work in one."""
    works, number = np.unique([case.work for case in cases], return_inverse=True)
    part = np.random.default_rng(SEED).permutation(len(works)) % count
    return [[case for case, its in zip(cases, part[number].tolist(), strict=True) if its == k] for k in range(count)]


def answers(parts: Sequence[Sequence[Case]], config: CRFConfig) -> Answers:
    """What models trained on all parts but one say of that one, for each."""
    collected = Answers()
    for number, held in enumerate(parts):
        train = [case.example for k, part in enumerate(parts) if k != number for case in part]
        parser = parser_of(train, config, say)
        collected.add(held, list(parser.parse_many(case.text for case in held)))
        collected.conjunctions.append(len(cast(CRF, parser.model).encoder.induced))
    return collected


def figures(found: dict[str, Answers]) -> Iterator[Result]:
    """The scores of every variant, and each pair of them compared on the same strings."""
    for name, one in found.items():
        tokens, whole = f1_interval(one.report().count_array()), accuracy_interval(one.right)
        yield Result(name, "token F1", None, *(100 * x for x in (tokens.value, tokens.low, tokens.high)))
        yield Result(name, "whole references", None, *(100 * x for x in (whole.value, whole.low, whole.high)))
        if any(one.conjunctions):
            yield Result(name, "conjunctions in a model, mean", None, float(np.mean(one.conjunctions)))
    for name, other in _PAIRS:
        mine, theirs = found[name], found[other]
        row = f"{name}; reference: {other}"
        gained = f1_difference(mine.report().count_array(), theirs.report().count_array())
        yield Result(row, "token F1", 100 * theirs.report().micro.f1, 100 * mine.report().micro.f1)
        yield Result(row, "token F1 gained", None, *(100 * x for x in (gained.value, gained.low, gained.high)))
        yield Result(row, "whole references", *(100 * float(np.mean(each.right)) for each in (theirs, mine)))
        yield Result(row, "p, McNemar over references", None, mcnemar(mine.right, theirs.right).p_value)


@benchmark(
    "induction",
    "Conjunctions induced by their gain beside the hand-made features of context (Wellner 2004, extraction)",
)
def induction() -> Outcome:
    """The figures of features with and without induction, by cross-validation."""
    cases = cora_cases()
    parts = parts_by_work(cases, FOLDS)
    found = {}
    for name, config in VARIANTS.items():
        found[name] = answers(parts, config)
        say(f"{name}: token F1 {100 * found[name].report().micro.f1:.2f}")
    data = (
        f"{len(cases):,} distinct strings of Cora in 13 fields, divided by work into {FOLDS} parts, each read by a "
        "chain trained on the other"
    )
    return data, list(figures(found))
