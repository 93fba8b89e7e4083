"""The method gibbs: the sampler of Masada et al. 2011, one topic draw or inversion count at a time (section 3).

Besides the model with a latent order there are its two variants, *constrained* (every citation in the same order) and
*uniform* (all orders equally likely), and LDA, which has no order at all.

The draws of a citation are a sequence t, of which only the counts decide the segmentation. A sampler that keeps t
leaves the posterior invariant. One that forgets t and goes through the draws *sorted by topic* at the next visit
(`draws="rebuilt"`) does not: docs/papers/masada-2011.md says what that changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.kernels import compiled
from ibidem.types import IntArray
from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised import gibbs_numpy, mallows
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.hyperparameters import slice_sample, update_dirichlet
from ibidem.unsupervised.methods import Fit, Job, Method

MAX_TOPICS = 16
_LANES = 8  # the counts of a word fill one cache line or half of one
_WIDTH = 1.0  # of the first slice of ρ: shrinking finds a narrow posterior in a dozen steps
_REPORT_EVERY = 10  # sweeps

Order = Literal["mallows", "constrained", "uniform", "none"]
Callback = Callable[[int, "Gibbs"], None]
"""Called after each sweep with its number, from 1, and the sampler."""


@dataclass(frozen=True, slots=True)
class GibbsConfig:
    """Settings of the method gibbs. `order` "none" is LDA; an infinite `alpha` is equation 9, impossible for LDA.

    After the share `burn_in` of the sweeps every `thin`-th sweep is a sample (the paper has no burn-in). The most
    frequent topic of each token over all samples is the answer. Results are the same for the same seed and number of
    threads: with several, each thread sees the changes of the others only at the end of a sweep.
    """

    method: ClassVar[str] = "gibbs"

    fields: int = 5
    sweeps: int = 200
    burn_in: float = 0.5
    thin: int = 5
    order: Order = "mallows"
    draws: Literal["kept", "rebuilt"] = "kept"
    alpha: float = math.inf
    beta: float = 0.05
    learn_alpha: bool = False
    learn_beta: bool = True
    kernel: Literal["fast", "literal"] = "fast"
    seed: int = 0
    min_count: int = 1
    longest: int = 1000

    def __post_init__(self) -> None:
        if not 2 <= self.fields <= MAX_TOPICS:
            raise ConfigError(f"{self.fields} fields; the method gibbs takes from 2 to {MAX_TOPICS}")
        for name in ("sweeps", "thin", "min_count", "longest"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at least 1")
            if getattr(self, name) > 10**9:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at most 1,000,000,000")
        if not 0 <= self.burn_in < 1:
            raise ConfigError(f"burn_in is {self.burn_in}; it is a share of the sweeps, from 0 to below 1")
        if not (0 < self.beta < math.inf and self.alpha > 0):
            raise ConfigError(f"alpha is {self.alpha} and beta {self.beta}; both must be above 0, beta finite")
        if math.isinf(self.alpha) and (self.learn_alpha or self.order == "none"):
            raise ConfigError("alpha is infinite; give a finite one for LDA, and where it is learned")

    def is_sample(self, sweep: int) -> bool:
        """Return whether a sweep, counted from 1, is a sample; the last one is if no other is."""
        first = math.floor(self.burn_in * self.sweeps) // self.thin * self.thin + self.thin
        return sweep % self.thin == 0 and sweep >= first if first <= self.sweeps else sweep == self.sweeps


@dataclass(frozen=True, slots=True)
class Sampled:
    """The majority over the samples of a run, and the state after its last sweep."""

    topic: NDArray[np.uint8]  # [N] by majority
    confidence: NDArray[np.float32]  # [N] share of the samples that agree
    last: NDArray[np.uint8]  # [N] of the last sweep
    inversions: NDArray[np.uint8]  # [J, K - 1] of the last sweep
    rho: NDArray[np.float64]  # [K - 1]
    alpha: float
    beta: float


class Gibbs:
    """The state of the sampler; `step` makes one sweep and updates the hyperparameters."""

    def __init__(self, corpus: Corpus, config: GibbsConfig, threads: int = 1) -> None:
        K, N = config.fields, len(corpus.words)
        random = np.random.default_rng([config.seed, 1])
        self.corpus, self.config, self.threads = corpus, config, threads
        self.alpha, self.beta = config.alpha, config.beta
        self.rho = np.full(K - 1, mallows.CENTRE if config.order == "mallows" else 0.0)
        self.sweeps = 0
        self.draws: NDArray[np.uint8] = random.integers(K, size=N, dtype=np.uint8)  # [N] t
        self.inversions: NDArray[np.uint8] = np.zeros((corpus.size, K - 1), dtype=np.uint8)  # [J, K - 1] v
        self._random = random
        self._kernels: Any = compiled() or gibbs_numpy
        self._repeat: IntArray = self._kernels.repeated_words(corpus.words, corpus.starts)
        self.counts: IntArray = np.empty((0, 0), dtype=np.int32)  # [W, stride] n_kw
        self.totals: NDArray[np.int64] = np.empty(0, dtype=np.int64)  # [stride] n_k
        self.recount()

    def recount(self) -> None:
        """Count all words again, after a change of the draws or the inversion counts."""
        stride = -(-self.config.fields // _LANES) * _LANES
        W = len(self.corpus.vocabulary)
        keys = self.corpus.words.astype(np.int64) * stride + self.topics()
        self.counts = np.bincount(keys, minlength=W * stride).astype(np.int32).reshape(W, stride)
        self.totals = self.counts.sum(axis=0, dtype=np.int64)

    def topics(self) -> NDArray[np.uint8]:
        """Return z, the topic of each token: [N]."""
        if self.config.order == "none":
            return self.draws.copy()
        topics: NDArray[np.uint8] = self._kernels.assign_all_topics(self.corpus.starts, self.draws, self.inversions)
        return topics

    def log_likelihood(self) -> float:
        """Return the log-likelihood per token of the words given their topics, word distributions integrated out."""
        K, W, beta = self.config.fields, len(self.counts), self.beta
        times = np.bincount(self.counts[:, :K].ravel(), minlength=1)
        total = sum(
            int(times[c]) * (math.lgamma(c + beta) - math.lgamma(beta)) for c in np.flatnonzero(times).tolist() if c
        )
        if W:
            total += sum(math.lgamma(W * beta) - math.lgamma(W * beta + n) for n in self.totals[:K].tolist())
        return total / max(len(self.draws), 1)

    def step(self) -> None:
        """Make one sweep over the citations, then update every hyperparameter once."""
        self.sweep()
        self._sample_rho()
        self._update_priors()

    def sweep(self) -> None:
        """Visit every citation once; the hyperparameters stay as they are."""
        config, corpus = self.config, self.corpus
        self.sweeps += 1
        state = (corpus.words, corpus.starts, self.draws, self.counts, self.totals)
        last = (config.seed, self.sweeps, self.threads)
        if config.order == "none":
            self._kernels.lda_sweep(*state, config.fields, self.alpha, self.beta, *last)
            return
        self._kernels.gibbs_sweep(
            *state, self._repeat, self.inversions, self.rho, self.alpha, self.beta, config.order != "constrained",
            int(config.draws == "rebuilt"), config.kernel == "literal", *last,
        )  # fmt: skip

    def _sample_rho(self) -> None:
        """Sample each ρ_k by equation 5."""
        if self.config.order != "mallows":
            return
        K, J = self.config.fields, self.corpus.size
        totals = self.inversions.sum(axis=0, dtype=np.int64)
        for k in range(K - 1):
            density = _log_density(K - k, float(totals[k]), J)
            self.rho[k] = slice_sample(density, float(self.rho[k]), _WIDTH, self._random)

    def _update_priors(self) -> None:
        config = self.config
        if config.learn_beta:
            times = np.bincount(self.counts[:, : config.fields].ravel())
            self.beta = update_dirichlet(self.beta, times, self.totals[: config.fields], len(self.counts))
        if config.learn_alpha:
            self.alpha = update_dirichlet(self.alpha, *self._count_draws(), config.fields)

    def _count_draws(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of citations by draws of a topic, and pairs (length, number of citations that have it)."""
        lengths, K = self.corpus.lengths, self.config.fields
        owner = np.repeat(np.arange(self.corpus.size) * K, lengths)
        times = np.bincount(np.bincount(owner + self.draws, minlength=self.corpus.size * K))
        sizes = np.bincount(lengths)
        return times, np.stack([np.arange(len(sizes)), sizes], axis=1)


