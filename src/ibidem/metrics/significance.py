"""Significance of scores: bootstrap confidence intervals and paired tests. NumPy only.

Input are the counts (true positives, predicted, gold) and the exact match of each string, as in
`ibidem.metrics.scoring.Report`. Strings, not tokens or fields, are resampled, since the fields of one string are not
independent of each other (Koehn 2004; Berg-Kirkpatrick et al. 2012).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
_BLOCK = 4_000_000  # sampled indices held in memory at once


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Ours minus theirs, its interval, and the share of samples in which ours is not better (one-sided p-value)."""

    value: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Test:
    """Statistic and two-sided p-value of a test."""

    __test__ = False  # not a test for pytest to collect

    statistic: float
    p_value: float


def bootstrap_f1(counts: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0) -> Interval:
    """Return the micro-F1 of counts `[strings, 3]` (true positives, predicted, gold) with its bootstrap interval.

    >>> interval = bootstrap_f1([[3, 4, 4], [5, 5, 5], [1, 3, 4]])
    >>> round(interval.value, 3), interval.low <= interval.value <= interval.high
    (0.72, True)
    """
    return _interval(_counts(counts), _micro_f1, level, draws, seed)


def bootstrap_accuracy(correct: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0) -> Interval:
    """Return the share of true values in `correct` `[strings]` with its bootstrap interval."""
    return _interval(_truths(correct), np.asarray, level, draws, seed)


def compare_f1(
    ours: ArrayLike, theirs: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0
) -> Difference:
    """Compare the micro-F1 of two systems on the same strings by paired bootstrap.

    Each sample holds the same strings for both systems. `ours` and `theirs` are counts `[strings, 3]`.
    """
    return _difference(_counts(ours), _counts(theirs), _micro_f1, level, draws, seed)


def compare_accuracy(
    ours: ArrayLike, theirs: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0
) -> Difference:
    """Compare the accuracy of two systems on the same strings by paired bootstrap; both `[strings]`."""
    return _difference(_truths(ours), _truths(theirs), np.asarray, level, draws, seed)


def wilcoxon(ours: ArrayLike, theirs: ArrayLike, *, exact: bool | None = None) -> Test:
    """Test paired values with the two-sided signed-rank test (Wilcoxon 1945); pairs that do not differ are dropped.

    W⁺ is the sum of the ranks of |ours − theirs| where ours is greater; the statistic is the smaller of W⁺ and W⁻. For
    up to 50 pairs without ties the p-value is exact, from the number of subsets of 1..n with each sum; otherwise normal
    with mean n(n+1)/4 and variance n(n+1)(2n+1)/24 − Σ(t³−t)/48 over the groups of t equal differences.

    >>> wilcoxon([5, 7, 9, 6], [4, 5, 6, 2])
    Test(statistic=0.0, p_value=0.125)
    """
    difference = np.asarray(ours, dtype=np.float64) - np.asarray(theirs, dtype=np.float64)
    dropped = int((difference == 0).sum())
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
        exact = size <= 50 and not tied and not dropped
    if exact:
        if tied:
            raise ValueError("an exact Wilcoxon test needs differences without ties; leave `exact` out")
        ways = _ways_to_sum(size)
        return Test(statistic, min(1.0, 2 * float(ways[: int(statistic) + 1].sum()) / 2.0**size))
    variance = size * (size + 1) * (2 * size + 1) / 24 - float((sizes.astype(np.float64) ** 3 - sizes).sum()) / 48
    z = (statistic - size * (size + 1) / 4) / math.sqrt(variance)
    return Test(statistic, min(1.0, math.erfc(abs(z) / math.sqrt(2))))


def mcnemar(ours: ArrayLike, theirs: ArrayLike) -> Test:
    """Test which of two systems is correct more often on the same strings (McNemar 1947, exact, two-sided).

    Of the n strings on which exactly one system is correct, the number on which it is ours (the statistic) is
    binomial(n, ½) if the two are equally good.

    >>> mcnemar([True, True, True, True, False], [False, False, False, True, False])
    Test(statistic=3.0, p_value=0.25)
    """
    mine, yours = _truths(ours) > 0, _truths(theirs) > 0
    _check_same_length(mine, yours)
    only_mine, only_yours = int((mine & ~yours).sum()), int((yours & ~mine).sum())
    total, fewer = only_mine + only_yours, min(only_mine, only_yours)
    tail = sum(math.comb(total, k) for k in range(fewer + 1))
    return Test(float(only_mine), min(1.0, 2 * tail / 2**total))


def _interval(items: Floats, value: Callable[[Floats], Floats], level: float, draws: int, seed: int) -> Interval:
    if len(items) == 0:
        return Interval(0.0, 0.0, 0.0)
    (drawn,) = _bootstrap((items,), value, draws, seed)
    low, high = _ends(drawn, level)
    return Interval(_point_estimate(items, value), low, high)


def _difference(
    ours: Floats, theirs: Floats, value: Callable[[Floats], Floats], level: float, draws: int, seed: int
) -> Difference:
    _check_same_length(ours, theirs)
    if len(ours) == 0:
        return Difference(0.0, 0.0, 0.0, 1.0)
    mine, yours = _bootstrap((ours, theirs), value, draws, seed)
    low, high = _ends(mine - yours, level)
    not_better = float((mine <= yours).mean())
    return Difference(_point_estimate(ours, value) - _point_estimate(theirs, value), low, high, not_better)


def _bootstrap(
    systems: tuple[Floats, ...], value: Callable[[Floats], Floats], draws: int, seed: int
) -> tuple[Floats, ...]:
    """Return the value of each system in each of `draws` samples of the strings, the same samples for all systems.

    A sample is stored as the number of times each string was drawn, so that its counts are one matrix product.
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


def _point_estimate(items: Floats, value: Callable[[Floats], Floats]) -> float:
    return float(value(items.mean(axis=0)[None])[0])


def _micro_f1(sums: Floats) -> Floats:
    """Return 2 · TP / (predicted + gold) of each row `[rows, 3]`."""
    total = sums[:, 1] + sums[:, 2]
    return np.divide(2 * sums[:, 0], total, out=np.zeros_like(total), where=total > 0)


def _ends(drawn: Floats, level: float) -> tuple[float, float]:
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level}; expected a share between 0 and 1 such as 0.95")
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _counts(counts: ArrayLike) -> Floats:
    array = np.asarray(counts, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"counts have the shape {array.shape}; expected [strings, 3]: true positives, predicted, gold")
    return array


def _truths(flags: ArrayLike) -> Floats:
    array = np.asarray(flags, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"the correct/incorrect flags have the shape {array.shape}; expected one per string")
    return array


def _check_same_length(one: NDArray[np.generic], other: NDArray[np.generic]) -> None:
    if len(one) != len(other):
        raise ValueError(
            f"{len(one)} values on one side and {len(other)} on the other; a paired test needs the same strings"
        )


def _ways_to_sum(size: int) -> Floats:
    """Count the subsets of 1..size with each sum `[size·(size+1)/2 + 1]`."""
    ways = np.zeros(size * (size + 1) // 2 + 1)
    ways[0] = 1.0
    for number in range(1, size + 1):
        ways[number:] = ways[number:] + ways[: len(ways) - number]
    return ways
