r"""A log-linear reranker of the candidate labellings of a reference (cf. Collins 2000), trained for expected F1.

A model gives labelling r the probability p(r). The reranker adds features f(r) that see all fields at once and prefers
the labelling of highest

    score(r) = log p(r) + w · f(r).

With q(r) ∝ exp score(r) over the candidates of a string, and F1(r) measured against the gold labelling, the weights w
minimise the sum over strings of

    max F1 - Σ q(r) F1(r)        plus        l2 |w|².

The candidates in training must be like those in use: found by models that were not trained on the string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.support.reranker_features import BITS, labelling_codes
from ibidem.errors import ConfigError
from ibidem.features import Lexicons
from ibidem.models.likelihood import matrix_of
from ibidem.models.optimisers import minimise
from ibidem.types import FloatArray, IntArray, Reference, Span

Reals = NDArray[np.float64]
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidate labellings of one reference, the most probable first, with their log-probabilities."""

    reference: Reference
    labellings: tuple[Spans, ...]
    log_probability: Reals  # [labellings]

    def codes(self, lexicons: Lexicons) -> list[IntArray]:
        """Return the codes of the features of each labelling."""
        return [labelling_codes(self.reference, labelling, lexicons) for labelling in self.labellings]


@dataclass(frozen=True, slots=True)
class RerankerConfig:
    """Settings of the training of a reranker."""

    l2: float = 0.1
    min_count: int = 2  # labellings that must have a feature
    iterations: int = 80

    def __post_init__(self) -> None:
        if not 0 <= self.l2 < np.inf or self.min_count < 1 or self.iterations < 1:
            raise ConfigError(
                f"l2 is {self.l2}, min_count {self.min_count}, iterations {self.iterations}: "
                "give an l2 of 0 or more, and 1 or more for the others"
            )


@dataclass(frozen=True, slots=True)
class Reranker:
    """Weights of the features of labellings, by their codes, and the lexicons of the features."""

    weights: FloatArray  # [2 ** BITS]
    lexicons: Lexicons

    def scores(self, candidates: Candidates) -> Reals:
        """Return the score of each labelling, an unnormalised log-probability."""
        found = [float(self.weights[codes].sum()) for codes in candidates.codes(self.lexicons)]
        return np.asarray(candidates.log_probability + found, dtype=np.float64)

    def best(self, candidates: Candidates) -> Spans:
        """Return the labelling with the highest score; on ties the more probable one."""
        return candidates.labellings[int(np.argmax(self.scores(candidates)))]


def train_reranker(
    strings: Sequence[Candidates],
    f1: Sequence[Sequence[float]],
    lexicons: Lexicons,
    config: RerankerConfig | None = None,
) -> Reranker:
    """Train a reranker on the candidates of strings and the F1 of each, from 0 to 1."""
    config = config or RerankerConfig()
    sizes = np.array([len(one.labellings) for one in strings], dtype=np.int64)
    if not len(sizes) or sizes.min() < 1 or [len(each) for each in f1] != sizes.tolist():
        raise ConfigError("a reranker needs strings with at least one candidate each, and the F1 of every candidate")
    rows = [codes for one in strings for codes in one.codes(lexicons)]
    seen = np.bincount(np.concatenate(rows), minlength=1 << BITS)
    kept = np.flatnonzero(seen >= config.min_count)
    features = matrix_of(rows, 1 << BITS)[:, kept]
    base = np.concatenate([one.log_probability for one in strings])
    value = np.concatenate([np.asarray(each) for each in f1])
    string, first = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
    most = float(np.maximum.reduceat(value, first).sum())

    def function(weights: FloatArray) -> tuple[float, FloatArray]:
        score = base + features @ weights
        share = np.exp(score - np.maximum.reduceat(score, first)[string])
        share /= np.add.reduceat(share, first)[string]
        mean = np.add.reduceat(share * value, first)
        gradient = features.T @ (share * (mean[string] - value)) + 2 * config.l2 * weights
        return most - float(mean.sum()) + config.l2 * float(weights @ weights), gradient

    weights: FloatArray = np.zeros(len(kept))
    weights = minimise(function, weights, config.iterations)
    table = np.zeros(1 << BITS, dtype=np.float32)
    table[kept] = weights
    return Reranker(table, lexicons)
