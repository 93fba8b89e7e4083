"""Two ways to the weights: L-BFGS over the whole corpus, AdaGrad over small batches for corpora that are large."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.models.likelihood import Encoded, Lattice, Tally, Weights, loss, spread
from ibidem.types import FloatArray

Vector = FloatArray
Function = Callable[[Vector], tuple[float, Vector]]
Report = Callable[[int, float, Weights], bool]
"""Called after each step or epoch with its number, the objective and the weights; True stops the training there."""

_OFTEN = 1 / 8  # of a pass: how often weights are drawn to zero
_ROWS = 4096  # rows handled at once


@dataclass(frozen=True, slots=True)
class Objective:
    """A corpus to fit: loss + l2 * |weights|^2, over all weights or only those whose feature the corpus shows.

    AdaGrad adds l1 * |weights| (arcs excepted), which leaves most weights at zero and so makes models small.
    """

    encoded: Encoded
    lattice: Lattice
    l2: float
    observed_only: bool = False
    complete: bool = True
    threads: int = 1
    l1: float = 0.0


def lbfgs(objective: Objective, start: Weights, iterations: int, report: Report, tolerance: float = 1e-5) -> Weights:
    """The weights at the minimum of the objective, or where `report` or Ctrl-C stopped.

    Stops when ten steps have not lowered the objective by the share `tolerance`.
    """
    fixed = _gold(objective, start) if objective.complete else None
    free = _observed(objective, start, fixed) if objective.observed_only and fixed is not None else None
    whole = start.flat()

    def weights(theta: Vector) -> Weights:
        if free is None:
            return start.filled(theta)
        full = whole.copy()
        full[free] = theta
        return start.filled(full)

    def function(theta: Vector) -> tuple[float, Vector]:
        value, gradient = loss(objective.encoded, objective.lattice, weights(theta), objective.threads, fixed)
        slope = gradient.flat() if free is None else gradient.flat()[free]
        slope += 2 * objective.l2 * theta
        return value + objective.l2 * float(theta @ theta), slope

    theta = whole.copy() if free is None else whole[free]
    values: list[float] = []
    try:
        for value, theta in descend(function, theta, iterations):  # noqa: B020
            values.append(value)
            if report(len(values), value, weights(theta)):
                break
            if len(values) > 10 and values[-11] - value < tolerance * abs(value):
                break
    except KeyboardInterrupt:
        pass
    return weights(theta)


def descend(function: Function, theta: Vector, iterations: int, memory: int = 8) -> Iterator[tuple[float, Vector]]:
    """Value and place after each step of L-BFGS (Nocedal 1980, two loops, step halved until it is good enough).

    Written out because the usual library routine also handles bounds, which for millions of weights costs more than
    the gradient does.
    """
    value, slope = function(theta)
    pairs: deque[tuple[Vector, Vector, float]] = deque(maxlen=memory)
    for _ in range(iterations):
        if not slope.any():
            return
        direction = _direction(slope, pairs)
        step = 1.0 if pairs else min(1.0, 1 / float(np.linalg.norm(slope)))
        downhill = float(direction @ slope)
        for _halving in range(20):
            place = theta + step * direction
            new_value, new_slope = function(place)
            if new_value <= value + 1e-4 * step * downhill:
                break
            step /= 2
        else:
            return
        moved, turned = place - theta, new_slope - slope
        curvature = float(moved @ turned)
        if curvature > 1e-10:
            pairs.append((moved, turned, curvature))
        theta, value, slope = place, new_value, new_slope
        yield value, theta


def _direction(slope: Vector, pairs: deque[tuple[Vector, Vector, float]]) -> Vector:
    direction = -slope
    shares = []
    for moved, turned, curvature in reversed(pairs):
        share = float(moved @ direction) / curvature
        direction -= share * turned
        shares.append(share)
    if pairs:
        _, turned, curvature = pairs[-1]
        direction *= curvature / float(turned @ turned)
    for (moved, turned, curvature), share in zip(pairs, reversed(shares), strict=True):
        direction += (share - float(turned @ direction) / curvature) * moved
    return direction


def _gold(objective: Objective, start: Weights) -> Tally:
    token = np.zeros((len(objective.encoded.token), objective.lattice.columns))
    nothing = start.filled(np.zeros(len(start.flat())))
    return objective.lattice.within(objective.encoded, token, nothing, objective.threads)[1]


def _observed(objective: Objective, start: Weights, fixed: Tally) -> NDArray[np.int64]:
    counts = spread(objective.encoded, start, fixed)
    return np.flatnonzero(counts.flat() > 0)


@dataclass(frozen=True, slots=True)
class AdaGradConfig:
    """How a stochastic training goes: passes, strings a step, the size of steps, noise and seed.

    `noise` is the share of features that a step does not see (Wager 2013): it keeps the weights from leaning on few
    features, as they otherwise do where the data are small or of one kind.
    """

    epochs: int = 5
    batch: int = 256
    rate: float = 0.1
    noise: float = 0.0
    seed: int = 1


def adagrad(objective: Objective, start: Weights, pace: AdaGradConfig, report: Report) -> Weights:
    """The weights after so many passes over the corpus in random order, in steps that grow smaller (Duchi 2011).

    What comes back is the mean of the weights at the ends of the later half of the passes (Polyak 1992). Only the rows
    of weights that a batch switches on are touched, so a step costs what the batch costs.
    """
    weights = Weights(*(part.copy() for part in start.parts()))
    squares = Weights(*(np.full_like(part, 1e-6) for part in start.parts()))
    random = np.random.default_rng(pace.seed)
    strings = len(objective.encoded.lengths)
    best, taken = weights, 0
    try:
        for epoch in range(pace.epochs):
            total = 0.0
            speed = pace.rate * (1 - epoch / pace.epochs) ** 0.5
            order = random.permutation(strings)
            owed = 0.0  # share of the pass since the weights were last drawn to zero
            for start_at in range(0, strings, pace.batch):
                chosen = np.sort(order[start_at : start_at + pace.batch])
                part, share = objective.encoded.strings(chosen), len(chosen) / strings
                total += _step(objective, part, weights, squares, speed, share, pace.noise, random)
                owed += share
                if objective.l1 and (owed >= _OFTEN or start_at + pace.batch >= strings):
                    _draw_to_zero(weights, squares, speed * objective.l1 * owed)
                    owed = 0.0
            taken = taken + 1 if epoch + 1 > (pace.epochs + 1) // 2 else 1
            best = _mean(best, weights, taken)
            if report(epoch + 1, total, best):
                break
    except KeyboardInterrupt:
        pass
    return best


def _draw_to_zero(weights: Weights, squares: Weights, amount: float) -> None:
    """Nothing: the proximal step of the l1 term, taken for all rows at once every so often instead of at every step."""
    for whole, square in ((weights.attribute, squares.attribute), (weights.context, squares.context)):
        for start in range(0, len(whole), _ROWS):
            rows = slice(start, start + _ROWS)
            size = np.maximum(np.abs(whole[rows]) - amount / np.sqrt(square[rows]), 0)
            whole[rows] = np.copysign(size, whole[rows])


def _mean(mean: Weights, weights: Weights, count: int) -> Weights:
    """The mean of `count` weights, of which `mean` is that of all but the last."""
    if count == 1:
        return Weights(*(part.copy() for part in weights.parts()))
    found = [part * (1 - 1 / count) for part in mean.parts()]
    for part, new in zip(found, weights.parts(), strict=True):
        part += new / count
    return Weights(*found)


@dataclass(frozen=True, slots=True)
class ActiveFeatures:
    """A part of a corpus with the rows of weights that it switches on alone, in the numbers of these."""

    part: Encoded
    weights: Weights
    attributes: NDArray[np.int64]  # the rows of attributes among all
    contexts: NDArray[np.int64]
    scale: np.floating[Any]  # what makes up for noise; attributes of the part have it, rows of context do not

    def noisy(self) -> Weights:
        """The weights with which the part scores as much, on average, as it would without noise."""
        return replace(self.weights, context=self.weights.context * self.scale)


def switched_on(part: Encoded, weights: Weights, noise: float, random: np.random.Generator) -> ActiveFeatures:
    """The part with the weights it needs, without a random share of its features where there is noise."""
    used = np.unique(part.matrix.indices)
    switched = np.zeros(len(weights.context) + 1, dtype=np.bool_)  # the last entry stands for "no row"
    switched[part.context] = True
    contexts = np.flatnonzero(switched[:-1])
    number = np.full(len(weights.context) + 1, -1, dtype=np.int32)
    number[contexts] = np.arange(len(contexts))
    matrix, context = part.matrix[:, used], number[part.context]
    scale = weights.context.dtype.type(1 / (1 - noise))
    if noise:
        matrix.data = matrix.data * (random.random(len(matrix.data)) >= noise) * scale
        context[random.random(context.shape, dtype=np.float32) < noise] = -1
    local = Weights(weights.attribute[used], weights.context[contexts], weights.arc, weights.segment)
    return ActiveFeatures(replace(part, matrix=matrix, context=context), local, used, contexts, scale)


def _step(
    objective: Objective,
    part: Encoded,
    weights: Weights,
    squares: Weights,
    rate: float,
    share: float,
    noise: float,
    random: np.random.Generator,
) -> float:
    """The loss of a part of the corpus, after the weights it switches on have been moved."""
    on = switched_on(part, weights, noise, random)
    local, scale = on.weights, on.scale
    seen = (random.random((len(weights.segment), 1)) >= noise) * scale if noise else scale  # of segments, row by row
    noisy = replace(on.noisy(), segment=(local.segment * seen).astype(scale.dtype))
    value, gradient = loss(on.part, objective.lattice, noisy, objective.threads)
    decay = 2 * objective.l2 * share
    for whole, square, rows, slope, now in (
        (weights.attribute, squares.attribute, on.attributes, gradient.attribute, local.attribute),
        (weights.context, squares.context, on.contexts, gradient.context * scale, local.context),
        (weights.arc, squares.arc, slice(None), gradient.arc, local.arc),
        (weights.segment, squares.segment, slice(None), gradient.segment * seen, local.segment),
    ):
        step = (slope + decay * now).astype(whole.dtype)
        power = square[rows] + step * step
        square[rows] = power
        whole[rows] = now - rate * step / np.sqrt(power)
    return value
