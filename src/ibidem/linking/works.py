"""From references to works: compare candidate pairs, cluster the references, and build a record for each cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple, overload

import numpy as np

from ibidem.linking.blocking import BlockingConfig, Pairs, candidates
from ibidem.linking.canonical import merge_records
from ibidem.linking.clustering import cluster, log_odds
from ibidem.linking.comparison import ComparisonFields, extract_fields
from ibidem.linking.confidence import cluster_confidence, probability
from ibidem.linking.matcher import PairwiseMatcher, default_matcher, split_into_blocks
from ibidem.linking.table import Table
from ibidem.linking.vectors import Doubles, Ints
from ibidem.records.record import Record

Progress = Callable[[str, int, int], None]
"""Called with the current step, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Member:
    """A reference as a member of a work: its index in the input, its record, and its best match in the work.

    `nearest` is the index of that match, None for a single reference, and `probability` that both cite the same work;
    it is 1 for identical references.
    """

    number: int
    record: Record
    nearest: int | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A cited work: its record, the references that cite it, and a calibrated confidence.

    `sources[k]` is the number of the reference that entry k of the record is from. `confidence` is the probability that
    the work is exactly right, with all its references and no others; it is 0 for a reference with too little text.
    """

    record: Record
    members: tuple[Member, ...]
    confidence: float
    sources: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Log-odds of compared pairs; `left` and `right` are indices of references (or of nodes)."""

    left: Ints
    right: Ints
    scores: Doubles


class Clustering(NamedTuple):
    """Identical references are one node; `node` is -1 for a reference with too little text to compare."""

    node: Ints  # [references]
    table: Table  # of the nodes
    pairs: Pairs
    scores: Doubles  # [pairs], log-odds before the threshold
    label: Ints  # [nodes]


@dataclass(frozen=True)
class Linked:
    """The result of linking, with what is needed to explain it or to continue from it; see `Clustering`."""

    records: Sequence[Record]
    node: Ints  # [references]
    table: Table
    pairs: Pairs
    scores: Doubles  # [pairs]
    label: Ints  # [nodes]
    matcher: PairwiseMatcher
    threshold: float

    @property
    def compared(self) -> ScoredPairs:
        """The compared pairs by indices of references, so that they need not be compared again."""
        first = _first_references(self.node, len(self.table))
        return ScoredPairs(first[self.pairs.left], first[self.pairs.right], self.scores)

    def clusters(self) -> list[int]:
        """Return the cluster number of each reference."""
        alone = iter(range(len(self.records)))
        above = int(self.label.max(initial=-1)) + 1
        return [int(self.label[node]) if node >= 0 else above + next(alone) for node in self.node.tolist()]


def link_rows(
    rows: Sequence[ComparisonFields], matcher: PairwiseMatcher, threshold: float | None = None,
    progress: Progress | None = None, known: ScoredPairs | None = None,
    on_compared: Callable[[ScoredPairs], None] | None = None,
) -> Clustering:  # fmt: skip
    """Block, compare and cluster references given by their comparison fields.

    Pairs in `known` are not compared again; `on_compared` is called with each block of newly compared pairs.
    """
    limit = matcher.threshold if threshold is None else threshold
    log_odds(limit)  # refuses what is no probability before the work
    node, distinct = _deduplicate(rows)
    table = matcher.table(distinct)
    pairs = candidates(table, BlockingConfig())
    first = _first_references(node, len(distinct))

    def report(block: Pairs, found: Doubles) -> None:
        if on_compared:
            on_compared(ScoredPairs(first[block.left], first[block.right], found))

    scores = _score_pairs(matcher, table, pairs, known and _by_node(known, node), progress, report)
    return Clustering(node, table, pairs, scores, cluster(len(distinct), pairs, scores, limit))


def _first_references(node: Ints, count: int) -> Ints:
    """Return the index of the first reference of each of `count` nodes."""
    first = np.zeros(count, dtype=np.int64)
    there = np.flatnonzero(node >= 0)[::-1]
    first[node[there]] = there
    return first


def _by_node(known: ScoredPairs, node: Ints) -> ScoredPairs:
    """Return scored pairs of references as sorted pairs of nodes, without references that are no node."""
    left, right = node[known.left], node[known.right]
    good = (left >= 0) & (right >= 0)
    low, high = np.minimum(left, right)[good], np.maximum(left, right)[good]
    order = np.lexsort((high, low))
    return ScoredPairs(low[order], high[order], known.scores[good][order])


def _score_pairs(
    matcher: PairwiseMatcher, table: Table, pairs: Pairs, known: ScoredPairs | None, progress: Progress | None,
    report: Callable[[Pairs, Doubles], None],
) -> Doubles:  # fmt: skip
    """Return the log-odds of all pairs, computed only for those that are not known."""
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
    for block in split_into_blocks(Pairs(pairs.left[places], pairs.right[places])):
        found = matcher.score(table, block)
        scores[places[done : done + len(block)]] = found
        done += len(block)
        report(block, found)
        if progress:
            progress("comparing", done, len(places))
    return scores


