"""A good start, found on a sample: elements are divided, joined and shifted as long as the likelihood grows.

Sampling alone stays where it starts: two elements that always stand together are taken for one, and another is cut in
two. So the search begins with one element, divides each in turn and keeps the division with the highest likelihood,
until there is one too many; then it joins the pair that costs the least, and goes round until nothing is gained. Where
elements always stand in the same order, one may still hold the first or the last words of its neighbour, and no single
draw gives them back; so these are shifted in all citations at once. No label is ever looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import NO_ELEMENT, Counts, Elements
from ibidem.unsupervised.learning import Priors, Settings, State, advance, beginning

_FIRST, _LATER = 2, 4  # sweeps of every candidate, and of the best of them
_KEPT = 3
_GAIN = 1e-3  # of the log-likelihood of a token, for another round
_ROUNDS = 6
_SETTLING = 10  # sweeps at the end of a search

Candidate = tuple[Elements, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Search:
    """A sample, and how its states are tried."""

    corpus: Corpus
    priors: Priors
    settings: Settings
    seed: int
    threads: int

    def run(self, progress: Callable[[str], None]) -> State:
        """The best state found."""
        chance = np.random.default_rng([self.settings.seed, self.seed])
        K = self.settings.elements
        state = self.first()
        for _ in range(state.size, K):
            state = self.best(self.divided(state, chance))
            progress(f"{state.size} elements, log-likelihood {state.log_likelihood:.4f} a token")
        for how, moved in (("divided and joined", self.rearranged), ("shifted", self.shifted)):
            for _ in range(_ROUNDS if K > 1 else 0):
                candidates = [*moved(state, chance)]
                other = self.best(iter(candidates)) if candidates else state
                if other.log_likelihood <= state.log_likelihood + _GAIN:
                    break
                state = other
                progress(f"elements {how}, log-likelihood {state.log_likelihood:.4f} a token")
        return self.swept(state, _SETTLING)

    def first(self) -> State:
        """One element, or one for each hint and one for the rest."""
        hints = self.priors.hints.shape[1]
        if not hints:
            one = np.zeros(len(self.corpus.words), dtype=np.uint8)
            return beginning(self.corpus, one, (-1,), self.settings)
        hint = (*range(hints), *((-1,) if hints < self.settings.elements else ()))
        none = np.full(len(self.corpus.words), NO_ELEMENT, dtype=np.uint8)
        return self.swept(beginning(self.corpus, none, hint, self.settings), _FIRST + _LATER)

    def swept(self, state: State, sweeps: int) -> State:
        """The state after some sweeps."""
        for _ in range(sweeps):
            state = advance(self.corpus, state, self.priors, self.seed, self.threads)
        return state

    def best(self, candidates: Iterator[Candidate]) -> State:
        """The likeliest of the states that candidates lead to; those that fall behind are given up early."""
        tried = [
            self.swept(beginning(self.corpus, elements, hint, self.settings), _FIRST) for elements, hint in candidates
        ]
        tried.sort(key=lambda state: -state.log_likelihood)
        finished = [self.swept(state, _LATER) for state in tried[:_KEPT]]
        return max(finished, key=lambda state: state.log_likelihood)

    def divided(self, state: State, chance: np.random.Generator) -> Iterator[Candidate]:
        """Each element without a hint divided in two: every segment is cut somewhere."""
        for element, hint in enumerate(state.hint):
            if hint < 0:
                hints = (*state.hint[: element + 1], -1, *state.hint[element + 1 :])
                yield _divide(self.corpus, state.elements, element, chance), hints

    def rearranged(self, state: State, chance: np.random.Generator) -> Iterator[Candidate]:
        """One element divided, the one that gains most by it, and each pair of elements then made one."""
        if -1 in state.hint:
            yield from self.joined(self.best(self.divided(state, chance)))

    def shifted(self, state: State, _chance: np.random.Generator) -> Iterator[Candidate]:
        """Each element without its first token, which goes to the element before it, or without its last."""
        for element in range(state.size):
            for way in (-1, 1):
                yield _shift(self.corpus, state.elements, element, way), state.hint

    def joined(self, state: State) -> Iterator[Candidate]:
        """Each pair of elements without a hint made one."""
        free = [element for element, hint in enumerate(state.hint) if hint < 0]
        for place, one in enumerate(free):
            for other in free[place + 1 :]:
                names = np.arange(256, dtype=np.uint8)
                names[other] = one
                names[other + 1 : state.size] -= 1
                yield names[state.elements], tuple(hint for k, hint in enumerate(state.hint) if k != other)


def _divide(corpus: Corpus, elements: Elements, element: int, chance: np.random.Generator) -> Elements:
    """The elements with every segment of one of them cut at a place drawn; its second part is a new element."""
    places = np.flatnonzero(elements == element)
    citation = np.searchsorted(corpus.starts, places, side="right")
    first = np.ones(len(places), dtype=np.bool_)
    first[1:] = citation[1:] != citation[:-1]
    begins = np.flatnonzero(first)
    sizes = np.diff(np.append(begins, len(places)))
    cuts = (chance.random(len(sizes)) * (sizes + 1)).astype(np.int64)
    number = np.cumsum(first) - 1
    late = np.arange(len(places)) - begins[number] >= cuts[number]
    divided = elements.copy()
    divided[(elements > element) & (elements != NO_ELEMENT)] += 1
    divided[places[late]] = element + 1
    return divided


def _shift(corpus: Corpus, elements: Elements, element: int, way: int) -> Elements:
    """The elements with one token of every longer segment of `element` given to its neighbour, before (-1) or after."""
    beside = np.full((2, len(elements)), NO_ELEMENT, dtype=np.uint8)  # the elements of the tokens at either side
    beside[0, 1:], beside[1, :-1] = elements[:-1], elements[1:]
    filled = corpus.lengths > 0
    beside[0, corpus.starts[:-1][filled]] = beside[1, corpus.starts[1:][filled] - 1] = NO_ELEMENT
    neighbour, within = beside if way < 0 else beside[::-1]
    at_edge = (elements == element) & (neighbour != element) & (neighbour != NO_ELEMENT) & (within == element)
    return np.where(at_edge, neighbour, elements)


def search(corpus: Corpus, priors: Priors, settings: Settings, threads: int, progress: Callable[[str], None]) -> State:
    """The counts of the best of several searches on a sample, for the words of the whole corpus; no token placed."""
    chosen = np.flatnonzero(corpus.lengths > 0)
    wanted = max(settings.sample >> max(settings.elements - 5, 0), 1)  # a sweep takes twice as long for each element
    if len(chosen) > wanted:
        chance = np.random.default_rng(settings.seed)
        chosen = np.sort(chance.choice(chosen, wanted, replace=False))
    sample, words = _compact(corpus.part(chosen))
    found: State | None = None
    for restart in range(settings.restarts):
        seed = settings.seed * 1000 + restart
        start = f"search {restart + 1} of {settings.restarts}: "
        state = Search(sample, priors.part(words), settings, seed, threads).run(partial(_tell, progress, start))
        if found is None or state.log_likelihood > found.log_likelihood:
            found = state
    assert found is not None
    return _lifted(found, corpus, words, settings)


def _tell(progress: Callable[[str], None], start: str, line: str) -> None:
    progress(start + line)


def _compact(corpus: Corpus) -> tuple[Corpus, NDArray[np.intp]]:
    """The corpus with the words that stand in it alone, and their numbers before."""
    words, places = np.unique(corpus.words, return_inverse=True)
    names = tuple(corpus.vocabulary[word] for word in words)
    return Corpus(places.astype(np.int32), corpus.starts, names, corpus.gaps), words.astype(np.intp)


def _lifted(state: State, corpus: Corpus, words: NDArray[np.intp], settings: Settings) -> State:
    """The state of a sample as one of the whole corpus: its counts, with no token placed yet."""
    none = np.full(len(corpus.words), NO_ELEMENT, dtype=np.uint8)
    empty = beginning(corpus, none, state.hint, settings).counts
    empty.word[words] = state.counts.word
    length = np.zeros_like(empty.length)
    length[:, : state.counts.length.shape[1]] = state.counts.length
    empty.gap[: len(state.counts.gap)] = state.counts.gap
    counts = Counts(empty.word, length, state.counts.step, empty.gap)
    return State(none, counts, state.rho, state.hint, 0, state.log_likelihood)
