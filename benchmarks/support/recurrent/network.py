"""The network: a BiLSTM over feature embeddings that scores the labels of every token (BiLSTM-CRF, Lample 2016).

The input of a token is the sum of the embeddings of its active features, which are those of the CRFs. An LSTM reads the
tokens of a string from the left and another from the right (Hochreiter 1997, Graves 2005). The scores go through the
automaton of a chain CRF, whose loss is used as it is; this file has the forward pass from inputs to scores and the
backward pass.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.models.likelihood import Encoded, Weights, scores, zero_weights
from ibidem.types import FloatArray, IntArray

_TINY = 1e-5  # keeps the variance above zero
_STRINGS = 64  # scored at once


@dataclass(frozen=True, slots=True)
class Size:
    """Dimensions of a network."""

    width: int = 160  # D, of the input of a token
    hidden: int = 160  # H, of the hidden state of each direction

    def __post_init__(self) -> None:
        if min(self.width, self.hidden) < 1:
            raise ConfigError(f"width is {self.width}, hidden {self.hidden}: give 1 or more")


@dataclass(frozen=True, slots=True)
class Layers:
    """Parameters between the summed embeddings and the scores."""

    gain: FloatArray  # [D] of the layer normalisation of inputs (Ba 2016)
    shift: FloatArray  # [D]
    input_weights: FloatArray  # [2, D, 4 H] for each direction, to the input, forget and output gates and the candidate
    recurrent_weights: FloatArray  # [2, H, 4 H] from the previous hidden state
    bias: FloatArray  # [2, 1, 4 H]
    output_weights: FloatArray  # [2 H + D, Y] from both hidden states and the input to the labels
    output_bias: FloatArray  # [Y]

    def parts(self) -> tuple[FloatArray, ...]:
        """Return all parameters, in order."""
        return tuple(getattr(self, part.name) for part in fields(self))


@dataclass(frozen=True, slots=True)
class Network:
    """All parameters of a network."""

    embeddings: Weights  # of features [.., D], with a window of one token; and the weights of arcs
    layers: Layers

    def parts(self) -> tuple[FloatArray, ...]:
        """Return all parameters, in order."""
        return *self.embeddings.parts(), *self.layers.parts()

    def copy(self) -> Network:
        """Return a deep copy."""
        embeddings = Weights(*(part.copy() for part in self.embeddings.parts()))
        return Network(embeddings, Layers(*(part.copy() for part in self.layers.parts())))


def initialise(
    size: Size, attributes: int, contexts: int, labels: int, arcs: int, random: np.random.Generator
) -> Network:
    """Return an untrained network: small random numbers, and forget gates with a bias of 1."""
    width, hidden = size.width, size.hidden

    def normal(spread: float, *shape: int) -> FloatArray:
        return np.asarray(spread * random.standard_normal(shape), dtype=np.float32)

    blank = zero_weights(0, 1, 0, width, arcs, dtype=np.float32)
    embeddings = Weights(normal(0.05, attributes, 1, width), normal(0.05, contexts, width), blank.arc, blank.segment)
    small = (3 * hidden) ** -0.5
    bias = np.zeros((2, 1, 4 * hidden), np.float32)
    bias[..., hidden : 2 * hidden] = 1
    layers = Layers(
        np.ones(width, np.float32),
        np.zeros(width, np.float32),
        normal(small, 2, width, 4 * hidden),
        normal(small, 2, hidden, 4 * hidden),
        bias,
        normal(small, 2 * hidden + width, labels),
        np.zeros(labels, np.float32),
    )
    return Network(embeddings, layers)


class BiLSTM:
    """Forward pass of some strings through the network; its intermediate results are kept for the backward pass.

    `input_dropout` and `recurrent_dropout` are factors of the inputs [N, D] and of the hidden states [N, 2 H], given in
    training only. `token` are the scores of the labels of every token.
    """

    def __init__(
        self,
        layers: Layers,
        inputs: FloatArray,
        lengths: IntArray,
        input_dropout: FloatArray | None = None,
        recurrent_dropout: FloatArray | None = None,
    ) -> None:
        self._layers, self._input_dropout, self._recurrent_dropout = layers, input_dropout, recurrent_dropout
        centred = inputs - inputs.mean(axis=1, keepdims=True)
        self._scale = 1 / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + _TINY)
        self._normalised = centred * self._scale
        self._inputs = self._normalised * layers.gain + layers.shift
        if input_dropout is not None:
            self._inputs *= input_dropout
        self._places = _places(lengths)
        self._states = self._run()
        if recurrent_dropout is not None:
            self._states *= recurrent_dropout
        width = self._states.shape[1]
        self.token: FloatArray = (
            self._states @ layers.output_weights[:width] + self._inputs @ layers.output_weights[width:]
        )
        self.token += layers.output_bias  # [N, Y]

    def _run(self) -> FloatArray:
        """Return the hidden states of both directions at each token.  # [N, 2 H]"""
        layers, places, inputs = self._layers, self._places, self._inputs
        _, steps, strings = places.shape
        width, hidden = inputs.shape[1], layers.recurrent_weights.shape[1]
        self._read = np.concatenate([inputs, np.zeros_like(inputs[:1])])[places].reshape(2, steps * strings, width)
        gates = np.matmul(self._read, layers.input_weights) + layers.bias
        self._gates = gates = gates.reshape(2, steps, strings, 4 * hidden)
        shape = (steps + 1, 2, strings, hidden)
        self._cell, self._squashed, self._hidden = (np.zeros(shape, inputs.dtype) for _ in range(3))
        for step in range(steps):
            gate = gates[:, step]
            gate += np.matmul(self._hidden[step], layers.recurrent_weights)
            _activate(gate, hidden)
            enter, keep, leave, new = np.split(gate, 4, axis=2)
            np.multiply(keep, self._cell[step], out=self._cell[step + 1])
            self._cell[step + 1] += enter * new
            np.tanh(self._cell[step + 1], out=self._squashed[step + 1])
            np.multiply(leave, self._squashed[step + 1], out=self._hidden[step + 1])
        states = np.empty((len(inputs) + 1, 2, hidden), inputs.dtype)
        for way in (0, 1):
            states[places[way], way] = self._hidden[1:, way]
        return states[:-1].reshape(len(inputs), 2 * hidden)

    def backward(self, gradient: FloatArray) -> tuple[FloatArray, Layers]:
        """Return the gradients by the inputs [N, D] and by the parameters, given that by the scores [N, Y]."""
        layers = self._layers
        width = self._states.shape[1]
        output_weights = np.concatenate([self._states.T @ gradient, self._inputs.T @ gradient])
        states = gradient @ layers.output_weights[:width].T
        if self._recurrent_dropout is not None:
            states *= self._recurrent_dropout
        gates = self._backward_through_time(states)
        inputs = gradient @ layers.output_weights[width:].T
        _, steps, strings = self._places.shape
        for way, read in enumerate(np.matmul(gates, layers.input_weights.transpose(0, 2, 1))):
            by_token = np.empty((len(inputs) + 1, inputs.shape[1]), inputs.dtype)
            by_token[self._places[way]] = read.reshape(steps, strings, -1)
            inputs += by_token[:-1]
        if self._input_dropout is not None:
            inputs *= self._input_dropout
        hidden = self._hidden[:-1].transpose(1, 3, 0, 2).reshape(2, layers.recurrent_weights.shape[1], steps * strings)
        found = Layers(
            (inputs * self._normalised).sum(axis=0),
            inputs.sum(axis=0),
            np.matmul(self._read.transpose(0, 2, 1), gates),
            np.matmul(hidden, gates),
            gates.sum(axis=1, keepdims=True),
            output_weights,
            gradient.sum(axis=0),
        )
        scaled = inputs * layers.gain
        along = (scaled * self._normalised).mean(axis=1, keepdims=True)
        return self._scale * (scaled - scaled.mean(axis=1, keepdims=True) - self._normalised * along), found

    def _backward_through_time(self, states: FloatArray) -> FloatArray:
        """Return the gradient by the inputs of the gates, given that by the hidden states [N, 2 H].  # [2, T B, 4 H]"""
        places = self._places
        weights = np.ascontiguousarray(self._layers.recurrent_weights.transpose(0, 2, 1))
        _, steps, strings = places.shape
        width = weights.shape[2]
        by_token = np.concatenate([states, np.zeros_like(states[:1])]).reshape(-1, 2, width)
        gradients = np.empty_like(self._gates)
        hidden, cell = np.zeros((2, 2, strings, width), states.dtype)
        for step in range(steps - 1, -1, -1):
            for way in (0, 1):
                hidden[way] += by_token[places[way, step], way]
            enter, keep, leave, new = np.split(self._gates[:, step], 4, axis=2)
            squashed = self._squashed[step + 1]
            cell += hidden * leave * (1 - squashed * squashed)
            gradient = gradients[:, step]
            gradient[..., :width] = cell * new * enter * (1 - enter)
            gradient[..., width : 2 * width] = cell * self._cell[step] * keep * (1 - keep)
            gradient[..., 2 * width : 3 * width] = hidden * squashed * leave * (1 - leave)
            gradient[..., 3 * width :] = cell * enter * (1 - new * new)
            cell *= keep
            hidden = np.matmul(gradient, weights)
        found: FloatArray = gradients.reshape(2, steps * strings, 4 * width)
        return found