def _deduplicate(rows: Sequence[ComparisonFields]) -> tuple[Ints, list[ComparisonFields]]:
    """Return the node of each reference and the fields of the nodes, in an order independent of the input's.

    Identical references are one node: a string that occurs ten thousand times counts once and costs once.
    """
    values = [None if row.bare else _values(row) for row in rows]
    found = {key: row for key, row in zip(values, rows, strict=True) if key is not None}
    ordered = sorted(found)
    place: dict[Any, int] = {key: number for number, key in enumerate(ordered)}
    node = np.fromiter((place.get(key, -1) for key in values), dtype=np.int64, count=len(values))
    return node, [found[key] for key in ordered]


_values = attrgetter(*ComparisonFields.__slots__)  # tuples sort faster than dataclasses


def link_records(
    records: Iterable[Record], *, matcher: PairwiseMatcher | None = None, threshold: float | None = None,
    progress: Progress | None = None, existing: Linked | None = None,
) -> Linked:  # fmt: skip
    """Link records; those of `existing` come first, and pairs compared there are not compared again.

    The default threshold is the matcher's. The result is that of linking all records at once: candidate pairs are
    sought among all references again, and the score of a pair does not depend on the other references.
    """
    chosen = matcher or default_matcher()
    held = [*existing.records, *records] if existing else list(records)
    known = existing.compared if existing and existing.matcher == chosen else None
    extracted = [extract_fields(record) for record in held]
    found = link_rows([fields for _, fields in extracted], chosen, threshold, progress, known)
    limit = chosen.threshold if threshold is None else threshold
    return Linked([record for record, _ in extracted], *found, chosen, limit)


class Works(Sequence[Work]):
    """The works in the order of their first references; `linked` is what a later call can continue from."""

    def __init__(self, works: Sequence[Work], linked: Linked) -> None:
        self._works, self.linked = works, linked

    def __len__(self) -> int:
        return len(self._works)

    @overload
    def __getitem__(self, index: int) -> Work: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Work]: ...
    def __getitem__(self, index: int | slice) -> Work | Sequence[Work]:
        return self._works[index]

    def __iter__(self) -> Iterator[Work]:
        return iter(self._works)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self):,} works of {len(self.linked.records):,} references>"

    def count_repeated(self) -> int:
        """Return the number of works that are cited more than once."""
        return sum(len(work.members) > 1 for work in self)


def works_of(linked: Linked) -> Works:
    """Return the works, in the order of their first references."""
    members: dict[int, list[int]] = {}
    for number, label in enumerate(linked.clusters()):
        members.setdefault(label, []).append(number)
    builder = ClusterBuilder(linked)
    made = (builder.work(numbers, [linked.records[k] for k in numbers]) for numbers in members.values())
    return Works(tuple(made), linked)


class ClusterBuilder:
    """Builds works from clusters, with their confidence and the best match of each member."""

    def __init__(self, linked: Linked) -> None:
        self._node, self._label = linked.node, linked.label
        self._nearest, self._probability = _find_nearest(linked)
        self._confidence = cluster_confidence(linked.label, linked.pairs, linked.scores, linked.matcher.confidence)

    def confidence(self, number: int) -> float:
        """Return the confidence of the work of a reference."""
        node = int(self._node[number])
        return float(self._confidence[self._label[node]]) if node >= 0 else 0.0

    def work(self, numbers: Sequence[int], records: Sequence[Record]) -> Work:
        """Build the work of the references `numbers`, whose records are given in the same order."""
        record, sources = merge_records(records)
        identical: dict[int, list[int]] = {}
        for number in numbers:
            identical.setdefault(int(self._node[number]), []).append(number)
        members = tuple(self._member(*one, identical) for one in zip(numbers, records, strict=True))
        return Work(record, members, self.confidence(numbers[0]), tuple(numbers[source] for source in sources))

    def _member(self, number: int, record: Record, identical: dict[int, list[int]]) -> Member:
        node = int(self._node[number])
        same = identical[node]
        if len(same) > 1:
            return Member(number, record, same[number == same[0]], 1.0)
        if node >= 0 and self._nearest[node] >= 0:
            return Member(number, record, identical[int(self._nearest[node])][0], float(self._probability[node]))
        return Member(number, record)


def _find_nearest(linked: Linked) -> tuple[Ints, Doubles]:
    """Return for each node its best match within its cluster, -1 for none, and the probability of the match."""
    left, right, label = linked.pairs.left, linked.pairs.right, linked.label
    within = label[left] == label[right]
    one = np.concatenate([left[within], right[within]])
    other = np.concatenate([right[within], left[within]])
    score = np.tile(linked.scores[within], 2)
    order = np.lexsort((other, -score, one))
    nodes, place = np.unique(one[order], return_index=True)
    nearest = np.full(len(label), -1, dtype=np.int64)
    found = np.zeros(len(label))
    nearest[nodes] = other[order][place]
    found[nodes] = probability(score[order][place])
    return nearest, found
