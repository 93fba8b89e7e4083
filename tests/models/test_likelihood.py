"""The loss is what enumeration gives, and its gradient what finite differences give."""

from __future__ import annotations

from dataclasses import replace

import brute
import numpy as np
import pytest
from model_cases import random_weights, small_trainer

from ibidem.models import likelihood
from ibidem.models.likelihood import has_labelling, loss, scores
from ibidem.models.training import Trainer
from ibidem.types import Potentials

CASES = pytest.mark.parametrize(
    ("partially_annotated", "remember"), [(False, False), (False, True), (True, False), (True, True)]
)


def by_enumeration(trainer: Trainer, span: np.ndarray, arc: np.ndarray) -> float:
    """log Z - log Z within what is allowed, summed over the strings."""
    within = np.where(trainer.encoded.mask(), span, -np.inf)
    total = 0.0
    for table, sign in ((span, 1), (within, -1)):
        potentials = Potentials(table[:, None], arc, trainer.encoded.lengths)
        for string in brute.strings(potentials):
            total += sign * brute.log_total([path.score for path in brute.paths(trainer.automaton, string, arc)])
    return total


@CASES
def test_the_loss_is_that_of_all_paths(partially_annotated, remember):
    trainer = small_trainer(partially_annotated, remember)
    assert trainer.complete is not partially_annotated
    weights = random_weights(trainer, seed=3)
    expected = by_enumeration(trainer, scores(trainer.encoded, weights), weights.arc)
    assert loss(trainer.encoded, trainer.lattice, weights, 1)[0] == pytest.approx(expected, abs=1e-8)


@CASES
def test_the_gradient_is_the_slope_of_the_loss(partially_annotated, remember):
    trainer = small_trainer(partially_annotated, remember)
    start = random_weights(trainer, seed=5)
    theta = start.flat()
    slope = loss(trainer.encoded, trainer.lattice, start, 1)[1].flat()
    rng = np.random.default_rng(0)
    axes = rng.choice(np.flatnonzero(slope), size=25, replace=False)
    directions = [*rng.normal(size=(10, len(theta))), *(np.eye(1, len(theta), int(axis))[0] for axis in axes)]
    for direction in directions:
        values = [
            loss(trainer.encoded, trainer.lattice, start.filled(theta + sign * 1e-5 * direction), 1)[0]
            for sign in (1, -1)
        ]
        assert (values[0] - values[1]) / 2e-5 == pytest.approx(float(slope @ direction), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("remember", [False, True])
def test_gold_that_is_complete_may_be_computed_once(remember):
    trainer = small_trainer(False, remember)
    weights = random_weights(trainer, seed=7)
    token = scores(trainer.encoded, weights)
    fixed = trainer.lattice.within(trainer.encoded, token * 0, trainer.zero_weights(), 1)[1]
    once = loss(trainer.encoded, trainer.lattice, weights, 1, fixed)
    each = loss(trainer.encoded, trainer.lattice, weights, 1)
    assert once[0] == pytest.approx(each[0], abs=1e-9)
    np.testing.assert_allclose(once[1].flat(), each[1].flat(), atol=1e-9)


def test_the_loss_of_a_part_and_of_the_rest_is_the_loss_of_the_whole():
    trainer = small_trainer(True, True)
    weights = random_weights(trainer, seed=9)
    parts = [trainer.encoded.strings(np.array(chosen)) for chosen in ([1], [0, 2])]
    values, slopes = zip(*(loss(part, trainer.lattice, weights, 1) for part in parts), strict=True)
    whole, slope = loss(trainer.encoded, trainer.lattice, weights, 1)
    assert sum(values) == pytest.approx(whole, abs=1e-9)
    np.testing.assert_allclose(sum(each.flat() for each in slopes), slope.flat(), atol=1e-9)


def test_what_says_nothing_costs_nothing():
    """Where every label is allowed everywhere, the loss and its gradient are zero."""
    trainer = small_trainer(True, True)
    silent = replace(trainer.encoded, allowed=np.full_like(trainer.encoded.allowed, 255))
    value, slope = loss(silent, trainer.lattice, random_weights(trainer, seed=2), 1)
    assert value == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(slope.flat(), 0, atol=1e-9)


def test_strings_that_no_path_fits_are_found():
    trainer = small_trainer(False, False)
    inside = trainer.labels.index("I-title")
    mask = trainer.encoded.mask()
    mask[0] = np.arange(len(trainer.labels)) == inside  # nothing goes on before it has begun
    spoilt = replace(trainer.encoded, allowed=np.packbits(mask, axis=1))
    assert has_labelling(spoilt, trainer.lattice).tolist() == [False, True, True]
    assert has_labelling(trainer.encoded, trainer.lattice).all()


def test_a_corpus_is_cut_and_thinned_without_copies_of_it(monkeypatch):
    """As `strings` does it, whose result has only the types that it needs."""
    monkeypatch.setattr(likelihood, "_SLICE", 7)
    whole = small_trainer(True, True).encoded
    parts = list(whole.slices())
    assert len(parts) > 1
    assert np.concatenate([part.lengths for part in parts]).tolist() == whole.lengths.tolist()
    assert np.concatenate([part.token for part in parts]).tolist() == whole.token.tolist()
    assert all(len(part.token) == part.lengths.sum() for part in parts)
    kept = np.array([False, True, True])
    wanted = whole.strings(np.flatnonzero(kept))
    found = replace(whole, context=whole.context.copy()).keep(kept)
    assert (found.matrix[found.token] != wanted.matrix[wanted.token]).nnz == 0
    for name in ("context", "lengths", "allowed", "blank"):
        assert getattr(found, name).tolist() == getattr(wanted, name).tolist()
