r"""Which of several readings of a reference is best, judged by the whole of each.

A model gives the reading r the probability p(r); a judge weighs its features f(r), which see all fields at once, and
prefers

    value(r) = log p(r) + w · f(r).

The weights w are those under which the readings are worth most on average: with q(r) ∝ exp value(r) over the readings
of a string and worth(r), the F1 of r against the truth, they minimise the sum over strings of

    max worth - Σ q(r) worth(r)        plus        l2 |w|².

What a judge learns from must be as the readings will be later: made by models that have not seen the string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.reranker_features import BITS, reading_codes
from ibidem.errors import ConfigError
from ibidem.features import Lexicons
from ibidem.models.likelihood import matrix_of
from ibidem.models.optimisers import minimise
from ibidem.types import FloatArray, IntArray, Reference, Span

Reals = NDArray[np.float64]
Decoded = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Readings of one reference, the likeliest first, with the logarithm of how likely each is."""

    reference: Reference
    readings: tuple[Decoded, ...]
    chance: Reals  # [readings]

    def codes(self, lexicons: Lexicons) -> list[IntArray]:
        """The codes of the features of each reading."""
        return [reading_codes(self.reference, reading, lexicons) for reading in self.readings]


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """How a judge is trained."""

    l2: float = 0.1
    at_least: int = 2  # readings that must show a feature
    iterations: int = 80

    def __post_init__(self) -> None:
        if not 0 <= self.l2 < np.inf or self.at_least < 1 or self.iterations < 1:
            raise ConfigError(
                f"l2 is {self.l2}, at_least {self.at_least}, iterations {self.iterations}: "
                "give an l2 of 0 or more, and 1 or more for the others"
            )


@dataclass(frozen=True, slots=True)
class Reranker:
    """Weights of the features of readings, by their codes, and the lexicons that some of the features ask."""

    weights: FloatArray  # [2 ** BITS]
    lexicons: Lexicons

    def values(self, candidates: Candidates) -> Reals:
        """What each reading is worth, as a logarithm up to a constant."""
        found = [float(self.weights[codes].sum()) for codes in candidates.codes(self.lexicons)]
        return np.asarray(candidates.chance + found, dtype=np.float64)

    def best(self, candidates: Candidates) -> Decoded:
        """The reading that is worth most; the likelier of equals."""
        return candidates.readings[int(np.argmax(self.values(candidates)))]


def judge_of(
    strings: Sequence[Candidates],
    worth: Sequence[Sequence[float]],
    lexicons: Lexicons,
    config: JudgeConfig | None = None,
) -> Reranker:
    """The judge that learnt from readings and what each is worth, from 0 to 1, string by string."""
    config = config or JudgeConfig()
    sizes = np.array([len(one.readings) for one in strings], dtype=np.int64)
    if not len(sizes) or sizes.min() < 1 or [len(each) for each in worth] != sizes.tolist():
        raise ConfigError("a judge learns from strings with at least one reading each, and a worth for every reading")
    rows = [codes for one in strings for codes in one.codes(lexicons)]
    seen = np.bincount(np.concatenate(rows), minlength=1 << BITS)
    kept = np.flatnonzero(seen >= config.at_least)
    features = matrix_of(rows, 1 << BITS)[:, kept]
    chance, value = np.concatenate([one.chance for one in strings]), np.concatenate([np.asarray(w) for w in worth])
    string, first = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
    most = float(np.maximum.reduceat(value, first).sum())

    def function(weights: FloatArray) -> tuple[float, FloatArray]:
        score = chance + features @ weights
        share = np.exp(score - np.maximum.reduceat(score, first)[string])
        share /= np.add.reduceat(share, first)[string]
        mean = np.add.reduceat(share * value, first)
        slope = features.T @ (share * (mean[string] - value)) + 2 * config.l2 * weights
        return most - float(mean.sum()) + config.l2 * float(weights @ weights), slope

    weights = minimise(function, np.zeros(len(kept)), config.iterations)
    table = np.zeros(1 << BITS, dtype=np.float32)
    table[kept] = weights
    return Reranker(table, lexicons)
