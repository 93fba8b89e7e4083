"""Soft constraints by beam search, as Chang et al. 2012 decode: the rival of dual decomposition in Anzaroot 2014.

Labellings are built from left to right; after every token the `width` best prefixes are kept, whatever state they are
in. A prefix is worth its score less what it already owes. Of each constraint that is one of these:

- *certain*: the part of the violation that no continuation can undo. Where all coefficients are positive ("at most")
  that is all of the violation so far, charged at the token that causes it. Any other constraint ("at least", or one
  count against another) can still be mended at each token that is left, by its most negative coefficient; it is charged
  when so few tokens are left that this is not enough. A charge is never taken back.
- *current*: the violation so far, so that "at least" is charged before the first token, and taken back when mended.

At the last token both are the exact penalty, so the value of the labelling that is returned is exact, and a beam that
holds all prefixes returns the best one. Whether a narrower one has pruned something better is not known: beam search
gives no certificates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.inference.constraints import CompiledConstraints
from ibidem.types import Automaton, IntArray, Potentials

Reals = NDArray[np.float64]
_CELLS = 1 << 21  # of the largest array, which has a cell for each prefix of a group of strings and each change


class BeamPaths(NamedTuple):
    """The path found for each string, its score, and its score less its penalties: -inf where no path is left."""

    state: IntArray  # [N]
    score: Reals  # [B]
    value: Reals  # [B]


class _Prefixes(NamedTuple):
    """The prefixes of each string of a group, best first; an empty place has the score -inf."""

    state: IntArray  # [B, W]
    score: Reals  # [B, W]
    excess: Reals  # [B, W, C] coefficients times counts so far, less the bound


class _Step(NamedTuple):
    """How the prefixes after a token came about."""

    parent: NDArray[np.intp]  # [B, W] place among the prefixes before
    state: IntArray  # [B, W]
    score: Reals  # [B, W]
    value: Reals  # [B, W]


class BeamSearch:
    """A decoder under soft constraints by beam search, for the potentials of a chain."""

    def __init__(
        self, automaton: Automaton, constraints: CompiledConstraints, penalty: Reals, width: int, certain: bool = True
    ) -> None:
        if width < 1 or not np.isfinite(penalty).all():
            raise ConfigError(f"the width is {width}: give 1 or more, and finite penalties")
        kept = np.flatnonzero(penalty > 0)
        self._penalty, self._bound = penalty[kept], constraints.bound[kept]
        self._coefficient = constraints.coefficient[kept]  # [C, Y]
        lowest = self._coefficient.min(axis=1, initial=0.0)
        self._mend = -lowest if certain else np.zeros(len(kept))  # [C] what one token can make good
        self._automaton, self._width = automaton, width
        self._label, self._which = np.nonzero(self._coefficient.T)  # the changes: a constraint that a label counts in
        self._change = self._coefficient[self._which, self._label]
        self._counted, self._first = np.unique(self._label, return_index=True)
        self._arcs = _arcs_out(automaton)  # [1 + S, D]

    def decode(self, potentials: Potentials) -> BeamPaths:
        """Return the best path that is in the beam at the end of each string."""
        if potentials.span.shape[1] != 1:
            raise ConfigError("beam search labels one token at a time: give the potentials of a chain")
        lengths = np.asarray(potentials.lengths).astype(np.intp)
        begin = np.cumsum(lengths) - lengths
        state = np.zeros(len(potentials.span), dtype=np.int32)
        score, value = np.zeros(len(lengths)), np.zeros(len(lengths))
        value -= float(np.maximum(-self._bound, 0.0) @ self._penalty)  # of strings without tokens
        order = np.argsort(-lengths, kind="stable")[: int((lengths > 0).sum())]  # longest first
        changes = max(len(self._which), len(self._penalty), self._arcs.shape[1])
        size = max(1, _CELLS // (self._width * changes))
        for group in (order[place : place + size] for place in range(0, len(order), size)):
            steps = self._search(potentials, begin[group], lengths[group])
            for row, b in enumerate(group):
                last = steps[lengths[b] - 1]
                score[b], value[b] = last.score[row, 0], last.value[row, 0]
                state[begin[b] : begin[b] + lengths[b]] = _trace(steps[: lengths[b]], row)
        return BeamPaths(state, score, value)

    def _search(self, potentials: Potentials, begin: NDArray[np.intp], lengths: NDArray[np.intp]) -> list[_Step]:
        """Return the steps of a group of strings, the longest first."""
        count = len(self._penalty)
        prefixes = _Prefixes(
            np.full((len(begin), 1), -1, dtype=np.int32),
            np.zeros((len(begin), 1)),
            np.broadcast_to(-self._bound, (len(begin), 1, count)),
        )
        steps: list[_Step] = []
        for t in range(int(lengths[0])):
            alive = int((lengths > t).sum())
            prefixes = _Prefixes(prefixes.state[:alive], prefixes.score[:alive], prefixes.excess[:alive])
            span = np.asarray(potentials.span)[begin[:alive] + t, 0].astype(np.float64)
            step, prefixes = self._extend(prefixes, span, np.asarray(potentials.arc), lengths[:alive] - t - 1)
            steps.append(step)
        return steps

    def _extend(
        self, prefixes: _Prefixes, span: Reals, arc: NDArray[np.floating], left: NDArray[np.intp]
    ) -> tuple[_Step, _Prefixes]:
        """Return the best prefixes that are one token longer; `left` tokens of each string come after it."""
        arcs = self._arcs[prefixes.state + 1]  # [B, W, D]
        target = np.asarray(self._automaton.dst)[arcs]
        label = np.asarray(self._automaton.label)[target]
        string = np.arange(len(span))[:, None]
        ends = np.asarray(self._automaton.final)[target] | (left > 0)[:, None, None]
        score = prefixes.score[..., None] + arc[arcs] + span[string[..., None], label]
        score = np.where((arcs >= 0) & ends, score, -np.inf)
        owed = self._owed(prefixes.excess, left * self._mend[:, None])  # [B, W, Y]
        value = score - np.take_along_axis(owed, label.astype(np.intp), axis=2)
        chosen = _best_of(value.reshape(len(span), -1), self._width)  # [B, W]
        parent = chosen // arcs.shape[2]

        step = _Step(parent, *(_take(each, chosen) for each in (target, score, value)))
        excess = prefixes.excess[string, parent] + self._coefficient.T[_take(label, chosen)]
        return step, _Prefixes(step.state, step.score, excess)

    def _owed(self, excess: Reals, mended: Reals) -> Reals:
        """Return what each prefix owes when it is longer by each label.  # [B, W, Y]

        `mended` is what the tokens after that label can still make good of each constraint.  # [C, B]
        """
        room = excess - mended.T[:, None]  # [B, W, C]
        before = np.maximum(room, 0.0)
        owed = np.repeat((before @ self._penalty)[..., None], self._coefficient.shape[1], axis=2)
        if len(self._counted):
            now = np.maximum(room[..., self._which] + self._change, 0.0)
            more = (now - before[..., self._which]) * self._penalty[self._which]
            owed[..., self._counted] += np.add.reduceat(more, self._first, axis=2)
        return np.asarray(owed)


def _arcs_out(automaton: Automaton) -> NDArray[np.intp]:
    """Return the arcs out of the start and of each state, filled up with -1.  # [1 + S, D]"""
    source = np.asarray(automaton.src).astype(np.intp) + 1
    counts = np.bincount(source, minlength=len(automaton.label) + 1)
    order = np.argsort(source, kind="stable")
    arcs = np.full((len(counts), int(counts.max(initial=1))), -1, dtype=np.intp)
    arcs[np.arange(arcs.shape[1]) < counts[:, None]] = order
    return arcs


def _best_of(values: Reals, count: int) -> NDArray[np.intp]:
    """Return the places of the highest values of each row, best first.  # [B, count] or fewer"""
    chosen = np.argpartition(-values, count, axis=1)[:, :count] if count < values.shape[1] else None
    if chosen is None:
        return np.argsort(-values, axis=1, kind="stable")
    order = np.argsort(-np.take_along_axis(values, chosen, axis=1), axis=1, kind="stable")
    return np.take_along_axis(chosen, order, axis=1)


def _take(values: NDArray[Any], chosen: NDArray[np.intp]) -> NDArray[Any]:
    """Return the values at the chosen places of each row.  # [B, W]"""
    return np.take_along_axis(values.reshape(len(chosen), -1), chosen, axis=1)


def _trace(steps: Sequence[_Step], row: int) -> list[int]:
    """Return the states of the best path that ends with the last step."""
    states: list[int] = []
    place = 0
    for step in reversed(steps):
        states.append(int(step.state[row, place]))
        place = int(step.parent[row, place])
    return states[::-1]
