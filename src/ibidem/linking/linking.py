"""From references to works: compare what blocking proposes, divide the graph, and give each part a record."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.linking.blocking import BlockingConfig, Pairs, candidates
from ibidem.linking.canonical import canonical
from ibidem.linking.clustering import ABSENT, partition
from ibidem.linking.comparison import View, view_of
from ibidem.linking.confidence import certainty, probability
from ibidem.linking.features import in_blocks
from ibidem.linking.matcher import PairModel, shipped
from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints
from ibidem.records.record import Record

Doubles = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is to do."""

Keep = Callable[["Known"], None]
"""Given what was compared, as it is worked out."""


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

    `sources[k]` is the number of the reference that entry k of the record is from. `confidence` is the probability that
    the work is exactly right, all its members and no others; it is 0 where a reference says too little to tell.
    """

    record: Record
    members: tuple[Member, ...]
    confidence: float
    sources: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """Log-odds of pairs that were compared before; `left` and `right` are places of references."""

    left: Ints
    right: Ints
    scores: Doubles


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

    @property
    def known(self) -> Known:
        """The pairs that were compared, as places of references, so that they need not be compared again."""
        first = _first_places(self.node, len(self.table))
        return Known(first[self.pairs.left], first[self.pairs.right], self.scores)

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
    views: Sequence[View], model: PairModel, threshold: float | None = None, progress: Progress | None = None,
    known: Known | None = None, keep: Keep | None = None,
) -> tuple[Ints, Table, Pairs, Doubles, Ints]:  # fmt: skip
    """The node of each view, the nodes' table, the pairs compared with their log-odds, and the part of each node.

    What `known` says of a pair is not worked out again; `keep` is given what is, some pairs at a time.
    """
    chance = model.threshold if threshold is None else threshold
    log_odds(chance)  # what is no probability is refused before the work
    node, distinct = _nodes(views)
    table = model.table(distinct)
    pairs = candidates(table, BlockingConfig())
    first = _first_places(node, len(distinct))

    def kept(block: Pairs, found: Doubles) -> None:
        if keep:
            keep(Known(first[block.left], first[block.right], found))

    scores = _scores(model, table, pairs, known and _of_nodes(known, node), progress, kept)
    return node, table, pairs, scores, divided(len(distinct), pairs, scores, chance)


def divided(count: int, pairs: Pairs, scores: Doubles, threshold: float) -> Ints:
    """The part of each of `count` nodes, by the log-odds of pairs above those of the threshold."""
    shift = log_odds(threshold)
    return partition(count, pairs, scores - shift, min(ABSENT - shift, -0.01))


def _first_places(node: Ints, count: int) -> Ints:
    """The place of the first reference of each of `count` nodes."""
    first = np.zeros(count, dtype=np.int64)
    there = np.flatnonzero(node >= 0)[::-1]
    first[node[there]] = there
    return first


def _of_nodes(known: Known, node: Ints) -> Known:
    """What is known, with nodes for places; of references that say too little nothing is."""
    left, right = node[known.left], node[known.right]
    good = (left >= 0) & (right >= 0)
    low, high = np.minimum(left, right)[good], np.maximum(left, right)[good]
    order = np.lexsort((high, low))
    return Known(low[order], high[order], known.scores[good][order])


def _scores(
    model: PairModel, table: Table, pairs: Pairs, known: Known | None, progress: Progress | None,
    kept: Callable[[Pairs, Doubles], None],
) -> Doubles:  # fmt: skip
    """The log-odds of all pairs; only of those that are not known are they worked out."""
    scores = np.zeros(len(pairs))
    fresh = np.ones(len(pairs), dtype=np.bool_)
    if known is not None and len(known.scores):
        count = len(table)
        place = np.searchsorted(known.left * count + known.right, pairs.left * count + pairs.right)
        place = np.minimum(place, len(known.scores) - 1)
        fresh = (known.left[place] != pairs.left) | (known.right[place] != pairs.right)
        scores[~fresh] = known.scores[place[~fresh]]
    places = np.flatnonzero(fresh)
    done = 0
    for block in in_blocks(Pairs(pairs.left[places], pairs.right[places])):
        found = model.score(table, block)
        scores[places[done : done + len(block)]] = found
        done += len(block)
        kept(block, found)
        if progress:
            progress("comparing", done, len(places))
    return scores


def _nodes(views: Sequence[View]) -> tuple[Ints, list[View]]:
    """The node of each view and the views of the nodes, in an order that does not depend on the input's.

    Views that are the same are one node: a string that is there ten thousand times counts once and costs once.
    """
    values = [None if view.bare else _values(view) for view in views]
    found = {key: view for key, view in zip(values, views, strict=True) if key is not None}
    ordered = sorted(found)
    place: dict[Any, int] = {key: number for number, key in enumerate(ordered)}
    node = np.fromiter((place.get(key, -1) for key in values), dtype=np.int64, count=len(values))
    return node, [found[key] for key in ordered]


_values = attrgetter(*View.__slots__)  # puts views in order, and is sooner compared than they are


def link_records(
    records: Iterable[Record], *, model: PairModel | None = None, threshold: float | None = None,
    progress: Progress | None = None, existing: Linked | None = None,
) -> Linked:  # fmt: skip
    """What linking finds among records; those of `existing` come first, and what was compared there is not again.

    A threshold that is not given is the one that the model learnt. The works are those that linking all records at once
    would give: which pairs are worth comparing is asked anew, how alike two are does not depend on the others.
    """
    chosen = model or shipped()
    held = [*existing.records, *records] if existing else list(records)
    known = existing.known if existing and existing.model == chosen else None
    views = [view_of(record) for record in held]
    node, table, pairs, scores, label = link_views(views, chosen, threshold, progress, known)
    return Linked(held, node, table, pairs, scores, label, chosen, chosen.threshold if threshold is None else threshold)


class Works(list[Work]):
    """The works in the order of their first references, with what linking found, so that it can go on from there."""

    def __init__(self, works: Iterable[Work], linked: Linked) -> None:
        super().__init__(works)
        self.linked = linked


def works_of(linked: Linked) -> Works:
    """The works, in the order of their first references."""
    members: dict[int, list[int]] = {}
    for number, cluster in enumerate(linked.clusters()):
        members.setdefault(cluster, []).append(number)
    found = ClusterBuilder(linked)
    return Works((found.work(numbers, [linked.records[k] for k in numbers]) for numbers in members.values()), linked)


class ClusterBuilder:
    """What is known of each node's part, to gather works from: how sure it is, and who is nearest to whom."""

    def __init__(self, linked: Linked) -> None:
        self._node, self._label = linked.node, linked.label
        self._nearest, self._chance = _nearest(linked)
        self._sure = certainty(linked.label, linked.pairs, linked.scores, linked.model.confidence)

    def confidence(self, number: int) -> float:
        """How sure the work of a reference is."""
        node = int(self._node[number])
        return float(self._sure[self._label[node]]) if node >= 0 else 0.0

    def work(self, numbers: Sequence[int], records: Sequence[Record]) -> Work:
        """The work of the references `numbers`, whose records are given in the same order."""
        record, sources = canonical(records)
        twins: dict[int, list[int]] = {}
        for number in numbers:
            twins.setdefault(int(self._node[number]), []).append(number)
        members = tuple(self._member(*one, twins) for one in zip(numbers, records, strict=True))
        return Work(record, members, self.confidence(numbers[0]), tuple(numbers[source] for source in sources))

    def _member(self, number: int, record: Record, twins: dict[int, list[int]]) -> Member:
        node = int(self._node[number])
        same = twins[node]
        if len(same) > 1:
            return Member(number, record, same[number == same[0]], 1.0)
        if node >= 0 and self._nearest[node] >= 0:
            return Member(number, record, twins[int(self._nearest[node])][0], float(self._chance[node]))
        return Member(number, record)


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
