"""How sure one may be of a score: bootstrap intervals, paired tests and calibration. NumPy only.

Everything works on what `ibidem.metrics.scoring.Report` keeps per string: its counts (right, predicted, true) and
whether it is right as a whole. Strings, not tokens or fields, are resampled, since the fields of one string are not
independent of each other (Koehn 2004; Berg-Kirkpatrick et al. 2012).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
_BLOCK = 4_000_000  # drawn places held in memory at once


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with the ends of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Ours minus theirs, with its interval and the share of draws in which we are not better (one-sided p)."""

    value: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Test:
    """A test's statistic and its two-sided p-value."""

    __test__ = False  # not one of pytest's

    statistic: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Items whose confidence lies in `low`–`high`: how many, how sure on average, and how often right."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The expected calibration error and the bins of the reliability diagram it is computed from."""

    error: float
    bins: tuple[Bin, ...]


def f1_interval(counts: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0) -> Interval:
    """The micro-F1 of per-string counts `[strings, 3]` (right, predicted, true) with its bootstrap interval.

    >>> interval = f1_interval([[3, 4, 4], [5, 5, 5], [1, 3, 4]])
    >>> round(interval.value, 3), interval.low <= interval.value <= interval.high
    (0.72, True)
    """
    return _interval(_counts(counts), _micro_f1, level, draws, seed)


def accuracy_interval(right: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0) -> Interval:
    """The share of true values in `right` `[strings]` with its bootstrap interval."""
    return _interval(_truths(right), _mean, level, draws, seed)


def f1_difference(
    ours: ArrayLike, theirs: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0
) -> Difference:
    """The difference in micro-F1 of two systems on the same strings, by paired bootstrap.

    Each draw takes the same strings for both systems. `ours` and `theirs` are counts `[strings, 3]`.
    """
    return _difference(_counts(ours), _counts(theirs), _micro_f1, level, draws, seed)


