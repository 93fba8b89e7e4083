"""Training time of Ibidem and python-crfsuite with the same features and the same objective, on one core.

Both have a weight for every pair of feature and label, and of two labels, in the training strings; every transition is
allowed, unseen ones at weight zero (the constraint to valid BIO, which Ibidem usually has, is switched off because
python-crfsuite has none). A start arc of ours is an attribute of the first token there.
Both minimise -log likelihood + l2 * |weights|^2 by L-BFGS.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cuong_2015.published_models import everything_allowed
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import one_core, require_crfsuite, say
from ibidem.data import registry
from ibidem.features import lexicons
from ibidem.models.chain import ChainLattice
from ibidem.models.likelihood import Encoded, Weights
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Example

_CONFIG = CRFConfig(l2=1.0, observed_only=True, remember=False, min_count=1, context_min_count=2, iterations=200)
_NEAR = 1.001  # times the best objective that either found: reached

TrainingProgress = list[tuple[float, float]]
"""Seconds since the start and objective after each iteration."""


@benchmark(
    "training-speed",
    "Seconds of training to the same objective, Ibidem and python-crfsuite (bar: not slower)",
    reference="python-crfsuite, measured in the same run",
)
def training_speed() -> Outcome:
    """Measure when each comes within a thousandth of the lower of the two final objectives."""
    require_crfsuite()
    examples = [item for item in registry.load("umass-flat", "train") if isinstance(item, Example)]
    data = training_set([(example, False) for example in examples], labels_seen(examples))
    trainer = Trainer.prepare(data, lexicons.empty(), _CONFIG)
    trainer = replace(trainer, lattice=ChainLattice(everything_allowed(len(data.labels)), len(data.labels)))
    with one_core():
        say(f"{len(data.strings):,} strings, {len(data.labels)} labels; ours")
        ours = _ours(trainer)
        say(f"ended at {ours[-1][1]:,.1f} after {ours[-1][0]:.1f} s, {len(ours)} iterations; theirs")
        theirs = _theirs(trainer)
        say(f"ended at {theirs[-1][1]:,.1f} after {theirs[-1][0]:.1f} s, {len(theirs)} iterations")
    goal = _NEAR * min(value for _, value in ours + theirs)
    slow, quick = (next((when for when, value in progress if value <= goal), np.nan) for progress in (theirs, ours))
    rows = [
        Result(f"to an objective of {goal:,.1f}", "seconds", slow, quick, ratio=slow / quick, bar=1),
        Result("one iteration", "seconds", theirs[-1][0] / len(theirs), ours[-1][0] / len(ours)),
        Result("iterations to the end", "", len(theirs), len(ours)),
        Result("objective at the end", "nats", theirs[-1][1], ours[-1][1]),
    ]
    about = f"umass-flat train, {len(data.strings):,} strings, {len(data.allowed):,} tokens, {len(data.labels)} labels"
    return f"{about}; the same features and objective, L-BFGS, one core, encoding not counted", rows


def _ours(trainer: Trainer) -> TrainingProgress:
    progress: TrainingProgress = []
    began = time.perf_counter()

    def report(_step: int, value: float, _weights: Weights) -> bool:
        progress.append((time.perf_counter() - began, value))
        return False

    trainer.run(report)
    return progress


def _theirs(trainer: Trainer) -> TrainingProgress:
    import pycrfsuite

    progress: TrainingProgress = []

    class Timed(pycrfsuite.Trainer):  # type: ignore[misc]
        """A trainer that records the time of every iteration."""

        def on_iteration(self, _log: Any, info: dict[str, Any]) -> None:
            progress.append((time.perf_counter() - began, float(info["loss"])))

    crf = Timed(algorithm="lbfgs", verbose=True)
    crf.on_start = crf.on_featgen_progress = crf.on_featgen_end = crf.on_prepared = lambda *_: None
    crf.on_prepare_error = crf.on_optimization_end = crf.on_end = lambda *_: None
    for items, labels in _sequences(trainer.encoded, trainer.labels):
        crf.append(pycrfsuite.ItemSequence(items), labels)
    crf.set_params({"c1": 0.0, "c2": trainer.config.l2, "max_iterations": trainer.config.iterations})
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        crf.train(str(Path(folder) / "crf"))
    return progress


def _sequences(encoded: Encoded, names: tuple[str, ...]) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Yield the strings for python-crfsuite: our attributes at each position of the window, and our context codes."""
    half = _CONFIG.window // 2
    gold = encoded.mask().argmax(axis=1)
    attributes = [row.indices.tolist() for row in encoded.matrix]
    start = 0
    for length in encoded.lengths.tolist():
        types = encoded.token[start : start + length].tolist()
        items = []
        for place in range(length):
            item = [f"c{row}" for row in encoded.context[start + place].tolist() if row >= 0]
            for other in range(max(0, place - half), min(length, place + half + 1)):
                item += [f"{other - place}:{number}" for number in attributes[types[other]]]
            items.append([*item, "start"] if place == 0 else item)
        yield items, [names[label] for label in gold[start : start + length].tolist()]
        start += length
