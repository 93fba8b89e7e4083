"""How well references are divided into works: pairs, whole clusters and B-cubed.

Pairwise precision is the share of pairs put together that belong together, recall the share of those that belong
together that were put together. Cluster recall is the share of true clusters that were found exactly, cluster precision
the share of found ones that are true (Wellner et al. 2004, §4). B-cubed is the mean over references of the share of its
cluster that belongs with it, and of what belongs with it that is in its cluster (Bagga & Baldwin 1998).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shares:
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean, 0 where both are."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PartitionScore:
    """The scores of a partition beside the true one."""

    pairs: Shares
    clusters: Shares
    b_cubed: Shares


def score_partition(true: Sequence[Hashable], found: Sequence[Hashable]) -> PartitionScore:
    """The scores of the clusters `found` of references whose true clusters are `true`, in the same order.

    >>> score = score_partition("aabb", "xxxy")
    >>> round(score.pairs.precision, 3), score.pairs.recall, score.clusters.recall, round(score.b_cubed.f1, 3)
    (0.333, 0.5, 0.0, 0.706)
    """
    if len(true) != len(found):
        raise ValueError(f"{len(true)} true clusters and {len(found)} found ones; give one of each for every reference")
    if not true:
        whole = Shares(1.0, 1.0)
        return PartitionScore(whole, whole, whole)
    mine, theirs = Counter(found), Counter(true)
    both = Counter(zip(true, found, strict=True))
    together = sum(map(_pairs, both.values()))
    exact = sum(1 for (one, other), size in both.items() if size == theirs[one] == mine[other])
    pure = sum(size * size / mine[other] for (_, other), size in both.items()) / len(true)
    whole_share = sum(size * size / theirs[one] for (one, _), size in both.items()) / len(true)
    return PartitionScore(
        Shares(_share(together, sum(map(_pairs, mine.values()))), _share(together, sum(map(_pairs, theirs.values())))),
        Shares(_share(exact, len(mine)), _share(exact, len(theirs))),
        Shares(pure, whole_share),
    )


def _pairs(size: int) -> int:
    return size * (size - 1) // 2


def _share(part: int, whole: int) -> float:
    """A share; of nothing, nothing is missing."""
    return part / whole if whole else 1.0
