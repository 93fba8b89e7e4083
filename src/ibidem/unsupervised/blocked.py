"""The model of the blocked sampler: its state, and the sweep that makes the next one of it.

During a sweep the tables stay fixed and every citation is resampled as a block, given the tables minus its own counts.
The tables are the counts of the sweep before plus a prior for each:

- words: a word unseen in an element backs off to the class of its shape, times its share of that class;
- lengths: any number of tokens, including none, is possible;
- gaps: the text between tokens, inside an element and after it;
- order: which element comes next after a set of elements; the prior is the generalized Mallows model at its mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.types import IntArray
from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised import mallows
from ibidem.unsupervised.corpus import NO_GAP, Corpus, shape_class
from ibidem.unsupervised.forward_filtering_backward_sampling import Counts, Elements, Floats, Tables

_BACKOFF = 0.2  # pseudo-count of the classes for each distinct word that an element has
_MIN_WORD = 1e-4  # pseudo-count of any word in any element
_MALLOWS = 10.0  # citations that the Mallows model is worth after each set of elements
_GAPS = 5.0  # tokens that the gaps of all elements together are worth in each
_LONGEST = 10_000
_SET_SIZES = np.array([number.bit_count() for number in range(1 << ffbs.MAX_ELEMENTS + 1)])


@dataclass(frozen=True, slots=True)
class BlockedConfig:
    """Settings of the method blocked; the same settings and the same corpus give the same result."""

    method: ClassVar[str] = "blocked"

    fields: int
    seed: int = 1
    sweeps: int = 15  # over the whole corpus, at most
    min_count: int = 3  # a word that occurs fewer times is replaced by its class
    sample: int = 2000  # citations on which the initial state is searched; half as many for each field beyond five
    restarts: int = 2  # searches, of which the one with the highest likelihood is used
    longest: int = 1000  # tokens of a citation

    def __post_init__(self) -> None:
        for name in ("sweeps", "min_count", "sample", "restarts", "longest"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at least 1")
            if getattr(self, name) > 10**9:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at most 1,000,000,000")
        if self.longest > _LONGEST:
            raise ConfigError(f"longest is {self.longest}; it must be at most {_LONGEST:,}: time grows with its square")


@dataclass(frozen=True, slots=True)
class Priors:
    """What is known of the words of a corpus beforehand."""

    word_class: IntArray  # [W]
    share: Floats  # [W] share of each word among the tokens of its class
    seed_words: Floats  # [W, H] pseudo-counts of each group of seed words

    def select(self, words: NDArray[np.integer]) -> Priors:
        """Return the priors of some of the words."""
        return Priors(self.word_class[words], self.share[words], self.seed_words[words])


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run after a sweep."""

    elements: Elements  # [N]
    counts: Counts
    rho: Floats  # [K - 1]
    seed_words: tuple[int, ...]  # [K] the group of seed words of each element, or -1
    sweep: int = 0
    log_likelihood: float = -np.inf  # per token

    @property
    def size(self) -> int:
        """Number of elements."""
        return len(self.seed_words)


def priors_of(corpus: Corpus, seed_words: Floats | None = None) -> Priors:
    """Return the priors of a corpus: classes of words by their shape, and seed words [W, H] if there are any."""
    names: dict[str, int] = {}
    classes = (word if word.startswith(" ") else shape_class(word) for word in corpus.vocabulary)
    word_class = np.array([names.setdefault(name, len(names)) for name in classes], dtype=np.int32)
    counts = np.bincount(corpus.words, minlength=len(corpus.vocabulary)) + 0.1
    share = counts / np.bincount(word_class, counts, minlength=1)[word_class]
    return Priors(word_class, share, np.zeros((len(word_class), 0)) if seed_words is None else seed_words)


def make_state(corpus: Corpus, elements: Elements, seed_words: tuple[int, ...], config: BlockedConfig) -> State:
    """Return the state of a corpus with the elements given, the counts of orders and gaps still empty."""
    K, longest = len(seed_words), int(min(corpus.lengths.max(initial=1), config.longest))
    counts = Counts(
        ffbs.count_words(corpus, elements, K),
        ffbs.count_lengths(corpus, elements, K, longest),
        np.zeros((K, 1 << K), dtype=np.int64),
        np.zeros((int(corpus.gaps_of_tokens().max(initial=0)) + 1, K, 2), dtype=np.int64),
    )
    return State(elements, counts, np.full(K - 1, mallows.CENTRE), seed_words)


def sweep_once(corpus: Corpus, state: State, priors: Priors, seed: int, threads: int) -> State:
    """Return the state after one more sweep; elements are renumbered by their average position."""
    tables = tables_of(state, priors)
    elements, log_likelihoods, counts = ffbs.sample(corpus, state.elements, tables, seed, state.sweep, threads)
    seed_words = state.seed_words
    order = np.argsort(counts.step @ _SET_SIZES[: counts.step.shape[1]], kind="stable")
    if (order != np.arange(state.size)).any():
        counts, seed_words = counts.relabel(order), tuple(seed_words[old] for old in order)
        new_number = np.arange(256, dtype=np.uint8)
        new_number[order] = np.arange(state.size)
        elements = new_number[elements]
    sets = np.arange(1 << state.size)
    inversions = [counts.step[k] @ _SET_SIZES[sets >> (k + 1)] for k in range(state.size - 1)]
    rho = mallows.fit_rho(inversions, counts.step.sum() / state.size)
    log_likelihood = float(log_likelihoods[np.isfinite(log_likelihoods)].sum() / max(len(elements), 1))
    return State(elements, counts, rho, seed_words, state.sweep + 1, log_likelihood)


def tables_of(state: State, priors: Priors) -> Tables:
    """Return the tables of the next sweep: counts and priors."""
    tail = 1 / (1.0 + np.arange(state.counts.length.shape[1])) ** 2  # of the prior of lengths
    lengths = state.counts.length + tail / tail.sum()
    return Tables(_word_table(state, priors), lengths, _step_table(state), _gap_table(state))


def _word_table(state: State, priors: Priors) -> Floats:
    counts = state.counts.word
    classes = np.zeros((int(priors.word_class.max(initial=0)) + 1, state.size))
    np.add.at(classes, priors.word_class, counts)
    classes = (classes + 0.5) / (classes.sum(axis=0) + 0.5 * len(classes))
    backoff = _BACKOFF * np.maximum((counts > 0).sum(axis=0), 1)
    table: Floats = counts + backoff * classes[priors.word_class] * priors.share[:, None] + _MIN_WORD
    for k, group in enumerate(state.seed_words):
        if group >= 0:
            table[:, k] += priors.seed_words[:, group]
    return table


def _step_table(state: State) -> Floats:
    table = state.counts.step + _MALLOWS * mallows.next_probabilities(state.rho)
    total = table.sum(axis=0)
    return np.ascontiguousarray(table / np.where(total > 0, total, 1))


def _gap_table(state: State) -> Floats:
    """Return the probability of each gap inside an element and after it; the prior pools all elements."""
    counts = state.counts.gap.copy()
    counts[NO_GAP] = 0
    pooled = counts.sum(axis=1, keepdims=True) + counts.sum(axis=(1, 2))[:, None, None] * 0.01 + 0.01
    pooled = pooled / pooled.sum(axis=0)
    probabilities = (counts + _GAPS * pooled) / (counts.sum(axis=0) + _GAPS)
    probabilities[NO_GAP] = 1  # the last token ends a segment of any element
    return np.ascontiguousarray(probabilities)
