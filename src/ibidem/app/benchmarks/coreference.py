"""Which references of Cora mean the same work: cross-validated by work, three ways to divide, five splits each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ibidem.app.reproduce import Figure, Outcome, benchmark
from ibidem.coref.blocking import candidates, recall
from ibidem.coref.linking import link_views
from ibidem.coref.model import MOST
from ibidem.coref.partition import partition
from ibidem.coref.table import Table
from ibidem.coref.training import PairConfig, fit, matrix, numbered, train
from ibidem.coref.vectors import Ints
from ibidem.coref.views import View, view_of, view_of_text
from ibidem.models.shipped import parser
from ibidem.records.build import record_of
from ibidem.tasks import registry
from ibidem.tasks.partitions import PartitionScore, score_partition
from ibidem.tasks.readers.clusters import CORA_FILES, cluster_of, cora_file_of
from ibidem.tasks.statistics import spread
from ibidem.types import Example, Field, Parsed

SPLITS = 5
FOLDS = 5
_LEFT_OUT = 10  # where the files are the division, each split trains without another tenth of the works
_BARS = {
    ("within", "pair F1"): 98.5,
    ("within", "cluster recall"): 95.0,
    ("pool", "pair F1"): 98.0,
    ("pool", "cluster recall"): 84.0,
    ("section", "pair F1"): 96.5,
}
_say = partial(print, file=sys.stderr, flush=True)

Measured = Callable[[Sequence[View], Ints, int], PartitionScore]
"""From the views, the numbers of their works and the number of the split to the scores."""


def examples() -> list[Example]:
    """Cora's references in the labels of our schema."""
    return [item for item in registry.load_unified("cora") if isinstance(item, Example)]


def readings(given: Sequence[Example]) -> dict[str, list[View]]:
    """The views of the references: without fields, as the model that ships reads them, and as they truly are."""
    found = parser(None).parse_many(example.text for example in given)
    return {
        "no segmentation": [view_of_text(example.text) for example in given],
        "N = 1": [view_of(record_of(parsed)) for parsed in found],
        "true segmentation": [view_of(record_of(_true(example))) for example in given],
    }


def _true(example: Example) -> Parsed:
    marks = [mark for mark in example.marks if not mark.label.startswith("?")]
    fields = (Field(mark.label, example.text[mark.start : mark.end], mark.start, mark.end, 1.0) for mark in marks)
    return Parsed(example.text, tuple(fields), 1.0)


def _folds(works: Ints, seed: int, count: int = FOLDS) -> Ints:
    """The fold of each reference: works are shuffled and dealt out."""
    order = np.random.default_rng(seed).permutation(int(works.max()) + 1)
    fold = np.empty(len(order), dtype=np.int64)
    fold[order] = np.arange(len(order)) % count
    return fold[works]


def _tested(views: Sequence[View], works: Ints, learnt: Ints, held: Ints) -> list[int]:
    """The parts of the references `held`, found by a model that learnt from the distinct ones of `learnt`."""
    known = {views[k]: int(works[k]) for k in learnt.tolist() if not views[k].bare}
    ordered = sorted(known, key=repr)
    model = train(ordered, [known[view] for view in ordered])
    node, _, _, _, label = link_views([views[k] for k in held.tolist()], model)
    return [int(label[n]) if n >= 0 else -1 - place for place, n in enumerate(node.tolist())]


def within(views: Sequence[View], works: Ints, seed: int) -> PartitionScore:
    """The scores of references that are linked with those of their own fold alone."""
    fold = _folds(works, seed)
    found: dict[int, tuple[int, int]] = {}
    for number in range(FOLDS):
        held = np.flatnonzero(fold == number)
        parts = _tested(views, works, np.flatnonzero(fold != number), held)
        found |= {k: (number, part) for k, part in zip(held.tolist(), parts, strict=True)}
    return score_partition(works.tolist(), [found[k] for k in range(len(works))])


