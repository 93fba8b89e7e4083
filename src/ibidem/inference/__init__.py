"""Inference: automata, sums and maxima over their paths, and emission scores, by C++ kernels or their NumPy twin.

>>> import numpy as np
>>> from ibidem.types import Potentials
>>> automaton, names = nested_bio(["O", "B-title", "I-title"])
>>> scores = np.array([[0.0, 2.0, 5.0], [0.0, 1.0, 2.0]])
>>> potentials = Potentials(scores[:, None, :], np.zeros(len(automaton.src)), np.array([2]))
>>> [names[s] for s in best(automaton, potentials).state]
['B-title', 'I-title']
"""

from ibidem.inference.automata import Patterns, Product, milestone, nested_bio, patterns, product
from ibidem.inference.core import (
    Paths,
    best,
    credit,
    emissions,
    emissions_credit,
    kbest,
    kernels_in_use,
    log_partition,
    marginals,
    sample,
    segment_mass,
)
from ibidem.inference.decoding import Decoded, best_segments
from ibidem.inference.packed import empty_rows, packed_emissions, put_scales
from ibidem.inference.spans import ROLES, span_credit, span_scores, spans_anew, spans_of

__all__ = [
    "ROLES",
    "Decoded",
    "Paths",
    "Patterns",
    "Product",
    "best",
    "best_segments",
    "credit",
    "emissions",
    "emissions_credit",
    "empty_rows",
    "kbest",
    "kernels_in_use",
    "log_partition",
    "marginals",
    "milestone",
    "nested_bio",
    "packed_emissions",
    "patterns",
    "product",
    "put_scales",
    "sample",
    "segment_mass",
    "span_credit",
    "span_scores",
    "spans_anew",
    "spans_of",
]
