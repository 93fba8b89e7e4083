"""The network: what is said of each token is read in both directions, and what was read scores its labels.

What is said of a token is a sum of rows, one for each feature that the token switches on: the features are those of the
CRFs, a row is a vector where theirs has a weight for each label. An LSTM reads the tokens of a string from the left
and another from the right (Hochreiter 1997, Graves 2005). The scores go through the automaton of a chain CRF (Lample
2016), so its loss is theirs, and this file has only what lies between: from what is said to scores, and the slopes
back.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.models.likelihood import Encoded, Weights, scores, zero_weights
from ibidem.types import FloatArray, IntArray

_TINY = 1e-5  # keeps what is divided by above zero
_STRINGS = 64  # scored at once


@dataclass(frozen=True, slots=True)
class Size:
    """How wide a network is."""

    width: int = 160  # D, of what is said of a token
    hidden: int = 160  # H, of the memory of each direction

    def __post_init__(self) -> None:
        if min(self.width, self.hidden) < 1:
            raise ConfigError(f"width is {self.width}, hidden {self.hidden}: give 1 or more")


@dataclass(frozen=True, slots=True)
class Layers:
    """The parameters between the sum of rows and the scores."""

    gain: FloatArray  # [D] of what is said, brought to mean 0 and variance 1 (Ba 2016)
    shift: FloatArray  # [D]
    inward: FloatArray  # [2, D, 4 H] for each direction, from what is said to the gates: in, keep, out, and what is new
    again: FloatArray  # [2, H, 4 H] from what was remembered
    bias: FloatArray  # [2, 1, 4 H]
    outward: FloatArray  # [2 H + D, Y] from both memories and what is said to the labels
    base: FloatArray  # [Y]

    def parts(self) -> tuple[FloatArray, ...]:
        """All parameters, in order."""
        return tuple(getattr(self, part.name) for part in fields(self))


@dataclass(frozen=True, slots=True)
class Net:
    """All that is learnt."""

    rows: Weights  # of features, D wide, with a window of one token; and the weights of arcs
    layers: Layers

    def parts(self) -> tuple[FloatArray, ...]:
        """All parameters, in order."""
        return *self.rows.parts(), *self.layers.parts()

    def copy(self) -> Net:
        """The same in memory of its own."""
        rows = Weights(*(part.copy() for part in self.rows.parts()))
        return Net(rows, Layers(*(part.copy() for part in self.layers.parts())))


def fresh(size: Size, attributes: int, contexts: int, labels: int, arcs: int, random: np.random.Generator) -> Net:
    """A network that has learnt nothing: small random numbers, and memories that keep what they have."""

    width, hidden = size.width, size.hidden

    def normal(spread: float, *shape: int) -> FloatArray:
        return np.asarray(spread * random.standard_normal(shape), dtype=np.float32)

    blank = zero_weights(0, 1, 0, width, arcs, dtype=np.float32)
    rows = Weights(normal(0.05, attributes, 1, width), normal(0.05, contexts, width), blank.arc, blank.segment)
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
    return Net(rows, layers)


class BiLSTM:
    """The way of some strings through the network; what is computed on it is kept for the way back.

    `dropped` and `forgotten` are factors of what is said of tokens [N, D] and of what both memories hold [N, 2 H]:
    noise while the network learns, nothing when it reads.
    """

    def __init__(
        self,
        layers: Layers,
        said: FloatArray,
        lengths: IntArray,
        dropped: FloatArray | None = None,
        forgotten: FloatArray | None = None,
    ) -> None:
        self._layers, self._dropped, self._forgotten = layers, dropped, forgotten
        centred = said - said.mean(axis=1, keepdims=True)
        self._scale = 1 / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + _TINY)
        self._even = centred * self._scale
        self._said = self._even * layers.gain + layers.shift
        if dropped is not None:
            self._said *= dropped
        self._places = _places(lengths)
        self._held = self._remembered()
        if forgotten is not None:
            self._held *= forgotten
        memories = self._held.shape[1]
        self.token: FloatArray = self._held @ layers.outward[:memories] + self._said @ layers.outward[memories:]
        self.token += layers.base  # [N, Y]

    def _remembered(self) -> FloatArray:
        """What both memories hold at each token.  # [N, 2 H]"""
        layers, places, said = self._layers, self._places, self._said
        _, steps, strings = places.shape
        width, hidden = said.shape[1], layers.again.shape[1]
        self._read = np.concatenate([said, np.zeros_like(said[:1])])[places].reshape(2, steps * strings, width)
        gates = np.matmul(self._read, layers.inward) + layers.bias
        self._gates = gates = gates.reshape(2, steps, strings, 4 * hidden)
        shape = (steps + 1, 2, strings, hidden)
        self._cell, self._bent, self._memory = (np.zeros(shape, said.dtype) for _ in range(3))
        for step in range(steps):
            gate = gates[:, step]
            gate += np.matmul(self._memory[step], layers.again)
            _bend(gate, hidden)
            let_in, keep, let_out, new = np.split(gate, 4, axis=2)
            np.multiply(keep, self._cell[step], out=self._cell[step + 1])
            self._cell[step + 1] += let_in * new
            np.tanh(self._cell[step + 1], out=self._bent[step + 1])
            np.multiply(let_out, self._bent[step + 1], out=self._memory[step + 1])
        held = np.empty((len(said) + 1, 2, hidden), said.dtype)
        for way in (0, 1):
            held[places[way], way] = self._memory[1:, way]
        return held[:-1].reshape(len(said), 2 * hidden)

    def back(self, slope: FloatArray) -> tuple[FloatArray, Layers]:
        """From the slope of a loss by the scores [N, Y] to those by what is said [N, D] and by the parameters."""
        layers = self._layers
        memories = self._held.shape[1]
        outward = np.concatenate([self._held.T @ slope, self._said.T @ slope])
        held = slope @ layers.outward[:memories].T
        if self._forgotten is not None:
            held *= self._forgotten
        gates = self._back_through_time(held)
        said = slope @ layers.outward[memories:].T
        _, steps, strings = self._places.shape
        for way, read in enumerate(np.matmul(gates, layers.inward.transpose(0, 2, 1))):
            by_token = np.empty((len(said) + 1, said.shape[1]), said.dtype)
            by_token[self._places[way]] = read.reshape(steps, strings, -1)
            said += by_token[:-1]
        if self._dropped is not None:
            said *= self._dropped
        memory = self._memory[:-1].transpose(1, 3, 0, 2).reshape(2, layers.again.shape[1], steps * strings)
        found = Layers(
            (said * self._even).sum(axis=0),
            said.sum(axis=0),
            np.matmul(self._read.transpose(0, 2, 1), gates),
            np.matmul(memory, gates),
            gates.sum(axis=1, keepdims=True),
            outward,
            slope.sum(axis=0),
        )
        even = said * layers.gain
        along = (even * self._even).mean(axis=1, keepdims=True)
        return self._scale * (even - even.mean(axis=1, keepdims=True) - self._even * along), found

    def _back_through_time(self, held: FloatArray) -> FloatArray:
        """From the slope by what memories hold [N, 2 H] to that by what goes into their gates.  # [2, T B, 4 H]"""
        places, again = self._places, np.ascontiguousarray(self._layers.again.transpose(0, 2, 1))
        _, steps, strings = places.shape
        hidden = again.shape[2]
        by_token = np.concatenate([held, np.zeros_like(held[:1])]).reshape(-1, 2, hidden)
        slopes = np.empty_like(self._gates)
        memory, cell = np.zeros((2, 2, strings, hidden), held.dtype)
        for step in range(steps - 1, -1, -1):
            for way in (0, 1):
                memory[way] += by_token[places[way, step], way]
            let_in, keep, let_out, new = np.split(self._gates[:, step], 4, axis=2)
            bent = self._bent[step + 1]
            cell += memory * let_out * (1 - bent * bent)
            slope = slopes[:, step]
            slope[..., :hidden] = cell * new * let_in * (1 - let_in)
            slope[..., hidden : 2 * hidden] = cell * self._cell[step] * keep * (1 - keep)
            slope[..., 2 * hidden : 3 * hidden] = memory * bent * let_out * (1 - let_out)
            slope[..., 3 * hidden :] = cell * let_in * (1 - new * new)
            cell *= keep
            memory = np.matmul(slope, again)
        found: FloatArray = slopes.reshape(2, steps * strings, 4 * hidden)
        return found