def _places(lengths: IntArray) -> NDArray[np.int64]:
    """Return the token that each direction reads at each step; after the end of a string the index after all tokens.

    Both directions begin at step 0, so that padding comes after the string.  # [2, T, B]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    first, step = np.cumsum(sizes) - sizes, np.arange(sizes.max(initial=0))[:, None]
    ways = np.stack([first + step, first + sizes - 1 - step])
    return np.where(step < sizes, ways, sizes.sum())


def _activate(gates: FloatArray, hidden: int) -> None:
    """Apply the logistic function to the three gates and tanh to the candidate, in place."""
    gate, new = gates[..., : 3 * hidden], gates[..., 3 * hidden :]
    np.tanh(new, out=new)
    np.multiply(gate, 0.5, out=gate)  # the logistic function by tanh, which does not overflow
    np.tanh(gate, out=gate)
    gate += 1
    gate *= 0.5


def score_tokens(network: Network, encoded: Encoded) -> FloatArray:
    """Return the scores of the labels of every token.  # [N, Y]"""
    found = [np.zeros((0, len(network.layers.output_bias)), np.float32)]
    for first in range(0, len(encoded.lengths), _STRINGS):
        part = encoded.strings(np.arange(first, min(first + _STRINGS, len(encoded.lengths))))
        found.append(BiLSTM(network.layers, scores(part, network.embeddings), part.lengths).token)
    return np.concatenate(found)
