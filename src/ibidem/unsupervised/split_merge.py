"""Split-merge search for an initial state, on a sample of the citations.

Sampling alone stays where it starts: two elements that always stand together are taken for one, and another is cut in
two. So the search begins with one element, splits each in turn and keeps the split with the highest likelihood, until
there is one element too many; then it merges the pair that costs least, and repeats this until nothing is gained. Where
elements always come in the same order, one may still hold the first or last words of its neighbour, and no single
sample gives them back; so these are shifted in all citations at once. No label is ever looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.unsupervised.blocked import BlockedConfig, Priors, State, make_state, sweep_once
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import NO_ELEMENT, Counts, Elements
from ibidem.unsupervised.methods import Progress

_FIRST, _LATER = 2, 4  # sweeps of every candidate, and of the best of them
_BEAM = 3
_GAIN = 1e-3  # of the log-likelihood per token, for another round
_ROUNDS = 6
_FINAL = 10  # sweeps at the end of a search

Candidate = tuple[Elements, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Search:
    """A search on a sample."""

    corpus: Corpus
    priors: Priors
    config: BlockedConfig
    seed: int
    threads: int

    def run(self, progress: Progress) -> State:
        """Return the best state found."""
        random = np.random.default_rng([self.config.seed, self.seed])
        K = self.config.fields
        state = self.start()
        for _ in range(state.size, K):
            state = self.pick_best(self.split(state, random))
            progress(f"{state.size} fields, log-likelihood {state.log_likelihood:.4f} per token")
        for done, moves in (("split and merged", self.split_and_merge), ("shifted", self.shift)):
            for _ in range(_ROUNDS if K > 1 else 0):
                candidates = [*moves(state, random)]
                other = self.pick_best(iter(candidates)) if candidates else state
                if other.log_likelihood <= state.log_likelihood + _GAIN:
                    break
                state = other
                progress(f"fields {done}, log-likelihood {state.log_likelihood:.4f} per token")
        return self.sweep(state, _FINAL)

    def start(self) -> State:
        """Return a state with one element, or with one for each group of seed words and one for the rest."""
        groups = self.priors.seed_words.shape[1]
        if not groups:
            one = np.zeros(len(self.corpus.words), dtype=np.uint8)
            return make_state(self.corpus, one, (-1,), self.config)
        seed_words = (*range(groups), *((-1,) if groups < self.config.fields else ()))
        none = np.full(len(self.corpus.words), NO_ELEMENT, dtype=np.uint8)
        return self.sweep(make_state(self.corpus, none, seed_words, self.config), _FIRST + _LATER)

    def sweep(self, state: State, sweeps: int) -> State:
        """Return the state after some sweeps."""
        for _ in range(sweeps):
            state = sweep_once(self.corpus, state, self.priors, self.seed, self.threads)
        return state

    def pick_best(self, candidates: Iterator[Candidate]) -> State:
        """Return the likeliest of the states that candidates lead to; those that fall behind are dropped early."""
        states = [
            self.sweep(make_state(self.corpus, elements, seed_words, self.config), _FIRST)
            for elements, seed_words in candidates
        ]
        states.sort(key=lambda state: -state.log_likelihood)
        finished = [self.sweep(state, _LATER) for state in states[:_BEAM]]
        return max(finished, key=lambda state: state.log_likelihood)

    def split(self, state: State, random: np.random.Generator) -> Iterator[Candidate]:
        """Yield each element without seed words split in two: every segment is cut at random."""
        for element, group in enumerate(state.seed_words):
            if group < 0:
                groups = (*state.seed_words[: element + 1], -1, *state.seed_words[element + 1 :])
                yield split_element(self.corpus, state.elements, element, random), groups

    def split_and_merge(self, state: State, random: np.random.Generator) -> Iterator[Candidate]:
        """Yield the best split with each pair of elements then merged."""
        if -1 in state.seed_words:
            yield from self.merge(self.pick_best(self.split(state, random)))

    def merge(self, state: State) -> Iterator[Candidate]:
        """Yield each pair of elements without seed words merged."""
        free = [element for element, group in enumerate(state.seed_words) if group < 0]
        for place, one in enumerate(free):
            for other in free[place + 1 :]:
                new_number = np.arange(256, dtype=np.uint8)
                new_number[other] = one
                new_number[other + 1 : state.size] -= 1
                yield new_number[state.elements], tuple(g for k, g in enumerate(state.seed_words) if k != other)

    def shift(self, state: State, _random: np.random.Generator) -> Iterator[Candidate]:
        """Yield each element without its first token, which goes to the element before it, or without its last."""
        for element in range(state.size):
            for way in (-1, 1):
                yield shift_boundary(self.corpus, state.elements, element, way), state.seed_words


def split_element(corpus: Corpus, elements: Elements, element: int, random: np.random.Generator) -> Elements:
    """Cut every segment of an element at a random place; its second part becomes a new element."""
    places = np.flatnonzero(elements == element)
    citation = np.searchsorted(corpus.starts, places, side="right")
    first = np.ones(len(places), dtype=np.bool_)
    first[1:] = citation[1:] != citation[:-1]
    begins = np.flatnonzero(first)
    sizes = np.diff(np.append(begins, len(places)))
    cuts = (random.random(len(sizes)) * (sizes + 1)).astype(np.int64)
    number = np.cumsum(first) - 1
    late = np.arange(len(places)) - begins[number] >= cuts[number]
    split = elements.copy()
    split[(elements > element) & (elements != NO_ELEMENT)] += 1
    split[places[late]] = element + 1
    return split


def shift_boundary(corpus: Corpus, elements: Elements, element: int, way: int) -> Elements:
    """Give one token of every longer segment of `element` to its neighbour, before (-1) or after (1)."""
    beside = np.full((2, len(elements)), NO_ELEMENT, dtype=np.uint8)  # the elements of the tokens on either side
    beside[0, 1:], beside[1, :-1] = elements[:-1], elements[1:]
    filled = corpus.lengths > 0
    beside[0, corpus.starts[:-1][filled]] = beside[1, corpus.starts[1:][filled] - 1] = NO_ELEMENT
    neighbour, within = beside if way < 0 else beside[::-1]
    at_edge = (elements == element) & (neighbour != element) & (neighbour != NO_ELEMENT) & (within == element)
    return np.where(at_edge, neighbour, elements)


def search(corpus: Corpus, priors: Priors, config: BlockedConfig, threads: int, progress: Progress) -> State:
    """Return the counts of the best of several searches on a sample, for the whole corpus; no token has an element."""
    chosen = np.flatnonzero(corpus.lengths > 0)
    size = max(config.sample >> max(config.fields - 5, 0), 1)  # a sweep takes twice as long for each further element
    if len(chosen) > size:
        random = np.random.default_rng(config.seed)
        chosen = np.sort(random.choice(chosen, size, replace=False))
    sample, words = _compact(corpus.select(chosen))

    def run(restart: int) -> State:
        one = Search(sample, priors.select(words), config, config.seed * 1000 + restart, threads)
        return one.run(lambda line: progress(f"search {restart + 1} of {config.restarts}: {line}"))

    best = max(map(run, range(config.restarts)), key=lambda state: state.log_likelihood)
    return _extend(best, corpus, words, config)


def _compact(corpus: Corpus) -> tuple[Corpus, NDArray[np.intp]]:
    """Return the corpus with the vocabulary of the words that occur in it, and their indices before."""
    words, places = np.unique(corpus.words, return_inverse=True)
    names = tuple(corpus.vocabulary[word] for word in words)
    return Corpus(places.astype(np.int32), corpus.starts, names, corpus.gaps), words.astype(np.intp)


def _extend(state: State, corpus: Corpus, words: NDArray[np.intp], config: BlockedConfig) -> State:
    """Return the state of a sample as one of the whole corpus: its counts, with no token assigned yet."""
    none = np.full(len(corpus.words), NO_ELEMENT, dtype=np.uint8)
    empty = make_state(corpus, none, state.seed_words, config).counts
    empty.word[words] = state.counts.word
    length = np.zeros_like(empty.length)
    length[:, : state.counts.length.shape[1]] = state.counts.length
    empty.gap[: len(state.counts.gap)] = state.counts.gap
    counts = Counts(empty.word, length, state.counts.step, empty.gap)
    return State(none, counts, state.rho, state.seed_words, 0, state.log_likelihood)
