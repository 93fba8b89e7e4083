"""Logistic regression under a Gaussian prior: binary, multinomial, and conditional on a set of choices.

The binary one has hundreds of dense features and many thousands of rows: a Newton step costs little more than a pass
over the rows, and a handful of steps reach what L-BFGS comes near to in hundreds. The other two use L-BFGS: the
multinomial one has too many weights for a Hessian, the conditional one few rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import MissingExtra
from ibidem.linking.vectors import Floats

Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

_STEPS = 40
_CERTAIN = 1e-3
_CLOSE = 1e-4  # relative decrease of the loss below which a step is the last


def fit_binary(
    values: Floats, positive: NDArray[np.bool_], weight: Doubles, penalty: float, start: Doubles | None = None
) -> Doubles:
    """Return the weights of the features and, last, the bias, by Newton's method; `weight` is that of each row.

    The bias has almost no prior. A step that would increase the loss is halved until it does not.
    """
    rows = np.hstack([values, np.ones((len(values), 1), dtype=np.float32)])
    prior = np.full(rows.shape[1], 2 * penalty)
    prior[-1] = 1e-6
    sign = np.where(positive, 1.0, -1.0)

    def loss(at: Doubles) -> tuple[float, Doubles]:
        scores = (rows @ at.astype(np.float32)).astype(np.float64)
        return float((weight * np.logaddexp(0.0, -sign * scores)).sum() + 0.5 * (prior * at * at).sum()), scores

    found = np.zeros(rows.shape[1]) if start is None else start.copy()
    value, scores = loss(found)
    for _ in range(_STEPS):
        probability = np.exp(-np.logaddexp(0.0, -scores))
        gradient = rows.T @ (weight * (probability - positive)).astype(np.float32) + prior * found
        step = np.linalg.solve(_hessian(rows, weight * probability * (1 - probability), prior), gradient)
        size = 1.0
        after, later = loss(found - step)
        while after > value and size > 1e-4:
            size /= 2
            after, later = loss(found - size * step)
        if after > value:
            break
        found, gained, value, scores = found - size * step, value - after, after, later
        if gained < _CLOSE * max(1.0, value):
            break
    return found


def _hessian(rows: Floats, curvature: Doubles, prior: Doubles) -> Doubles:
    """The Hessian of the loss; rows that are beyond doubt, which are most, contribute nothing and are skipped."""
    unsure = curvature > _CERTAIN
    scaled = rows[unsure] * np.sqrt(curvature[unsure]).astype(np.float32)[:, None]
    hessian: Doubles = (scaled.T @ scaled).astype(np.float64) + np.diag(prior)
    return hessian


def fit_multinomial(rows: Sequence[Sequence[int]], features: int, classes: Ints, penalty: float) -> Doubles:
    """Return the weights of binary features, given by number in each row.  # [features, classes]"""
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0, *map(len, rows)])
    x = csr_matrix((np.ones(ends[-1]), np.concatenate([np.array(row, dtype=np.int64) for row in rows]), ends))
    x.resize((len(rows), features))
    shape, every = (features, int(classes.max()) + 1), np.arange(len(classes))

    def objective(flat: Doubles) -> tuple[float, Doubles]:
        weights = flat.reshape(shape)
        scores = x @ weights
        scores -= scores.max(axis=1, keepdims=True)
        probability = np.exp(scores)
        total = probability.sum(axis=1, keepdims=True)
        value = float(np.log(total).sum() - scores[every, classes].sum() + penalty / 2 * (weights**2).sum())
        probability /= total
        probability[every, classes] -= 1
        return value, (x.T @ probability + penalty * weights).ravel()

    return minimise(objective, np.zeros(shape[0] * shape[1]), iterations=100).reshape(shape)


@dataclass(frozen=True, slots=True)
class Choice:
    """Features of the alternatives of one choice, the index of the right one, and the weight of the choice."""

    rows: Doubles  # [alternatives, features]
    right: int
    weight: float


def fit_choices(choices: Sequence[Choice], mean: Doubles, penalty: float) -> Doubles:
    """Return the weights that make the right choices most probable (conditional logit); `mean` is that of the prior."""
    rows = np.concatenate([choice.rows for choice in choices])
    sizes = np.array([len(choice.rows) for choice in choices])
    starts = np.cumsum(sizes) - sizes
    right = starts + np.array([choice.right for choice in choices])
    weight = np.array([choice.weight for choice in choices])

    def objective(flat: Doubles) -> tuple[float, Doubles]:
        scores = rows @ flat
        top = np.maximum.reduceat(scores, starts)
        shares = np.exp(scores - np.repeat(top, sizes))
        total = np.add.reduceat(shares, starts)
        loss = float((weight * (top + np.log(total) - scores[right])).sum())
        residual = np.repeat(weight / total, sizes) * shares
        residual[right] -= weight
        away = flat - mean
        return loss + penalty * float(away @ away), rows.T @ residual + 2 * penalty * away

    return minimise(objective, mean, iterations=300)


def minimise(objective: Callable[[Doubles], tuple[float, Doubles]], start: Doubles, iterations: int) -> Doubles:
    """Return the minimum of a function with its gradient, by L-BFGS."""
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise MissingExtra("training needs scipy: pip install 'ibidem[train]'") from None
    found: Doubles = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": iterations}).x
    return found
