"""Decoding with and without extensible features, on any task, as timed in Figure 2 of Cuong 2015."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.support.timing import alternate
from ibidem import inference
from ibidem.features.lexicons import Lexicons
from ibidem.inference import spans_numpy
from ibidem.inference.emissions import check_tokens
from ibidem.kernels import compiled
from ibidem.labels.tasks import Task
from ibidem.models.encoder import corpus_of
from ibidem.models.likelihood import Encoded, Weights, encode
from ibidem.models.semi.lattice import SemiLattice
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Example, FloatArray, IntArray, Potentials

# Features of tokens alone, as in the paper; two epochs suffice, since the time does not depend on the weights.
CONFIG = CRFConfig(
    model="semi", edges=False, whole=False, window=1, min_count=1, context_min_count=1, optimiser="adagrad", epochs=2
)


def spans_anew(
    rows: FloatArray, types: IntArray, lengths: IntArray, table: FloatArray, ids: IntArray, roles: int,
    limits: IntArray, longest: int, threads: int = 1,
) -> FloatArray:  # fmt: skip
    """Return what the tokens add to every span, every feature looked up again for every span: [N, L, Y].

    The arguments are those of `ibidem.inference.emissions`, with R times Y columns; the result is that of `span_scores`
    of their sums, limits and table aside, at a cost that grows with the length of the spans.
    """
    kernels: Any = compiled() or spans_numpy
    tokens = check_tokens(types, lengths, ids, len(rows), len(table))
    return np.asarray(kernels.spans_anew(rows, *tokens[:2], table, tokens[2], roles, limits, longest, threads))


@dataclass(frozen=True, slots=True)
class Decoding:
    """Strings to decode: the numbers of the active features of each token, and a model's weights for them."""

    lattice: SemiLattice
    table: FloatArray  # [K, Y]
    ids: IntArray  # [N, most] rows of the table, padded with -1
    lengths: IntArray  # [B]
    weights: Weights  # of patterns and of segments

    def decode(self, extensible: bool) -> FloatArray:
        """Return the scores of the best segmentations, with sums that are reused or recomputed for every segment.

        Both start from the numbers of the features and differ in nothing else.
        """
        spans, lengths, columns = self.lattice.spans, self.lengths, self.table.shape[1]
        longest, none = spans.longest(lengths), np.full(len(self.ids), -1, dtype=np.int32)
        nothing = np.zeros((0, 1, columns), dtype=self.table.dtype)
        rows = spans.ids(None, lengths, longest)
        if extensible:
            token = inference.emissions(nothing, none, lengths, self.table, self.ids)
            span = spans.score(token, lengths, self.weights.segment, rows, longest)
        else:
            anew = spans_anew(nothing, none, lengths, self.table, self.ids, 1, spans.limits, longest)
            zero = np.zeros((len(self.ids), columns), dtype=self.table.dtype)
            span = spans.score(zero, lengths, self.weights.segment, rows, longest) + spans.columns.add_suffixes(anew)
        arc = self.lattice.arc_scores(self.weights.arc)
        return np.asarray(inference.best(self.lattice.automaton, Potentials(span, arc, lengths)).score)

    def seconds(self, times: int) -> tuple[float, float]:
        """Return the median times without and with extensible features, of alternating runs."""
        slow, quick = alternate([lambda: self.decode(False), lambda: self.decode(True)], times)
        return slow, quick


def active_rows(encoded: Encoded) -> IntArray:
    """Return the weight rows active at each token, attributes before context, padded with -1.  # [N, most]"""
    sizes = np.diff(encoded.matrix.indptr)
    attributes = np.full((len(sizes), int(sizes.max(initial=0))), -1, dtype=np.int32)
    attributes[np.arange(attributes.shape[1]) < sizes[:, None]] = encoded.matrix.indices
    context = np.where(encoded.context >= 0, encoded.context + encoded.matrix.shape[1], -1)
    return np.concatenate([attributes[encoded.token], context], axis=1).astype(np.int32)


def prepare(train: Sequence[Example], test: Sequence[Example], order: int, task: Task, known: Lexicons) -> Decoding:
    """Return the decoding of test examples by a semi-CRF of some order, briefly trained on others."""
    labels = labels_seen([*train, *test], task=task)
    given, wanted = (training_set(((example, False) for example in part), labels, task) for part in (train, test))
    trainer = Trainer.prepare(given, known, replace(CONFIG, order=order))
    weights = trainer.run(lambda _step, _value, _weights: False)
    assert isinstance(trainer.lattice, SemiLattice)
    corpus = corpus_of(wanted.strings, known, task.name)
    encoded = encode(corpus, trainer.encoder, wanted.allowed, len(labels), np.float32)
    table = np.concatenate([weights.attribute[:, 0], weights.context])
    return Decoding(trainer.lattice, table, active_rows(encoded), encoded.lengths, weights)