def _places(lengths: IntArray) -> NDArray[np.int64]:
    """The token that each direction reads of each string at each step; where a string is over, one after all tokens.

    Both begin at step 0, so that what is after the end of a string is read after the string.  # [2, T, B]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    first, step = np.cumsum(sizes) - sizes, np.arange(sizes.max(initial=0))[:, None]
    ways = np.stack([first + step, first + sizes - 1 - step])
    return np.where(step < sizes, ways, sizes.sum())


def _bend(gates: FloatArray, hidden: int) -> None:
    """The three gates between 0 and 1, what is new between -1 and 1, in place."""
    gate, new = gates[..., : 3 * hidden], gates[..., 3 * hidden :]
    np.tanh(new, out=new)
    np.multiply(gate, 0.5, out=gate)  # the logistic function by way of tanh: nothing overflows
    np.tanh(gate, out=gate)
    gate += 1
    gate *= 0.5


def scores_of_tokens(net: Net, encoded: Encoded) -> FloatArray:
    """The scores of the labels of every token.  # [N, Y]"""
    found = [np.zeros((0, len(net.layers.base)), np.float32)]
    for first in range(0, len(encoded.lengths), _STRINGS):
        part = encoded.strings(np.arange(first, min(first + _STRINGS, len(encoded.lengths))))
        found.append(BiLSTM(net.layers, scores(part, net.rows), part.lengths).token)
    return np.concatenate(found)
