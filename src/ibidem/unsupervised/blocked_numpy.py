"""Reference implementation of the kernels of the blocked sampler: what they compute, one citation at a time.

A citation of T tokens is cut into K segments, one for each element, some of them empty. A segment of element k over the
tokens s .. t, after a set of elements, has the probability

    step[k, set] · length[k, t - s] · ∏ word[w_i, k] · gap[g_i, k]

where g_i is the gap between token i and the next; gaps inside a segment and after it have different probabilities.

`alpha[t, set]` sums over all ways to cover the first t tokens with the elements of a set.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import require, require_range, require_starts, require_threads
from ibidem.types import IntArray
from ibidem.unsupervised.gibbs_numpy import uniforms

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
NO_ELEMENT = 255
INSIDE, LAST = range(2)
_MAX_ELEMENTS = 16
_IMPOSSIBLE = "the tables are not those of these elements: no segmentation is possible"


class _Lattice:
    """The segment probabilities of one citation, and the dynamic programs over them."""

    def __init__(
        self, words: IntArray, gaps: IntArray, element: Bytes, word: Floats, word_total: Floats, length: Floats,
        length_total: Floats, step: Floats, gap: Floats,
    ) -> None:  # fmt: skip
        self.T, self.K, self.step = len(words), word.shape[1], step
        self.longest = length.shape[1] - 1
        placed = self.T > 0 and element[0] != NO_ELEMENT
        own = np.bincount(element, minlength=self.K) if placed else np.zeros(self.K)
        emit = word[words].copy()  # [T, K]
        lengths = length.copy()
        if placed:
            for i in range(self.T):
                for j in np.flatnonzero(words == words[i]):
                    emit[i, element[j]] -= 1
            require((emit >= 0).all(), "the tables count fewer words than these elements have")
            lengths[np.arange(self.K), np.minimum(own, self.longest)] -= 1
        self.lengths = lengths / (length_total - placed)[:, None]
        around = gap[gaps]  # [T, K, 2]
        self.inside = emit / (word_total - own) * around[..., INSIDE]
        self.close = around[..., LAST] / around[..., INSIDE]

    def segment(self, k: int, s: int, t: int) -> float:
        """Return the probability of the tokens s .. t as a segment of element k, the order aside."""
        if t - s > self.longest:
            return 0.0
        if s == t:
            return float(self.lengths[k, 0])
        return float(self.lengths[k, t - s] * self.inside[s:t, k].prod() * self.close[t - 1, k])

    def forward(self) -> tuple[Floats, Floats]:
        """Return alpha [T + 1, 2^K], each row scaled to a maximum of 1, and the logarithm of the scale [T + 1]."""
        alpha, scale = np.zeros((self.T + 1, 1 << self.K)), np.zeros(self.T + 1)
        for t in range(self.T + 1):
            if t == 0:
                alpha[0, 0] = 1
            for k in range(self.K):
                for s in range(t):
                    weight = self.segment(k, s, t) * math.exp(scale[s] - scale[max(t - 1, 0)])
                    free = np.flatnonzero(self.step[k] > 0)
                    alpha[t, free | 1 << k] += alpha[s, free] * self.step[k, free] * weight
            for chosen in range(1, 1 << self.K):
                for k in range(self.K):
                    if chosen >> k & 1:
                        before = chosen ^ 1 << k
                        alpha[t, chosen] += alpha[t, before] * self.step[k, before] * self.lengths[k, 0]
            top = alpha[t].max()
            if top <= 0:
                return alpha, np.full(self.T + 1, -np.inf)
            if t > 0:
                alpha[t] /= top
                scale[t] = scale[t - 1] + math.log(top)
        return alpha, scale

    def backward(self, alpha: Floats, scale: Floats) -> Floats:
        """Return the marginal probability of each element at each token: [T, K]."""
        full = (1 << self.K) - 1
        beta = np.zeros_like(alpha)
        beta[self.T, full] = 1 / alpha[self.T, full]
        mass = np.zeros((self.T, self.K))
        for t in range(self.T, -1, -1):
            for k in range(self.K):
                free = np.flatnonzero(self.step[k] > 0)
                for u in range(t + 1, self.T + 1):
                    weight = self.segment(k, t, u) * math.exp(scale[t] - scale[u])
                    part = self.step[k, free] * weight * beta[u, free | 1 << k]
                    beta[t, free] += part
                    mass[t:u, k] += (part * alpha[t, free]).sum()
            for chosen in range(full, 0, -1):
                for k in range(self.K):
                    if chosen >> k & 1:
                        before = chosen ^ 1 << k
                        beta[t, before] += beta[t, chosen] * self.step[k, before] * self.lengths[k, 0]
        return mass

    def sample(self, alpha: Floats, scale: Floats, random: Iterator[float]) -> list[tuple[int, int, int]]:
        """Sample a segmentation backwards: (element, start, end), the last one first."""
        t, chosen, found = self.T, (1 << self.K) - 1, []
        while chosen:
            ways, weights = [], []
            for k in range(self.K):
                if not chosen >> k & 1:
                    continue
                before = chosen ^ 1 << k
                for s in range(t, -1, -1):
                    ways.append((k, s))
                    weight = self.segment(k, s, t) * self.step[k, before] * alpha[s, before]
                    weights.append(weight * math.exp(scale[s] - scale[t]))
            passed = np.cumsum(weights)
            require(any(weight > 0 for weight in weights), _IMPOSSIBLE)
            place = int(np.searchsorted(passed, next(random) * alpha[t, chosen], side="right"))
            k, s = ways[min(place, int(np.flatnonzero(weights)[-1]))]
            found.append((k, s, t))
            t, chosen = s, chosen ^ 1 << k
        return found


def _filter(
    words: IntArray, gaps: IntArray, starts: NDArray[np.int64], element: Bytes, tables: tuple[Floats, ...],
    log_likelihood: Floats,
) -> Iterator[tuple[int, int, int, _Lattice, Floats, Floats]]:  # fmt: skip
    """Yield the number, begin, end, lattice, alpha and scale of each possible citation; fill in `log_likelihood`."""
    for d, (begin, end) in enumerate(itertools.pairwise(starts)):
        if begin == end:
            log_likelihood[d] = 0
            continue
        lattice = _Lattice(words[begin:end], gaps[begin:end], element[begin:end], *tables)
        alpha, scale = lattice.forward()
        if alpha[-1, -1] * (scale[-1] > -np.inf) > 0:
            log_likelihood[d] = math.log(alpha[-1, -1]) + scale[-1]
            yield d, begin, end, lattice, alpha, scale


def _check(
    words: IntArray, gaps: IntArray, starts: NDArray[np.int64], element: Bytes, word: Floats, word_total: Floats,
    length: Floats, length_total: Floats, step: Floats, gap: Floats, threads: int,
) -> None:  # fmt: skip
    """Refuse tables of other shapes, indices out of range, and citations of which some tokens have no element."""
    N, K = len(words), word.shape[1]
    require(1 <= K <= _MAX_ELEMENTS, f"the number of elements must be from 1 to {_MAX_ELEMENTS}")
    require(len(gaps) == len(element) == N, "words, gaps and elements must have the same length")
    shapes = word_total.shape, length.shape[0], length_total.shape, step.shape, gap.shape[1:]
    right = shapes == ((K,), K, (K,), (K, 1 << K), (K, 2)) and length.shape[1] > 0
    require(right, "the tables must be word [W, K], length [K, L + 1], step [K, 2^K], gap [C, K, 2] and totals [K]")
    require_starts(starts, N)
    require_range("words", words, 0, len(word))
    require_range("gaps", gaps, 0, len(gap))
    names = ("word", "word_total", "length", "length_total", "step", "gap")
    for name, table in zip(names, (word, word_total, length, length_total, step, gap), strict=True):
        require(((table >= 0) & (table <= 1e15)).all(), f"{name} must be from 0 to 1e15")
    for begin, end in itertools.pairwise(starts.tolist()):
        own = element[begin:end]
        require((own < K).all() or (own == NO_ELEMENT).all(), "in a citation every token must have an element, or none")
    require_threads(threads)


def sample_segmentations(
    words: IntArray, gaps: IntArray, starts: NDArray[np.int64], element: Bytes, word: Floats, word_total: Floats,
    length: Floats, length_total: Floats, step: Floats, gap: Floats, seed: int, sweep: int, threads: int,
) -> tuple[Bytes, Floats, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """Sample the elements of all tokens.

    Returns elements [N], log-likelihoods [D], and the counts of steps [K, 2^K], lengths [K, L + 1], gaps [C, K, 2].
    """
    _check(words, gaps, starts, element, word, word_total, length, length_total, step, gap, threads)
    sampled = np.full(len(words), NO_ELEMENT, dtype=np.uint8)
    log_likelihood = np.full(len(starts) - 1, -np.inf)
    steps, lengths, seen = (np.zeros(table.shape, dtype=np.int64) for table in (step, length, gap))
    tables = (word, word_total, length, length_total, step, gap)
    for d, begin, end, lattice, alpha, scale in _filter(words, gaps, starts, element, tables, log_likelihood):
        between = gaps[begin:end]
        used = step.shape[1] - 1
        for k, s, t in lattice.sample(alpha, scale, uniforms(seed, sweep, d)):
            used ^= 1 << k
            steps[k, used] += 1
            lengths[k, t - s] += 1
            sampled[begin + s : begin + t] = k
            for i in range(s, t):
                seen[between[i], k, LAST if i == t - 1 else INSIDE] += 1
    return sampled, log_likelihood, steps, lengths, seen


def decode_segmentations(
    words: IntArray, gaps: IntArray, starts: NDArray[np.int64], element: Bytes, word: Floats, word_total: Floats,
    length: Floats, length_total: Floats, step: Floats, gap: Floats, threads: int,
) -> tuple[Bytes, NDArray[np.float32], Floats]:  # fmt: skip
    """Return the elements with the most expected correct tokens [N], their probabilities [N], log-likelihoods [D]."""
    _check(words, gaps, starts, element, word, word_total, length, length_total, step, gap, threads)
    found = np.full(len(words), NO_ELEMENT, dtype=np.uint8)
    confidence = np.zeros(len(words), dtype=np.float32)
    log_likelihood = np.full(len(starts) - 1, -np.inf)
    tables = (word, word_total, length, length_total, step, gap)
    for _, begin, end, lattice, alpha, scale in _filter(words, gaps, starts, element, tables, log_likelihood):
        mass = lattice.backward(alpha, scale)
        require(np.isfinite(mass).all(), _IMPOSSIBLE)
        found[begin:end] = best_contiguous(mass)
        confidence[begin:end] = np.clip(mass[np.arange(len(mass)), found[begin:end]], 0, 1)
    return found, confidence, log_likelihood


def best_contiguous(mass: Floats) -> Bytes:
    """Return the elements [T] that maximise the sum of `mass` [T, K], each element contiguous."""
    T, K = mass.shape
    value = np.full((T + 1, 1 << K, K), -np.inf)  # the last token is of element k; the elements of the set are used
    came = np.zeros((T + 1, 1 << K, K), dtype=np.int64)
    top, best = np.full((T + 1, 1 << K), -np.inf), np.zeros((T + 1, 1 << K), dtype=np.int64)
    top[0, 0] = 0
    for t in range(1, T + 1):
        for chosen in range(1, 1 << K):
            for k in range(K):
                if not chosen >> k & 1:
                    continue
                stay, enter = value[t - 1, chosen, k], top[t - 1, chosen ^ 1 << k]
                value[t, chosen, k] = max(stay, enter) + mass[t - 1, k]
                came[t, chosen, k] = k if stay >= enter else best[t - 1, chosen ^ 1 << k]
            best[t, chosen] = value[t, chosen].argmax()
            top[t, chosen] = value[t, chosen].max()
    element = np.zeros(T, dtype=np.uint8)
    if T:
        chosen = int(top[T].argmax())
        k = int(best[T, chosen])
        for t in range(T, 0, -1):
            element[t - 1] = k
            before = int(came[t, chosen, k])
            chosen, k = (chosen, k) if before == k else (chosen ^ 1 << k, before)
    return element
