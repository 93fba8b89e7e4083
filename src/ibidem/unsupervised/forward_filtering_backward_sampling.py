"""Forward filtering, backward sampling of the segmentations of a corpus, one citation at a time.

The C++ kernels do the work, or `blocked_numpy`, their reference implementation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import IbidemError
from ibidem.kernels import compiled
from ibidem.unsupervised import blocked_numpy
from ibidem.unsupervised.corpus import Corpus

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Elements = NDArray[np.uint8]

NO_ELEMENT = blocked_numpy.NO_ELEMENT
"""Marks a token that has no element yet."""
MAX_ELEMENTS = 9
"""Every one of the 2^K sets of elements is visited; the search for an initial state needs one element more."""
_CHUNK = 1 << 22  # tokens counted at a time


@dataclass(frozen=True, slots=True)
class Tables:
    """Parameters that stay fixed during a sweep: counts plus pseudo-counts, and probabilities."""

    word: Floats  # [W, K]
    length: Floats  # [K, L + 1]
    step: Floats  # [K, 2^K] probability of an element coming next after a set
    gap: Floats  # [C, K, 2] probability of each gap after a token inside an element, and after its last token


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a sampled segmentation of the corpus: all that the next sweep needs."""

    word: Integers  # [W, K]
    length: Integers  # [K, L + 1]
    step: Integers  # [K, 2^K]
    gap: Integers  # [C, K, 2]

    def relabel(self, order: NDArray[np.intp]) -> Counts:
        """Return the counts with element `order[k]` numbered k."""
        K = len(order)
        sets = np.arange(1 << K)
        old_sets = sum(((sets >> new) & 1) << int(old) for new, old in enumerate(order))
        return Counts(self.word[:, order], self.length[order], self.step[order][:, old_sets], self.gap[:, order])


def sample(
    corpus: Corpus, elements: Elements, tables: Tables, seed: int, sweep: int, threads: int = 1
) -> tuple[Elements, Floats, Counts]:
    """Sample the elements of all tokens [N]; return them, the log-likelihood of each citation [D], and their counts.

    Each citation is sampled as a block, given the tables minus its own contribution. The sample depends on the seed,
    the sweep and the citation's index, not on `threads`.
    """
    sampled, log_likelihoods, steps, lengths, gaps = (compiled() or blocked_numpy).sample_segmentations(
        *kernel_arguments(corpus, elements, tables), seed % 2**64, sweep, _check_threads(threads)
    )
    counts = Counts(count_words(corpus, sampled, tables.word.shape[1]), lengths, steps, gaps)
    return sampled, log_likelihoods, counts


def decode(
    corpus: Corpus, elements: Elements, tables: Tables, threads: int = 1
) -> tuple[Elements, NDArray[np.float32], Floats]:
    """Return the elements that maximise the expected number of correct tokens.

    These are the elements [N], the marginal probability of each [N], and the log-likelihood of each citation [D].
    """
    kernels: Any = compiled() or blocked_numpy
    found: tuple[Elements, NDArray[np.float32], Floats]
    found = kernels.decode_segmentations(*kernel_arguments(corpus, elements, tables), _check_threads(threads))
    return found


def count_words(corpus: Corpus, elements: Elements, K: int) -> Integers:
    """Count the tokens of each word in each element: [W, K]."""
    W = len(corpus.vocabulary)
    counts = np.zeros(W * K, dtype=np.int64)
    for begin in range(0, len(elements), _CHUNK):
        here = elements[begin : begin + _CHUNK]
        places = corpus.words[begin : begin + _CHUNK].astype(np.int64) * K + here
        counts += np.bincount(places[here != NO_ELEMENT], minlength=W * K)
    return counts.reshape(W, K)


def count_lengths(corpus: Corpus, elements: Elements, K: int, longest: int) -> Integers:
    """Count the citations, empty ones aside, in which each element has a given number of tokens: [K, longest + 1]."""
    citation = np.repeat(np.arange(corpus.size), corpus.lengths)
    placed = elements != NO_ELEMENT
    sizes = np.bincount(citation[placed] * K + elements[placed], minlength=corpus.size * K).reshape(corpus.size, K)
    sizes = np.minimum(sizes[corpus.lengths > 0], longest)
    return np.stack([np.bincount(sizes[:, k], minlength=longest + 1) for k in range(K)])


def kernel_arguments(corpus: Corpus, elements: Elements, tables: Tables) -> tuple[Any, ...]:
    """Return the arrays of a call of either kernel; an `IbidemError` where their shapes do not match."""
    W, K = tables.word.shape
    if not 1 <= K <= MAX_ELEMENTS:
        raise IbidemError(f"{K} elements; from 1 to {MAX_ELEMENTS} are possible")
    shapes = tables.length.shape[0], tables.step.shape, tables.gap.shape[1:]
    if shapes != (K, (K, 1 << K), (K, 2)) or len(corpus.vocabulary) > W or elements.shape != corpus.words.shape:
        raise IbidemError(
            f"tables of shape {shapes} and {elements.shape} elements do not match {K} elements and {W} words"
        )
    gaps = corpus.gaps_of_tokens()
    if len(gaps) and not 0 <= gaps.min() <= gaps.max() < len(tables.gap):
        raise IbidemError(f"gap classes from {gaps.min()} to {gaps.max()} do not fit a table of {len(tables.gap)}")
    words, lengths = (tables.word, tables.word.sum(axis=0)), (tables.length, tables.length.sum(axis=1))
    arrays = map(np.ascontiguousarray, (elements, *words, *lengths, tables.step, tables.gap))
    return corpus.words, gaps, corpus.starts, *arrays


def _check_threads(threads: int) -> int:
    if not 1 <= threads < 2**16:
        raise IbidemError(f"threads must be at least 1; got {threads}")
    return threads
