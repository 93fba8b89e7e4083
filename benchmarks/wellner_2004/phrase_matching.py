"""Phrase matching, a baseline in Table 1 of Wellner et al. 2004, by the algorithm of Lawrence, Giles & Bollacker 1999.

Greedy agglomerative clustering in which "pairwise citation similarity is based on the overlap in words and phrases
(word bigrams)" (§4). The overlap is the share of the words and phrases of two strings that are in both, and the two
clusters with the highest mean similarity are merged while that mean is at least a threshold. The threshold is all that
is fitted, on the training folds, which are clustered as the test fold is. All pairs are compared, without blocking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.wellner_2004.splits import Compared, Split
from ibidem.linking.vectors import Doubles, Ints
from ibidem.metrics.clustering import score_partition

THRESHOLDS = tuple(np.arange(0.05, 0.95, 0.01).round(2).tolist())
_NEVER = -9.0  # the similarity of two references that are never linked

Matrix = NDArray[np.float64]


def words_and_phrases(text: str) -> frozenset[str]:
    """Return the words of a folded text, and the pairs of adjacent ones.

    >>> sorted(words_and_phrases("drift of reeds"))
    ['drift', 'drift of', 'of', 'of reeds', 'reeds']
    """
    words = text.split()
    return frozenset([*words, *map(" ".join, pairwise(words))])


def measure_overlap(
    texts: Sequence[str], terms_of: Callable[[str], frozenset[str]] = words_and_phrases
) -> Matrix:  # fmt: skip
    """Return the share of the terms of each two texts that are in both.  # [texts, texts]"""
    every = [terms_of(text) for text in texts]
    place = {term: number for number, term in enumerate(sorted(frozenset().union(*every)))}
    held = np.zeros((len(texts), len(place)), dtype=np.float32)
    for row, terms in zip(held, every, strict=True):
        row[[place[term] for term in terms]] = 1.0
    both = (held @ held.T).astype(np.float64)
    size = np.diag(both)
    return both / np.maximum(size[:, None] + size[None, :] - both, 1.0)


def merge_in_order(similarity: Matrix) -> Matrix:
    """Return the merges of greedy agglomerative clustering by mean similarity, as SciPy's linkage matrix."""
    from scipy.cluster.hierarchy import linkage

    one, other = np.triu_indices(len(similarity), 1)
    return np.asarray(linkage(1.0 - similarity[one, other], "average"), dtype=np.float64)


def merge_down_to(merges: Matrix, threshold: float) -> Ints:
    """Return the clusters after the merges whose mean similarity is at least a threshold."""
    from scipy.cluster.hierarchy import fcluster

    return np.asarray(fcluster(merges, 1.0 - threshold + 1e-9, "distance"), dtype=np.int64)


def choose_threshold(similarity: Matrix, works: Ints) -> float:
    """Return the threshold with the highest pair F1 on references of known works, the middle one of several."""
    merges = merge_in_order(similarity)
    gold = works.tolist()
    scores = [score_partition(gold, merge_down_to(merges, each).tolist()).pairs.f1 for each in THRESHOLDS]
    return float(np.median(np.array(THRESHOLDS)[np.array(scores) == max(scores)]))


def cluster_by_phrases(given: Compared, split: Split, _weights: Doubles | None = None) -> list[tuple[int, int]]:
    """Return the cluster of each reference, with a threshold for each part of the split."""
    overlap = measure_overlap([row.text for row in given.table.rows])
    part = _part_of_groups(given, split)[split.group[:, None], split.group[None, :]]  # [nodes, nodes]
    linked = np.where(part < 0, _NEVER, overlap)
    thresholds = np.array(
        [choose_threshold(linked[np.ix_(nodes, nodes)], given.own[nodes]) for nodes in split.training]
    )
    excess = np.where(part < 0, _NEVER, overlap - thresholds[part])
    label = merge_down_to(merge_in_order(excess), 0.0)
    return [(0, number) for number in label[given.node].tolist()]


def _part_of_groups(given: Compared, split: Split) -> Ints:
    """Return the part of the pairs between each two groups, -1 where they are never linked.  # [groups, groups]"""
    count = int(split.group.max()) + 1
    part = np.full((count, count), -1, dtype=np.int64)
    left, right = split.group[given.pairs.left], split.group[given.pairs.right]
    part[left, right] = part[right, left] = split.part
    return part
