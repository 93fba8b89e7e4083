"""Calibration: does a confidence of 0.9 mean that 90 % of the items are correct?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class Bin:
    """Items whose confidence lies in (`low`, `high`]: count, mean confidence and accuracy."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Expected calibration error, and the bins of the reliability diagram it is computed from."""

    error: float
    bins: tuple[Bin, ...]


def measure_calibration(confidence: ArrayLike, correct: ArrayLike, *, bins: int = 10) -> Calibration:
    """Return the expected calibration error Σ (n_b / n) · |accuracy_b − confidence_b| over bins of equal width.

    Naeini et al. 2015; Guo et al. 2017. A bin holds the confidences in (low, high]; the first also holds 0. Empty bins
    are left out.

    >>> measure_calibration([0.9, 0.9, 0.3, 0.3], [True, False, False, False], bins=2).error
    0.35
    """
    sure, truth = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if sure.shape != truth.shape or sure.ndim != 1:
        raise ValueError(
            f"confidences of shape {sure.shape}, flags of shape {truth.shape}; expected one of each per item"
        )
    if len(sure) and (float(sure.min()) < 0.0 or float(sure.max()) > 1.0):
        raise ValueError(f"confidences run from {sure.min()} to {sure.max()}; expected values between 0 and 1")
    place = np.clip(np.ceil(sure * bins).astype(np.int64) - 1, 0, bins - 1)
    count = np.bincount(place, minlength=bins)
    sums = np.bincount(place, weights=sure, minlength=bins), np.bincount(place, weights=truth, minlength=bins)
    rows = tuple(
        Bin(b / bins, (b + 1) / bins, int(count[b]), float(sums[0][b] / count[b]), float(sums[1][b] / count[b]))
        for b in np.flatnonzero(count).tolist()
    )
    error = sum(row.count * abs(row.accuracy - row.confidence) for row in rows) / len(sure) if len(sure) else 0.0
    return Calibration(error, rows)
