"""Clustering metrics: pairwise, whole-cluster and B-cubed precision and recall.

Pairwise precision is the share of predicted pairs that are gold pairs, recall the share of gold pairs that were
predicted. Cluster recall is the share of gold clusters found exactly, cluster precision the share of predicted clusters
that are gold ones (Wellner et al. 2004, §4). B-cubed averages over references: precision is the share of a reference's
predicted cluster that is in its gold cluster, recall the reverse (Bagga & Baldwin 1998).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision, recall and F1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PartitionScore:
    """Scores of a predicted partition against the gold one."""

    pairs: PrecisionRecall
    clusters: PrecisionRecall
    b_cubed: PrecisionRecall


def score_partition(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> PartitionScore:
    """Score a clustering; `gold` and `predicted` name the cluster of each reference, in the same order.

    >>> score = score_partition("aabb", "xxxy")
    >>> round(score.pairs.precision, 3), score.pairs.recall, score.clusters.recall, round(score.b_cubed.f1, 3)
    (0.333, 0.5, 0.0, 0.706)
    """
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold and {len(predicted)} predicted clusters; give one of each per reference")
    if not gold:
        perfect = PrecisionRecall(1.0, 1.0)
        return PartitionScore(perfect, perfect, perfect)
    ours, theirs = Counter(predicted), Counter(gold)
    both = Counter(zip(gold, predicted, strict=True))
    pairs, our_pairs, their_pairs = (sum(comb(size, 2) for size in sizes.values()) for sizes in (both, ours, theirs))
    exact = sum(1 for (one, other), size in both.items() if size == theirs[one] == ours[other])
    precision = sum(size * size / ours[other] for (_, other), size in both.items()) / len(gold)
    recall = sum(size * size / theirs[one] for (one, _), size in both.items()) / len(gold)
    return PartitionScore(
        PrecisionRecall(_ratio(pairs, our_pairs), _ratio(pairs, their_pairs)),
        PrecisionRecall(_ratio(exact, len(ours)), _ratio(exact, len(theirs))),
        PrecisionRecall(precision, recall),
    )


def _ratio(part: int, whole: int) -> float:
    """Return part / whole, and 1 for 0 / 0: where there is nothing to find, nothing is missing."""
    return part / whole if whole else 1.0
