"""Drawing and reading segmentations of a whole corpus, by the C++ kernels or by their NumPy twin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.kernels import compiled
from ibidem.unsupervised import blocked_numpy as twin
from ibidem.unsupervised.corpus import Corpus

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Elements = NDArray[np.uint8]

NO_ELEMENT = twin.NO_ELEMENT
"""What stands where a token has no element yet."""
MOST_ELEMENTS = 9
"""The sets of elements are all gone through, and there are 2^K of them; the search for a start takes one more."""
_CHUNK = 1 << 22  # tokens that are counted at a time


@dataclass(frozen=True, slots=True)
class Tables:
    """What is frozen while the citations of a sweep are drawn: counts, and what priors add to them."""

    word: Floats  # [W, K]
    length: Floats  # [K, L + 1]
    step: Floats  # [K, 2^K] how likely an element comes next after a set
    gap: Floats  # [C, K, 2] the chance of each gap after a token inside of an element, and after its last token

    def arrays(self) -> tuple[Any, ...]:
        """What the kernels take."""
        totals = np.ascontiguousarray(self.word.sum(axis=0)), np.ascontiguousarray(self.length.sum(axis=1))
        return self.word, totals[0], self.length, totals[1], self.step, self.gap


@dataclass(frozen=True, slots=True)
class Counts:
    """How often what was drawn: all that the next sweep needs to know of this one."""

    word: Integers  # [W, K]
    length: Integers  # [K, L + 1]
    step: Integers  # [K, 2^K]
    gap: Integers  # [C, K, 2]

    def renamed(self, order: NDArray[np.intp]) -> Counts:
        """The counts with element `order[k]` called k."""
        K = len(order)
        sets = np.arange(1 << K)
        old_sets = sum(((sets >> new) & 1) << int(old) for new, old in enumerate(order))
        return Counts(self.word[:, order], self.length[order], self.step[order][:, old_sets], self.gap[:, order])


def draw(
    corpus: Corpus, elements: Elements, tables: Tables, seed: int, sweep: int, threads: int = 1
) -> tuple[Elements, Floats, Counts]:
    """New elements of all tokens [N], the log-chance of each citation [D], and the counts of what was drawn.

    Each citation is drawn whole, given the tables without its own part in them. What is drawn depends on the seed, the
    sweep and the citation's number, not on `threads`.
    """
    drawn, log_chances, steps, lengths, gaps = _kernels().order_draw(
        *_checked(corpus, elements, tables), seed % 2**64, sweep, _positive(threads)
    )
    return drawn, log_chances, Counts(count_words(corpus, drawn, tables.word.shape[1]), lengths, steps, gaps)


def read(
    corpus: Corpus, elements: Elements, tables: Tables, threads: int = 1
) -> tuple[Elements, NDArray[np.float32], Floats]:
    """The elements with the most tokens expected to be right [N], the chance of each [N], log-chances [D]."""
    found, confidence, log_chances = _kernels().order_read(*_checked(corpus, elements, tables), _positive(threads))
    return found, confidence, log_chances


def count_words(corpus: Corpus, elements: Elements, K: int) -> Integers:
    """How often each word is in each element: [W, K]."""
    W = len(corpus.vocabulary)
    counts = np.zeros(W * K, dtype=np.int64)
    for begin in range(0, len(elements), _CHUNK):
        here = elements[begin : begin + _CHUNK]
        places = corpus.words[begin : begin + _CHUNK].astype(np.int64) * K + here
        counts += np.bincount(places[here != NO_ELEMENT], minlength=W * K)
    return counts.reshape(W, K)


def count_lengths(corpus: Corpus, elements: Elements, K: int, longest: int) -> Integers:
    """How often each element has how many tokens in a citation that is not empty: [K, longest + 1]."""
    citation = np.repeat(np.arange(corpus.size), corpus.lengths)
    placed = elements != NO_ELEMENT
    sizes = np.bincount(citation[placed] * K + elements[placed], minlength=corpus.size * K).reshape(corpus.size, K)
    sizes = np.minimum(sizes[corpus.lengths > 0], longest)
    return np.stack([np.bincount(sizes[:, k], minlength=longest + 1) for k in range(K)])


def _kernels() -> Any:
    return compiled() or twin


def _checked(corpus: Corpus, elements: Elements, tables: Tables) -> tuple[Any, ...]:
    W, K = tables.word.shape
    if not 1 <= K <= MOST_ELEMENTS:
        raise IbidemError(f"{K} elements; from 1 to {MOST_ELEMENTS} can be told apart")
    shapes = tables.length.shape[0], tables.step.shape, tables.gap.shape[1:]
    if shapes != (K, (K, 1 << K), (K, 2)) or len(corpus.vocabulary) > W or elements.shape != corpus.words.shape:
        raise IbidemError(f"tables {shapes} and {elements.shape} elements do not go with {K} elements and {W} words")
    gaps = corpus.gaps_of_tokens()
    if len(gaps) and not 0 <= gaps.min() <= gaps.max() < len(tables.gap):
        raise IbidemError(f"gaps from {gaps.min()} to {gaps.max()} and a table of {len(tables.gap)}: they do not fit")
    arrays = tuple(np.ascontiguousarray(array) for array in tables.arrays())
    return corpus.words, gaps, corpus.starts, np.ascontiguousarray(elements), *arrays


def _positive(threads: int) -> int:
    if not 1 <= threads < 2**16:
        raise IbidemError(f"threads must be at least 1; got {threads}")
    return threads
