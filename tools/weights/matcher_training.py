"""Training of the pairwise matcher: logistic regression with a Gaussian prior.

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
from tools.weights.logistic_regression import fit_binary

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairConfig:
    """Settings of the training of a pairwise matcher."""

    penalty: float = 1.0  # on the squares of the weights: half the precision of the prior
    balance: float = 0.0  # at 1 a work counts by its references, at 0 by their pairs, which are many more
    min_count: int = 5  # texts that a word of the background must be in
    words: int = 20_000  # of the background, the most frequent
    prune_below: float = 1e-3  # smaller weights are left out


def train(
    views: Sequence[ComparisonFields], works: Sequence[object], config: PairConfig | None = None
) -> PairwiseMatcher:
    """Train a matcher on views of known works, both in the same order."""
    chosen = config or PairConfig()
    background = count_words(views, chosen)
    table = Table(views, background, len(views))
    pairs = candidates(table, BlockingConfig())
    numbers = number_works(works)
    same = numbers[pairs.left] == numbers[pairs.right]
    if not same.any() or same.all():
        raise DataError("nothing to train on: pairs of references to one work and pairs to two works are both needed")
    names, values = feature_matrix(table, pairs)
    weights, bias = fit(values, same, chosen, weight=pair_weights(numbers, pairs, chosen.balance))
    kept = {
        name: round(float(weight), 4)
        for name, weight in zip(names, weights, strict=True)
        if abs(weight) >= chosen.prune_below and name not in FIXED_WEIGHTS
    }
    return PairwiseMatcher(kept, round(bias, 4), background, len(views))


def count_words(views: Sequence[ComparisonFields], config: PairConfig) -> dict[str, int]:
    """Return the document frequencies of common words, in alphabetical order."""
    counts = Counter(word for view in views for word in set(view.text.split()))
    common = [word for word, count in counts.items() if count >= config.min_count and not word.isdigit()]
    return {
        word: counts[word] for word in sorted(sorted(common, key=lambda word: (-counts[word], word))[: config.words])
    }


def number_works(works: Sequence[object]) -> Ints:
    """Return a number for the work of each reference."""
    place = {work: number for number, work in enumerate(dict.fromkeys(works))}
    return np.array([place[work] for work in works], dtype=np.int64)


def feature_matrix(table: Table, pairs: Pairs) -> tuple[list[str], Floats]:
    """Return the names and values of the features of all pairs."""
    found = [compute_features(table, block) for block in split_into_blocks(pairs)]
    return found[0][0], np.concatenate([values for _, values in found])


def pair_weights(works: Ints, pairs: Pairs, balance: float) -> Doubles:
    """Return the weight of each pair, one on average; balance lowers that of works with very many pairs."""
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
    """Fit a logistic regression and return its weights and bias; `weight` is that of each pair, `start` a guess."""
    counted = np.ones(len(same)) if weight is None else weight
    found = fit_binary(values, same, counted, config.penalty, start)
    return found[:-1], float(found[-1])
