"""Confidence that means what it says: marginals mapped so that of the answers given at 90 %, 90 % are right.

One logistic map per label, sigmoid(a * logit(p) + b), fitted on held-out strings (Platt 1999).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

FloatVector = NDArray[np.float64]
_EDGE = 1e-6
_FEWEST = 50  # examples of a label below which it shares the map of all labels
EVERY = "*"


def logit(p: FloatVector) -> FloatVector:
    """log(p / (1 - p)), kept finite."""
    inside = np.clip(p, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(inside) - np.log1p(-inside), dtype=np.float64)


def _fit(p: FloatVector, right: NDArray[np.bool_]) -> tuple[float, float]:
    x = np.stack([logit(p), np.ones(len(p))], axis=1)  # [M, 2]
    theta = np.array([1.0, 0.0])
    prior = np.array([1.0, 0.0])
    for _ in range(50):
        q = 1 / (1 + np.exp(-(x @ theta)))
        slope = x.T @ (q - right) + (theta - prior)
        curve = (x * (q * (1 - q))[:, None]).T @ x + np.eye(2)
        step = np.linalg.solve(curve, slope)
        theta = theta - step
        if np.abs(step).max() < 1e-9:
            break
    return float(theta[0]), float(theta[1])


def fit(labels: list[str], p: FloatVector, right: NDArray[np.bool_]) -> dict[str, tuple[float, float]]:
    """The map of each label that has enough examples, and one for all the others.

    `p` are the marginals of predicted spans and `right` says which of them are exactly right.
    """
    names = np.array(labels)
    maps = {EVERY: _fit(p, right)}
    for name in sorted(set(labels)):
        chosen = names == name
        if chosen.sum() >= _FEWEST:
            maps[name] = _fit(p[chosen], right[chosen])
    return maps


def calibrated(maps: Mapping[str, tuple[float, float]], labels: list[str], p: FloatVector) -> FloatVector:
    """The confidences of spans with these labels and marginals."""
    if not maps or not labels:
        return p
    usual = maps.get(EVERY, (1.0, 0.0))
    pairs = np.array([maps.get(label, usual) for label in labels])
    return np.asarray(1 / (1 + np.exp(-(pairs[:, 0] * logit(p) + pairs[:, 1]))), dtype=np.float64)
