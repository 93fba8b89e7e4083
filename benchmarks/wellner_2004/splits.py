"""Three ways to divide references of known works into what is learnt from and what is tested, works never in both.

References are compared once, all of them together: how rare a word is and which pairs are worth comparing needs no
knowledge of the works. Models of pairs are then learnt and applied by choosing among those pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.blocking import BlockingConfig, Pairs, candidates
from ibidem.linking.clustering import ABSENT, Search, partition
from ibidem.linking.features import joined
from ibidem.linking.joint.nbest import Readings, spread_out
from ibidem.linking.matcher import MOST
from ibidem.linking.similarity import measures_of_ways
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats, Ints
from tools.weights.matcher_training import PairConfig, balanced, fit, matrix

FOLDS = 5
_LEFT_OUT = 10  # where the files are the division, each split trains without another tenth of the works
_ROWS = 50_000  # ways to read pairs that are compared at a time

# All chosen by cross-validation among the works of the first two source files.
POOLED = PairConfig(penalty=5.0, balance=1.0)
BLOCKING = BlockingConfig(free=400_000)
MARGIN = 0.5  # log-odds above which the mean between two works must be for them to be one: a threshold of 0.62

Doubles = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Compared:
    """References in one kind of reading: the node of each, the work of each node, and the pairs with their features."""

    node: Ints  # [references]
    own: Ints  # [nodes]
    source: Ints  # [nodes], the file each is from
    table: Table
    pairs: Pairs
    values: Floats  # [pairs, features]

    @property
    def same(self) -> Truths:
        """Whether the two of each pair mean one work."""
        found: Truths = self.own[self.pairs.left] == self.own[self.pairs.right]
        return found


def compared(readings: Sequence[Readings], works: Ints, source: Ints) -> Compared:
    """References compared; those that read the same are one node."""
    distinct = sorted(set(readings), key=repr)
    place = {each: number for number, each in enumerate(distinct)}
    node = np.array([place[each] for each in readings], dtype=np.int64)
    own, file = np.empty(len(distinct), dtype=np.int64), np.empty(len(distinct), dtype=np.int64)
    own[node], file[node] = works, source
    table = Table([each[0][0] for each in distinct], readings=distinct)
    pairs = candidates(table, BLOCKING)
    return Compared(node, own, file, table, pairs, matrix(table, pairs)[1])


@dataclass(frozen=True)
class Split:
    """What is learnt from and tested: the group of each node, and for each part the nodes learnt from.

    `part[k]` is the part whose model scores pair k, -1 where the two are never linked; `config` says how models learn.
    """

    group: Ints  # [nodes]
    learnt: list[Truths]  # [nodes] each
    part: Ints  # [pairs]
    config: PairConfig = field(default_factory=PairConfig)


def dealt(works: Ints, seed: int, count: int = FOLDS) -> Ints:
    """The fold of each: works are shuffled and dealt out."""
    order = np.random.default_rng(seed).permutation(int(works.max()) + 1)
    fold = np.empty(len(order), dtype=np.int64)
    fold[order] = np.arange(len(order)) % count
    return fold[works]


def within(given: Compared, seed: int) -> Split:
    """References are linked with those of their own fold, by a model of the other folds."""
    fold = dealt(given.own, seed)
    left, right = fold[given.pairs.left], fold[given.pairs.right]
    return Split(fold, [fold != k for k in range(FOLDS)], np.where(left == right, left, -1))


def pool(given: Compared, seed: int) -> Split:
    """All references are linked, each pair scored by a model that saw neither of its works."""
    fold = dealt(given.own, seed)
    left, right = fold[given.pairs.left], fold[given.pairs.right]
    learnt: list[Truths] = []
    part = np.empty(len(given.pairs), dtype=np.int64)
    for one in range(FOLDS):
        for other in range(one, FOLDS):
            part[((left == one) & (right == other)) | ((left == other) & (right == one))] = len(learnt)
            learnt.append(~np.isin(fold, (one, other)))
    return Split(fold, learnt, part, POOLED)


def section(given: Compared, seed: int) -> Split:
    """The references of each file are linked by a model of the other files, without a tenth of their works."""
    kept = dealt(given.own, seed, _LEFT_OUT) != 0
    source = given.source
    left, right = source[given.pairs.left], source[given.pairs.right]
    learnt = [(source != k) & kept for k in range(int(source.max()) + 1)]
    return Split(source, learnt, np.where(left == right, left, -1))


PROTOCOLS: dict[str, Callable[[Compared, int], Split]] = {"within": within, "pool": pool, "section": section}
"""The ways to divide, by name."""


def learnt_weights(given: Compared, split: Split) -> Doubles:
    """The weights and the bias of the model of each part.  # [features + 1, parts]"""
    found: list[Doubles] = []
    for nodes in split.learnt:
        chosen = nodes[given.pairs.left] & nodes[given.pairs.right]
        start = found[-1] if found else None
        pairs = Pairs(given.pairs.left[chosen], given.pairs.right[chosen])
        counted = balanced(given.own, pairs, split.config.balance)
        weights, bias = fit(given.values[chosen], given.same[chosen], split.config, start, counted)
        found.append(np.append(weights, bias))
    return np.stack(found, axis=1)


def scored(weights: Doubles, split: Split, values: Floats, pair: Ints | None = None) -> Doubles:
    """The weight of each row of features, log-odds less `MARGIN`; `pair` says which pair each belongs to."""
    part = split.part if pair is None else split.part[pair]
    every = values @ weights[:-1].astype(np.float32) + weights[-1]
    found: Doubles = np.clip(every[np.arange(len(values)), np.maximum(part, 0)].astype(np.float64), -MOST, MOST)
    return found - MARGIN


def parts_found(given: Compared, split: Split, scores: Doubles, search: Search | None = None) -> list[tuple[int, int]]:
    """The part of each reference; where folds are linked apart, with its fold."""
    linked = split.part >= 0
    pairs = Pairs(given.pairs.left[linked], given.pairs.right[linked])
    label = partition(len(given.own), pairs, scores[linked], ABSENT - MARGIN, search=search)
    apart = split.group if not linked.all() else np.zeros(len(given.own), dtype=np.int64)
    return list(zip(apart[given.node].tolist(), label[given.node].tolist(), strict=True))


def every_way(given: Compared) -> tuple[Ints, Floats]:
    """The features of all ways to read all pairs, and the pair of each.  # [ways], [ways, features]"""
    ways, begin, _ = given.table.every_reading
    pair, one, other = spread_out(begin, given.pairs.left, given.pairs.right)
    blocks = []
    for first in range(0, len(pair), _ROWS):
        rows = slice(first, first + _ROWS)
        blocks.append(joined(dict(measures_of_ways(ways, one[rows], other[rows])))[1])
    return pair, np.concatenate(blocks)


def best_for_the_truth(scores: Doubles, pair: Ints, same: Truths) -> Doubles:
    """Of all ways to read each pair the weight that an oracle would take: the highest of one work, else the lowest."""
    starts = np.flatnonzero(np.concatenate([[True], pair[1:] != pair[:-1]]))
    return np.where(same, np.maximum.reduceat(scores, starts), np.minimum.reduceat(scores, starts))
