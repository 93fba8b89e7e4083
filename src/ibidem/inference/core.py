"""The verbs of inference over paths: they check their arguments and call the C++ kernels or the NumPy reference.

Strings come in batches, one after the other, N = lengths.sum() tokens in all. A string without tokens has one path, the
empty one, with score 0. A string in which no path has a finite score has the log-partition -inf and no counts. Scores
may be -inf (forbidden), never +inf or NaN. Results do not depend on `threads`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.inference import core_numpy
from ibidem.kernels import compiled
from ibidem.types import Automaton, BoolArray, ExpectedCounts, FloatArray, IntArray, Potentials


@dataclass(frozen=True, slots=True)
class Paths:
    """One path for each string of a batch, or several rows of them.

    `state[..., n]` is the state that covers token n, `start[..., n]` whether a span begins there, `score[..., b]` the
    score of the path of string b and `count[b]` how many rows hold a path of string b; the others have state -1 and
    score -inf. The leading axis is there for samples and k-best lists, not for the best path.
    """

    state: IntArray  # [..., N]
    start: BoolArray  # [..., N]
    score: NDArray[np.float64]  # [..., B]
    count: IntArray  # [B]

    def row(self, index: int) -> Paths:
        """Return the paths of one row: arrays [N], [N] and [B]."""
        if self.state.ndim != 2:
            raise IbidemError("these Paths have a single row: use them as they are")
        count = (self.count > index).astype(np.int32)
        return Paths(self.state[index], self.start[index], self.score[index], count)


def kernels_in_use() -> str:
    """Return the name of the kernels that the next call will use: "C++ (avx2)", "C++ (baseline)" or "NumPy"."""
    kernels = _kernels()
    return "NumPy" if kernels is core_numpy else f"C++ ({kernels.loops_in_use()})"


def log_partition(automaton: Automaton, potentials: Potentials, threads: int = 1) -> NDArray[np.float64]:
    """Return the logarithm of the sum of exp(score) over all paths of each string: [B]."""
    log_z: NDArray[np.float64] = _call("log_partition", _batch(automaton, potentials), _threads(threads))
    return log_z


def marginals(
    automaton: Automaton, potentials: Potentials, threads: int = 1
) -> tuple[NDArray[np.float64], ExpectedCounts]:
    """Return the log-partition [B] and the marginals: probabilities of spans [N, L, Y], expected counts of arcs [A]."""
    log_z, span, arc = _call("marginals", _batch(automaton, potentials), _threads(threads))
    return log_z, ExpectedCounts(span, arc)


def best(automaton: Automaton, potentials: Potentials, threads: int = 1) -> Paths:
    """Return the path with the highest score of each string: state [N], start [N], score [B].

    Among equals, from the end of the string: the first state, then the shortest span, then the first arc.
    """
    state, start, score = _call("best", _batch(automaton, potentials), _threads(threads))
    _require_paths(score)
    return Paths(state, start, score, np.ones(len(score), dtype=np.int32))


def sample(automaton: Automaton, potentials: Potentials, seed: int, draws: int = 1, threads: int = 1) -> Paths:
    """Return paths drawn by their probability: state [draws, N], start [draws, N], score [draws, B].

    A draw depends on the seed, its number and the number of its string; not on `draws` or `threads`.
    """
    draws = _positive("draws", draws)
    state, start, score = _call("sample", _batch(automaton, potentials), seed % 2**64, draws, _threads(threads))
    _require_paths(score[0])
    return Paths(state, start, score, np.full(score.shape[1], draws, dtype=np.int32))


def kbest(automaton: Automaton, potentials: Potentials, k: int, threads: int = 1) -> Paths:
    """Return the k best paths, different from each other, best first: state [k, N], start [k, N], score [k, B].

    `count` says how many each string has; a string without any path has none. Memory is bounded, to about 500 MB for
    each thread: a string of thousands of tokens may have fewer than k, the best ones. Always in double precision.
    """
    span, arc = (core_numpy.on_grid(np.asarray(each, dtype=np.float64)) for each in (potentials.span, potentials.arc))
    exact = Potentials(span, arc, potentials.lengths)
    return Paths(*_call("kbest", _batch(automaton, exact), _positive("k", k), _threads(threads)))


def segment_mass(
    automaton: Automaton,
    potentials: Potentials,
    segments: IntArray,
    first: BoolArray,
    inside: BoolArray,
    threads: int = 1,
) -> NDArray[np.float64]:
    """Return the log-probability of each segment of a chain (L = 1): [M].

    `segments` [M, 4] are (string, start, end, mask), tokens counted from the start of the string, end exclusive. The
    event is that the state at `start` is in first[mask], the others before `end` are in inside[mask], and the state
    at `end`, where there is such a token, is not. `first` and `inside` are [K, S]. A probability too small for the
    type of the scores (1e-20 in single precision) is returned as -inf.
    """
    batch = _batch(automaton, potentials)
    S, lengths = len(batch[0]), batch[6]
    if batch[4].shape[1] != 1:
        raise IbidemError(f"segment_mass is for chains, longest span 1; the potentials go up to {batch[4].shape[1]}")
    wanted = _integers("segments", segments, 2)
    masks = [np.ascontiguousarray(mask, dtype=np.bool_) for mask in (first, inside)]
    if wanted.shape[1] != 4 or masks[0].ndim != 2 or masks[0].shape != masks[1].shape or masks[0].shape[1] != S:
        raise IbidemError(
            f"expected segments [M, 4] and two masks [K, {S}]; got {wanted.shape}, {masks[0].shape}, {masks[1].shape}"
        )
    _require_range("the string of a segment", wanted[:, 0], 0, len(lengths))
    _require_range("the mask of a segment", wanted[:, 3], 0, len(masks[0]))
    wrong = (wanted[:, 1] < 0) | (wanted[:, 1] >= wanted[:, 2]) | (wanted[:, 2] > lengths[wanted[:, 0]])
    if wrong.any():
        worst = int(wrong.argmax())
        raise IbidemError(
            f"segment {worst} is {wanted[worst].tolist()}; 0 <= start < end <= "
            f"{int(lengths[wanted[worst, 0]])}, the length of its string, is required"
        )
    mass: NDArray[np.float64] = _call("segment_mass", batch, wanted, *masks, _threads(threads))
    return mass


def _kernels() -> Any:
    """Return the module that computes: the compiled one or the reference, as the environment says."""
    return compiled() or core_numpy


def _call(name: str, batch: tuple[Any, ...], *rest: Any, reference: Any = core_numpy) -> Any:
    """Call the kernel of that name or its reference; what it refuses becomes an IbidemError."""
    try:
        return getattr(compiled() or reference, name)(*batch, *rest)
    except ValueError as error:
        raise IbidemError(str(error)) from error


def _batch(automaton: Automaton, potentials: Potentials) -> tuple[Any, ...]:
    """Return the arrays that every kernel takes, checked, contiguous and of the right types."""
    label = _integers("automaton.label", automaton.label, 1)
    src, dst = _integers("automaton.src", automaton.src, 1), _integers("automaton.dst", automaton.dst, 1)
    final = np.ascontiguousarray(automaton.final, dtype=np.bool_)
    span = _reals("potentials.span", potentials.span, 3)
    arc = np.ascontiguousarray(potentials.arc, dtype=span.dtype)
    lengths = _integers("potentials.lengths", potentials.lengths, 1)
    S, (N, L, Y) = len(label), span.shape
    if S == 0 or final.shape != (S,) or src.shape != dst.shape or arc.shape != src.shape:
        raise IbidemError(
            "expected label [S] and final [S], S > 0, src [A], dst [A] and arc [A]; "
            f"got {label.shape}, {final.shape}, {src.shape}, {dst.shape} and {arc.shape}"
        )
    if L == 0 or Y == 0:
        raise IbidemError(f"potentials.span is [N, L, Y] with L and Y of at least 1; got {span.shape}")
    _require_lengths(lengths, N)
    _require_range("automaton.label", label, 0, Y)
    _require_range("automaton.src", src, -1, S)
    _require_range("automaton.dst", dst, 0, S)
    for name, scores in (("potentials.span", span), ("potentials.arc", arc)):
        if not scores.max(initial=-np.inf) < np.inf:  # NaN is not below anything
            raise IbidemError(f"{name} holds NaN or +inf; scores are finite, or -inf for what is forbidden")
    return label, src, dst, final, span, arc, lengths


def _integers(name: str, value: Any, dimensions: int) -> IntArray:
    """Return the value as a contiguous int32 array."""
    array = np.asarray(value)
    if array.ndim != dimensions or (array.dtype.kind not in "iu" and array.size):
        raise IbidemError(f"{name} must hold integers in {dimensions} dimensions; got {array.dtype} {array.shape}")
    if array.dtype != np.int32 and array.size and not -(2**31) <= array.min() <= array.max() < 2**31:
        raise IbidemError(f"{name} holds integers that do not fit into 32 bits: make them smaller")
    return np.ascontiguousarray(array, dtype=np.int32)


def _reals(name: str, value: Any, dimensions: int) -> FloatArray:
    """Return the value as a contiguous array, float32 if it is so already and else float64."""
    array = np.asarray(value)
    if array.ndim != dimensions or array.dtype.kind not in "fiu":
        raise IbidemError(f"{name} must hold real numbers in {dimensions} dimensions; got {array.dtype} {array.shape}")
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    return np.ascontiguousarray(array, dtype=dtype)


def _positive(name: str, value: int) -> int:
    """Return the value if it is at least 1."""
    if not 1 <= value < 2**31:
        raise IbidemError(f"{name} must be at least 1; got {value}")
    return int(value)


def _threads(value: int) -> int:
    """Return the number of threads if it is at least 1."""
    return _positive("threads", value)


def _require_range(name: str, array: IntArray, low: int, high: int) -> None:
    """Refuse integers outside of low .. high - 1."""
    if array.size and not low <= array.min() <= array.max() < high:
        raise IbidemError(f"{name} must be from {low} to {high - 1}; got {array.min()} to {array.max()}")


def _require_lengths(lengths: IntArray, tokens: int) -> None:
    """Refuse lengths that do not add up to the number of tokens."""
    total = int(lengths.sum(dtype=np.int64))
    if total != tokens or (lengths < 0).any():
        raise IbidemError(f"lengths must be >= 0 and add up to the {tokens} tokens given; they add up to {total}")


def _require_paths(score: NDArray[np.float64]) -> None:
    """Refuse a batch in which some string has no path."""
    lost = np.flatnonzero(score == -np.inf)
    if len(lost):
        raise IbidemError(
            f"string {lost[0]} of the batch has no path of finite score ({len(lost)} such in all): its scores or the "
            "automaton forbid every labelling; allow more labels"
        )
