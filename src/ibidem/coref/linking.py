"""From references to works: compare what blocking proposes, divide the graph, and give each part a record."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.coref.blocking import BlockingConfig, Pairs, candidates
from ibidem.coref.canonical import canonical
from ibidem.coref.model import PairModel, shipped
from ibidem.coref.partition import ABSENT, partition
from ibidem.coref.table import Table
from ibidem.coref.vectors import Ints
from ibidem.coref.views import View, view_of
from ibidem.errors import ConfigError
from ibidem.records.record import Record

Doubles = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is to do."""


@dataclass(frozen=True, slots=True)
class Member:
    """A reference as part of a work: its place in the input, its record, and the member it is most surely one with.

    `nearest` is the place of that member, None where it stands alone, and `probability` that of the two meaning one
    work; of references that are the same letter by letter it is 1.
    """

    number: int
    record: Record
    nearest: int | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A cited work: its record, the references that mean it, and how sure it is that they do and that no others do.

    `sources[k]` is the number of the reference that entry k of the record is from. `confidence` is that of the weakest
    member, or of one that stands alone the probability that no reference it was compared with means the same; it is
    0 where a reference says too little to tell.
    """

    record: Record
    members: tuple[Member, ...]
    confidence: float
    sources: tuple[int, ...] = ()


@dataclass(frozen=True)
class Linked:
    """Everything that linking found, for whoever asks why.

    References that read the same are one node; `node` is -1 for a reference that says too little. `scores` are the
    log-odds of `pairs` of nodes to mean one work, before the threshold.
    """

    records: Sequence[Record]
    node: Ints  # [references]
    table: Table
    pairs: Pairs
    scores: Doubles  # [pairs]
    label: Ints  # [nodes]
    model: PairModel
    threshold: float

    def clusters(self) -> list[int]:
        """A number for the work of each reference."""
        alone = iter(range(len(self.records)))
        above = int(self.label.max(initial=-1)) + 1
        return [int(self.label[node]) if node >= 0 else above + next(alone) for node in self.node.tolist()]


def log_odds(chance: float) -> float:
    """The log-odds of a probability that is neither 0 nor 1."""
    if not 0.0 < chance < 1.0:
        raise ConfigError(f"the threshold is {chance}: give a probability between 0 and 1, such as 0.5")
    return math.log(chance / (1.0 - chance))


def link_views(
    views: Sequence[View], model: PairModel, threshold: float = 0.5, progress: Progress | None = None
) -> tuple[Ints, Table, Pairs, Doubles, Ints]:
    """The node of each view, the nodes' table, the pairs compared with their log-odds, and the part of each node."""
    shift = log_odds(threshold)
    node, distinct = _nodes(views)
    table = model.table(distinct)
    pairs = candidates(table, BlockingConfig())
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        if progress:
            progress("comparing", done, len(pairs))

    scores = model.score(table, pairs, advance)
    label = partition(len(distinct), pairs, scores - shift, min(ABSENT - shift, -0.01))
    return node, table, pairs, scores, label


def _nodes(views: Sequence[View]) -> tuple[Ints, list[View]]:
    """The node of each view and the views of the nodes, in an order that does not depend on the input's.

    Views that are the same are one node: a string that is there ten thousand times counts once and costs once.
    """
    distinct = sorted({view for view in views if not view.bare}, key=_order)
    place = {view: number for number, view in enumerate(distinct)}
    return np.array([place.get(view, -1) for view in views], dtype=np.int64), distinct


def _order(view: View) -> tuple[Any, ...]:
    return (view.text, view.title, view.venue, view.people, repr(view))


def link_records(
    records: Iterable[Record], *, model: PairModel | None = None, threshold: float = 0.5,
    progress: Progress | None = None,
) -> Linked:  # fmt: skip
    """What linking finds among records."""
    chosen = model or shipped()
    held = list(records)
    node, table, pairs, scores, label = link_views([view_of(record) for record in held], chosen, threshold, progress)
    return Linked(held, node, table, pairs, scores, label, chosen, threshold)


def works_of(linked: Linked) -> list[Work]:
    """The works, in the order of their first references."""
    members: dict[int, list[int]] = {}
    for number, cluster in enumerate(linked.clusters()):
        members.setdefault(cluster, []).append(number)
    nearest, chance = _nearest(linked)
    sure = _confidence(linked)
    return [_work(linked, numbers, nearest, chance, sure) for numbers in members.values()]


def _work(linked: Linked, numbers: list[int], nearest: Ints, chance: Doubles, sure: Doubles) -> Work:
    record, sources = canonical([linked.records[number] for number in numbers])
    nodes = [int(linked.node[number]) for number in numbers]
    if nodes[0] < 0:
        (number,) = numbers
        return Work(record, (Member(number, linked.records[number]),), 0.0, tuple(number for _ in sources))
    twins: dict[int, list[int]] = {}
    for number, node in zip(numbers, nodes, strict=True):
        twins.setdefault(node, []).append(number)
    found = []
    for number, node in zip(numbers, nodes, strict=True):
        same = twins[node]
        if len(same) > 1:
            found.append(Member(number, linked.records[number], same[number == same[0]], 1.0))
        elif nearest[node] >= 0:
            found.append(Member(number, linked.records[number], twins[int(nearest[node])][0], float(chance[node])))
        else:
            found.append(Member(number, linked.records[number]))
    confidence = float(sure[linked.label[nodes[0]]])
    return Work(record, tuple(found), confidence, tuple(numbers[source] for source in sources))


def _nearest(linked: Linked) -> tuple[Ints, Doubles]:
    """For each node the node of its part that it is most surely one with, -1 for none, and the probability."""
    left, right, label = linked.pairs.left, linked.pairs.right, linked.label
    within = label[left] == label[right]
    one = np.concatenate([left[within], right[within]])
    other = np.concatenate([right[within], left[within]])
    score = np.tile(linked.scores[within], 2)
    order = np.lexsort((other, -score, one))
    nodes, place = np.unique(one[order], return_index=True)
    nearest = np.full(len(label), -1, dtype=np.int64)
    chance = np.zeros(len(label))
    nearest[nodes] = other[order][place]
    chance[nodes] = probability(score[order][place])
    return nearest, chance


def _confidence(linked: Linked) -> Doubles:
    """How sure each part is: by its weakest member, or of a single node by what is outside."""
    left, right, label = linked.pairs.left, linked.pairs.right, linked.label
    size = np.bincount(label)[label]
    within = label[left] == label[right]
    total = np.zeros(len(label))
    seen = np.zeros(len(label))
    for side in (left, right):
        np.add.at(total, side[within], linked.scores[within])
        np.add.at(seen, side[within], 1.0)
    mean = (total + ABSENT * (size - 1 - seen)) / np.maximum(size - 1, 1)
    outside = np.full(len(label), -np.inf)
    for side in (left, right):
        np.maximum.at(outside, side[~within], linked.scores[~within])
    score = np.where(size > 1, mean, np.where(np.isinf(outside), np.inf, -outside))
    least = np.full(int(label.max(initial=-1)) + 1, np.inf)
    np.minimum.at(least, label, score)
    return probability(least)


def probability(score: Doubles) -> Doubles:
    """The probability of log-odds."""
    with np.errstate(over="ignore"):
        chance: Doubles = 1.0 / (1.0 + np.exp(-score))
    return chance
