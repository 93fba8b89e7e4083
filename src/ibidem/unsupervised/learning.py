"""What is learnt of a corpus: a state, and the sweep that makes the next one of it.

Within a sweep the tables stand still and every citation is drawn whole, its own part taken out of them. The tables are
the counts of the sweep before, with priors:

- words: a word that an element has not seen is as likely there as its class is, times its share of the class;
- lengths: any number of tokens, none included, is possible;
- gaps: what stands between tokens, inside of an element and after it;
- order: which element comes next after a set of elements; the prior is the generalized Mallows model at its mode.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.types import IntArray
from ibidem.unsupervised import forward_filtering_backward_sampling as drawing
from ibidem.unsupervised import mallows
from ibidem.unsupervised.corpus import NO_GAP, Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import Counts, Elements, Floats, Tables
from ibidem.unsupervised.shapes import shape_class

_BACKOFF = 0.2  # for each word that an element has seen, so many tokens of what its classes make likely
_LEAST = 1e-4  # tokens of any word in any element
_ORDERS = 10.0  # citations that the Mallows model counts for after each set of elements
_GAPS = 5.0  # tokens that the gaps of all elements count for in each


@dataclass(frozen=True, slots=True)
class Settings:
    """How a corpus is segmented; the same settings and the same corpus give the same result."""

    elements: int
    seed: int = 1
    sweeps: int = 15  # over the whole corpus, at most
    least: int = 3  # a word that stands fewer times is replaced by its class
    sample: int = 2000  # citations that the start is searched on; half as many for each element beyond five
    restarts: int = 2  # searches; the one with the highest likelihood is taken
    longest: int = 1000  # tokens of a citation


@dataclass(frozen=True, slots=True)
class Priors:
    """What is known of the words of a corpus before anything is learnt."""

    kind: IntArray  # [W] the class of each word
    share: Floats  # [W] what part of the tokens of its class each word is
    hints: Floats  # [W, H] tokens that each hint adds to its element

    def part(self, words: NDArray[np.integer]) -> Priors:
        """The priors of some of the words."""
        return Priors(self.kind[words], self.share[words], self.hints[words])


@dataclass(frozen=True, slots=True)
class State:
    """Where a run stands after a sweep."""

    elements: Elements  # [N]
    counts: Counts
    rho: Floats  # [K - 1]
    hint: tuple[int, ...]  # [K] the hint that each element goes by, or -1
    sweep: int = 0
    log_likelihood: float = -np.inf  # for each token

    @property
    def size(self) -> int:
        """How many elements there are."""
        return len(self.hint)


def priors_of(corpus: Corpus, hints: Floats | None = None) -> Priors:
    """The priors of a corpus: classes of words by their look, and hints [W, H] if there are any."""
    names: dict[str, int] = {}
    classes = (word if word.startswith(" ") else shape_class(word) for word in corpus.vocabulary)
    kind = np.array([names.setdefault(name, len(names)) for name in classes], dtype=np.int32)
    counts = np.bincount(corpus.words, minlength=len(corpus.vocabulary)) + 0.1
    share = counts / np.bincount(kind, counts, minlength=1)[kind]
    return Priors(kind, share, np.zeros((len(kind), 0)) if hints is None else hints)


def beginning(corpus: Corpus, elements: Elements, hint: tuple[int, ...], settings: Settings) -> State:
    """The state of a corpus whose tokens are in the elements given; nothing is known of orders yet."""
    K, longest = len(hint), longest_segment(corpus, settings)
    counts = Counts(
        drawing.count_words(corpus, elements, K),
        drawing.count_lengths(corpus, elements, K, longest),
        np.zeros((K, 1 << K), dtype=np.int64),
        np.zeros((int(corpus.gaps_of_tokens().max(initial=0)) + 1, K, 2), dtype=np.int64),
    )
    return State(elements, counts, np.full(K - 1, mallows.CENTRE), hint)


def longest_segment(corpus: Corpus, settings: Settings) -> int:
    """How many tokens a segment may have."""
    return int(min(corpus.lengths.max(initial=1), settings.longest))


def advance(corpus: Corpus, state: State, priors: Priors, seed: int, threads: int) -> State:
    """The state after one more sweep; elements are numbered by where they stand on average."""
    tables = tables_of(state, priors)
    elements, log_chances, counts = drawing.draw(corpus, state.elements, tables, seed, state.sweep, threads)
    hint = state.hint
    order = np.argsort(counts.step @ _SIZES[: counts.step.shape[1]], kind="stable")
    if (order != np.arange(state.size)).any():
        counts, hint = counts.renamed(order), tuple(hint[old] for old in order)
        names = np.arange(256, dtype=np.uint8)
        names[order] = np.arange(state.size)
        elements = names[elements]
    sets = np.arange(1 << state.size)
    inversions = [counts.step[k] @ _SIZES[sets >> (k + 1)] for k in range(state.size - 1)]
    rho = mallows.likeliest_rho(inversions, counts.step.sum() / state.size)
    likelihood = float(log_chances[np.isfinite(log_chances)].sum() / max(len(elements), 1))
    return State(elements, counts, rho, hint, state.sweep + 1, likelihood)


_SIZES = np.array([number.bit_count() for number in range(1 << drawing.MOST_ELEMENTS + 1)])


def tables_of(state: State, priors: Priors) -> Tables:
    """The tables of the next sweep: counts and priors."""
    return Tables(
        _words(state, priors),
        state.counts.length + _lengths(state.counts.length.shape[1]),
        _steps(state),
        _gaps(state),
    )


def _words(state: State, priors: Priors) -> Floats:
    counts = state.counts.word
    classes = np.zeros((int(priors.kind.max(initial=0)) + 1, state.size))
    np.add.at(classes, priors.kind, counts)
    classes = (classes + 0.5) / (classes.sum(axis=0) + 0.5 * len(classes))
    unseen = _BACKOFF * np.maximum((counts > 0).sum(axis=0), 1)
    table: Floats = counts + unseen * classes[priors.kind] * priors.share[:, None] + _LEAST
    for k, hint in enumerate(state.hint):
        if hint >= 0:
            table[:, k] += priors.hints[:, hint]
    return table


def _lengths(count: int) -> Floats:
    """One token in all, with a long tail."""
    falling: Floats = 1 / (1.0 + np.arange(count)) ** 2
    return np.asarray(falling / falling.sum())


def _steps(state: State) -> Floats:
    table = state.counts.step + _ORDERS * mallows.next_chances(state.rho)
    total = table.sum(axis=0)
    return np.ascontiguousarray(table / np.where(total > 0, total, 1))


def _gaps(state: State) -> Floats:
    """The chance of each gap inside of an element and after it; the prior is what all elements have there together."""
    counts = state.counts.gap.copy()
    counts[NO_GAP] = 0
    together = counts.sum(axis=1, keepdims=True) + counts.sum(axis=(1, 2))[:, None, None] * 0.01 + 0.01
    together = together / together.sum(axis=0)
    chances = (counts + _GAPS * together) / (counts.sum(axis=0) + _GAPS)
    chances[NO_GAP] = 1  # the last token ends a segment whichever it is
    return np.ascontiguousarray(chances)
