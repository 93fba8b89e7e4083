"""Inference: automata, sums and maxima over their paths, and emission scores, by C++ kernels or NumPy.

>>> import numpy as np
>>> from ibidem.types import Potentials
>>> automaton, names = nested_bio(["O", "B-title", "I-title"])
>>> scores = np.array([[0.0, 2.0, 5.0], [0.0, 1.0, 2.0]])
>>> potentials = Potentials(scores[:, None, :], np.zeros(len(automaton.src)), np.array([2]))
>>> [names[s] for s in best(automaton, potentials).state]
['B-title', 'I-title']
"""

from ibidem.inference.automata import nested_bio, patterns, product, track_labels
from ibidem.inference.core import (
    Paths,
    best,
    kbest,
    kernels_in_use,
    log_partition,
    marginals,
    sample,
    segment_mass,
)
from ibidem.inference.decoding import Decoded, best_segments
from ibidem.inference.emissions import emissions, emissions_gradient, empty_rows, packed_emissions, put_scales
from ibidem.inference.spans import (
    ROLES,
    SpanPotentials,
    SpanWeights,
    decode_spans,
    span_gradient,
    span_scores,
    spans_of,
    split_potentials,
)

__all__ = [
    "ROLES",
    "Decoded",
    "Paths",
    "SpanPotentials",
    "SpanWeights",
    "best",
    "best_segments",
    "decode_spans",
    "emissions",
    "emissions_gradient",
    "empty_rows",
    "kbest",
    "kernels_in_use",
    "log_partition",
    "marginals",
    "nested_bio",
    "packed_emissions",
    "patterns",
    "product",
    "put_scales",
    "sample",
    "segment_mass",
    "span_gradient",
    "span_scores",
    "spans_of",
    "split_potentials",
    "track_labels",
]
