"""Several runs of one experiment, summarised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Mean and sample standard deviation (n − 1) of several runs."""

    mean: float
    deviation: float


def summarise_runs(values: ArrayLike) -> RunSummary:
    """Return the mean and the standard deviation of several runs; the deviation of a single run is 0.

    >>> summarise_runs([1.0, 2.0, 3.0])
    RunSummary(mean=2.0, deviation=1.0)
    """
    runs = np.asarray(values, dtype=np.float64)
    return RunSummary(float(runs.mean()), float(runs.std(ddof=1)) if len(runs) > 1 else 0.0)