def sample(corpus: Corpus, config: GibbsConfig, callback: Callback | None = None, threads: int = 1) -> Sampled:
    """Return the topic of each token of a corpus, by majority over the samples of one run."""
    sampler = Gibbs(corpus, config, threads)
    votes = np.zeros((config.fields, len(corpus.words)), dtype=np.uint16 if config.sweeps < 2**16 else np.uint32)
    samples = 0
    for number in range(1, config.sweeps + 1):
        sampler.step()
        if config.is_sample(number):
            samples += 1
            topics = sampler.topics()
            for k in range(config.fields):
                votes[k] += topics == k
        if callback:
            callback(number, sampler)
    confidence = (votes.max(axis=0) / samples).astype(np.float32)
    state = (sampler.topics(), sampler.inversions, sampler.rho, sampler.alpha, sampler.beta)
    return Sampled(votes.argmax(axis=0).astype(np.uint8), confidence, *state)


def fit(config: GibbsConfig, job: Job) -> Fit:
    """Run the sampler on a corpus; topics become elements, numbered by their average position."""
    corpus, K, history = job.corpus, config.fields, list[float]()

    def report(number: int, sampler: Gibbs) -> None:
        history.append(sampler.log_likelihood())
        if number % _REPORT_EVERY == 0 or number == config.sweeps:
            job.progress(f"sweep {number} of {config.sweeps}: log-likelihood {history[-1]:.4f} per token")

    sampled = sample(corpus, config, report, job.threads)
    order = order_topics(corpus, sampled.topic, K)
    new_number = np.empty(K, dtype=np.uint8)
    new_number[order] = np.arange(K)
    elements = new_number[sampled.topic]
    rho = np.zeros(K - 1) if config.order == "none" else _fit_rho(sampled.inversions[corpus.lengths > 0], order)
    lengths = ffbs.count_lengths(corpus, elements, K, int(corpus.lengths.max(initial=1)))
    words = ffbs.count_words(corpus, elements, K)
    return Fit(elements, sampled.confidence, words, lengths, rho, (-1,) * K, tuple(history))


