"""Decoding in one call: the best path of each string, its segments and their probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.inference import core
from ibidem.inference.core import Paths
from ibidem.inference.dual import SoftDual, label_counts
from ibidem.types import Automaton, BoolArray, IntArray, Potentials


@dataclass(frozen=True, slots=True)
class Decoded:
    """The best labelling of each string of a batch, with its marginals.

    `segments` are the segments on the best paths, (string, start, end, mask) each, tokens counted from the start of the
    string, end exclusive; string by string, then by start, outer before inner. Under constraints, the numbers of a
    string are those of its scores less the dual multipliers under which its path was found, all 0 where no constraint
    is binding.
    """

    score: NDArray[np.float64]  # [B] of the best path
    log_partition: NDArray[np.float64]  # [B]
    segments: IntArray  # [M, 4]
    mass: NDArray[np.float64]  # [M] the log-probability of each segment
    multipliers: NDArray[np.float64]  # [B, C]


def best_segments(
    automaton: Automaton,
    potentials: Potentials,
    first: BoolArray,
    inside: BoolArray,
    threads: int = 1,
    with_marginals: bool = True,
    dual: SoftDual | None = None,
) -> Decoded:
    """Return the segments on the best path of each string of a chain (L = 1), with their log-probabilities.

    A segment of mask k begins at a state in first[k] and continues while the states are in inside[k]; both masks are
    [K, S], and where segments lie within each other the outer one has the lower number. The same as `best`,
    `log_partition` and `segment_mass` one after the other, which is how it is done without compiled kernels. Without
    `with_marginals` only the best path is computed: log-partition and masses are 0. With a `dual`, the path is
    the best under its constraints.
    """
    batch = core._batch(automaton, potentials)
    masks = [np.ascontiguousarray(mask, dtype=np.bool_) for mask in (first, inside)]
    states, longest = len(batch[0]), batch[4].shape[1]
    if longest != 1:
        raise IbidemError(f"best_segments is for chains, longest span 1; the potentials go up to {longest}")
    if masks[0].ndim != 2 or masks[0].shape != masks[1].shape or masks[0].shape[1] != states:
        raise IbidemError(f"expected two masks [K, {states}]; got {masks[0].shape} and {masks[1].shape}")
    if not hasattr(core._kernels(), "best_segments"):
        return _compose(automaton, potentials, masks[0], masks[1], threads, with_marginals, dual)
    limits = dual.limits if dual else (np.zeros((0, batch[4].shape[2])), np.zeros(0), np.zeros(0), 1, 0)
    found = core._call("best_segments", batch, *masks, with_marginals, *limits, core._threads(threads))
    score, log_z, segments, mass, place, values = found
    core._require_paths(score)
    multipliers = dual.scatter(place, values, len(score)) if dual else np.zeros((len(score), 0))
    return Decoded(score, log_z, segments, mass, multipliers)


def best_under(
    automaton: Automaton, potentials: Potentials, threads: int, dual: SoftDual | None
) -> tuple[Paths, Potentials, NDArray[np.float64]]:
    """Return the best paths under constraints, the potentials less multipliers, and the multipliers.

    The scores of the paths are those of the potentials less multipliers.
    """
    if dual is None:
        return core.best(automaton, potentials, threads), potentials, np.zeros((len(potentials.lengths), 0))
    decoded = dual.decode(automaton, potentials, threads)
    path, multipliers = decoded.paths, decoded.multipliers
    cost = (label_counts(automaton, potentials, path) * dual.label_costs(multipliers)).sum(axis=1)
    reduced = dual.subtract(potentials, multipliers)
    return Paths(path.state, path.start, path.score - cost, path.count), reduced, multipliers


def _compose(
    automaton: Automaton,
    potentials: Potentials,
    first: BoolArray,
    inside: BoolArray,
    threads: int,
    with_marginals: bool,
    dual: SoftDual | None,
) -> Decoded:
    path, potentials, multipliers = best_under(automaton, potentials, threads, dual)
    rows: list[tuple[int, int, int, int]] = []
    place = 0
    for string, length in enumerate(np.asarray(potentials.lengths).tolist()):
        states = path.state[place : place + length]
        rows += [(string, *segment) for segment in _segments(first[:, states], inside[:, states])]
        place += length
    segments = np.array(rows, dtype=np.int32).reshape(-1, 4)
    if not with_marginals:
        return Decoded(path.score, np.zeros(len(path.score)), segments, np.zeros(len(segments)), multipliers)
    log_z = core.log_partition(automaton, potentials, threads)
    mass = core.segment_mass(automaton, potentials, segments, first, inside, threads)
    return Decoded(path.score, log_z, segments, mass, multipliers)


def _segments(first: BoolArray, inside: BoolArray) -> list[tuple[int, int, int]]:
    """Return the segments (start, end, mask) of a string, given the masks of each of its states.  # [K, T] each"""
    found: list[tuple[int, int, int]] = []
    open_: list[tuple[int, int]] = []  # start, mask

    def close(depth: int, end: int) -> None:
        while len(open_) > depth:
            start, mask = open_.pop()
            found.append((start, end, mask))

    length = first.shape[1]
    for place in range(length):
        masks = np.flatnonzero(first[:, place] | inside[:, place]).tolist()
        kept = 0
        while kept < min(len(masks), len(open_)) and not first[masks[kept], place] and masks[kept] == open_[kept][1]:
            kept += 1
        close(kept, place)
        open_ += [(place, mask) for mask in masks[kept:]]
    close(0, length)
    return sorted(found, key=lambda segment: (segment[0], segment[2]))
