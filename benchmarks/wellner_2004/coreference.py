"""Which references of Cora mean the same work: cross-validated by work, three ways to divide, five splits each.

Table 1 of Wellner et al. 2004: no segmentation, the N best readings, the true segmentation, readings chosen by an
oracle, and the closed loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import say
from benchmarks.wellner_2004.cases import Case, cases_of, known_of
from benchmarks.wellner_2004.splits import (
    FOLDS,
    MARGIN,
    PROTOCOLS,
    Compared,
    Doubles,
    Split,
    best_for_the_truth,
    compared,
    every_way,
    learnt_weights,
    parts_found,
    scored,
)
from ibidem.data import registry
from ibidem.data.readers.clusters import CORA_FILES, cluster_of, cora_file_of
from ibidem.linking.blocking import Pairs, recall
from ibidem.linking.clustering import ABSENT
from ibidem.linking.comparison import view_of
from ibidem.linking.joint.attributes import EntityModel
from ibidem.linking.joint.model import ROUNDS, Joint, Read, read, solve
from ibidem.linking.joint.nbest import Readings, readings_of_text
from ibidem.linking.searches import Drawn
from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints
from ibidem.metrics.clustering import PartitionScore, score_partition
from ibidem.metrics.significance import spread
from ibidem.models.shipped import parser
from ibidem.records.build import record_of
from ibidem.types import Example, Field, Parsed
from tools.weights.entity_training import Known, train_entities
from tools.weights.matcher_training import matrix, numbered

SPLITS = 5
BEST = (1, 3, 5, 7, 9)
WAYS = 5
"""The number of readings of the rows with an oracle and with the loop."""

_BARS = {
    ("within", "pair F1"): 98.5,
    ("within", "cluster recall"): 95.0,
    ("pool", "pair F1"): 98.0,
    ("pool", "cluster recall"): 84.0,
    ("section", "pair F1"): 96.5,
}

Parts = list[tuple[int, int]]


def examples() -> list[Example]:
    """Cora's references in the labels of our schema."""
    return [item for item in registry.load_unified("cora") if isinstance(item, Example)]


def parsed_of(given: Sequence[Example]) -> dict[str, Parsed]:
    """Every distinct string as the model that ships reads it, with the readings after the best."""
    texts = sorted({example.text for example in given})
    return dict(zip(texts, parser(None).parse_many(texts, max(BEST) - 1), strict=True))


def few(one: Read, count: int) -> Read:
    """The reference with no more than the best `count` ways to read it."""
    return Read(one.parses[:count], one.views[:count])


def _true(example: Example) -> Parsed:
    annotations = [annotation for annotation in example.annotations if not annotation.label.startswith("?")]
    fields = (
        Field(annotation.label, example.text[annotation.start : annotation.end], annotation.start, annotation.end, 1.0)
        for annotation in annotations
    )
    return Parsed(example.text, tuple(fields), 1.0)


def rows_of(protocol: str, reading: str, scores: Sequence[PartitionScore], bars: bool) -> list[Result]:
    """The figures of one protocol and reading over the splits."""
    measured = {
        "pair precision": [score.pairs.precision for score in scores],
        "pair recall": [score.pairs.recall for score in scores],
        "pair F1": [score.pairs.f1 for score in scores],
        "cluster recall": [score.clusters.recall for score in scores],
        "cluster precision": [score.clusters.precision for score in scores],
        "B-cubed F1": [score.b_cubed.f1 for score in scores],
    }
    rows = []
    for metric, values in measured.items():
        found = spread(100 * np.array(values))
        bar = _BARS.get((protocol, metric)) if bars else None
        rows.append(Result(f"{protocol}, {reading}", metric, None, found.mean, bar=bar, deviation=found.deviation))
    say(f"{protocol}, {reading}: pair F1 {rows[2].ours:.2f}, cluster recall {rows[3].ours:.2f}")
    return rows


def _blocked(reading: str, given: Compared) -> list[Result]:
    """The share of true pairs that are compared, and how many pairs are, in the whole of Cora."""
    row = f"blocking, {reading}, {len(given.own):,} distinct strings"
    return [
        Result(row, "pair recall", None, 100 * recall(given.pairs, given.own)),
        Result(row, "candidates a string", None, len(given.pairs) / len(given.own)),
    ]


Divide = Callable[[Compared, Split, Doubles], Parts]
"""From what was compared, a split and the weights of its models to the part of each reference."""


def measured(given: Compared, works: Ints, reading: str, ways: dict[str, Divide], bars: bool) -> Iterator[Result]:
    """The figures of all protocols; `ways` are the ways to divide, by what is added to the name of the reading."""
    for protocol, split_of in PROTOCOLS.items():
        scores: dict[str, list[PartitionScore]] = {name: [] for name in ways}
        for seed in range(SPLITS):
            split = split_of(given, seed)
            weights = learnt_weights(given, split)
            for name, divide in ways.items():
                scores[name].append(score_partition(works.tolist(), divide(given, split, weights)))
        for name, each in scores.items():
            yield from rows_of(protocol, reading + name, each, bars and not name)


