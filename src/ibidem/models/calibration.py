"""Calibrated confidence: marginals mapped so that of the fields with a confidence of 90 %, 90 % are right.

One logistic map per label, sigmoid(a * logit(p) + b + c * doubt), fitted on dev strings (Platt 1999). The doubt is how
improbable the labelling of the whole string is: on strings unlike the training data it is large, and marginals are too
high. One more map is for whole strings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

FloatVector = NDArray[np.float64]
Map = tuple[float, float, float]
"""The numbers a, b and c of a map."""
_EDGE = 1e-6
_FEWEST = 50  # examples of a label below which it shares the map of all labels
EVERY = "*"
WHOLE = "whole string"
"""The map of the probability of a whole labelling; no label has spaces."""


def logit(p: FloatVector) -> FloatVector:
    """Return log(p / (1 - p)), kept finite."""
    inside = np.clip(p, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(inside) - np.log1p(-inside), dtype=np.float64)


def _sigmoid(z: FloatVector) -> FloatVector:
    return np.asarray(np.exp(-np.logaddexp(0, -z)), dtype=np.float64)


def doubt_of(log_probability: FloatVector) -> FloatVector:
    """Return how much doubt there is of labellings with these log-probabilities: 0 where there is none."""
    return np.asarray(np.log1p(np.maximum(-log_probability, 0.0)), dtype=np.float64)


def _fit(p: FloatVector, right: NDArray[np.bool_], doubt: FloatVector) -> Map:
    x = np.stack([logit(p), np.ones(len(p)), doubt], axis=1)  # [M, 3]
    a, b, c = _fit_logistic(x, right, np.array([1.0, 0.0, 0.0]))
    if c > 0:  # more doubt never means more confidence
        c = 0.0
        a, b = _fit_logistic(x[:, :2], right, np.array([1.0, 0.0]))
    if a < 0:  # a larger marginal never means less confidence
        a = 0.0
        b, c = _fit_logistic(x[:, 1:], right, np.array([0.0, 0.0]))
        c = min(c, 0.0)
    return float(a), float(b), float(c)


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


def fit(labels: list[str], p: FloatVector, right: NDArray[np.bool_], doubt: FloatVector) -> dict[str, Map]:
    """Return the map of each label that has enough examples, and one for all the others.

    `p` are the marginals of predicted spans, `right` says which of them are exactly right, and `doubt` is that of the
    labelling of each span's string.
    """
    names = np.array(labels)
    maps = {EVERY: _fit(p, right, doubt)}
    for name in sorted(set(labels)):
        chosen = names == name
        if chosen.sum() >= _FEWEST:
            maps[name] = _fit(p[chosen], right[chosen], doubt[chosen])
    return maps


def fit_whole(p: FloatVector, right: NDArray[np.bool_]) -> Map:
    """Return the map of the probabilities of whole labellings, of which `right` says which are exactly right."""
    return _fit(p, right, np.zeros(len(p)))


def maps_of(maps: Mapping[str, Map], labels: Sequence[str]) -> FloatVector:
    """Return the three numbers of the map of each label.  # [M, 3]"""
    usual = maps.get(EVERY, (1.0, 0.0, 0.0))
    return np.array([maps.get(label, usual) for label in labels], dtype=np.float64).reshape(-1, 3)


def apply_maps(triples: FloatVector, p: FloatVector, doubt: FloatVector) -> FloatVector:
    """Return the confidences of spans with these maps [M, 3], marginals [M] and doubts of their strings [M]."""
    return _sigmoid(triples[:, 0] * logit(p) + triples[:, 1] + triples[:, 2] * doubt)


def calibrate(maps: Mapping[str, Map], labels: Sequence[str], p: FloatVector, doubt: FloatVector) -> FloatVector:
    """Return the confidences of spans with these labels, marginals and doubts of their strings."""
    return apply_maps(maps_of(maps, labels), p, doubt) if maps and labels else p
