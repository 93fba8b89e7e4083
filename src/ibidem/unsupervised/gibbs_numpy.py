"""The reference implementation of the kernels of `ibidem.unsupervised.gibbs`, with the same random numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import require, require_range, require_starts, require_threads
from ibidem.types import IntArray
from ibidem.unsupervised.mallows import order_of

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_BY_TOPIC = 1
_MAX_TOPICS = 16

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
    _check_state(words, starts, draws, counts, totals, inversions.shape[1] + 1, alpha, beta, threads)
    _check_repeat(repeat, words, starts)
    _check_inversions(inversions, len(starts) - 1)
    require(rho.shape == inversions.shape[1:], "rho must be [K - 1]")
    require(0 <= rebuilt <= 2, f"rebuilt must be from 0 to 2; got {rebuilt}")
    require(np.isfinite(rho).all(), "rho must be finite")

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
    _check_state(words, starts, draws, counts, totals, topics, alpha, beta, threads)
    require(math.isfinite(alpha), "alpha must be finite")
    alpha, beta = float(alpha), float(beta)

    def visit(j: int, counts: IntArray, totals: Longs) -> None:
        random = uniforms(seed, iteration, j)
        own = np.bincount(draws[starts[j] : starts[j + 1]], minlength=topics)
        for i in range(int(starts[j]), int(starts[j + 1])):
            row = counts[words[i]]
            for table in (row, own, totals):
                table[draws[i]] -= 1
            require(row[draws[i]] >= 0, "the counts are not those of these draws")
            weights = (own + alpha) * (row[:topics] + beta) / (totals[:topics] + len(counts) * beta)
            draws[i] = _choose(np.log(weights), next(random))
            for table in (row, own, totals):
                table[draws[i]] += 1

    _visit_all(visit, starts, counts, totals, threads)


def assign_all_topics(starts: Longs, draws: Bytes, inversions: Bytes) -> Bytes:
    """Return z, the topic of each token: [N]."""
    _check_topics(inversions.shape[1] + 1)
    require_starts(starts, len(draws))
    require_range("draws", draws, 0, inversions.shape[1] + 1)
    _check_inversions(inversions, len(starts) - 1)
    found = np.zeros(len(draws), dtype=np.uint8)
    for j in range(len(starts) - 1):
        place = slice(int(starts[j]), int(starts[j + 1]))
        found[place] = assign_topics(draws[place], inversions[j])
    return found


def repeated_words(words: IntArray, starts: Longs) -> IntArray:
    """Return for each token the index of its word among those repeated in its citation, else -1: [N]."""
    require_starts(starts, len(words))
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


def _check_state(
    words: IntArray, starts: Longs, draws: Bytes, counts: IntArray, totals: Longs, topics: int, alpha: float,
    beta: float, threads: int,
) -> None:  # fmt: skip
    """Refuse draws of topics and counts of words whose indices are out of range."""
    _check_topics(topics)
    require(draws.shape == words.shape, "words and draws must have the same length")
    right = counts.shape[1] >= topics and totals.shape == counts.shape[1:]
    require(right, "counts must be [W, stride] and totals [stride], the stride at least the number of topics")
    require(alpha > 0 and 0 < beta < math.inf, "alpha and beta must be above 0, beta finite")
    require_starts(starts, len(words))
    require_range("words", words, 0, len(counts))
    require_range("draws", draws, 0, topics)
    require_range("counts", counts, 0, 1 << 30)
    require_range("totals", totals, 0, 1 << 53)
    require_threads(threads)


def _check_topics(topics: int) -> None:
    require(2 <= topics <= _MAX_TOPICS, f"the number of topics must be from 2 to {_MAX_TOPICS}")


def _check_inversions(inversions: Bytes, citations: int) -> None:
    require(len(inversions) == citations, "there must be inversion counts for each citation")
    most = np.arange(inversions.shape[1], 0, -1)
    require((inversions <= most).all(), "an inversion count is larger than there are topics after it")


def _check_repeat(repeat: IntArray, words: IntArray, starts: Longs) -> None:
    """Refuse numbers of repeated words that do not go from 0 on in each citation."""
    require(repeat.shape == words.shape, "words and repeat must have the same length")
    for begin, end in pairwise(starts.tolist()):
        numbers = np.union1d(repeat[begin:end], [-1])
        right = np.array_equal(numbers, np.arange(-1, len(numbers) - 1))
        require(right, "repeat must number the repeated words of each citation")


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
        require(counts[word, k] >= 0, "the counts are not those of these draws")
        totals[k] += sign


def _choose(scores: Floats, uniform: float) -> int:
    passed = np.cumsum(np.exp(scores - scores.max()))
    return min(int(np.searchsorted(passed, uniform * passed[-1], side="right")), len(scores) - 1)