def plainly(given: Compared, split: Split, weights: Doubles) -> Parts:
    """The greedy partition by weights that are integrated over the readings."""
    return parts_found(given, split, scored(weights, split, given.values))


def drawn(given: Compared, split: Split, weights: Doubles) -> Parts:
    """The paper's stochastic search on the same weights."""
    return parts_found(given, split, scored(weights, split, given.values), Drawn())


class Oracle:
    """The partition where for each pair the best of all ways to read it is taken, knowing the truth."""

    def __init__(self, given: Compared) -> None:
        self._pair, self._values = every_way(given)

    def __call__(self, given: Compared, split: Split, weights: Doubles) -> Parts:
        scores = scored(weights, split, self._values, self._pair)
        return parts_found(given, split, best_for_the_truth(scores, self._pair, given.same))


class Loop:
    """The partition after the closed loop; `rounds` are the objectives of the rounds of each run."""

    def __init__(self, reads: Sequence[Read], known: Sequence[Known]) -> None:
        self._reads, self._known = reads, known
        self.found: list[Joint] = []
        self._learnt: dict[tuple[int, ...], list[EntityModel]] = {}

    def __call__(self, given: Compared, split: Split, weights: Doubles) -> Parts:
        linked = split.part >= 0
        pairs = Pairs(given.pairs.left[linked], given.pairs.right[linked])
        models = self._models(split)
        part = Split(split.group, split.learnt, split.part[linked])

        def with_marginals(shown: Table) -> Doubles:
            return scored(weights, part, matrix(shown, pairs)[1])

        def model_of(members: Sequence[int]) -> EntityModel:
            return models[int(np.bincount(split.group[list(members)]).argmax())]

        found = solve(self._reads, pairs, with_marginals, model_of, ABSENT - MARGIN, ROUNDS)
        self.found.append(found)
        apart = split.group if not linked.all() else np.zeros(len(given.own), dtype=np.int64)
        return list(zip(apart[given.node].tolist(), found.label[given.node].tolist(), strict=True))

    def _models(self, split: Split) -> list[EntityModel]:
        """For each fold or file the potentials that the others teach."""
        group = tuple(split.group.tolist())
        if group not in self._learnt:  # the same folds serve two protocols
            self._learnt[group] = [
                train_entities([known for known, own in zip(self._known, group, strict=True) if own != held])
                for held in range(max(group) + 1)
            ]
        return self._learnt[group]

    def rows(self) -> Iterator[Result]:
        rounds = [len(each.rounds) for each in self.found]
        risen = [each.rounds[-1].objective - each.rounds[0].objective for each in self.found]
        yield Result(f"N = {WAYS}, loop closed", "rounds, mean", None, float(np.mean(rounds)))
        yield Result(f"N = {WAYS}, loop closed", "objective, mean rise", None, float(np.mean(risen)))


def _loop(given: Compared, texts: Sequence[str], cases: dict[str, Case], reads: dict[str, Read]) -> Loop:
    """The closed loop over the nodes, each of which stands for the first of the strings that read alike."""
    first: dict[int, str] = {}
    for node, text in sorted(zip(given.node.tolist(), texts, strict=True)):
        first.setdefault(node, text)
    chosen = [first[node] for node in range(len(given.own))]
    return Loop([reads[t] for t in chosen], known_of([cases[t] for t in chosen], [reads[t] for t in chosen]))


@benchmark(
    "coreference", "Same work or not on Cora: pairs, clusters, B-cubed, cross-validated by work, three protocols"
)
def coreference() -> Outcome:
    """The figures of every protocol and reading."""
    given = examples()
    works = numbered([cluster_of(example) for example in given])
    files = np.array([CORA_FILES.index(cora_file_of(example)) for example in given], dtype=np.int64)
    texts = [example.text for example in given]
    reads = {text: read(parsed, max(BEST)) for text, parsed in parsed_of(given).items()}
    kinds: dict[str, list[Readings]] = {"no segmentation": [readings_of_text(text) for text in texts]}
    for count in BEST:
        each = {text: few(one, count).readings for text, one in reads.items()}
        kinds[f"N = {count}"] = [each[text] for text in texts]
    kinds["true segmentation"] = [((view_of(record_of(_true(example))), 1.0),) for example in given]
    rows: list[Result] = []
    for name, readings in kinds.items():
        found = compared(readings, works, files)
        rows += _blocked(name, found)
        ways: dict[str, Divide] = {"": plainly}
        if name == f"N = {WAYS}":
            cases = {case.text: case for case in cases_of(given, cora_file_of)}
            loop = _loop(found, texts, cases, {text: few(one, WAYS) for text, one in reads.items()})
            ways |= {", drawn partition": drawn, ", oracle readings": Oracle(found), ", loop closed": loop}
        rows += measured(found, works, name, ways, name.startswith("N"))
        if name == f"N = {WAYS}":
            rows += loop.rows()
    data = (
        f"Cora, {len(given):,} strings of {int(works.max()) + 1} works; mean ± deviation over {SPLITS} seeded splits"
        f" into {FOLDS} folds by work (section: the three source files); the parser has seen the fields,"
        " not the works, of some 500 of the strings in its training"
    )
    return data, rows