def order_topics(corpus: Corpus, topics: NDArray[np.uint8], K: int) -> NDArray[np.intp]:
    """Return the topics sorted by the average relative position of their tokens; those without tokens come last."""
    position = np.arange(len(topics)) - np.repeat(corpus.starts[:-1], corpus.lengths)
    relative = (position + 0.5) / np.repeat(corpus.lengths, corpus.lengths)
    counts = np.bincount(topics, minlength=K)
    mean = np.bincount(topics, relative, minlength=K) / np.maximum(counts, 1)
    return np.argsort(np.where(counts > 0, mean, np.inf), kind="stable")


def _fit_rho(inversions: NDArray[np.uint8], order: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the mode of ρ given the orders of the last sweep, topic `order[k]` being element k."""
    K = len(order)
    rank = np.zeros((len(inversions), K), dtype=np.int64)  # [J, K] the place of each topic
    for k in range(K - 2, -1, -1):
        rank[:, k + 1 :] += rank[:, k + 1 :] >= inversions[:, k, None]
        rank[:, k] = inversions[:, k]
    rank = rank[:, order]
    totals = [float((rank[:, k + 1 :] < rank[:, k, None]).sum()) for k in range(K - 1)]
    return mallows.fit_rho(totals, len(inversions))


def _log_density(size: int, total: float, number: int) -> Callable[[float], float]:
    return lambda rho: mallows.log_posterior(rho, size, total, number) if rho >= 0 else -math.inf


METHOD = Method(GibbsConfig, fit, 2, MAX_TOPICS, takes_seed_words=False, takes_checkpoint=False)
