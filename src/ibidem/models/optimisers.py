"""Two ways to the weights: L-BFGS over the whole corpus, AdaGrad over small batches for corpora that are large."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import MissingExtra
from ibidem.models.likelihood import Encoded, Weights, gold, loss, spread
from ibidem.types import Automaton, Credit

Report = Callable[[int, float, Weights], bool]
"""Called after each step or epoch with its number, the objective and the weights; True stops the training there."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A corpus to fit: loss + l2 * |weights|^2, over all weights or only those whose feature the corpus shows."""

    encoded: Encoded
    automaton: Automaton
    l2: float
    observed_only: bool = False
    complete: bool = True
    threads: int = 1


def lbfgs(objective: Objective, start: Weights, iterations: int, report: Report, tolerance: float = 1e-5) -> Weights:
    """The weights at the minimum of the objective, or where `report` or Ctrl-C stopped."""
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise MissingExtra("training needs scipy: pip install 'ibidem[train]'") from None
    fixed = _gold(objective, start) if objective.complete else None
    free = _observed(objective, start, fixed) if objective.observed_only and fixed is not None else None
    vector = start.flat()
    state = {"step": 0, "value": np.inf}

    def function(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        if free is None:
            whole = theta
        else:
            vector[free] = theta
            whole = vector
        value, gradient = loss(
            objective.encoded, objective.automaton, start.filled(whole), objective.threads, fixed
        )
        slope = gradient.flat()
        part = slope if free is None else slope[free]
        state["value"] = value + objective.l2 * float(theta @ theta)
        return state["value"], part + 2 * objective.l2 * theta

    best = {"theta": vector if free is None else vector[free]}

    def whole(theta: NDArray[np.float64]) -> Weights:
        if free is None:
            return start.filled(theta.copy())
        full = start.flat()
        full[free] = theta
        return start.filled(full)

    def step(theta: NDArray[np.float64]) -> None:
        best["theta"] = theta.copy()
        state["step"] += 1
        if report(int(state["step"]), state["value"], whole(theta)):
            raise StopIteration

    try:
        minimize(
            function,
            best["theta"],
            jac=True,
            method="L-BFGS-B",
            callback=step,
            options={"maxiter": iterations, "maxcor": 8, "ftol": tolerance * 1e-2, "gtol": 1e-7, "maxfun": 2 * iterations},
        )
    except (KeyboardInterrupt, StopIteration):
        pass
    return whole(best["theta"])


def _gold(objective: Objective, start: Weights) -> Credit:
    span = np.zeros((len(objective.encoded.token), objective.encoded.labels))
    return gold(objective.encoded, objective.automaton, span, start.arc * 0, objective.threads)[1]


def _observed(objective: Objective, start: Weights, fixed: Credit) -> NDArray[np.int64]:
    counts = spread(objective.encoded, start, fixed)
    return np.flatnonzero(counts.flat() > 0)


def adagrad(
    objective: Objective, start: Weights, epochs: int, batch: int, rate: float, seed: int, report: Report
) -> Weights:
    """The weights after so many passes over the corpus in random order, averaged over the last pass.

    Only the rows of weights that a batch switches on are touched, so a step costs what the batch costs.
    """
    weights = Weights(start.attribute.copy(), start.context.copy(), start.arc.copy())
    squares = Weights(*(np.full_like(part, 1e-6) for part in (weights.attribute, weights.context, weights.arc)))
    random = np.random.default_rng(seed)
    strings = len(objective.encoded.lengths)
    best = weights
    try:
        for epoch in range(epochs):
            total = 0.0
            speed = rate * (1 - epoch / epochs) ** 0.5 if epochs > 1 else rate
            order = random.permutation(strings)
            for start_at in range(0, strings, batch):
                chosen = np.sort(order[start_at : start_at + batch])
                total += _step(objective, objective.encoded.strings(chosen), weights, squares, speed, strings)
            best = Weights(weights.attribute.copy(), weights.context.copy(), weights.arc.copy())
            if report(epoch + 1, total, best):
                break
    except KeyboardInterrupt:
        pass
    return best


def _step(
    objective: Objective, part: Encoded, weights: Weights, squares: Weights, rate: float, strings: int
) -> float:
    used = np.unique(part.matrix.indices)
    contexts = np.unique(part.context)
    contexts = contexts[contexts >= 0]
    number = np.full(len(weights.context) + 1, -1, dtype=np.int32)  # the last entry stands for "no row"
    number[contexts] = np.arange(len(contexts))
    narrow = Encoded(
        part.matrix[:, used], part.token, number[part.context], part.lengths, part.allowed, part.labels
    )
    local = Weights(weights.attribute[used], weights.context[contexts], weights.arc)
    value, gradient = loss(narrow, objective.automaton, local, objective.threads)
    decay = 2 * objective.l2 * len(part.lengths) / strings
    for whole, square, rows, slope, now in (
        (weights.attribute, squares.attribute, used, gradient.attribute, local.attribute),
        (weights.context, squares.context, contexts, gradient.context, local.context),
        (weights.arc, squares.arc, slice(None), gradient.arc, local.arc),
    ):
        slope = (slope + decay * now).astype(whole.dtype)
        power = square[rows] + slope * slope
        square[rows] = power
        whole[rows] = now - rate * slope / np.sqrt(power)
    return value
