"""The posterior of tiny corpora by enumeration of every state of the draws and the inversion counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np

from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.mallows import log_normalisers, order_of

State = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # (draws, inversion counts) of each citation


def inversion_counts(order: Sequence[int]) -> tuple[int, ...]:
    """Return the K - 1 inversion counts of an order.

    >>> inversion_counts((1, 0, 2, 3, 4)), inversion_counts((2, 1, 0))
    ((1, 0, 0, 0), (2, 1))
    """
    place = {element: index for index, element in enumerate(order)}
    K = len(place)
    return tuple(sum(place[other] < place[k] for other in range(k + 1, K)) for k in range(K - 1))


def log_probability(counts: np.ndarray, rho: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the log-probability of orders given by their inversion counts [..., K - 1] (equation 1)."""
    weights = np.asarray(rho, dtype=np.float64)
    return -(np.asarray(counts) @ weights) - log_normalisers(weights).sum()


def states(corpus: Corpus, K: int, moving: bool = True) -> list[State]:
    """Return all states of a corpus."""
    orders = list(product(*(range(K - k if moving else 1) for k in range(K - 1))))
    each = [list(product(product(range(K), repeat=int(n)), orders)) for n in corpus.lengths]
    return list(product(*each))


def log_joint(corpus: Corpus, state: State, rho: np.ndarray, alpha: float, beta: float) -> float:
    """Return log p(t, v, x), up to a constant: draws, orders, and the words of all citations."""
    K, W = len(rho) + 1, len(corpus.vocabulary)
    words = [corpus.words[a:b].tolist() for a, b in pairwise(corpus.starts)]
    total, pairs = 0.0, Counter()
    for own, (draws, counts) in zip(words, state, strict=True):
        total += float(log_probability(np.array(counts), rho))
        times = Counter(draws)
        if math.isfinite(alpha):  # of the sequence of draws, not of the counts
            total += math.lgamma(K * alpha) - math.lgamma(K * alpha + len(draws))
            total += sum(math.lgamma(alpha + times[k]) - math.lgamma(alpha) for k in range(K))
        topics = [k for k in order_of(counts) for _ in range(times[k])]
        pairs.update(zip(topics, own, strict=True))
    for k in range(K):
        of_topic = [times for (topic, _), times in pairs.items() if topic == k]
        total += sum(math.lgamma(beta + times) - math.lgamma(beta) for times in of_topic)
        total += math.lgamma(W * beta) - math.lgamma(W * beta + sum(of_topic))
    return total


def posterior(corpus: Corpus, all_states: list[State], rho: np.ndarray, alpha: float, beta: float) -> np.ndarray:
    """Return the probability of each state."""
    scores = np.array([log_joint(corpus, state, rho, alpha, beta) for state in all_states])
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()
