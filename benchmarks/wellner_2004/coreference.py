"""Linking of Cora's references, Table 1 of Wellner et al. 2004: three protocols, each with five splits by work.

Without segmentation, with the N best labellings, with the true segmentation, with labellings chosen by an oracle, and
with the closed loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.runs import summarise_runs
from benchmarks.support.timing import say
from benchmarks.wellner_2004.cases import CORA_FILES, Case, cases_of, cora_file_of, known_of, nbest_of_text
from benchmarks.wellner_2004.clustering_searches import LARGEST, SearchRecord
from benchmarks.wellner_2004.phrase_matching import cluster_by_phrases
from benchmarks.wellner_2004.splits import (
    FOLDS,
    MARGIN,
    PROTOCOLS,
    Compared,
    Doubles,
    Split,
    choose_by_oracle,
    cluster,
    compare,
    every_labelling,
    fit_weights,
    score_rows,
)
from ibidem.data import registry
from ibidem.data.sets.citation_matching import cluster_of
from ibidem.linking.blocking import Pairs, recall
from ibidem.linking.clustering import ABSENT
from ibidem.linking.comparison import comparison_fields
from ibidem.linking.joint.entities import EntityModel
from ibidem.linking.joint.loop import ROUNDS, JointResult, NBestReference, nbest_reference, solve
from ibidem.linking.joint.nbest import NBest
from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints
from ibidem.metrics.clustering import PartitionScore, score_partition
from ibidem.models.shipped import parser
from ibidem.records.build import record_of
from ibidem.types import Example, Field, Parsed
from tools.weights.entity_training import Known, train_entities
from tools.weights.matcher_training import feature_matrix, number_works

SPLITS = 5
BEST = (1, 3, 5, 7, 9)
WAYS = 5
"""Number of labellings in the rows with an oracle and with the loop."""

_BARS = {
    ("within", "pair F1"): 98.5,
    ("within", "cluster recall"): 95.0,
    ("pool", "pair F1"): 98.0,
    ("pool", "cluster recall"): 84.0,
    ("section", "pair F1"): 96.5,
}

_METRICS: dict[str, Callable[[PartitionScore], float]] = {
    "pair precision": lambda score: 100 * score.pairs.precision,
    "pair recall": lambda score: 100 * score.pairs.recall,
    "pair F1": lambda score: 100 * score.pairs.f1,
    "cluster recall": lambda score: 100 * score.clusters.recall,
    "cluster precision": lambda score: 100 * score.clusters.precision,
    "B-cubed F1": lambda score: 100 * score.b_cubed.f1,
}

_COMPARED = (
    ("no segmentation, phrase matching", f"N = {max(BEST)}"),
    ("no segmentation", f"N = {max(BEST)}"),
    ("N = 1", f"N = {max(BEST)}"),
    ("true segmentation", f"N = {max(BEST)}"),
    (f"N = {WAYS}", f"N = {WAYS}, oracle labellings"),
    (f"N = {WAYS}", f"N = {WAYS}, closed loop"),
    (f"N = {WAYS}", f"N = {WAYS}, stochastic search"),
)
"""Segmentations whose scores are compared split by split: the reference, and ours."""

Parts = list[tuple[int, int]]


def examples() -> list[Example]:
    """Return Cora's references in the labels of our schema."""
    return [item for item in registry.load_unified("cora") if isinstance(item, Example)]


def parse_all(given: Sequence[Example]) -> dict[str, Parsed]:
    """Parse every distinct string with the default model, with its n-best labellings."""
    texts = sorted({example.text for example in given})
    return dict(zip(texts, parser(None).parse_many(texts, max(BEST) - 1), strict=True))


def truncate(one: NBestReference, count: int) -> NBestReference:
    """Return the reference with at most its `count` best labellings."""
    return NBestReference(one.parses[:count], one.fields[:count])


def annotated(example: Example) -> Parsed:
    annotations = [annotation for annotation in example.annotations if not annotation.label.startswith("?")]
    fields = (
        Field(annotation.label, example.text[annotation.start : annotation.end], annotation.start, annotation.end, 1.0)
        for annotation in annotations
    )
    return Parsed(example.text, tuple(fields), 1.0)


Scores = dict[tuple[str, str], list[PartitionScore]]
"""The scores of all splits by protocol and segmentation."""


def rows_of(protocol: str, segmentation: str, scores: Sequence[PartitionScore], bars: bool) -> list[Result]:
    """Return the mean scores of one protocol and segmentation over the splits."""
    rows = []
    for metric, score_of in _METRICS.items():
        found = summarise_runs([score_of(score) for score in scores])
        bar = _BARS.get((protocol, metric)) if bars else None
        rows.append(Result(f"{protocol}, {segmentation}", metric, None, found.mean, bar=bar, deviation=found.deviation))
    say(f"{protocol}, {segmentation}: pair F1 {rows[2].ours:.2f}, cluster recall {rows[3].ours:.2f}")
    return rows


