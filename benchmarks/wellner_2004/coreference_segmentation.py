"""Tables 3, 4 and 5 of Wellner et al. 2004, on Cora, whose works are known, and on CiteSeer, whose works are silver.

Whether linking improves the fields, and how well two objectives correlate with the quality of a clustering.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import train_parser
from benchmarks.support.runs import summarise_runs
from benchmarks.support.timing import say
from benchmarks.wellner_2004.cases import (
    CHAIN,
    Case,
    best_labelling,
    citeseer_cases,
    citeseer_view,
    cora_cases,
    cora_view,
    known_of,
    reads_of,
)
from benchmarks.wellner_2004.objectives import (
    Doubles,
    EntityObjective,
    Objective,
    correlate,
    draw_partitions,
    trivial_measures,
)
from benchmarks.wellner_2004.splits import assign_folds
from ibidem.linking.blocking import Pairs, candidates
from ibidem.linking.clustering import ABSENT, objective
from ibidem.linking.comparison import ComparisonFields
from ibidem.linking.joint.entities import EntityModel, citation_of
from ibidem.linking.joint.loop import JointResult, NBestReference, members_by_cluster, solve, table_of
from ibidem.linking.matcher import MAX_LOG_ODDS
from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints
from ibidem.metrics.significance import mcnemar
from ibidem.types import Parsed
from tools.weights.entity_training import train_entities
from tools.weights.matcher_training import PairConfig, feature_matrix, fit

FOLDS = 4
SEED = 1
WAYS = 5
MOST_WAYS = 9
_SIZES = (3, 5, 9)
_CORRELATIONS = ("r² with pair F1", "rank correlation with pair F1")


@dataclass(frozen=True)
class Held:
    """Held-out references, labelled and linked."""

    cases: Sequence[Case]
    reads: Sequence[NBestReference]
    pairs: Pairs
    weights: Doubles
    entities: EntityModel
    once: JointResult
    closed: JointResult
    given_works: tuple[int, ...]  # the labelling of each, where the true works are given


def label_and_link(cases: Sequence[Case], fold: Ints, number: int, view: Callable[[Parsed], ComparisonFields]) -> Held:
    """Label fold `number` by a chain trained on two others and link it; the remaining fold trains the potentials.

    So the potentials are trained on labellings of strings that the chain was not trained on, as in the test.
    """
    count = int(fold.max()) + 1
    parts = [[case for case, f in zip(cases, fold.tolist(), strict=True) if f == k] for k in range(count)]
    test, held = parts[number], parts[(number - 1) % count]
    chain = [case for k in range(1, count - 1) for case in parts[(number + k) % count]]
    parser = train_parser([case.example for case in chain], CHAIN, lambda _: None)
    labelled = reads_of(parser, held, WAYS, view)
    entities = train_entities(known_of(held, labelled))
    weights, bias = _fit_matcher([*chain, *held], [*reads_of(parser, chain, WAYS, view), *labelled])
    reads = reads_of(parser, test, MOST_WAYS, view)
    few = [NBestReference(one.parses[:WAYS], one.fields[:WAYS]) for one in reads]
    table = table_of(few)
    pairs = candidates(table)

    def score_pairs(shown: Table) -> Doubles:
        values = feature_matrix(shown, pairs)[1]
        return np.clip(values @ weights + bias, -MAX_LOG_ODDS, MAX_LOG_ODDS)

    true = _number_works(test)
    given = [
        (part, entities.attributes([few[m].citation for m in part]))
        for _, part in members_by_cluster(true)
        if len(part) > 1
    ]
    ways = np.zeros(len(test), dtype=np.int64)
    for part, found in given:
        ways[part] = found.chosen
    once, closed = (solve(few, pairs, score_pairs, entities, rounds=rounds) for rounds in (0, 8))
    return Held(test, reads, pairs, score_pairs(table), entities, once, closed, tuple(ways.tolist()))


def _number_works(cases: Sequence[Case]) -> Ints:
    return np.unique([case.work for case in cases], return_inverse=True)[1].astype(np.int64)


def _fit_matcher(cases: Sequence[Case], reads: Sequence[NBestReference]) -> tuple[Doubles, float]:
    table = table_of(reads)
    pairs = candidates(table)
    works = _number_works(cases)
    return fit(feature_matrix(table, pairs)[1], works[pairs.left] == works[pairs.right], PairConfig())


class _Comparison:
    """Counts of tokens in their gold fields before and after linking."""

    def __init__(self) -> None:
        self.counts = np.zeros((2, 3), dtype=np.int64)  # true positives, predicted, gold; before and after
        self.right: tuple[list[bool], list[bool]] = ([], [])
        self.exact: tuple[list[bool], list[bool]] = ([], [])

    def add(self, case: Case, before: Parsed, after: Parsed) -> None:
        for k, parsed in enumerate((before, after)):
            right = case.right(parsed)
            found = case.labels(parsed)
            self.counts[k, 0] += sum(mine == true != "" for mine, true in zip(found, case.gold, strict=True))
            self.counts[k, 1:] += (sum(label != "" for label in found), sum(label != "" for label in case.gold))
            self.right[k].extend(right)
            self.exact[k].append(all(right))

    def f1(self, k: int) -> float:
        right, found, true = self.counts[k].tolist()
        return 200.0 * float(right) / float(found + true)

    @property
    def error_reduction(self) -> float:
        """Return the relative reduction of errors, in percent."""
        return 100 * (self.f1(1) - self.f1(0)) / (100 - self.f1(0))

    def rows(self, name: str, bar: bool) -> Iterator[Result]:
        yield Result(name, "token F1", self.f1(0), self.f1(1))
        yield Result(name, "error reduction, %", None, self.error_reduction, bar=10.0 if bar else None)
        yield Result(name, "exact match", 100 * float(np.mean(self.exact[0])), 100 * float(np.mean(self.exact[1])))
        yield Result(name, "p, McNemar over tokens", None, mcnemar(self.right[1], self.right[0]).p_value)
        yield Result(name, "p, McNemar over references", None, mcnemar(self.exact[1], self.exact[0]).p_value)


def _table_3(name: str, held: Sequence[Held], bar: bool) -> Iterator[Result]:
    """Yield the scores before and after, of the references that share a predicted (or gold) work with another."""
    comparisons = {"works as found": _Comparison(), "closed loop": _Comparison(), "true works": _Comparison()}
    for one in held:
        true = _number_works(one.cases)
        chosen = {
            "works as found": (one.once.label, one.once.chosen),
            "closed loop": (one.closed.label, one.closed.chosen),
            "true works": (true, np.array(one.given_works)),
        }
        for kind, (label, ways) in chosen.items():
            for k in np.flatnonzero(np.bincount(label)[label] > 1).tolist():
                comparisons[kind].add(one.cases[k], one.reads[k].parses[0], one.reads[k].parses[int(ways[k])])
    for kind, comparison in comparisons.items():
        row = f"Table 3, {name}, {len(comparison.exact[0]):,} references, {kind}; reference: before"
        yield from comparison.rows(row, bar and kind == "works as found")
    rounds = [one.closed.rounds for one in held]
    yield Result(f"Table 3, {name}, closed loop", "rounds, mean", None, float(np.mean([len(each) for each in rounds])))
    risen = [each[-1].objective - each[0].objective for each in rounds]
    yield Result(f"Table 3, {name}, closed loop", "objective, total increase", None, float(np.sum(risen)))


def _table_4(name: str, held: Sequence[Held]) -> Iterator[Result]:
    """Yield the scores if the best of N labellings were always chosen, over all references."""
    for count in _SIZES:
        comparison = _Comparison()
        for one in held:
            for case, read in zip(one.cases, one.reads, strict=True):
                comparison.add(case, read.parses[0], read.parses[best_labelling(case, read, count)])
        row = f"Table 4, {name}, the best of N = {count}; reference: N = 1"
        yield Result(row, "token F1", comparison.f1(0), comparison.f1(1))
        yield Result(row, "error reduction, %", None, comparison.error_reduction)


_COMPARED = (("pairs", "entities"), ("pairs", "the best trivial measure"), ("entities", "the best trivial measure"))


def _table_5(name: str, held: Sequence[Held]) -> Iterator[Result]:
    """Yield how both objectives and trivial measures correlate with pair F1, over partitions near the truth or ours."""
    for same_number in (True, False):
        folds = [_correlate(number, one, same_number) for number, one in enumerate(held)]
        row = f"Table 5, {name}, {'the true number of works' if same_number else 'any number of works'}"
        for measure in folds[0]:
            for place, metric in enumerate(_CORRELATIONS):
                yield _mean(f"{row}, {measure}", metric, [fold[measure][place] for fold in folds])
        for place, metric in enumerate(_CORRELATIONS):
            trivial = [measure for measure in folds[0] if measure not in ("pairs", "entities")]
            best = max(trivial, key=lambda each: float(np.mean([fold[each][place] for fold in folds])))
            for ours, reference in _COMPARED:
                other = reference if reference in folds[0] else best
                differences = [fold[ours][place] - fold[other][place] for fold in folds]
                yield _mean(f"{row}, {ours}; reference: {reference}", f"{metric}, paired difference", differences)


def _mean(row: str, metric: str, values: Sequence[float]) -> Result:
    found = summarise_runs(values)
    return Result(row, metric, None, found.mean, deviation=found.deviation)


def _correlate(number: int, one: Held, same_number: bool) -> dict[str, Doubles]:
    """Return the correlations of all measures on one fold; what is found need not have the true number of works."""
    true = _number_works(one.cases)
    origins = [true] if same_number else [true, one.once.label]
    partitions = draw_partitions(origins, one.pairs, same_number, np.random.default_rng(number))
    citations = [citation_of(read.parses[:1]) for read in one.reads]
    objectives: dict[str, Objective] = {
        "pairs": lambda label: objective(label, one.pairs, one.weights, ABSENT),
        "entities": EntityObjective(one.entities, citations),
        **trivial_measures([case.text for case in one.cases]),
    }
    return correlate(objectives, partitions, true)


def _score(
    name: str, cases: Sequence[Case], fold: Ints, view: Callable[[Parsed], ComparisonFields], bar: bool
) -> list[Result]:
    held = []
    for number in range(int(fold.max()) + 1):
        held.append(label_and_link(cases, fold, number, view))
        say(f"{name}, part {number + 1}: {len(held[-1].cases)} references, "
             f"objectives {[round(r.objective) for r in held[-1].closed.rounds]}")  # fmt: skip
    return [*_table_3(name, held, bar), *_table_4(name, held), *_table_5(name, held)]


@benchmark(
    "coreference-segmentation",
    "Fields before and after linking, and two objectives beside pair F1 (Wellner 2004, tables 3 to 5)",
    reference="what each row names, measured in the same run",
)
def coreference_segmentation() -> Outcome:
    """Score Cora, and CiteSeer with silver works."""
    cases = cora_cases()
    rows = _score("Cora", cases, assign_folds(_number_works(cases), SEED, FOLDS), cora_view, bar=True)
    silver = citeseer_cases()
    sections = np.unique([case.section for case in silver], return_inverse=True)[1].astype(np.int64)
    rows += _score("CiteSeer (silver works)", silver, sections, citeseer_view, bar=False)
    data = (
        f"{len(cases):,} distinct strings of Cora in 13 fields, split by work into {FOLDS} folds, and "
        f"{len(silver):,} of CiteSeer in 3 fields, by its four sections; in each split two parts train the chain,"
        f" three the pairwise matcher and one the entity potentials, the last is the test set; {WAYS}-best lists"
    )
    return data, rows
