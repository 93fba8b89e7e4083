"""Feature induction in the chain CRF beside hand-crafted context features (Wellner 2004).

Cora's strings are split by work, so that no work is in training and test. The settings of induction were chosen on
CiteSeer's strings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import train_parser
from benchmarks.support.timing import say
from benchmarks.wellner_2004.cases import Case, cora_cases
from ibidem.metrics.scoring import Report, score_tokens
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1, compare_f1, mcnemar
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
    "hand-crafted": HAND,
    "hand-crafted + induced": replace(HAND, induce=True, induction=INDUCTION),
}
_PAIRS = (
    ("own attributes + induced", "own attributes"),
    ("own attributes + induced", "hand-crafted"),
    ("hand-crafted + induced", "hand-crafted"),
)


@dataclass
class Answers:
    """Gold and predicted fields of tokens, string by string, and the number of conjunctions of each fold's model."""

    gold: list[Sequence[str]] = field(default_factory=list)
    found: list[Sequence[str]] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)  # exact match of each string, unannotated tokens aside
    conjunctions: list[int] = field(default_factory=list)

    def add(self, cases: Sequence[Case], parsed: Sequence[Parsed]) -> None:
        """Add the predictions for some strings."""
        for case, one in zip(cases, parsed, strict=True):
            self.gold.append(case.gold)
            self.found.append(case.labels(one))
            self.right.append(all(case.right(one)))

    def report(self) -> Report:
        """Return the token scores; tokens outside of all fields do not count."""
        return score_tokens(self.gold, self.found, ignore="")


def split_by_work(cases: Sequence[Case], count: int) -> list[list[Case]]:
    """Split the cases into parts, all of a work in one."""
    works, number = np.unique([case.work for case in cases], return_inverse=True)
    part = np.random.default_rng(SEED).permutation(len(works)) % count
    return [[case for case, its in zip(cases, part[number].tolist(), strict=True) if its == k] for k in range(count)]


def cross_validate(parts: Sequence[Sequence[Case]], config: CRFConfig) -> Answers:
    """Label each part by a model trained on the others."""
    collected = Answers()
    for number, held in enumerate(parts):
        train = [case.example for k, part in enumerate(parts) if k != number for case in part]
        parser = train_parser(train, config, say)
        collected.add(held, list(parser.parse_many(case.text for case in held)))
        collected.conjunctions.append(len(cast(CRF, parser.model).encoder.induced))
    return collected


def results(found: dict[str, Answers]) -> Iterator[Result]:
    """Yield the scores of every variant, and comparisons of pairs of them on the same strings."""
    for name, one in found.items():
        tokens, whole = bootstrap_f1(one.report().count_array()), bootstrap_accuracy(one.right)
        yield Result(name, "token F1", None, *(100 * x for x in (tokens.value, tokens.low, tokens.high)))
        yield Result(name, "exact match", None, *(100 * x for x in (whole.value, whole.low, whole.high)))
        if any(one.conjunctions):
            yield Result(name, "conjunctions in a model, mean", None, float(np.mean(one.conjunctions)))
    for name, other in _PAIRS:
        mine, theirs = found[name], found[other]
        row = f"{name}; reference: {other}"
        gained = compare_f1(mine.report().count_array(), theirs.report().count_array())
        yield Result(row, "token F1", 100 * theirs.report().micro.f1, 100 * mine.report().micro.f1)
        yield Result(row, "token F1, difference", None, *(100 * x for x in (gained.value, gained.low, gained.high)))
        yield Result(row, "exact match", *(100 * float(np.mean(each.right)) for each in (theirs, mine)))
        yield Result(row, "p, McNemar over references", None, mcnemar(mine.right, theirs.right).p_value)


@benchmark(
    "induction",
    "Conjunctions induced by their gain beside hand-crafted context features (Wellner 2004, extraction)",
    reference="what each row names, measured in the same run",
)
def induction() -> Outcome:
    """Score features with and without induction, by cross-validation."""
    cases = cora_cases()
    parts = split_by_work(cases, FOLDS)
    found = {}
    for name, config in VARIANTS.items():
        found[name] = cross_validate(parts, config)
        say(f"{name}: token F1 {100 * found[name].report().micro.f1:.2f}")
    data = (
        f"{len(cases):,} distinct strings of Cora in 13 fields, split by work into {FOLDS} parts, each labelled "
        "by a chain trained on the others"
    )
    return data, list(results(found))
