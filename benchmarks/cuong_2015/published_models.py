"""Chains and semi-CRFs over ParsCit's own features, trained as Cuong 2015 trains them: L-BFGS, sigma 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.cuong_2015.extensibility import Decoding, active_rows
from benchmarks.cuong_2015.published_features import Dictionary, Pool
from ibidem import inference
from ibidem.features.lexicons import empty
from ibidem.models.chain import ChainLattice
from ibidem.models.likelihood import Encoded, Weights, count_features, scores, seen_often, zero_weights
from ibidem.models.optimisers import Objective, lbfgs
from ibidem.models.semi.lattice import SemiLattice, build_lattice
from ibidem.models.training import CRFConfig
from ibidem.types import Automaton, Potentials

L2 = 0.5  # 1 / (2 sigma^2)
_SEEN = 2  # times a feature must be seen with a pattern
_ROOM = 64  # strings decoded at once


@dataclass(frozen=True, slots=True)
class Published:
    """A trained model; order 0 is the chain."""

    order: int
    dictionary: Dictionary
    lattice: ChainLattice | SemiLattice
    labels: tuple[str, ...]  # of the states, without BIO
    weights: Weights
    steps: int

    def label(self, strings: Pool) -> list[tuple[str, ...]]:
        """Return the label of each word of the strings."""
        encoded = self.encode(strings)
        found: list[tuple[str, ...]] = []
        for first in range(0, len(encoded.lengths), _ROOM):
            chosen = np.arange(first, min(first + _ROOM, len(encoded.lengths)))
            part = encoded.strings(chosen)
            state = inference.best(self.lattice.automaton, self.potentials(part)).state
            names = [self.labels[y] for y in np.asarray(self.lattice.automaton.label)[state]]
            ends = np.cumsum(part.lengths).tolist()
            found += [tuple(names[end - size : end]) for end, size in zip(ends, part.lengths.tolist(), strict=True)]
        return found

    def encode(self, strings: Pool) -> Encoded:
        """Encode strings without their labels."""
        words = sum(map(len, strings.labels))
        return self.dictionary.encode(strings, np.zeros((words, 1), dtype=np.bool_))

    def potentials(self, encoded: Encoded) -> Potentials:
        """Return the scores of labels or of segments."""
        token = scores(encoded, self.weights)
        if isinstance(self.lattice, ChainLattice):
            return Potentials(token[:, None], self.weights.arc, encoded.lengths)
        spans = self.lattice.spans
        longest = spans.longest(encoded.lengths)
        ids = spans.ids(None, encoded.lengths, longest)
        span = spans.score(token, encoded.lengths, self.weights.segment, ids, longest)
        return Potentials(span, self.lattice.arc_scores(self.weights.arc), encoded.lengths)

    def with_longest(self, longest: int) -> Published:
        """Return the same model with segments of up to `longest` words for every label."""
        assert isinstance(self.lattice, SemiLattice)
        limits = np.full(len(self.lattice.spans.limits), longest, dtype=np.int32)
        vocabulary = replace(self.lattice.vocabulary, limits=limits[: len(self.lattice.vocabulary.limits)])
        spans = replace(self.lattice.spans, limits=limits)
        return replace(self, lattice=replace(self.lattice, vocabulary=vocabulary, spans=spans))

    def decoding(self, strings: Pool) -> Decoding:
        """Return the decoding of strings, for timing."""
        assert isinstance(self.lattice, SemiLattice)
        encoded = self.encode(strings)
        return Decoding(self.lattice, self.weights.attribute[:, 0], active_rows(encoded), encoded.lengths, self.weights)


def everything_allowed(labels: int) -> Automaton:
    """Return the automaton in which every label may follow every label."""
    first, second = np.divmod(np.arange(labels * labels, dtype=np.int32), np.int32(labels))
    every = np.arange(labels, dtype=np.int32)
    source = np.concatenate([np.full(labels, -1, dtype=np.int32), first])
    return Automaton(every, source, np.concatenate([every, second]), np.ones(labels, dtype=np.bool_))


def train(
    strings: Pool, order: int, iterations: int, say: Callable[[str], None], pattern_features: int = 0
) -> Published:
    """Train the chain (order 0) or the semi-CRF of some order on the strings.

    Label patterns seen `pattern_features` times have the features that are seen with them `_SEEN` times; 0: none has.
    """
    dictionary = Dictionary(strings)
    plain = sorted({label for labels in strings.labels for label in labels})
    lattice: ChainLattice | SemiLattice
    free = None
    if order == 0:
        encoded = dictionary.encode(strings, _one_hot(strings.labels, plain))
        lattice = ChainLattice(everything_allowed(len(plain)), len(plain))
        names = tuple(plain)
    else:
        config = CRFConfig(
            model="semi", order=order, edges=False, whole=False, remember=False, pattern_features=pattern_features
        )
        tags = ("O", *(f"{tag}-{label}" for label in plain for tag in "BI"))
        encoded = dictionary.encode(strings, _one_hot([_bio(labels) for labels in strings.labels], tags))
        lattice = build_lattice(tags, encoded, config, empty())
        names = tuple(label.partition("-")[2] or label for label in lattice.labels)
    blank = zero_weights(len(dictionary), 1, 0, lattice.columns, lattice.arcs, lattice.segments)
    if lattice.optional.any():
        free = seen_often(lattice, count_features(encoded, lattice, blank, 1), _SEEN, _SEEN)
    steps: list[float] = []

    def report(step: int, value: float, _: Weights) -> bool:
        steps.append(value)
        if step % 25 == 0:
            say(f"  step {step}: objective {value:,.1f}")
        return False

    weights = lbfgs(Objective(encoded, lattice, L2, free), blank, iterations, report)
    return Published(order, dictionary, lattice, names, weights, len(steps))


def _bio(labels: Sequence[str]) -> list[str]:
    return [("I-" if n and labels[n - 1] == label else "B-") + label for n, label in enumerate(labels)]


def _one_hot(strings: Sequence[Sequence[str]], names: Sequence[str]) -> NDArray[np.bool_]:
    """Return a one-hot encoding of the label of each word.  # [N, names]"""
    number = {name: place for place, name in enumerate(names)}
    chosen = [number[label] for labels in strings for label in labels]
    mask = np.zeros((len(chosen), len(names)), dtype=np.bool_)
    mask[np.arange(len(chosen)), chosen] = True
    return mask
