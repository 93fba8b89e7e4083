"""Training of a network: maximum likelihood of the labels in minibatches, by Adam (Kingma 2015)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.support.recurrent.network import BiLSTM, Layers, Network
from ibidem.errors import ConfigError
from ibidem.models.likelihood import Encoded, Lattice, Weights, gradient_of, scores, zero_weights
from ibidem.models.optimisers import ActiveFeatures, activate
from ibidem.types import ExpectedCounts, FloatArray, IntArray

_WARM_UP, _MIN_RATE = 0.05, 0.02  # share of the steps until the full learning rate; least share of that rate
_MAX_NORM = 5.0  # to which the gradient of the layers is clipped
_WEIGHT_DECAY = 1e-4  # of the parameters of layers
_BETA_1, _BETA_2 = np.float32(0.9), np.float32(0.999)
_BUCKET = 50  # batches whose strings are sorted by length, so that those of a batch are about equally long


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Settings of the training of a network."""

    epochs: int = 10
    batch: int = 16
    learning_rate: float = 1e-3
    feature_dropout: float = 0.3
    input_dropout: float = 0.3
    recurrent_dropout: float = 0.4
    seed: int = 1

    def __post_init__(self) -> None:
        dropouts = self.feature_dropout, self.input_dropout, self.recurrent_dropout
        sound = 0 < self.learning_rate < np.inf and all(0 <= share < 1 for share in dropouts)
        if min(self.epochs, self.batch) < 1 or not sound:
            raise ConfigError(
                f"epochs {self.epochs}, batch {self.batch}, learning_rate {self.learning_rate}, dropouts {dropouts}: "
                "give 1 or more epochs and strings per batch, a learning rate above 0 and dropouts from 0 to below 1"
            )


def train(
    network: Network, encoded: Encoded, lattice: Lattice, config: TrainingConfig, report: Callable[[int, float], None]
) -> Network:
    """Return a trained copy of a network; `report` is called with the number of each epoch and its loss."""
    network, random = network.copy(), np.random.default_rng(config.seed)
    adam = _Adam(network)
    steps, taken = config.epochs * -(-len(encoded.lengths) // config.batch), 0
    for epoch in range(config.epochs):
        total = 0.0
        for chosen in _batches(encoded.lengths, config.batch, random):
            share = min(1.0, (taken + 1) / (_WARM_UP * steps)) * max(_MIN_RATE, 1 - taken / steps)
            total += _step(
                network, encoded.strings(chosen), lattice, config, config.learning_rate * share, adam, random
            )
            taken += 1
        report(epoch + 1, total)
    return network


def _batches(lengths: IntArray, size: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Return the strings in batches of about equal lengths, in random order."""
    order = random.permutation(len(lengths))
    found: list[NDArray[np.int64]] = []
    for first in range(0, len(order), size * _BUCKET):
        alike = order[first : first + size * _BUCKET]
        alike = alike[np.argsort(lengths[alike], kind="stable")]
        found += [np.sort(alike[place : place + size]) for place in range(0, len(alike), size)]
    return (found[number] for number in random.permutation(len(found)))


def _step(
    network: Network,
    part: Encoded,
    lattice: Lattice,
    config: TrainingConfig,
    rate: float,
    adam: _Adam,
    random: np.random.Generator,
) -> float:
    """Update the parameters by a batch of strings and return its loss."""
    gradients = compute_gradients(network, part, lattice, config, random)
    embeddings, found = network.embeddings, gradients.embeddings
    adam.begin_step()
    adam.update(0, embeddings.attribute, gradients.active.attributes, found.attribute, rate)
    adam.update(1, embeddings.context, gradients.active.contexts, found.context, rate)
    adam.update(2, embeddings.arc, slice(None), found.arc, rate)
    layers = zip(network.layers.parts(), _clip(gradients.layers).parts(), strict=True)
    for place, (parameters, gradient) in enumerate(layers, 4):
        adam.update(place, parameters, slice(None), gradient, rate)
        parameters *= np.float32(1 - rate * _WEIGHT_DECAY)
    return gradients.loss


@dataclass(frozen=True, slots=True)
class Gradients:
    """Loss of some strings and the gradients of its mean over the strings, by the active embeddings and the layers."""

    loss: float
    active: ActiveFeatures
    embeddings: Weights  # of the active features
    layers: Layers


def compute_gradients(
    network: Network, part: Encoded, lattice: Lattice, config: TrainingConfig, random: np.random.Generator
) -> Gradients:
    """Return the loss of some strings and its gradients, under random dropout."""
    active = activate(part, network.embeddings, config.feature_dropout, random)
    noisy = active.rescaled()
    inputs = scores(active.part, noisy)
    width = 2 * network.layers.recurrent_weights.shape[1]
    forward = BiLSTM(
        network.layers,
        inputs,
        part.lengths,
        _dropout(inputs.shape, config.input_dropout, random),
        _dropout((len(inputs), width), config.recurrent_dropout, random),
    )
    weights = replace(zero_weights(0, 1, 0, lattice.columns, 0, dtype=np.float32), arc=network.embeddings.arc)
    log_z, free = lattice.expected(part, forward.token, weights, 1)
    log_within, held = lattice.within(part, forward.token, weights, 1)
    share = np.float32(1 / len(part.lengths))
    gradient, layers = forward.backward(share * (free.span - held.span)[:, 0].astype(inputs.dtype))
    counts = ExpectedCounts(gradient[:, None], share * (free.arc - held.arc), network.embeddings.segment)
    found = gradient_of(active.part, noisy, counts)
    embeddings = replace(found, context=found.context * active.scale)
    return Gradients(float((log_z - log_within).sum()), active, embeddings, layers)


def _dropout(shape: tuple[int, ...], share: float, random: np.random.Generator) -> FloatArray:
    """Return factors that are zero for a share of the numbers and scale the others to the same mean."""
    return (random.random(shape, dtype=np.float32) >= share) * np.float32(1 / (1 - share))


def _clip(gradient: Layers) -> Layers:
    """Scale the gradient down to the maximal norm where it is longer."""
    norm = float(np.sqrt(sum(float((part * part).sum()) for part in gradient.parts())))
    if norm <= _MAX_NORM:
        return gradient
    return Layers(*(part * np.float32(_MAX_NORM / norm) for part in gradient.parts()))


class _Adam:
    """Adam with lazy updates: of embeddings, only the active rows are updated."""

    def __init__(self, network: Network) -> None:
        self._mean = [np.zeros_like(part) for part in network.parts()]
        self._square = [np.zeros_like(part) for part in network.parts()]
        self._steps = 0

    def begin_step(self) -> None:
        """Count a step, for the correction of the bias of both moments."""
        self._steps += 1

    def update(
        self, place: int, parameters: FloatArray, rows: NDArray[np.int64] | slice, gradient: FloatArray, rate: float
    ) -> None:
        """Update some rows of the parameters that have this place among all."""
        gradient = gradient.astype(np.float32, copy=False)
        mean = _BETA_1 * self._mean[place][rows] + (1 - _BETA_1) * gradient
        square = _BETA_2 * self._square[place][rows] + (1 - _BETA_2) * gradient * gradient
        self._mean[place][rows], self._square[place][rows] = mean, square
        correction = np.sqrt(1 - float(_BETA_2) ** self._steps) / (1 - float(_BETA_1) ** self._steps)
        parameters[rows] -= np.float32(rate * correction) * mean / (np.sqrt(square) + np.float32(1e-8))
