"""Ways to segment a corpus without labels, as the benchmarks call them: corpus, number of elements, seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ibidem.order import drawing
from ibidem.order.corpus import Corpus
from ibidem.order.gibbs import GibbsConfig, sample
from ibidem.order.learning import Settings, advance, priors_of, tables_of
from ibidem.order.searching import search
from ibidem.order.shapes import shape_class

THREADS = 2

Segmenter = Callable[[Corpus, int, int], NDArray[np.uint8]]
"""From a corpus, the true number of elements and a seed to the cluster of each token: [N]."""


def gibbs_segmenter(config: GibbsConfig) -> Segmenter:
    """The paper's sampler with these settings."""

    def segment(corpus: Corpus, _elements: int, seed: int) -> NDArray[np.uint8]:
        return sample(corpus, replace(config, seed=seed)).topic

    return segment


def blocked(corpus: Corpus, elements: int, seed: int) -> NDArray[np.uint8]:
    """The sampler that draws whole citations: a start searched on a sample, sweeps over all, and the best reading."""
    settings = Settings(elements=elements, seed=seed + 1)
    given = with_classes(corpus, settings.least)
    priors = priors_of(given)
    state = search(given, priors, settings, THREADS, lambda _line: None)
    for _ in range(settings.sweeps):
        state = advance(given, state, priors, settings.seed, THREADS)
    found, _, _ = drawing.read(given, state.elements, tables_of(state, priors), THREADS)
    return found


def with_classes(corpus: Corpus, least: int) -> Corpus:
    """The corpus with words that stand fewer than `least` times replaced by their classes, as `corpus_of` does it."""
    counts = np.bincount(corpus.words, minlength=len(corpus.vocabulary))
    known: dict[str, int] = {}
    names = (
        word if often else shape_class(word) for word, often in zip(corpus.vocabulary, counts >= least, strict=True)
    )
    merged = np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int32)
    return Corpus(merged[corpus.words], corpus.starts, tuple(known))
