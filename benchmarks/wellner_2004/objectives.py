"""Table 5 of Wellner et al. 2004: how well objectives of partitions correlate with pair F1.

The paper draws random partitions with the true number of works. Between the truth and chaos even a measure that knows
next to nothing correlates, so here partitions are drawn where a search decides: by a few local moves, from the true
works and from those found. A move merges two near works, splits one, or moves a reference to a near work; near are
those joined by a candidate pair. Beside the two objectives stand trivial measures, which a good objective must beat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.wellner_2004.phrase_matching import Matrix, measure_overlap
from ibidem.linking.blocking import Pairs
from ibidem.linking.comparison import comparison_fields_of_text
from ibidem.linking.joint.entities import Citation, EntityModel
from ibidem.linking.joint.loop import members_by_cluster
from ibidem.linking.vectors import Ints
from ibidem.metrics.clustering import score_partition

PARTITIONS = 100
"""Number of partitions drawn from the true works, and as many from those found."""

MOVES = 20
"""The largest number of moves."""

ALIKE = 0.5
"""The share of common words from which the measure "same words" holds two references alike."""

Objective = Callable[[Ints], float]
Doubles = NDArray[np.float64]


class LocalMoves:
    """Draws partitions near another one."""

    def __init__(self, count: int, pairs: Pairs, generator: np.random.Generator) -> None:
        self._generator = generator
        self._near: list[list[int]] = [[] for _ in range(count)]
        for one, other in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
            self._near[one].append(other)
            self._near[other].append(one)

    def draw(self, label: Ints, moves: int, same_number: bool) -> Ints:
        """Return a partition some moves away; with the same number of works, every merge is followed by a split."""
        found = label.copy()
        for _ in range(moves):
            kind = self._generator.integers(2 if same_number else 3)
            if kind == 0:
                self.move(found, same_number)
            elif same_number:
                if self.merge(found):
                    self.split(found)
            elif kind == 1:
                self.merge(found)
            else:
                self.split(found)
        return found

    def merge(self, label: Ints) -> bool:
        """Merge a work with a near one, in place; return whether there was one."""
        member = self._choose(np.flatnonzero(label == self._choose(np.unique(label))))
        near = self._neighbours(label, member)
        if len(near):
            label[label == label[self._choose(near)]] = label[member]
        return len(near) > 0

    def split(self, label: Ints) -> None:
        """Split some of the references of a work from the others, in place."""
        works, sizes = np.unique(label, return_counts=True)
        if sizes.max() > 1:
            members = self._generator.permutation(np.flatnonzero(label == self._choose(works[sizes > 1])))
            label[members[: self._generator.integers(1, len(members))]] = label.max() + 1

    def move(self, label: Ints, same_number: bool) -> None:
        """Move a reference to a near work, in place; only one that is not alone if the number of works is to stay."""
        movable = np.flatnonzero(np.bincount(label)[label] > 1) if same_number else np.arange(len(label))
        if len(movable):
            member = self._choose(movable)
            near = self._neighbours(label, member)
            if len(near):
                label[member] = label[self._choose(near)]

    def _neighbours(self, label: Ints, member: int) -> Ints:
        """Return the candidates of a reference that are in other works than it."""
        near = np.array(self._near[member], dtype=np.int64)
        found: Ints = near[label[near] != label[member]]
        return found

    def _choose(self, items: Ints) -> int:
        return int(items[self._generator.integers(len(items))])


def draw_partitions(
    origins: Sequence[Ints], pairs: Pairs, same_number: bool, generator: np.random.Generator
) -> list[Ints]:
    """Return `PARTITIONS` partitions around each of the origins, from 1 to `MOVES` moves away."""
    moves = LocalMoves(len(origins[0]), pairs, generator)
    return [
        moves.draw(origin, 1 + number % MOVES, same_number) for origin in origins for number in range(PARTITIONS)
    ]  # fmt: skip


def medoids(citations: Sequence[Citation]) -> dict[str, str]:
    """Return for each field the value with the least edit distance to the values of the other citations."""
    from rapidfuzz.fuzz import ratio
    from rapidfuzz.process import cdist

    values: dict[str, dict[str, int]] = {}
    for citation in citations:
        for label, value in citation.candidates[0].fields.items():
            each = values.setdefault(label, {})
            each[value] = each.get(value, 0) + 1
    found = {}
    for label, each in values.items():
        distinct = sorted(each)
        near = cdist(distinct, distinct, scorer=ratio) @ np.array([each[value] for value in distinct])
        found[label] = distinct[int(near.argmax())]
    return found


class EntityObjective:
    """The sum of the potentials between the citations of each work and its medoids, and of the labellings' own scores.

    Every citation has its most probable labelling.
    """

    def __init__(self, model: EntityModel, citations: Sequence[Citation]) -> None:
        self._model, self._citations = model, citations
        self._known: dict[tuple[int, ...], float] = {}

    def __call__(self, label: Ints) -> float:
        return sum(self._score(tuple(members)) for _, members in members_by_cluster(label))

    def _score(self, members: tuple[int, ...]) -> float:
        if members not in self._known:
            citations = [self._citations[member] for member in members]
            values = medoids(citations)
            self._known[members] = sum(
                float(base[0]) + self._model.potential(values, citation, 0)
                for citation, base in zip(citations, self._model.base_scores(citations), strict=True)
            )
        return self._known[members]


def sum_within(weights: Matrix) -> Objective:
    """Return the objective that sums the weights of all pairs within works."""

    def objective(label: Ints) -> float:
        same = label[:, None] == label[None, :]
        return float(weights[np.triu(same, 1)].sum())

    return objective


def trivial_measures(texts: Sequence[str]) -> dict[str, Objective]:
    """Return measures that know next to nothing: a pair counts 1 where the two are alike in one thing, else −1."""
    fields = [comparison_fields_of_text(text) for text in texts]
    letters = np.array([each.text[:1] for each in fields])
    years = np.array([each.year for each in fields])
    words = measure_overlap([each.text for each in fields], lambda text: frozenset(text.split()))
    return {
        "same first letter": sum_within(_signs(letters[:, None] == letters[None, :])),
        "same year": sum_within(_signs(years[:, None] == years[None, :])),
        "same words": sum_within(_signs(words >= ALIKE)),
        "fewer works": lambda label: -float(len(np.unique(label))),
    }


def _signs(alike: NDArray[np.bool_]) -> Matrix:
    return np.where(alike, 1.0, -1.0)


def correlate(objectives: dict[str, Objective], partitions: Sequence[Ints], true: Ints) -> dict[str, Doubles]:
    """Return r² and the rank correlation with pair F1 of each objective that is not the same for all partitions."""
    from scipy.stats import pearsonr, spearmanr

    gold = true.tolist()
    quality = [score_partition(gold, label.tolist()).pairs.f1 for label in partitions]
    found = {}
    for name, objective in objectives.items():
        values = [objective(label) for label in partitions]
        if np.ptp(values):
            found[name] = np.array([pearsonr(values, quality)[0] ** 2, spearmanr(values, quality)[0]])
    return found