def compare_pairwise(scores: Scores, protocols: Iterable[str], compared: Sequence[tuple[str, str]]) -> Iterator[Result]:
    """Yield the differences of two segmentations, `compared`, over the same splits: the reference and ours."""
    for protocol, (reference, ours) in product(protocols, compared):
        for metric in ("pair F1", "cluster recall"):
            score_of = _METRICS[metric]
            before, after = (np.array(list(map(score_of, scores[protocol, each]))) for each in (reference, ours))
            row = f"{protocol}, {ours}; reference: {reference}"
            found = summarise_runs(after - before)
            yield Result(row, f"{metric}, paired difference", None, found.mean, deviation=found.deviation)
            fewer = 100 * found.mean / (100 - before.mean()) if before.mean() < 100 else 0.0
            yield Result(row, f"{metric}, errors fewer by %", None, float(fewer))


def _score_blocking(segmentation: str, given: Compared) -> list[Result]:
    """Return the pair recall of blocking and the number of candidates, in the whole of Cora."""
    row = f"blocking, {segmentation}, {len(given.own):,} distinct strings"
    return [
        Result(row, "pair recall", None, 100 * recall(given.pairs, given.own)),
        Result(row, "candidates per string", None, len(given.pairs) / len(given.own)),
    ]


Clusterer = Callable[[Compared, Split, Doubles], Parts]
"""Maps compared references, a split and the weights of its models to the cluster of each reference."""


def measure(given: Compared, works: Ints, segmentation: str, clusterers: dict[str, Clusterer]) -> Scores:
    """Return the scores of all protocols; `clusterers` are keyed by what they add to the name of the segmentation."""
    scores: Scores = {(protocol, segmentation + name): [] for protocol in PROTOCOLS for name in clusterers}
    for protocol, split_of in PROTOCOLS.items():
        for seed in range(SPLITS):
            split = split_of(given, seed)
            weights = fit_weights(given, split)
            for name, clusterer in clusterers.items():
                parts = clusterer(given, split, weights)
                scores[protocol, segmentation + name].append(score_partition(works.tolist(), parts))
    return scores


def cluster_greedily(given: Compared, split: Split, weights: Doubles) -> Parts:
    """Cluster greedily by scores that are integrated over the labellings."""
    return cluster(given, split, score_rows(weights, split, given.values))


class Stochastic:
    """Clusters by the paper's stochastic search on the same scores; `records` holds what each run reached."""

    def __init__(self) -> None:
        self.records: list[SearchRecord] = []

    def __call__(self, given: Compared, split: Split, weights: Doubles) -> Parts:
        self.records.append(SearchRecord())
        return cluster(given, split, score_rows(weights, split, given.values), self.records[-1])

    def rows(self) -> Iterator[Result]:
        """Yield the objectives beside those of the greedy search, and of the exact one, by protocol."""
        for number, protocol in enumerate(PROTOCOLS):
            records = self.records[number * SPLITS : (number + 1) * SPLITS]

            def mean(kind: str, search: str, records: Sequence[SearchRecord] = records) -> float:
                return float(np.mean([getattr(record, kind)[search] for record in records]))

            row = f"{protocol}, N = {WAYS}, stochastic search; reference: greedy search"
            yield Result(row, "objective", mean("objective", "greedy"), mean("objective", "stochastic"))
            for search in ("better", "worse"):
                yield Result(row, f"components with a {search} objective", None, mean("differing", search))
            times = mean("seconds", "stochastic") / mean("seconds", "greedy")
            yield Result(row, "time, multiple of the reference's", None, times)
            for search in ("greedy", "stochastic"):
                row = f"{protocol}, N = {WAYS}, {search} search; reference: exact search, components up to {LARGEST}"
                yield Result(row, "objective", mean("small", "exact"), mean("small", search))


class Oracle:
    """Clusters with an oracle that chooses the best labellings for each pair."""

    def __init__(self, given: Compared) -> None:
        self._pair, self._values = every_labelling(given)

    def __call__(self, given: Compared, split: Split, weights: Doubles) -> Parts:
        scores = score_rows(weights, split, self._values, self._pair)
        return cluster(given, split, choose_by_oracle(scores, self._pair, given.same))


