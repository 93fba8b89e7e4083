"""How the network learns: the likelihood of the labels, a few strings at a time, in steps after Adam (Kingma 2015)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.recurrent.net import BiLSTM, Layers, Net
from ibidem.errors import ConfigError
from ibidem.models.likelihood import Encoded, Lattice, Weights, gradient_of, scores, zero_weights
from ibidem.models.optimisers import ActiveFeatures, activate
from ibidem.types import ExpectedCounts, FloatArray, IntArray

_BEGIN, _LEAST = 0.05, 0.02  # share of the steps in which they grow to their full size; the least share of that size
_STEEPEST = 5.0  # length that the slope by the layers is cut to
_SHRINK = 1e-4  # share of a step by which the parameters of layers are drawn to zero
_MOMENT, _POWER = np.float32(0.9), np.float32(0.999)
_ALIKE = 50  # batches whose strings are sorted by length, so that those of a batch are about as long


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How a network learns some strings."""

    epochs: int = 10
    batch: int = 16
    rate: float = 1e-3
    noise: float = 0.3  # share of features that a step does not see
    dropped: float = 0.3  # share of the numbers said of a token that it does not see
    forgotten: float = 0.4  # share of the numbers in memories that it does not see
    seed: int = 1

    def __post_init__(self) -> None:
        shares = self.noise, self.dropped, self.forgotten
        if min(self.epochs, self.batch) < 1 or not 0 < self.rate < np.inf or not all(0 <= s < 1 for s in shares):
            raise ConfigError(
                f"epochs {self.epochs}, batch {self.batch}, rate {self.rate}, shares not seen {shares}: give 1 or more "
                "epochs and strings a batch, a rate above 0, and shares from 0 to below 1"
            )


def learnt(
    net: Net, encoded: Encoded, lattice: Lattice, how: TrainingConfig, report: Callable[[int, float], None]
) -> Net:
    """The network after some passes over strings; `report` is told the number of each pass and its loss."""
    net, random = net.copy(), np.random.default_rng(how.seed)
    adam = _Adam(net)
    steps, taken = how.epochs * -(-len(encoded.lengths) // how.batch), 0
    for epoch in range(how.epochs):
        total = 0.0
        for chosen in _batches(encoded.lengths, how.batch, random):
            size = min(1.0, (taken + 1) / (_BEGIN * steps)) * max(_LEAST, 1 - taken / steps)
            total += _step(net, encoded.strings(chosen), lattice, how, how.rate * size, adam, random)
            taken += 1
        report(epoch + 1, total)
    return net


def _batches(lengths: IntArray, size: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """The strings in batches of about equal lengths, in random order."""
    order = random.permutation(len(lengths))
    found: list[NDArray[np.int64]] = []
    for first in range(0, len(order), size * _ALIKE):
        alike = order[first : first + size * _ALIKE]
        alike = alike[np.argsort(lengths[alike], kind="stable")]
        found += [np.sort(alike[place : place + size]) for place in range(0, len(alike), size)]
    return (found[number] for number in random.permutation(len(found)))


def _step(
    net: Net,
    part: Encoded,
    lattice: Lattice,
    how: TrainingConfig,
    rate: float,
    adam: _Adam,
    random: np.random.Generator,
) -> float:
    """The loss of some strings, after the parameters have been moved."""
    slopes = slopes_of(net, part, lattice, how, random)
    adam.turn()
    adam.move(0, net.rows.attribute, slopes.on.attributes, slopes.rows.attribute, rate)
    adam.move(1, net.rows.context, slopes.on.contexts, slopes.rows.context, rate)
    adam.move(2, net.rows.arc, slice(None), slopes.rows.arc, rate)
    for place, (parameters, found) in enumerate(zip(net.layers.parts(), _cut(slopes.layers).parts(), strict=True), 4):
        adam.move(place, parameters, slice(None), found, rate)
        parameters *= np.float32(1 - rate * _SHRINK)
    return slopes.loss


@dataclass(frozen=True, slots=True)
class Gradients:
    """The loss of some strings, and how it changes with what they switch on; slopes are of the mean of the strings."""

    loss: float
    on: ActiveFeatures
    rows: Weights  # of what is switched on
    layers: Layers


def slopes_of(net: Net, part: Encoded, lattice: Lattice, how: TrainingConfig, random: np.random.Generator) -> Gradients:
    """The loss of some strings and its slopes, under noise that is drawn."""
    on = activate(part, net.rows, how.noise, random)
    noisy = on.rescaled()
    said = scores(on.part, noisy)
    memories = 2 * net.layers.again.shape[1]
    way = BiLSTM(
        net.layers,
        said,
        part.lengths,
        _kept(said.shape, how.dropped, random),
        _kept((len(said), memories), how.forgotten, random),
    )
    weights = replace(zero_weights(0, 1, 0, lattice.columns, 0, dtype=np.float32), arc=net.rows.arc)
    log_z, free = lattice.expected(part, way.token, weights, 1)
    log_within, held = lattice.within(part, way.token, weights, 1)
    share = np.float32(1 / len(part.lengths))
    slope, layers = way.back(share * (free.span - held.span)[:, 0].astype(said.dtype))
    found = gradient_of(on.part, noisy, ExpectedCounts(slope[:, None], share * (free.arc - held.arc), net.rows.segment))
    rows = replace(found, context=found.context * on.scale)
    return Gradients(float((log_z - log_within).sum()), on, rows, layers)


def _kept(shape: tuple[int, ...], share: float, random: np.random.Generator) -> FloatArray:
    """Factors that are zero for a share of the places and make up for it in the others."""
    return (random.random(shape, dtype=np.float32) >= share) * np.float32(1 / (1 - share))


def _cut(slope: Layers) -> Layers:
    """The slope, no longer than the steepest."""
    length = float(np.sqrt(sum(float((part * part).sum()) for part in slope.parts())))
    if length <= _STEEPEST:
        return slope
    return Layers(*(part * np.float32(_STEEPEST / length) for part in slope.parts()))


class _Adam:
    """Steps by the mean of the slopes so far, over the root of that of their squares; of rows, those switched on."""

    def __init__(self, net: Net) -> None:
        self._mean = [np.zeros_like(part) for part in net.parts()]
        self._square = [np.zeros_like(part) for part in net.parts()]
        self._turns = 0

    def turn(self) -> None:
        """Another step begins."""
        self._turns += 1

    def move(
        self, place: int, parameters: FloatArray, rows: NDArray[np.int64] | slice, slope: FloatArray, rate: float
    ) -> None:
        """Moves some rows of the parameters that have this place among all."""
        slope = slope.astype(np.float32, copy=False)
        mean = _MOMENT * self._mean[place][rows] + (1 - _MOMENT) * slope
        square = _POWER * self._square[place][rows] + (1 - _POWER) * slope * slope
        self._mean[place][rows], self._square[place][rows] = mean, square
        even = np.sqrt(1 - float(_POWER) ** self._turns) / (1 - float(_MOMENT) ** self._turns)
        parameters[rows] -= np.float32(rate * even) * mean / (np.sqrt(square) + np.float32(1e-8))
