"""The columns of span scores: one for each label, one for each longer pattern with features of the observation.

A feature f_i(x, s, t) = g_i(x, u, v) counts where the labels of the segments up to the t-th end with its pattern z_i
(Cuong and others 2015, section 2). The patterns that end the labels so far are all suffixes of the longest of them, so
a column for each pattern is enough: its score is the sum of the scores of its suffixes, from the label alone upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ibidem.models.rows import WIDEST
from ibidem.types import FloatArray, IntArray

Pattern = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """C columns of span scores: those of the Y labels, then those of patterns, the shorter ones first."""

    label: IntArray  # [C] the label of the segment
    suffix: IntArray  # [C] the column of the longest shorter pattern that ends with it, -1 for those of labels

    @property
    def labels(self) -> int:
        """Number of labels."""
        return int((self.suffix < 0).sum())

    def add_suffixes(self, scores: FloatArray) -> FloatArray:
        """Return the scores of spans of each column, given those of its own features alone.  # [..., C]"""
        if self.labels == len(self.suffix):
            return scores
        total = scores.copy()
        for column in range(self.labels, len(self.suffix)):  # the shorter pattern's total is there already
            total[..., column] += total[..., self.suffix[column]]
        return total

    def share_with_suffixes(self, counts: FloatArray) -> FloatArray:
        """Return how often the features of each column count, given how often its spans do.  # [..., C]

        This is the transpose of `add_suffixes`.
        """
        if self.labels == len(self.suffix):
            return counts
        total = counts.copy()
        for column in range(len(self.suffix) - 1, self.labels - 1, -1):
            total[..., self.suffix[column]] += total[..., column]
        return total


def columns_of(labels: int, patterns: Sequence[Pattern]) -> tuple[Columns, dict[Pattern, int]]:
    """Return the columns of so many labels and of patterns of two labels or more, and the number of each."""
    longer = sorted(set(patterns), key=lambda pattern: (len(pattern), pattern))
    number: dict[Pattern, int] = {(y,): y for y in range(labels)}
    number |= {pattern: labels + place for place, pattern in enumerate(longer)}
    suffix = [longest_suffix(pattern[1:], number) if len(pattern) > 1 else -1 for pattern in number]
    last = [pattern[-1] for pattern in number]
    return Columns(np.array(last, dtype=np.int32), np.array(suffix, dtype=np.int32)), number


def longest_suffix(labels: Pattern, number: dict[Pattern, int]) -> int:
    """Return the column of the longest pattern that these labels end with."""
    return next(number[labels[n:]] for n in range(len(labels)) if labels[n:] in number)


def load_columns(labels: int, suffix: IntArray) -> Columns:
    """Return the columns of so many labels and of the patterns in a file; a `ValueError` says what does not fit."""
    if labels + len(suffix) > WIDEST:
        raise ValueError(f"{labels} labels and {len(suffix)} patterns make no model")
    own = np.arange(labels, labels + len(suffix), dtype=np.int32)
    if np.any(suffix < 0) or np.any(suffix >= own):
        raise ValueError("the columns of its patterns are out of order")
    label = np.arange(labels + len(suffix), dtype=np.int32)
    for column, shorter in zip(own, suffix, strict=True):
        label[column] = label[shorter]
    return Columns(label, np.concatenate([np.full(labels, -1, dtype=np.int32), suffix]))
