"""Three protocols to split references of known works into training and test data, with no work in both.

References are compared once, all of them together: document frequencies and blocking need no knowledge of the works.
Pairwise matchers are then trained on and applied to subsets of these pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.blocking import BlockingConfig, Pairs, candidates
from ibidem.linking.clustering import ABSENT, Search, partition
from ibidem.linking.joint.nbest import NBest, expand_pairs
from ibidem.linking.matcher import MAX_LOG_ODDS, expand_features
from ibidem.linking.similarity import similarity_features_of_nbest
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats, Ints
from tools.weights.matcher_training import PairConfig, feature_matrix, fit, pair_weights

FOLDS = 5
_LEFT_OUT = 10  # where the files are the folds, each split trains without another tenth of the works
_ROWS = 50_000  # pairs of labellings that are compared at a time

# All chosen by cross-validation among the works of the first two source files.
POOLED = PairConfig(penalty=5.0, balance=1.0)
BLOCKING = BlockingConfig(free=400_000)
MARGIN = 0.5  # mean log-odds between two clusters above which they are merged: a threshold of 0.62

Doubles = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Compared:
    """References in one segmentation: the node of each, the work of each node, and the pairs with their features."""

    node: Ints  # [references]
    own: Ints  # [nodes]
    source: Ints  # [nodes], the file each is from
    table: Table
    pairs: Pairs
    values: Floats  # [pairs, features]

    @property
    def same(self) -> Truths:
        """Return whether the two of each pair are references to one work."""
        found: Truths = self.own[self.pairs.left] == self.own[self.pairs.right]
        return found


def compare(readings: Sequence[NBest], works: Ints, source: Ints) -> Compared:
    """Compare references; those with equal labellings are one node."""
    distinct = sorted(set(readings), key=repr)
    place = {each: number for number, each in enumerate(distinct)}
    node = np.array([place[each] for each in readings], dtype=np.int64)
    own, file = np.empty(len(distinct), dtype=np.int64), np.empty(len(distinct), dtype=np.int64)
    own[node], file[node] = works, source
    table = Table([each[0][0] for each in distinct], nbest=distinct)
    pairs = candidates(table, BLOCKING)
    return Compared(node, own, file, table, pairs, feature_matrix(table, pairs)[1])


@dataclass(frozen=True)
class Split:
    """Training and test data: the group of each node, and for each part the nodes that its model is trained on.

    `part[k]` is the part whose model scores pair k, -1 where the two are never linked; `config` is that of training.
    """

    group: Ints  # [nodes]
    training: list[Truths]  # [nodes] each
    part: Ints  # [pairs]
    config: PairConfig = field(default_factory=PairConfig)


def assign_folds(works: Ints, seed: int, count: int = FOLDS) -> Ints:
    """Return the fold of each reference: works are shuffled and dealt out."""
    order = np.random.default_rng(seed).permutation(int(works.max()) + 1)
    fold = np.empty(len(order), dtype=np.int64)
    fold[order] = np.arange(len(order)) % count
    return fold[works]


def within(given: Compared, seed: int) -> Split:
    """Link references with those of their own fold, by a model of the other folds."""
    fold = assign_folds(given.own, seed)
    left, right = fold[given.pairs.left], fold[given.pairs.right]
    return Split(fold, [fold != k for k in range(FOLDS)], np.where(left == right, left, -1))


def pool(given: Compared, seed: int) -> Split:
    """Link all references, each pair scored by a model that was trained on neither of its works."""
    fold = assign_folds(given.own, seed)
    left, right = fold[given.pairs.left], fold[given.pairs.right]
    training: list[Truths] = []
    part = np.empty(len(given.pairs), dtype=np.int64)
    for one in range(FOLDS):
        for other in range(one, FOLDS):
            part[((left == one) & (right == other)) | ((left == other) & (right == one))] = len(training)
            training.append(~np.isin(fold, (one, other)))
    return Split(fold, training, part, POOLED)


def section(given: Compared, seed: int) -> Split:
    """Link the references of each file by a model of the other files, without a tenth of their works."""
    kept = assign_folds(given.own, seed, _LEFT_OUT) != 0
    source = given.source
    left, right = source[given.pairs.left], source[given.pairs.right]
    training = [(source != k) & kept for k in range(int(source.max()) + 1)]
    return Split(source, training, np.where(left == right, left, -1))


PROTOCOLS: dict[str, Callable[[Compared, int], Split]] = {"within": within, "pool": pool, "section": section}
"""The protocols by name."""


def fit_weights(given: Compared, split: Split) -> Doubles:
    """Return the weights and the bias of the model of each part.  # [features + 1, parts]"""
    found: list[Doubles] = []
    for nodes in split.training:
        chosen = nodes[given.pairs.left] & nodes[given.pairs.right]
        start = found[-1] if found else None
        pairs = Pairs(given.pairs.left[chosen], given.pairs.right[chosen])
        counted = pair_weights(given.own, pairs, split.config.balance)
        weights, bias = fit(given.values[chosen], given.same[chosen], split.config, start, counted)
        found.append(np.append(weights, bias))
    return np.stack(found, axis=1)


def score_rows(weights: Doubles, split: Split, values: Floats, pair: Ints | None = None) -> Doubles:
    """Return the score of each row of features, log-odds minus `MARGIN`; `pair` is the pair of each row."""
    part = split.part if pair is None else split.part[pair]
    every = values @ weights[:-1].astype(np.float32) + weights[-1]
    found: Doubles = np.clip(
        every[np.arange(len(values)), np.maximum(part, 0)].astype(np.float64), -MAX_LOG_ODDS, MAX_LOG_ODDS
    )
    return found - MARGIN


def cluster(given: Compared, split: Split, scores: Doubles, search: Search | None = None) -> list[tuple[int, int]]:
    """Return the cluster of each reference; where folds are linked apart, with its fold."""
    linked = split.part >= 0
    pairs = Pairs(given.pairs.left[linked], given.pairs.right[linked])
    label = partition(len(given.own), pairs, scores[linked], ABSENT - MARGIN, search=search)
    apart = split.group if not linked.all() else np.zeros(len(given.own), dtype=np.int64)
    return list(zip(apart[given.node].tolist(), label[given.node].tolist(), strict=True))


def every_labelling(given: Compared) -> tuple[Ints, Floats]:
    """Return the features of all pairs of labellings of all pairs, and the pair of each.  # [rows], [rows, features]"""
    ways, begin, _ = given.table.nbest_table
    pair, one, other = expand_pairs(begin, given.pairs.left, given.pairs.right)
    blocks = []
    for first in range(0, len(pair), _ROWS):
        rows = slice(first, first + _ROWS)
        blocks.append(expand_features(dict(similarity_features_of_nbest(ways, one[rows], other[rows])))[1])
    return pair, np.concatenate(blocks)


def choose_by_oracle(scores: Doubles, pair: Ints, same: Truths) -> Doubles:
    """Return of each pair the score that an oracle would choose: the highest for one work, else the lowest."""
    starts = np.flatnonzero(np.concatenate([[True], pair[1:] != pair[:-1]]))
    return np.where(same, np.maximum.reduceat(scores, starts), np.minimum.reduceat(scores, starts))
