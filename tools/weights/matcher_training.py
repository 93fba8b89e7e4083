"""Learning the weights of pairs: logistic regression by maximum likelihood with a Gaussian prior, as the paper has it.

The likelihood is the product over pairs that blocking proposes, each pair on its own (Wellner et al. 2004, §3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DataError
from ibidem.linking.blocking import BlockingConfig, Pairs, candidates
from ibidem.linking.comparison import ComparisonFields
from ibidem.linking.matcher import FIXED_WEIGHTS, PairwiseMatcher, compute_features, split_into_blocks
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats, Ints
from tools.weights.logistic_regression import most_likely

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairConfig:
    """How the weights are learnt."""

    penalty: float = 1.0  # of the squares of the weights: half the precision of the prior
    balance: float = 0.0  # at 1 a work counts by its references, at 0 by their pairs, which are many more
    common: int = 5  # texts that a word must be in to be kept in the background
    words: int = 20_000  # of the background that are kept, the most frequent
    smallest: float = 1e-3  # weights nearer to nothing are not kept


def train(
    views: Sequence[ComparisonFields], works: Sequence[object], config: PairConfig | None = None
) -> PairwiseMatcher:
    """The model learnt from views of which the works are known; both in the same order."""
    chosen = config or PairConfig()
    background = frequent(views, chosen)
    table = Table(views, background, len(views))
    pairs = candidates(table, BlockingConfig())
    numbers = numbered(works)
    same = numbers[pairs.left] == numbers[pairs.right]
    if not same.any() or same.all():
        raise DataError("there is nothing to learn: needed are pairs of references of one work and pairs of two works")
    names, values = matrix(table, pairs)
    weights, bias = fit(values, same, chosen, weight=balanced(numbers, pairs, chosen.balance))
    learnt = {
        name: round(float(weight), 4)
        for name, weight in zip(names, weights, strict=True)
        if abs(weight) >= chosen.smallest and name not in FIXED_WEIGHTS
    }
    return PairwiseMatcher(learnt, round(bias, 4), background, len(views))


def frequent(views: Sequence[ComparisonFields], config: PairConfig) -> dict[str, int]:
    """The words that are in many texts, with the number of these, in alphabetical order."""
    counts = Counter(word for view in views for word in set(view.text.split()))
    common = [word for word, count in counts.items() if count >= config.common and not word.isdigit()]
    return {
        word: counts[word] for word in sorted(sorted(common, key=lambda word: (-counts[word], word))[: config.words])
    }


def numbered(works: Sequence[object]) -> Ints:
    """A number for each work."""
    place = {work: number for number, work in enumerate(dict.fromkeys(works))}
    return np.array([place[work] for work in works], dtype=np.int64)


def matrix(table: Table, pairs: Pairs) -> tuple[list[str], Floats]:
    """The names and values of the features of all pairs."""
    found = [compute_features(table, block) for block in split_into_blocks(pairs)]
    return found[0][0], np.concatenate([values for _, values in found])


def balanced(works: Ints, pairs: Pairs, balance: float) -> Doubles:
    """How much each pair counts, one on average; a work with many references has very many pairs."""
    size = np.bincount(works)[works].astype(np.float64)
    weight = (size[pairs.left] * size[pairs.right]) ** (-balance / 2)
    return np.asarray(weight / weight.mean())


def fit(
    values: Floats,
    same: NDArray[np.bool_],
    config: PairConfig,
    start: Doubles | None = None,
    weight: Doubles | None = None,
) -> tuple[Doubles, float]:
    """The weights and the bias that make the pairs most likely under the prior; `start` is where to look first.

    `weight` says how much each pair counts.
    """
    counted = np.ones(len(same)) if weight is None else weight
    found = most_likely(values, same, counted, config.penalty, start)
    return found[:-1], float(found[-1])
