"""The same segmentations found with and without extensible features, on any task: what Figure 2 of Cuong 2015 times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.timing import alternating
from ibidem import inference
from ibidem.features.lexicons import Lexicons
from ibidem.labels.tasks import Task
from ibidem.models.encoder import corpus_of
from ibidem.models.likelihood import Encoded, Weights, encode
from ibidem.models.semi.lattice import SemiLattice
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Example, FloatArray, IntArray, Potentials

# Features of tokens alone, as in the paper; a pass or two will do, since the time does not depend on the weights.
CONFIG = CRFConfig(
    model="semi", edges=False, whole=False, window=1, min_count=1, context_min_count=1, optimiser="adagrad", epochs=2
)


@dataclass(frozen=True, slots=True)
class Work:
    """Strings to be decoded: the numbers of the features of each token, and a model's weights for them."""

    lattice: SemiLattice
    table: FloatArray  # [K, Y]
    ids: IntArray  # [N, most] rows of the table, -1 to fill up
    lengths: IntArray  # [B]
    weights: Weights  # of patterns and of segments

    def decode(self, extensible: bool) -> FloatArray:
        """The scores of the best segmentations, found with sums that are reused or made anew for every segment.

        Both ways begin with the numbers of the features and differ in nothing else.
        """
        spans, lengths, columns = self.lattice.spans, self.lengths, self.table.shape[1]
        longest, none = spans.longest(lengths), np.full(len(self.ids), -1, dtype=np.int32)
        nothing = np.zeros((0, 1, columns), dtype=self.table.dtype)
        rows = spans.ids(None, lengths, longest)
        if extensible:
            token = inference.emissions(nothing, none, lengths, self.table, self.ids)
            span = spans.score(token, lengths, self.weights.segment, rows, longest)
        else:
            anew = inference.spans_anew(nothing, none, lengths, self.table, self.ids, 1, spans.limits, longest)
            empty = np.zeros((len(self.ids), columns), dtype=self.table.dtype)
            span = spans.score(empty, lengths, self.weights.segment, rows, longest) + anew
        arc = self.lattice.arc_scores(self.weights.arc)
        return np.asarray(inference.best(self.lattice.automaton, Potentials(span, arc, lengths)).score)

    def seconds(self, times: int) -> tuple[float, float]:
        """The median times without and with extensible features, taken in turns."""
        slow, quick = alternating([lambda: self.decode(False), lambda: self.decode(True)], times)
        return slow, quick


def numbers_of(encoded: Encoded) -> IntArray:
    """The rows that each token switches on, those of attributes before those of context, -1 to fill up.  # [N, most]"""
    sizes = np.diff(encoded.matrix.indptr)
    attributes = np.full((len(sizes), int(sizes.max(initial=0))), -1, dtype=np.int32)
    attributes[np.arange(attributes.shape[1]) < sizes[:, None]] = encoded.matrix.indices
    context = np.where(encoded.context >= 0, encoded.context + encoded.matrix.shape[1], -1)
    return np.concatenate([attributes[encoded.token], context], axis=1).astype(np.int32)


def work_of(train: Sequence[Example], test: Sequence[Example], order: int, task: Task, known: Lexicons) -> Work:
    """The decoding of test examples by a semi-CRF of some order that was trained, briefly, on others."""
    labels = labels_seen([*train, *test], task=task)
    given, wanted = (training_set(((example, False) for example in part), labels, task) for part in (train, test))
    trainer = Trainer.prepare(given, known, replace(CONFIG, order=order))
    weights = trainer.run(lambda _step, _value, _weights: False)
    assert isinstance(trainer.lattice, SemiLattice)
    corpus = corpus_of(wanted.strings, known, task.name)
    encoded = encode(corpus, trainer.encoder, wanted.allowed, len(labels), np.float32)
    table = np.concatenate([weights.attribute[:, 0], weights.context])
    return Work(trainer.lattice, table, numbers_of(encoded), encoded.lengths, weights)
