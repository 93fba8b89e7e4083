"""Calibrated confidence: marginals mapped so that of the fields with a confidence of 90 %, 90 % are right.

One logistic map per label, sigmoid(a * logit(p) + b), fitted on dev strings (Platt 1999).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

FloatVector = NDArray[np.float64]
_EDGE = 1e-6
_FEWEST = 50  # examples of a label below which it shares the map of all labels
EVERY = "*"


def logit(p: FloatVector) -> FloatVector:
    """Return log(p / (1 - p)), kept finite."""
    inside = np.clip(p, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(inside) - np.log1p(-inside), dtype=np.float64)


def _sigmoid(z: FloatVector) -> FloatVector:
    return np.asarray(np.exp(-np.logaddexp(0, -z)), dtype=np.float64)


def _fit(p: FloatVector, right: NDArray[np.bool_]) -> tuple[float, float]:
    x = np.stack([logit(p), np.ones(len(p))], axis=1)  # [M, 2]
    a, b = _fit_logistic(x, right, np.array([1.0, 0.0]))
    if a < 0:  # a larger marginal never means less confidence
        a, b = 0.0, _fit_logistic(x[:, 1:], right, np.array([0.0]))[0]
    return float(a), float(b)


def _fit_logistic(x: FloatVector, right: NDArray[np.bool_], prior: FloatVector) -> FloatVector:
    """Return the logistic regression of `right` on `x`, by Newton steps halved until the loss falls."""

    def cost(theta: FloatVector) -> float:
        z = x @ theta
        return float(np.logaddexp(0, z).sum() - z[right].sum() + ((theta - prior) ** 2).sum() / 2)

    theta, value = prior, cost(prior)
    for _ in range(100):
        q = _sigmoid(x @ theta)
        gradient = x.T @ (q - right) + (theta - prior)
        step = np.linalg.solve((x * (q * (1 - q))[:, None]).T @ x + np.eye(len(prior)), gradient)
        while (lower := cost(theta - step)) > value and np.abs(step).max() > 1e-12:
            step = step / 2
        if np.abs(step).max() <= 1e-9:
            break
        theta, value = theta - step, lower
    return theta


def fit(labels: list[str], p: FloatVector, right: NDArray[np.bool_]) -> dict[str, tuple[float, float]]:
    """Return the map of each label that has enough examples, and one for all the others.

    `p` are the marginals of predicted spans and `right` says which of them are exactly right.
    """
    names = np.array(labels)
    maps = {EVERY: _fit(p, right)}
    for name in sorted(set(labels)):
        chosen = names == name
        if chosen.sum() >= _FEWEST:
            maps[name] = _fit(p[chosen], right[chosen])
    return maps


def maps_of(maps: Mapping[str, tuple[float, float]], labels: Sequence[str]) -> FloatVector:
    """Return the two numbers of the map of each label.  # [M, 2]"""
    usual = maps.get(EVERY, (1.0, 0.0))
    return np.array([maps.get(label, usual) for label in labels], dtype=np.float64).reshape(-1, 2)


def apply_maps(pairs: FloatVector, p: FloatVector) -> FloatVector:
    """Return the confidences of spans with these maps [M, 2] and marginals [M]."""
    return _sigmoid(pairs[:, 0] * logit(p) + pairs[:, 1])


def calibrate(maps: Mapping[str, tuple[float, float]], labels: Sequence[str], p: FloatVector) -> FloatVector:
    """Return the confidences of spans with these labels and marginals."""
    return apply_maps(maps_of(maps, labels), p) if maps and labels else p
