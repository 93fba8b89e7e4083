"""Methods of unsupervised segmentation behind one signature: corpus, number of elements, seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ibidem.unsupervised import forward_filtering_backward_sampling as drawing
from ibidem.unsupervised.corpus import Corpus, reduced
from ibidem.unsupervised.gibbs import GibbsConfig, sample
from ibidem.unsupervised.learning import Settings, priors_of, tables_of
from ibidem.unsupervised.running import run

THREADS = 2

Segmenter = Callable[[Corpus, int, int], NDArray[np.uint8]]
"""Maps a corpus, the true number of elements and a seed to the cluster of each token: [N]."""


def gibbs_segmenter(config: GibbsConfig) -> Segmenter:
    """Return the paper's sampler with these settings."""

    def segment(corpus: Corpus, _elements: int, seed: int) -> NDArray[np.uint8]:
        return sample(corpus, replace(config, seed=seed)).topic

    return segment


def segment_blocked(corpus: Corpus, elements: int, seed: int) -> NDArray[np.uint8]:
    """Segment by our blocked sampler: initialisation on a sample, sweeps over all citations, the best labelling."""
    settings = Settings(elements=elements, seed=seed + 1)
    given = reduced(corpus, settings.least, lower_first=True)
    priors = priors_of(given)
    state, _ = run(given, priors, settings, THREADS)
    found, _, _ = drawing.read(given, state.elements, tables_of(state, priors), THREADS)
    return found
