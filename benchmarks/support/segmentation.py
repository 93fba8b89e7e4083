"""Evaluation of unsupervised segmentation: clusters of tokens against true fields, and boundaries.

Precision, recall and F are those of Chen et al. 2009 (*Global Models of Document Structure Using Latent Permutations*,
section 5), which Masada et al. 2011 adopt, with tokens instead of paragraphs. Let n(k, e) be the number of tokens of
cluster k in field e, and N the number of tokens:

    precision = Σ_k max_e n(k, e) / N        recall = Σ_e max_k n(k, e) / N        F = 2 P R / (P + R)

So several clusters may correspond to one field: that costs recall, not precision. Clusters are those of the whole
corpus: a cluster must correspond to the same field in all citations.

A boundary is a place inside a citation where the cluster changes; it is correct where the true field changes as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.metrics.clustering import PrecisionRecall
from ibidem.metrics.scoring import Score

Labels = NDArray[np.integer]


def count_overlap(true: Labels, found: Labels) -> NDArray[np.int64]:
    """Count the tokens that each cluster shares with each field: [clusters, fields]."""
    if true.shape != found.shape or true.ndim != 1:
        raise ValueError(f"{true.shape} true fields and {found.shape} clusters; give one of each for every token")
    if not len(true):
        return np.zeros((0, 0), dtype=np.int64)
    width = int(true.max()) + 1
    keys = found.astype(np.int64) * width + true
    return np.bincount(keys, minlength=(int(found.max()) + 1) * width).reshape(-1, width)


def score_clusters(true: Labels, found: Labels) -> PrecisionRecall:
    """Return the precision, recall and F of the clusters `found` [N] of tokens whose fields are `true` [N].

    >>> score = score_clusters(np.array([0, 0, 0, 1, 1, 2]), np.array([3, 3, 1, 1, 1, 1]))
    >>> round(score.precision, 3), round(score.recall, 3), round(score.f1, 3)
    (0.667, 0.833, 0.741)
    """
    table = count_overlap(true, found)
    if not table.size:
        return PrecisionRecall(1.0, 1.0)
    return PrecisionRecall(float(table.max(axis=1).sum() / len(true)), float(table.max(axis=0).sum() / len(true)))


def score_boundaries(true: Labels, found: Labels, starts: NDArray[np.int64]) -> Score:
    """Count correct, predicted and true boundaries; citation j has the tokens starts[j] .. starts[j + 1].

    >>> score_boundaries(np.array([0, 0, 1, 1, 0]), np.array([5, 4, 3, 3, 3]), np.array([0, 4, 5]))
    Score(true_positives=1, predicted=2, gold=1)
    """
    if true.shape != found.shape or (len(starts) and int(starts[-1]) != len(true)):
        raise ValueError(f"{true.shape} true fields, {found.shape} clusters, citations up to {starts[-1:]}")
    inside = np.ones(max(len(true) - 1, 0), dtype=np.bool_)
    first = starts[1:-1]
    inside[first[(first > 0) & (first < len(true))] - 1] = False
    here, there = ((labels[1:] != labels[:-1]) & inside for labels in (true, found))
    return Score(int((here & there).sum()), int(there.sum()), int(here.sum()))
