"""Two optimisers: L-BFGS over the whole corpus, AdaGrad over small batches for large corpora."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.models.likelihood import Encoded, Lattice, Mask, Weights, loss
from ibidem.types import ExpectedCounts, FloatArray

Vector = FloatArray
Function = Callable[[Vector], tuple[float, Vector]]
Report = Callable[[int, float, Weights], bool]
"""Called after each step or epoch with its number, the objective and the weights; True stops the training there."""

_SHRINK_EVERY = 1 / 8  # of a pass: how often the l1 term is applied
_ROWS = 4096  # rows handled at once
_MEMORY = 8  # pairs of steps and gradients that L-BFGS keeps


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective of a corpus: loss + l2 * |weights|^2, over all weights or only those that are `free`.

    AdaGrad adds l1 * |weights| (arcs excepted), which leaves most weights at zero and so makes models small.
    """

    encoded: Encoded
    lattice: Lattice
    l2: float
    free: Mask | None = None  # those that are trained; None for all
    complete: bool = True
    threads: int = 1
    l1: float = 0.0


def lbfgs(objective: Objective, start: Weights, iterations: int, report: Report, tolerance: float = 1e-5) -> Weights:
    """Return the weights at the minimum of the objective, or those where `report` or Ctrl-C stopped the training.

    It stops when ten steps have not lowered the objective by the share `tolerance`.
    """
    fixed = _gold_counts(objective, start) if objective.complete else None
    free = (
        slice(None) if objective.free is None else np.flatnonzero(np.concatenate([x.ravel() for x in objective.free]))
    )
    whole, latest, values = start.flat(), start, list[float]()

    def weights(theta: Vector) -> Weights:
        full = whole.copy()
        full[free] = theta
        return start.filled(full)

    def function(theta: Vector) -> tuple[float, Vector]:
        value, by_weight = loss(objective.encoded, objective.lattice, weights(theta), objective.threads, fixed)
        gradient = by_weight.flat()[free]
        gradient += 2 * objective.l2 * theta
        return value + objective.l2 * float(theta @ theta), gradient

    def stop(value: float, theta: Vector) -> bool:
        nonlocal latest
        latest = weights(theta)
        values.append(value)
        if report(len(values), value, latest):
            return True
        return len(values) > 10 and values[-11] - value < tolerance * abs(value)

    with contextlib.suppress(KeyboardInterrupt):
        minimise(function, whole[free], iterations, stop)
    return latest


def minimise(
    function: Function, start: Vector, iterations: int, stop: Callable[[float, Vector], bool] = lambda *_: False
) -> Vector:
    """Return where L-BFGS (Liu and Nocedal 1989) ends; `stop` takes value and place after each step, True ends it."""
    from scipy.optimize import OptimizeResult, minimize

    def callback(intermediate_result: OptimizeResult) -> None:
        if stop(float(intermediate_result.fun), intermediate_result.x.copy()):
            raise StopIteration

    # The tolerances are those of `stop`; a step may take several evaluations.
    options = {"maxiter": iterations, "maxfun": 20 * iterations, "maxcor": _MEMORY, "ftol": 0.0, "gtol": 0.0}
    found = minimize(function, start, jac=True, method="L-BFGS-B", callback=callback, options=options)
    return np.asarray(found.x)


def _gold_counts(objective: Objective, start: Weights) -> ExpectedCounts:
    token = np.zeros((len(objective.encoded.token), objective.lattice.columns))
    nothing = start.filled(np.zeros(len(start.flat())))
    return objective.lattice.within(objective.encoded, token, nothing, objective.threads)[1]


@dataclass(frozen=True, slots=True)
class AdaGradConfig:
    """Settings of AdaGrad: passes, strings in a step, size of the steps, feature dropout and seed.

    `feature_dropout` is the share of features that a step does not see (Wager 2013): it keeps the weights from relying
    on few features, as they otherwise do where the data are small or of one kind. `first_square` is what the sums of
    squared gradients begin with: where it is small, the first steps are as large as the learning rate whatever the
    gradient, which would undo weights that were trained before.
    """

    epochs: int = 5
    batch: int = 256
    learning_rate: float = 0.1
    feature_dropout: float = 0.0
    seed: int = 1
    first_square: float = 1e-6


