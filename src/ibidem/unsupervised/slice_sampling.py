"""Slice sampling of one number at a time (Neal 2003): stepping out, then shrinking."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

_STEPS = 60


def slice_sample(
    log_density: Callable[[float], float], value: float, width: float, chance: np.random.Generator, low: float = 0.0
) -> float:
    """The next value of a chain whose density, up to a factor, is exp(log_density) above `low`.

    The slice is found by steps of `width` to either side, 60 at most, and then shrunk around what was drawn in vain.
    """
    height = log_density(value) - chance.exponential()
    left = value - width * chance.random()
    right = left + width
    before = int(chance.integers(_STEPS))  # how the limit of steps is shared keeps the chain invariant
    after = _STEPS - 1 - before
    while before > 0 and left > low and log_density(left) > height:
        left, before = left - width, before - 1
    while after > 0 and log_density(right) > height:
        right, after = right + width, after - 1
    left = max(left, low)
    while True:
        drawn = left + (right - left) * chance.random()
        if log_density(drawn) >= height:
            return drawn
        left, right = (drawn, right) if drawn < value else (left, drawn)
        if right - left < math.ulp(value):
            return value
