"""What knowing the works does for the fields, and how well two objectives tell good partitions from bad ones.

Tables 3, 4 and 5 of Wellner et al. 2004, on Cora, whose works are known, and on CiteSeer, whose works are silver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.coreference_cases import (
    Case,
    best_way,
    citeseer_cases,
    citeseer_view,
    cora_cases,
    cora_view,
    known_of,
    reads_of,
)
from benchmarks.coreference_splits import dealt
from benchmarks.experiments import parser_of
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.timing import say
from ibidem.linking.blocking import Pairs, candidates
from ibidem.linking.clustering import ABSENT, worth
from ibidem.linking.comparison import View
from ibidem.linking.joint.attributes import Citation, EntityModel, by_support, citation_of
from ibidem.linking.joint.model import Joint, Read, parts_of, solve, table_of
from ibidem.linking.matcher import MOST
from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints
from ibidem.metrics.clustering import score_partition
from ibidem.metrics.significance import mcnemar
from ibidem.models.training import CRFConfig
from ibidem.types import Parsed
from tools.weights.entity_training import train_entities
from tools.weights.matcher_training import PairConfig, fit, matrix

FOLDS = 4
SEED = 1
WAYS = 5
MOST_WAYS = 9
PARTITIONS = 100
CHAIN = CRFConfig(optimiser="lbfgs", l2=0.1, iterations=60, min_count=2, context_min_count=2)
_SIZES = (3, 5, 9)

Doubles = np.ndarray[tuple[int], np.dtype[np.float64]]


@dataclass(frozen=True)
class Held:
    """References that nothing was learnt from, read and divided."""

    cases: Sequence[Case]
    reads: Sequence[Read]
    pairs: Pairs
    weights: Doubles
    entities: EntityModel
    once: Joint
    closed: Joint
    given_works: tuple[int, ...]  # the way to read each, where the true works are given


def held_out(cases: Sequence[Case], fold: Ints, number: int, view: Callable[[Parsed], View]) -> Held:
    """Fold `number`, read by a chain that learnt from two others; the rest is learnt from the remaining fold.

    So what learns from the chain's readings sees readings of strings that the chain has not learnt, as in the test.
    """
    count = int(fold.max()) + 1
    parts = [[case for case, f in zip(cases, fold.tolist(), strict=True) if f == k] for k in range(count)]
    test, taught = parts[number], parts[(number - 1) % count]
    chain = [case for k in range(1, count - 1) for case in parts[(number + k) % count]]
    parser = parser_of([case.example for case in chain], CHAIN, lambda _: None)
    learnt = reads_of(parser, taught, WAYS, view)
    entities = train_entities(known_of(taught, learnt))
    weights, bias = _pair_model([*chain, *taught], [*reads_of(parser, chain, WAYS, view), *learnt])
    reads = reads_of(parser, test, MOST_WAYS, view)
    few = [Read(one.parses[:WAYS], one.views[:WAYS]) for one in reads]
    table = table_of(few)
    pairs = candidates(table)

    def with_marginals(shown: Table) -> Doubles:
        values = matrix(shown, pairs)[1]
        return np.clip(values @ weights + bias, -MOST, MOST)

    true = _numbered(test)
    given = [
        (part, entities.attributes([few[m].citation for m in part])) for _, part in parts_of(true) if len(part) > 1
    ]
    ways = np.zeros(len(test), dtype=np.int64)
    for part, found in given:
        ways[part] = found.ways
    once, closed = (solve(few, pairs, with_marginals, entities, rounds=rounds) for rounds in (0, 8))
    return Held(test, reads, pairs, with_marginals(table), entities, once, closed, tuple(ways.tolist()))


def _numbered(cases: Sequence[Case]) -> Ints:
    return np.unique([case.work for case in cases], return_inverse=True)[1].astype(np.int64)


def _pair_model(cases: Sequence[Case], reads: Sequence[Read]) -> tuple[Doubles, float]:
    table = table_of(reads)
    pairs = candidates(table)
    works = _numbered(cases)
    return fit(matrix(table, pairs)[1], works[pairs.left] == works[pairs.right], PairConfig())


class _Tally:
    """Fields of tokens as they were read before and after."""

    def __init__(self) -> None:
        self.counts = np.zeros((2, 3), dtype=np.int64)  # right, found, true; before and after
        self.right: tuple[list[bool], list[bool]] = ([], [])
        self.whole: tuple[list[bool], list[bool]] = ([], [])

    def add(self, case: Case, before: Parsed, after: Parsed) -> None:
        for k, parsed in enumerate((before, after)):
            right = case.right(parsed)
            found = case.labels(parsed)
            self.counts[k, 0] += sum(mine == true != "" for mine, true in zip(found, case.gold, strict=True))
            self.counts[k, 1:] += (sum(label != "" for label in found), sum(label != "" for label in case.gold))
            self.right[k].extend(right)
            self.whole[k].append(all(right))

    def f1(self, k: int) -> float:
        right, found, true = self.counts[k].tolist()
        return 200.0 * float(right) / float(found + true)

    @property
    def less(self) -> float:
        """By what share of the errors there are fewer, in percent."""
        return 100 * (self.f1(1) - self.f1(0)) / (100 - self.f1(0))

    def rows(self, name: str, bar: bool) -> Iterator[Result]:
        yield Result(name, "token F1", self.f1(0), self.f1(1))
        yield Result(name, "% fewer errors", None, self.less, bar=10.0 if bar else None)
        yield Result(name, "whole references", 100 * float(np.mean(self.whole[0])), 100 * float(np.mean(self.whole[1])))
        yield Result(name, "p, McNemar over tokens", None, mcnemar(self.right[1], self.right[0]).p_value)
        yield Result(name, "p, McNemar over references", None, mcnemar(self.whole[1], self.whole[0]).p_value)


def _table_3(name: str, held: Sequence[Held], bar: bool) -> Iterator[Result]:
    """Fields before and after, of the references that share a found (or a true) work with another."""
    tallies = {"works as found": _Tally(), "loop closed": _Tally(), "true works": _Tally()}
    for one in held:
        true = _numbered(one.cases)
        chosen = {
            "works as found": (one.once.label, one.once.ways),
            "loop closed": (one.closed.label, one.closed.ways),
            "true works": (true, np.array(one.given_works)),
        }
        for kind, (label, ways) in chosen.items():
            for k in np.flatnonzero(np.bincount(label)[label] > 1).tolist():
                tallies[kind].add(one.cases[k], one.reads[k].parses[0], one.reads[k].parses[int(ways[k])])
    for kind, tally in tallies.items():
        yield from tally.rows(f"Table 3, {name}, {len(tally.whole[0]):,} references, {kind}; reference: before",
                              bar and kind == "works as found")  # fmt: skip
    rounds = [one.closed.rounds for one in held]
    yield Result(f"Table 3, {name}, loop closed", "rounds, mean", None, float(np.mean([len(each) for each in rounds])))
    risen = [each[-1].objective - each[0].objective for each in rounds]
    yield Result(f"Table 3, {name}, loop closed", "objective, rise over the rounds", None, float(np.sum(risen)))


def _table_4(name: str, held: Sequence[Held]) -> Iterator[Result]:
    """The fields if the best of N ways to read were always chosen, over all references."""
    for count in _SIZES:
        tally = _Tally()
        for one in held:
            for case, read in zip(one.cases, one.reads, strict=True):
                tally.add(case, read.parses[0], read.parses[best_way(case, read, count)])
        row = f"Table 4, {name}, the best of N = {count}; reference: N = 1"
        yield Result(row, "token F1", tally.f1(0), tally.f1(1))
        yield Result(row, "% fewer errors", None, tally.less)


def shuffled(true: Ints, share: float, generator: np.random.Generator) -> Ints:
    """The true partition with a share of the references moved to other parts; as many parts as before."""
    label = true.copy()
    for k in generator.permutation(len(true))[: round(share * len(true))].tolist():
        if (label == label[k]).sum() > 1:
            label[k] = generator.integers(int(true.max()) + 1)
    return label


def _objectives(one: Held, citations: Sequence[Citation], label: Ints) -> tuple[float, float]:
    """What a partition is worth by its pairs, and by the potentials between works and citations."""
    total = 0.0
    for _, part in parts_of(label):
        members = [citations[k] for k in part]
        values = by_support(members)
        for citation, base in zip(members, one.entities.bases(members), strict=True):
            total += float(base[0]) + one.entities.potential(values, citation, 0)
    return worth(label, one.pairs, one.weights, ABSENT), total


def _table_5(name: str, held: Sequence[Held]) -> Iterator[Result]:
    """The squared correlation of both objectives with pair F1, over partitions of each fold drawn at random."""
    squares: list[tuple[float, float]] = []
    for number, one in enumerate(held):
        generator = np.random.default_rng(number)
        true = _numbered(one.cases)
        best = [citation_of(read.parses[:1]) for read in one.reads]
        found = []
        for share in np.linspace(0, 1, PARTITIONS):
            label = shuffled(true, share, generator)
            f1 = score_partition(true.tolist(), label.tolist()).pairs.f1
            found.append((f1, *_objectives(one, best, label)))
        table = np.corrcoef(np.array(found).T)
        squares.append((float(table[0, 1] ** 2), float(table[0, 2] ** 2)))
    for k, kind in enumerate(("pairs", "entities")):
        values = [each[k] for each in squares]
        yield Result(f"Table 5, {name}, {kind}", "r² with pair F1, mean", None, float(np.mean(values)),
                     deviation=float(np.std(values, ddof=1)))  # fmt: skip


def _trial(name: str, cases: Sequence[Case], fold: Ints, view: Callable[[Parsed], View], bar: bool) -> list[Result]:
    held = []
    for number in range(int(fold.max()) + 1):
        held.append(held_out(cases, fold, number, view))
        say(f"{name}, part {number + 1}: {len(held[-1].cases)} references, "
             f"objectives {[round(r.objective) for r in held[-1].closed.rounds]}")  # fmt: skip
    return [*_table_3(name, held, bar), *_table_4(name, held), *_table_5(name, held)]


@benchmark(
    "coreference-segmentation",
    "Fields before and after linking, and two objectives beside pair F1 (Wellner 2004, tables 3 to 5)",
)
def coreference_segmentation() -> Outcome:
    """The figures of Cora and of CiteSeer, the latter with silver works."""
    cases = cora_cases()
    rows = _trial("Cora", cases, dealt(_numbered(cases), SEED, FOLDS), cora_view, bar=True)
    silver = citeseer_cases()
    sections = np.unique([case.section for case in silver], return_inverse=True)[1].astype(np.int64)
    rows += _trial("CiteSeer (silver works)", silver, sections, citeseer_view, bar=False)
    data = (
        f"{len(cases):,} distinct strings of Cora in 13 fields, divided by work into {FOLDS} folds, and "
        f"{len(silver):,} of CiteSeer in 3 fields, by its four sections; of each division two parts train the chain,"
        f" three the model of pairs and one the potentials, the last is tested; {WAYS} ways to read each"
    )
    return data, rows
