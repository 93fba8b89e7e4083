"""Methods of unsupervised segmentation behind one signature: corpus, number of elements, seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised.blocked import BlockedConfig, priors_of, tables_of
from ibidem.unsupervised.blocked_run import run
from ibidem.unsupervised.corpus import Corpus, replace_rare_words
from ibidem.unsupervised.gibbs import GibbsConfig, sample

THREADS = 2

Segmenter = Callable[[Corpus, int, int], NDArray[np.uint8]]
"""Maps a corpus, the true number of elements and a seed to the cluster of each token: [N]."""


def lda(config: GibbsConfig) -> GibbsConfig:
    """Return the same settings for LDA, which learns α since it cannot be infinite there."""
    return replace(config, order="none", alpha=1.0, learn_alpha=True)


def gibbs_segmenter(config: GibbsConfig) -> Segmenter:
    """Return the paper's sampler with these settings."""

    def segment(corpus: Corpus, _elements: int, seed: int) -> NDArray[np.uint8]:
        return sample(corpus, replace(config, seed=seed), threads=THREADS).topic

    return segment


def blocked(corpus: Corpus, elements: int, seed: int) -> NDArray[np.uint8]:
    """The sampler that draws whole citations: a start searched on a sample, sweeps over all, and the best reading."""
    config = BlockedConfig(fields=elements, seed=seed + 1)
    given = replace_rare_words(corpus, config.min_count, lower_first=True)
    priors = priors_of(given)
    state, _ = run(given, priors, config, THREADS)
    found, _, _ = ffbs.decode(given, state.elements, tables_of(state, priors), THREADS)
    return found