def accuracy_difference(
    ours: ArrayLike, theirs: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0
) -> Difference:
    """The difference in accuracy of two systems on the same strings, by paired bootstrap; both `[strings]`."""
    return _difference(_truths(ours), _truths(theirs), _mean, level, draws, seed)


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of several runs and their standard deviation (of the sample: n − 1)."""

    mean: float
    deviation: float


def spread(values: ArrayLike) -> Spread:
    """The mean and the standard deviation of the values of several runs; of one run the deviation is 0.

    >>> spread([1.0, 2.0, 3.0])
    Spread(mean=2.0, deviation=1.0)
    """
    runs = np.asarray(values, dtype=np.float64)
    return Spread(float(runs.mean()), float(runs.std(ddof=1)) if len(runs) > 1 else 0.0)


def wilcoxon(ours: ArrayLike, theirs: ArrayLike, *, exact: bool | None = None) -> Test:
    """The signed-rank test of paired values (Wilcoxon 1945), two-sided; pairs without a difference are set aside.

    W⁺ is the sum of the ranks of |ours − theirs| where ours is greater; the statistic is the smaller of W⁺ and W⁻. For
    up to 50 pairs without ties the p-value is exact, from the number of subsets of 1..n with each sum; otherwise normal
    with mean n(n+1)/4 and variance n(n+1)(2n+1)/24 − Σ(t³−t)/48 over the groups of t equal differences.

    >>> wilcoxon([5, 7, 9, 6], [4, 5, 6, 2])
    Test(statistic=0.0, p_value=0.125)
    """
    difference = np.asarray(ours, dtype=np.float64) - np.asarray(theirs, dtype=np.float64)
    left_out = int((difference == 0).sum())
    difference = difference[difference != 0]
    size = len(difference)
    if size == 0:
        return Test(0.0, 1.0)
    _, group, sizes = np.unique(np.abs(difference), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[group]  # ties share the mean of their ranks
    above = float(ranks[difference > 0].sum())
    statistic = min(above, size * (size + 1) / 2 - above)
    tied = bool((sizes > 1).any())
    if exact is None:
        exact = size <= 50 and not tied and not left_out
    if exact:
        if tied:
            raise ValueError("an exact Wilcoxon test needs differences without ties; leave `exact` out")
        ways = _ways_to_sum(size)
        return Test(statistic, min(1.0, 2 * float(ways[: int(statistic) + 1].sum()) / 2.0**size))
    variance = size * (size + 1) * (2 * size + 1) / 24 - float((sizes.astype(np.float64) ** 3 - sizes).sum()) / 48
    z = (statistic - size * (size + 1) / 4) / math.sqrt(variance)
    return Test(statistic, min(1.0, math.erfc(abs(z) / math.sqrt(2))))


def mcnemar(ours: ArrayLike, theirs: ArrayLike) -> Test:
    """The exact McNemar test of two systems' right/wrong answers on the same strings, two-sided.

    Of the n strings on which exactly one system is right, the number on which it is ours (the statistic) is
    binomial(n, ½) if the two are equally good.

    >>> mcnemar([True, True, True, True, False], [False, False, False, True, False])
    Test(statistic=3.0, p_value=0.25)
    """
    mine, yours = _truths(ours) > 0, _truths(theirs) > 0
    _same_length(mine, yours)
    only_mine, only_yours = int((mine & ~yours).sum()), int((yours & ~mine).sum())
    total, fewer = only_mine + only_yours, min(only_mine, only_yours)
    tail = sum(math.comb(total, k) for k in range(fewer + 1))
    return Test(float(only_mine), min(1.0, 2 * tail / 2**total))


def calibration(confidence: ArrayLike, right: ArrayLike, *, bins: int = 10) -> Calibration:
    """The expected calibration error Σ (n_b / n) · |accuracy_b − confidence_b| over equally wide bins, and the bins.

    Naeini et al. 2015; Guo et al. 2017. A bin holds the confidences in (low, high], the first one 0 as well. Empty bins
    are left out.

    >>> calibration([0.9, 0.9, 0.3, 0.3], [True, False, False, False], bins=2).error
    0.35
    """
    sure, truth = np.asarray(confidence, dtype=np.float64), _truths(right)
    _same_length(sure, truth)
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


def _interval(items: Floats, value: Callable[[Floats], Floats], level: float, draws: int, seed: int) -> Interval:
    if len(items) == 0:
        return Interval(0.0, 0.0, 0.0)
    (drawn,) = _bootstrap((items,), value, draws, seed)
    low, high = _ends(drawn, level)
    return Interval(_whole(items, value), low, high)


def _difference(
    ours: Floats, theirs: Floats, value: Callable[[Floats], Floats], level: float, draws: int, seed: int
) -> Difference:
    _same_length(ours, theirs)
    if len(ours) == 0:
        return Difference(0.0, 0.0, 0.0, 1.0)
    mine, yours = _bootstrap((ours, theirs), value, draws, seed)
    low, high = _ends(mine - yours, level)
    not_better = float((mine <= yours).mean())
    return Difference(_whole(ours, value) - _whole(theirs, value), low, high, not_better)


def _bootstrap(
    systems: tuple[Floats, ...], value: Callable[[Floats], Floats], draws: int, seed: int
) -> tuple[Floats, ...]:
    """The value of each system in each of `draws` samples of the strings, the same samples for all systems.

    A sample is held as how often each string was drawn, so that its counts are one product of matrices.
    """
    strings = len(systems[0])
    generator = np.random.default_rng(seed)
    blocks: list[list[Floats]] = [[] for _ in systems]
    for first in range(0, draws, max(1, _BLOCK // strings)):
        rows = min(max(1, _BLOCK // strings), draws - first)
        places = generator.integers(0, strings, size=(rows, strings)) + strings * np.arange(rows)[:, None]
        times = np.bincount(places.ravel(), minlength=rows * strings).reshape(rows, strings)  # [rows, strings]
        for block, items in zip(blocks, systems, strict=True):
            block.append(value(times @ items / strings))
    return tuple(np.concatenate(block) for block in blocks)


def _whole(items: Floats, value: Callable[[Floats], Floats]) -> float:
    return float(value(items.mean(axis=0)[None])[0])


def _micro_f1(sums: Floats) -> Floats:
    """2 · right / (predicted + true) of each row `[rows, 3]`."""
    total = sums[:, 1] + sums[:, 2]
    return np.divide(2 * sums[:, 0], total, out=np.zeros_like(total), where=total > 0)


def _mean(sums: Floats) -> Floats:
    return sums


def _ends(drawn: Floats, level: float) -> tuple[float, float]:
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level}; expected a share between 0 and 1 such as 0.95")
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _counts(counts: ArrayLike) -> Floats:
    array = np.asarray(counts, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"counts have the shape {array.shape}; expected [strings, 3]: right, predicted, true")
    return array


def _truths(right: ArrayLike) -> Floats:
    array = np.asarray(right, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"right/wrong answers have the shape {array.shape}; expected one per string")
    return array


def _same_length(one: NDArray[np.generic], other: NDArray[np.generic]) -> None:
    if len(one) != len(other):
        raise ValueError(
            f"{len(one)} values on one side and {len(other)} on the other; a paired test needs the same strings"
        )


def _ways_to_sum(size: int) -> Floats:
    """How many subsets of 1..size have each sum `[size·(size+1)/2 + 1]`."""
    ways = np.zeros(size * (size + 1) // 2 + 1)
    ways[0] = 1.0
    for number in range(1, size + 1):
        ways[number:] = ways[number:] + ways[: len(ways) - number]
    return ways