def adagrad(objective: Objective, start: Weights, config: AdaGradConfig, report: Report) -> Weights:
    """Return the weights after several passes over the corpus in random order, in shrinking steps (Duchi 2011).

    The result is the mean of the weights at the ends of the later half of the passes (Polyak 1992). Only the rows
    of weights that a batch uses are touched, so a step costs what the batch costs.
    """
    weights = Weights(*(part.copy() for part in start.parts()))
    squares = Weights(*(np.full_like(part, config.first_square) for part in start.parts()))
    random = np.random.default_rng(config.seed)
    strings = len(objective.encoded.lengths)
    best, taken = weights, 0
    try:
        for epoch in range(config.epochs):
            total = 0.0
            step_size = config.learning_rate * (1 - epoch / config.epochs) ** 0.5
            order = random.permutation(strings)
            owed = 0.0  # share of the pass since the l1 term was last applied
            for start_at in range(0, strings, config.batch):
                chosen = np.sort(order[start_at : start_at + config.batch])
                part, share = objective.encoded.strings(chosen), len(chosen) / strings
                total += _step(objective, part, weights, squares, step_size, share, config.feature_dropout, random)
                owed += share
                if objective.l1 and (owed >= _SHRINK_EVERY or start_at + config.batch >= strings):
                    _shrink(weights, squares, step_size * objective.l1 * owed)
                    owed = 0.0
            taken = taken + 1 if epoch + 1 > (config.epochs + 1) // 2 else 1
            best = _mean(best, weights, taken)
            if report(epoch + 1, total, best):
                break
    except KeyboardInterrupt:
        pass
    return best


def _shrink(weights: Weights, squares: Weights, amount: float) -> None:
    """Apply the proximal step of the l1 term to all rows at once, a few times a pass instead of at every step."""
    for whole, square in ((weights.attribute, squares.attribute), (weights.context, squares.context)):
        for start in range(0, len(whole), _ROWS):
            rows = slice(start, start + _ROWS)
            size = np.maximum(np.abs(whole[rows]) - amount / np.sqrt(square[rows]), 0)
            whole[rows] = np.copysign(size, whole[rows])


def _mean(mean: Weights, weights: Weights, count: int) -> Weights:
    """Return the mean of `count` weights, given the mean of all but the last."""
    if count == 1:
        return Weights(*(part.copy() for part in weights.parts()))
    found = [part * (1 - 1 / count) for part in mean.parts()]
    for part, new in zip(found, weights.parts(), strict=True):
        part += new / count
    return Weights(*found)


@dataclass(frozen=True, slots=True)
class ActiveFeatures:
    """A part of a corpus with only the rows of weights that it uses, renumbered."""

    part: Encoded
    weights: Weights
    attributes: NDArray[np.int64]  # the rows of attributes among all
    contexts: NDArray[np.int64]
    scale: np.floating[Any]  # what makes up for feature_dropout; attributes of the part have it, rows of context do not

    def rescaled(self) -> Weights:
        """Return the weights with which the part scores as much, on average, as without dropout."""
        return replace(self.weights, context=self.weights.context * self.scale)


def activate(part: Encoded, weights: Weights, feature_dropout: float, random: np.random.Generator) -> ActiveFeatures:
    """Return the part with the weights it needs, without a random share of its features if there is dropout."""
    used = np.unique(part.matrix.indices)
    switched = np.zeros(len(weights.context) + 1, dtype=np.bool_)  # the last entry stands for "no row"
    switched[part.context] = True
    contexts = np.flatnonzero(switched[:-1])
    number = np.full(len(weights.context) + 1, -1, dtype=np.int32)
    number[contexts] = np.arange(len(contexts))
    matrix, context = part.matrix[:, used], number[part.context]
    scale = weights.context.dtype.type(1 / (1 - feature_dropout))
    if feature_dropout:
        matrix.data = matrix.data * (random.random(len(matrix.data)) >= feature_dropout) * scale
        context[random.random(context.shape, dtype=np.float32) < feature_dropout] = -1
    local = Weights(weights.attribute[used], weights.context[contexts], weights.arc, weights.segment)
    return ActiveFeatures(replace(part, matrix=matrix, context=context), local, used, contexts, scale)


def _step(
    objective: Objective,
    part: Encoded,
    weights: Weights,
    squares: Weights,
    learning_rate: float,
    share: float,
    feature_dropout: float,
    random: np.random.Generator,
) -> float:
    """Move the weights that a part of the corpus uses, and return its loss."""
    on = activate(part, weights, feature_dropout, random)
    local, scale = on.weights, on.scale
    segments = (len(weights.segment), 1)
    seen = (random.random(segments) >= feature_dropout) * scale if feature_dropout else scale  # row by row
    dropped_out = replace(on.rescaled(), segment=(local.segment * seen).astype(scale.dtype))
    value, gradient = loss(on.part, objective.lattice, dropped_out, objective.threads)
    decay = 2 * objective.l2 * share
    free = objective.free or (None,) * len(weights.parts())
    for whole, square, rows, gradient_rows, now, moved in zip(
        weights.parts(),
        squares.parts(),
        (on.attributes, on.contexts, slice(None), slice(None)),
        (gradient.attribute, gradient.context * scale, gradient.arc, gradient.segment * seen),
        local.parts(),
        free,
        strict=True,
    ):
        step = (gradient_rows + decay * now).astype(whole.dtype)
        if moved is not None:
            step *= moved[rows]
        power = square[rows] + step * step
        square[rows] = power
        whole[rows] = now - learning_rate * step / np.sqrt(power)
    return value