class Loop:
    """Clusters by the closed loop of linking and labelling; `found` holds the result of each run."""

    def __init__(self, reads: Sequence[NBestReference], known: Sequence[Known]) -> None:
        self._reads, self._known = reads, known
        self.found: list[JointResult] = []
        self._fitted: dict[tuple[int, ...], list[EntityModel]] = {}

    def __call__(self, given: Compared, split: Split, weights: Doubles) -> Parts:
        linked = split.part >= 0
        pairs = Pairs(given.pairs.left[linked], given.pairs.right[linked])
        models = self._models(split)
        part = Split(split.group, split.training, split.part[linked])

        def score_pairs(shown: Table) -> Doubles:
            return score_rows(weights, part, feature_matrix(shown, pairs)[1])

        def model_of(members: Sequence[int]) -> EntityModel:
            return models[int(np.bincount(split.group[list(members)]).argmax())]

        found = solve(self._reads, pairs, score_pairs, model_of, ABSENT - MARGIN, ROUNDS)
        self.found.append(found)
        apart = split.group if not linked.all() else np.zeros(len(given.own), dtype=np.int64)
        return list(zip(apart[given.node].tolist(), found.label[given.node].tolist(), strict=True))

    def _models(self, split: Split) -> list[EntityModel]:
        """Return for each fold or file the potentials fitted on the others."""
        group = tuple(split.group.tolist())
        if group not in self._fitted:  # the same folds serve two protocols
            self._fitted[group] = [
                train_entities([known for known, own in zip(self._known, group, strict=True) if own != held])
                for held in range(max(group) + 1)
            ]
        return self._fitted[group]

    def rows(self) -> Iterator[Result]:
        rounds = [len(each.rounds) for each in self.found]
        risen = [each.rounds[-1].objective - each.rounds[0].objective for each in self.found]
        yield Result(f"N = {WAYS}, closed loop", "rounds, mean", None, float(np.mean(rounds)))
        yield Result(f"N = {WAYS}, closed loop", "objective, mean increase", None, float(np.mean(risen)))


def _loop(given: Compared, texts: Sequence[str], cases: dict[str, Case], reads: dict[str, NBestReference]) -> Loop:
    """Return the closed loop over the nodes, each represented by the first of the strings with equal labellings."""
    first: dict[int, str] = {}
    for node, text in sorted(zip(given.node.tolist(), texts, strict=True)):
        first.setdefault(node, text)
    chosen = [first[node] for node in range(len(given.own))]
    return Loop([reads[t] for t in chosen], known_of([cases[t] for t in chosen], [reads[t] for t in chosen]))


def segment(given: Sequence[Example], reads: dict[str, NBestReference]) -> dict[str, list[NBest]]:
    """Return every segmentation of all references, by name."""
    kinds: dict[str, list[NBest]] = {"no segmentation": [nbest_of_text(example.text) for example in given]}
    for count in BEST:
        each = {text: truncate(one, count).nbest for text, one in reads.items()}
        kinds[f"N = {count}"] = [each[example.text] for example in given]
    kinds["true segmentation"] = [((comparison_fields(record_of(annotated(example))), 1.0),) for example in given]
    return kinds


@benchmark(
    "coreference",
    "Linking of Cora's references: pairs, clusters, B-cubed, cross-validated by work, three protocols",
    reference="what each row names, measured in the same run",
)
def coreference() -> Outcome:
    """Score every protocol and segmentation."""
    given = examples()
    works = number_works([cluster_of(example) for example in given])
    files = np.array([CORA_FILES.index(cora_file_of(example)) for example in given], dtype=np.int64)
    texts = [example.text for example in given]
    reads = {text: nbest_reference(parsed, max(BEST)) for text, parsed in parse_all(given).items()}
    rows: list[Result] = []
    scores: Scores = {}
    stochastic = Stochastic()
    for name, readings in segment(given, reads).items():
        found = compare(readings, works, files)
        rows += _score_blocking(name, found)
        clusterers: dict[str, Clusterer] = {"": cluster_greedily}
        if name == "no segmentation":
            clusterers[", phrase matching"] = cluster_by_phrases
        if name == f"N = {WAYS}":
            cases = {case.text: case for case in cases_of(given, cora_file_of)}
            loop = _loop(found, texts, cases, {text: truncate(one, WAYS) for text, one in reads.items()})
            clusterers |= {
                ", stochastic search": stochastic,
                ", oracle labellings": Oracle(found),
                ", closed loop": loop,
            }
        here = measure(found, works, name, clusterers)
        for (protocol, segmentation), scored in here.items():
            rows += rows_of(protocol, segmentation, scored, segmentation == name and name.startswith("N"))
        if name == f"N = {WAYS}":
            rows += [*loop.rows(), *stochastic.rows()]
        scores |= here
    rows += compare_pairwise(scores, PROTOCOLS, _COMPARED)
    data = (
        f"Cora, {len(given):,} strings of {int(works.max()) + 1} works; mean ± deviation over {SPLITS} seeded splits"
        f" into {FOLDS} folds by work (section: the three source files); the parser was trained on the"
        " fields, not the works, of some 500 of the strings"
    )
    return data, rows
