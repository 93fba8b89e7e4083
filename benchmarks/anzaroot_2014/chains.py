"""The chain CRFs of the benchmark `soft-constraints`: ours, ours without memory, and that of Anzaroot 2014."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from benchmarks.anzaroot_2014.umass import NESTED
from ibidem.features import Batch, Feature, features_of
from ibidem.features.chunks import find_cuts
from ibidem.features.registry import Codes
from ibidem.models.training import CRFConfig

# `O` does not remember the field before it, and the states not which fields have begun: label bigrams alone.
NO_MEMORY = replace(NESTED, remember=False, label_history=())
# Section 7: a chain trained by L-BFGS with L2.
PAPER = CRFConfig(optimiser="lbfgs", l2=0.5, iterations=80, min_count=1, context_min_count=1, remember=False, threads=2)
# Section 7: word type, capitalisation, patterns and lexicons are attributes of tokens; the place in the string is one
# of their context, and so are the lexicons of several words.
FEATURES = ("location", "phrase/")
SEGMENTER = "segment-begins"


def segment_begins(batch: Batch) -> Codes:
    """Whether a segment of the rule-based segmenter begins at the token: the paper's binary feature."""
    return find_cuts(batch, coarse=False).astype(np.int32)


@contextmanager
def features(kept: Sequence[str], segmenter: bool) -> Iterator[None]:
    """Train and parse with these features of context alone, and with that of the segmenter or without."""
    context = features_of("references").context
    before = list(context)
    context[:] = [one for one in before if one.name in kept]
    if segmenter:
        context.append(Feature(SEGMENTER, 2, segment_begins))
    try:
        yield
    finally:
        context[:] = before