def pool(views: Sequence[View], works: Ints, seed: int) -> PartitionScore:
    """The scores of all references linked together, each pair scored by a model that saw neither of its works.

    How rare a word is, is counted over all strings, which needs no knowledge of the works.
    """
    distinct = sorted(set(views), key=repr)
    place = {view: number for number, view in enumerate(distinct)}
    node = np.array([place[view] for view in views], dtype=np.int64)
    own = np.empty(len(distinct), dtype=np.int64)
    own[node] = works
    fold = _folds(works, seed)
    of_node = np.empty(len(distinct), dtype=np.int64)
    of_node[node] = fold
    table = Table(distinct)
    pairs = candidates(table)
    _, values = matrix(table, pairs)
    same = own[pairs.left] == own[pairs.right]
    left, right = of_node[pairs.left], of_node[pairs.right]
    scores = np.zeros(len(pairs))
    for one in range(FOLDS):
        for other in range(one, FOLDS):
            held = ((left == one) & (right == other)) | ((left == other) & (right == one))
            learnt = ~np.isin(left, (one, other)) & ~np.isin(right, (one, other))
            weights, bias = fit(values[learnt], same[learnt], PairConfig())
            scores[held] = np.clip(values[held] @ weights + bias, -MOST, MOST)
    label = partition(len(distinct), pairs, scores)
    return score_partition(works.tolist(), label[node].tolist())


def section(views: Sequence[View], works: Ints, seed: int, files: Sequence[str]) -> PartitionScore:
    """The scores of the references of each file, linked by a model that learnt from the two others."""
    kept = _folds(works, seed, _LEFT_OUT) != 0
    source = np.array(files)
    found: dict[int, tuple[str, int]] = {}
    for name in CORA_FILES:
        held = np.flatnonzero(source == name)
        parts = _tested(views, works, np.flatnonzero((source != name) & kept), held)
        found |= {k: (name, part) for k, part in zip(held.tolist(), parts, strict=True)}
    return score_partition(works.tolist(), [found[k] for k in range(len(works))])


def _rows(protocol: str, reading: str, scores: Sequence[PartitionScore]) -> list[Figure]:
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
        bar = _BARS.get((protocol, metric)) if reading == "N = 1" else None
        rows.append(Figure(f"{protocol}, {reading}", metric, None, found.mean, bar=bar, deviation=found.deviation))
    return rows


def _blocked(reading: str, views: Sequence[View], works: Ints) -> list[Figure]:
    """The share of true pairs that are compared, and how many pairs are, in the whole of Cora."""
    known = {view: int(work) for view, work in zip(views, works, strict=True)}
    distinct = sorted(known, key=repr)
    own = numbered([known[view] for view in distinct])
    pairs = candidates(Table(distinct))
    row = f"blocking, {reading}, {len(distinct):,} distinct strings"
    return [
        Figure(row, "pair recall", None, 100 * recall(pairs, own)),
        Figure(row, "candidates a string", None, len(pairs) / len(distinct)),
    ]


@benchmark(
    "coreference", "Same work or not on Cora: pairs, clusters, B-cubed, cross-validated by work, three protocols"
)
def coreference() -> Outcome:
    """The figures of every protocol and reading."""
    given = examples()
    works = numbered([cluster_of(example) for example in given])
    by_file: Measured = partial(section, files=[cora_file_of(example) for example in given])
    rows: list[Figure] = []
    for reading, views in readings(given).items():
        rows += _blocked(reading, views, works)
        for protocol, measure in (("within", within), ("pool", pool), ("section", by_file)):
            scores = [measure(views, works, seed) for seed in range(SPLITS)]
            rows += _rows(protocol, reading, scores)
            _say(f"{protocol}, {reading}: pair F1 {100 * spread([s.pairs.f1 for s in scores]).mean:.2f}")
    data = (
        f"Cora, {len(given):,} strings of {int(works.max()) + 1} works; mean ± deviation over {SPLITS} seeded splits"
        f" into {FOLDS} folds by work (section: the three source files); the parser has seen the fields,"
        " not the works, of some 500 of the strings in its training"
    )
    return data, rows
