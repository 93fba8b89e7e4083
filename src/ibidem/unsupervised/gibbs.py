"""The sampler of Masada et al. 2011: topic draws and inversion counts of each citation in turn (section 3).

Beside the model with a learnt order there are its two variants, *constrained* (every citation in the same order) and
*uniform* (all orders alike), and LDA, which knows no order at all.

The draws of a citation are a sequence t, of which only the counts decide how the citation is segmented. A sampler that
keeps t leaves the posterior as it is. One that forgets t and goes through the draws *sorted by topic* at the next
visit (`draws="rebuilt"`) does not: docs/papers/masada-2011.md says what that changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.kernels import compiled
from ibidem.types import IntArray
from ibidem.unsupervised import gibbs_numpy as gibbs_twin
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.dirichlet import fixed_point
from ibidem.unsupervised.mallows import CENTRE, log_posterior
from ibidem.unsupervised.slice_sampling import slice_sample

MOST_TOPICS = 16
_LANES = 8  # counts of a word lie in one cache line or half of one
_WIDTH = 1.0  # of the first slice of ρ: shrinking finds a narrow posterior in a dozen steps

Orders = Literal["mallows", "constrained", "uniform", "none"]
Progress = Callable[[int, "Gibbs"], None]
"""Called after each iteration with its number, from 1, and the sampler."""


@dataclass(frozen=True, slots=True)
class GibbsConfig:
    """How to sample. `order` "none" is LDA; `alpha` of infinity is equation 9, which LDA cannot have.

    Every `every` iterations an intermediate result is taken; the most frequent topic of each token over all of them is
    the answer. Results are the same for the same seed and number of threads: with several, each thread sees what the
    others did only at the end of an iteration.
    """

    topics: int = 5
    iterations: int = 1000
    every: int = 50
    order: Orders = "mallows"
    draws: Literal["kept", "rebuilt"] = "kept"
    alpha: float = math.inf
    beta: float = 0.05
    learn_alpha: bool = False
    learn_beta: bool = True
    kernel: Literal["fast", "literal"] = "fast"
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if not 2 <= self.topics <= MOST_TOPICS:
            raise ConfigError(f"topics is {self.topics}; from 2 to {MOST_TOPICS} are possible")
        for name in ("iterations", "every", "threads"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if not (0 < self.beta < math.inf and self.alpha > 0):
            raise ConfigError(f"alpha is {self.alpha} and beta {self.beta}; both must be above 0, beta finite")
        if math.isinf(self.alpha) and (self.learn_alpha or self.order == "none"):
            raise ConfigError("alpha is infinite; give a finite one where it is learnt, and for LDA")


@dataclass(frozen=True, slots=True)
class Sampled:
    """The answer of a run: the topic of each token by majority, and what the last iteration left."""

    topic: NDArray[np.uint8]  # [N]
    last: NDArray[np.uint8]  # [N]
    rho: NDArray[np.float64]  # [K - 1]
    alpha: float
    beta: float


class Gibbs:
    """The state of a sampler; `step` makes one iteration."""

    def __init__(self, corpus: Corpus, config: GibbsConfig) -> None:
        K, N = config.topics, len(corpus.words)
        chance = np.random.default_rng([config.seed, 1])
        self.corpus, self.config = corpus, config
        self.alpha, self.beta = config.alpha, config.beta
        self.rho = np.full(K - 1, CENTRE if config.order == "mallows" else 0.0)
        self.iteration = 0
        self.draws: NDArray[np.uint8] = chance.integers(K, size=N, dtype=np.uint8)  # [N] t
        self.inversions: NDArray[np.uint8] = np.zeros((corpus.size, K - 1), dtype=np.uint8)  # [J, K - 1] v
        self._chance = chance
        self._kernels: Any = compiled() or gibbs_twin
        self._repeat: IntArray = self._kernels.order_repeats(corpus.words, corpus.starts)
        self.counts: IntArray = np.empty((0, 0), dtype=np.int32)  # [W, stride] n_kw
        self.totals: NDArray[np.int64] = np.empty(0, dtype=np.int64)  # [stride] n_k
        self.recount()

    def recount(self) -> None:
        """Nothing: counts all words anew, as after a change of the draws or the inversion counts."""
        stride = -(-self.config.topics // _LANES) * _LANES
        W = len(self.corpus.vocabulary)
        keys = self.corpus.words.astype(np.int64) * stride + self.assigned()
        self.counts = np.bincount(keys, minlength=W * stride).astype(np.int32).reshape(W, stride)
        self.totals = self.counts.sum(axis=0, dtype=np.int64)

    def assigned(self) -> NDArray[np.uint8]:
        """z, the topic of each token: [N]."""
        if self.config.order == "none":
            return self.draws.copy()
        found: NDArray[np.uint8] = self._kernels.order_assigned(self.corpus.starts, self.draws, self.inversions)
        return found

    def step(self) -> None:
        """Nothing: one iteration, every citation and then every parameter once."""
        self.sweep()
        self._learn_rho()
        self._learn_priors()

    def sweep(self) -> None:
        """Nothing: visits every citation once; the parameters stay as they are."""
        config, corpus = self.config, self.corpus
        self.iteration += 1
        state = (corpus.words, corpus.starts, self.draws, self.counts, self.totals)
        chance = (config.seed, self.iteration, config.threads)
        if config.order == "none":
            self._kernels.order_unordered_sweep(*state, config.topics, self.alpha, self.beta, *chance)
            return
        self._kernels.order_sweep(
            *state, self._repeat, self.inversions, self.rho, self.alpha, self.beta, config.order != "constrained",
            int(config.draws == "rebuilt"), config.kernel == "literal", *chance,
        )  # fmt: skip

    def _learn_rho(self) -> None:
        """Draws each ρ_k by equation 5."""
        if self.config.order != "mallows":
            return
        K, J = self.config.topics, self.corpus.size
        totals = self.inversions.sum(axis=0, dtype=np.int64)
        for k in range(K - 1):
            density = _posterior(K - k, float(totals[k]), J)
            self.rho[k] = slice_sample(density, float(self.rho[k]), _WIDTH, self._chance)

    def _learn_priors(self) -> None:
        config = self.config
        if config.learn_beta:
            times = np.bincount(self.counts[:, : config.topics].ravel())
            self.beta = fixed_point(self.beta, times, self.totals[: config.topics], len(self.counts))
        if config.learn_alpha:
            self.alpha = fixed_point(self.alpha, *self._draws_by_citation(), config.topics)

    def _draws_by_citation(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many citations have how many draws of a topic, and (length, how many citations have it)."""
        lengths, K = self.corpus.lengths, self.config.topics
        owner = np.repeat(np.arange(self.corpus.size) * K, lengths)
        times = np.bincount(np.bincount(owner + self.draws, minlength=self.corpus.size * K))
        sizes = np.bincount(lengths)
        return times, np.stack([np.arange(len(sizes)), sizes], axis=1)


def sample(corpus: Corpus, config: GibbsConfig, progress: Progress | None = None) -> Sampled:
    """The topic of each token of a corpus, by majority over the intermediate results of one run."""
    sampler = Gibbs(corpus, config)
    votes = np.zeros((config.topics, len(corpus.words)), dtype=np.uint16)
    for number in range(1, config.iterations + 1):
        sampler.step()
        if number % config.every == 0 or number == config.iterations < config.every:
            found = sampler.assigned()
            for k in range(config.topics):
                votes[k] += found == k
        if progress:
            progress(number, sampler)
    topic = votes.argmax(axis=0).astype(np.uint8)
    return Sampled(topic, sampler.assigned(), sampler.rho, sampler.alpha, sampler.beta)


def lda(config: GibbsConfig) -> GibbsConfig:
    """The same settings for LDA, which learns α as it cannot be infinite there."""
    return replace(config, order="none", alpha=1.0, learn_alpha=True)


def _posterior(size: int, total: float, number: int) -> Callable[[float], float]:
    return lambda rho: log_posterior(rho, size, total, number) if rho >= 0 else -math.inf
