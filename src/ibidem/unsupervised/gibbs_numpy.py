"""The reference implementation of the kernels of `ibidem.unsupervised.gibbs`, with the same random numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ibidem.types import IntArray
from ibidem.unsupervised.mallows import order_of

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_BY_TOPIC = 1

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


def uniforms(seed: int, iteration: int, citation: int) -> Iterator[float]:
    """Yield uniform random numbers determined by the three arguments (splitmix64)."""
    state = seed
    for number in (0, iteration, citation):
        state = _mix((state + number + _STEP) & _WORD)
    while True:
        state = (state + _STEP) & _WORD
        yield (_mix(state) >> 11) * 2.0**-53


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


def assign_topics(draws: Sequence[int] | Bytes, inversions: Sequence[int] | Bytes) -> list[int]:
    """Return z of one citation: its draws in the order of the inversion counts (Figure 2 of the paper, from 0).

    >>> assign_topics([2, 0, 1, 1, 3, 3, 1, 2, 2, 0, 4], [1, 0, 0, 0])
    [1, 1, 1, 0, 0, 2, 2, 2, 3, 3, 4]
    """
    times = Counter(int(k) for k in draws)
    return [k for k in order_of([int(v) for v in inversions]) for _ in range(times[k])]


def log_words(
    words: Sequence[int] | IntArray, topics: Sequence[int], counts: IntArray, totals: Longs, beta: float
) -> float:
    """Return the logarithm of equation 7: the probability of a citation's words given the counts of all others."""
    total = 0.0
    for k, own in Counter(topics).items():
        before = float(totals[k]) + len(counts) * beta
        total += math.lgamma(before) - math.lgamma(before + own)
    for (k, word), times in Counter(zip(topics, map(int, words), strict=True)).items():
        before = float(counts[word, k]) + beta
        total += math.lgamma(before + times) - math.lgamma(before)
    return total


def inversion_scores(
    words: IntArray, draws: Bytes, inversions: Bytes, k: int, rho: Floats, counts: IntArray, totals: Longs, beta: float
) -> Floats:
    """Return the logarithm of equation 6, up to a constant, for each value of the inversion count of topic k."""
    K, candidate = len(inversions) + 1, [int(v) for v in inversions]
    scores = np.empty(K - k)
    for value in range(K - k):
        candidate[k] = value
        scores[value] = log_words(words, assign_topics(draws, candidate), counts, totals, beta) - rho[k] * value
    return scores


def draw_scores(
    words: IntArray, draws: Bytes, inversions: Bytes, i: int, alpha: float, counts: IntArray, totals: Longs, beta: float
) -> Floats:
    """Return the logarithm of equation 8, or 9 where alpha is infinite, for each topic as draw i."""
    K, candidate = len(inversions) + 1, [int(k) for k in draws]
    others = Counter(candidate[:i] + candidate[i + 1 :])
    scores = np.empty(K)
    for k in range(K):
        candidate[i] = k
        scores[k] = log_words(words, assign_topics(candidate, inversions), counts, totals, beta)
        if math.isfinite(alpha):
            scores[k] += math.log(others[k] + alpha)
    return scores


def gibbs_sweep(
    words: IntArray, starts: Longs, draws: Bytes, counts: IntArray, totals: Longs, repeat: IntArray, inversions: Bytes,
    rho: Floats, alpha: float, beta: float, move_inversions: bool, rebuilt: int, literal: bool, seed: int,
    iteration: int, threads: int,
) -> None:  # fmt: skip
    """Resample the inversion counts and topic draws of every citation, in place."""

    def visit(j: int, counts: IntArray, totals: Longs) -> None:
        place = slice(int(starts[j]), int(starts[j + 1]))
        own, mine, order = words[place], draws[place], inversions[j]
        random = uniforms(seed, iteration, j)
        _count(own, assign_topics(mine, order), counts, totals, -1)
        if move_inversions:
            for k in range(len(order)):
                order[k] = _choose(inversion_scores(own, mine, order, k, rho, counts, totals, beta), next(random))
        if rebuilt:
            mine[:] = np.sort(mine) if rebuilt == _BY_TOPIC else assign_topics(mine, order)
        for i in range(len(mine)):
            mine[i] = _choose(draw_scores(own, mine, order, i, alpha, counts, totals, beta), next(random))
        _count(own, assign_topics(mine, order), counts, totals, +1)

    _visit_all(visit, starts, counts, totals, threads)


def lda_sweep(
    words: IntArray, starts: Longs, draws: Bytes, counts: IntArray, totals: Longs, topics: int, alpha: float,
    beta: float, seed: int, iteration: int, threads: int,
) -> None:  # fmt: skip
    """Resample the topic of every token by LDA, in place."""

    def visit(j: int, counts: IntArray, totals: Longs) -> None:
        random = uniforms(seed, iteration, j)
        own = np.bincount(draws[starts[j] : starts[j + 1]], minlength=topics)
        for i in range(int(starts[j]), int(starts[j + 1])):
            row = counts[words[i]]
            for table in (row, own, totals):
                table[draws[i]] -= 1
            weights = (own + alpha) * (row[:topics] + beta) / (totals[:topics] + len(counts) * beta)
            draws[i] = _choose(np.log(weights), next(random))
            for table in (row, own, totals):
                table[draws[i]] += 1

    _visit_all(visit, starts, counts, totals, threads)


def assign_all_topics(starts: Longs, draws: Bytes, inversions: Bytes) -> Bytes:
    """Return z, the topic of each token: [N]."""
    found = np.zeros(len(draws), dtype=np.uint8)
    for j in range(len(starts) - 1):
        place = slice(int(starts[j]), int(starts[j + 1]))
        found[place] = assign_topics(draws[place], inversions[j])
    return found


def repeated_words(words: IntArray, starts: Longs) -> IntArray:
    """Return for each token the index of its word among those repeated in its citation, else -1: [N]."""
    repeat = np.full(len(words), -1, dtype=np.int32)
    for begin, end in pairwise(starts.tolist()):
        first_seen: dict[int, int] = {}
        known = 0
        for i, word in enumerate(words[begin:end].tolist(), begin):
            first = first_seen.setdefault(word, i)
            if first == i:
                continue
            if repeat[first] < 0:
                repeat[first], known = known, known + 1
            repeat[i] = repeat[first]
    return repeat


def _visit_all(
    visit: Callable[[int, IntArray, Longs], None], starts: Longs, counts: IntArray, totals: Longs, threads: int
) -> None:
    """Visit all citations; each of several threads works on its own copy of the counts, summed at the end."""
    J = len(starts) - 1
    edges = [0, *(int(np.searchsorted(starts[:J], int(starts[J]) // threads * p)) for p in range(1, threads)), J]
    before, before_totals = counts.copy(), totals.copy()
    for first, last in pairwise(edges):
        own, own_totals = before.copy(), before_totals.copy()
        for j in range(first, last):
            visit(j, own, own_totals)
        counts += own - before
        totals += own_totals - before_totals


def _count(words: IntArray, topics: Sequence[int], counts: IntArray, totals: Longs, sign: int) -> None:
    for word, k in zip(words, topics, strict=True):
        counts[word, k] += sign
        totals[k] += sign


def _choose(scores: Floats, uniform: float) -> int:
    passed = np.cumsum(np.exp(scores - scores.max()))
    return min(int(np.searchsorted(passed, uniform * passed[-1], side="right")), len(scores) - 1)
