"""Optimisers go down, reach the bottom where there is one, and stop when they are told to."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_cases import references, small_trainer, trainer_of

from ibidem.models.likelihood import Weights, loss
from ibidem.models.optimisers import Objective, lbfgs, minimise
from ibidem.models.training import CRFConfig, Trainer


def going_on(*_: object) -> bool:
    return False


def steps(function, start, iterations):
    """Value and place after each step."""
    found = []
    minimise(function, start, iterations, lambda *step: bool(found.append(step)))
    return found


def last(function, start, iterations):
    found = steps(function, start, iterations)
    assert all(after[0] <= before[0] for before, after in pairwise(found))
    return found[-1]


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.floats(0, 4))
def test_lbfgs_finds_the_bottom_of_a_quadratic(seed, size, spread):
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(size, size)))[0]
    curve = turn @ np.diag(10 ** (spread * rng.random(size) - spread / 2)) @ turn.T
    bottom = rng.normal(size=size)

    def function(theta):
        return 0.5 * float((theta - bottom) @ curve @ (theta - bottom)), curve @ (theta - bottom)

    value, place = last(function, rng.normal(size=size), 400)
    assert value < 1e-7
    np.testing.assert_allclose(curve @ (place - bottom), 0, atol=1e-3)


def valley(theta):
    """A long curved valley that is convex: sum of exp(x) + exp(-x) along stretched and turned axes."""
    matrix = np.array([[10.0, 3.0, 0.0], [0.0, 1.0, 2.0], [0.1, 0.0, 0.3]])
    x = matrix @ (theta - np.array([1.0, -2.0, 0.5]))
    return float((np.exp(x) + np.exp(-x)).sum()), matrix.T @ (np.exp(x) - np.exp(-x))


def banana(theta):
    """The function of Rosenbrock 1960 in two dimensions."""
    a, b = theta
    return float((1 - a) ** 2 + 100 * (b - a * a) ** 2), np.array(
        [-2 * (1 - a) - 400 * a * (b - a * a), 200 * (b - a * a)]
    )


@pytest.mark.parametrize(
    ("function", "start", "bottom"),
    [(valley, [0.5, -1.0, 0.0], [1.0, -2.0, 0.5]), (banana, [-1.2, 1.0], [1.0, 1.0])],
)
def test_lbfgs_finds_its_way_along_curved_valleys(function, start, bottom):
    _, place = last(function, np.array(start), 300)
    np.testing.assert_allclose(place, bottom, atol=2e-3)


def test_lbfgs_stays_where_it_is_already_flat():
    assert steps(lambda theta: (0.0, theta * 0), np.zeros(3), 5) == []


def test_lbfgs_gives_up_where_the_gradient_is_wrong():
    assert steps(lambda theta: (float(theta @ theta), -2 * theta), np.ones(2), 5) == []


@pytest.mark.parametrize("partially_annotated", [False, True])
def test_lbfgs_reaches_what_the_usual_routine_reaches(partially_annotated):
    from scipy.optimize import minimize

    trainer = small_trainer(partially_annotated, remember=True)
    zero = trainer.zero_weights()

    def function(theta):
        value, gradient = loss(trainer.encoded, trainer.lattice, zero.filled(theta), 1)
        return value + 0.1 * float(theta @ theta), gradient.flat() + 0.2 * theta

    objective = Objective(trainer.encoded, trainer.lattice, 0.1, complete=trainer.complete)
    found = lbfgs(objective, zero, 200, going_on, tolerance=1e-12)
    usual = minimize(
        function, zero.flat(), jac=True, method="L-BFGS-B", options={"maxiter": 500, "ftol": 1e-14, "gtol": 1e-8}
    )
    assert function(found.flat())[0] == pytest.approx(usual.fun, rel=1e-6)


def test_only_weights_that_the_data_show_are_moved():
    trainer = small_trainer(False, remember=False, observed_only=True)
    weights = trainer.run(going_on)
    free = replace(trainer, config=replace(trainer.config, observed_only=False)).run(going_on)
    assert 0 < np.count_nonzero(weights.flat()) < np.count_nonzero(free.flat())
    unseen = trainer.labels.index("B-volume")  # a number, never a word
    numbers = set(trainer.encoder.numbers("Reed").tolist()) - set(trainer.encoder.numbers("12").tolist())
    assert not weights.attribute[sorted(numbers), 1, unseen].any()
    assert free.attribute[sorted(numbers), 1, unseen].all()


def stochastic(seed: int = 1, **settings: object) -> Trainer:
    config = CRFConfig(optimiser="adagrad", epochs=4, batch=5, seed=seed, **settings)  # type: ignore[arg-type]
    return trainer_of(references(12), config)


def objective_of(trainer: Trainer, weights: Weights) -> float:
    return loss(trainer.encoded, trainer.lattice, weights, 1)[0]


def test_adagrad_lowers_the_loss_from_epoch_to_epoch():
    trainer = stochastic()
    seen: list[float] = []
    weights = trainer.run(lambda step, value, _: bool(seen.append(value)))
    assert len(seen) == 4
    assert seen[-1] < seen[0]
    assert objective_of(trainer, weights) < 0.2 * objective_of(trainer, trainer.zero_weights())


@pytest.mark.parametrize("optimiser", ["lbfgs", "adagrad"])
def test_the_same_seed_gives_the_same_weights(optimiser):
    one, two = (replace(t, config=replace(t.config, optimiser=optimiser)) for t in (stochastic(), stochastic()))
    np.testing.assert_array_equal(one.run(going_on).flat(), two.run(going_on).flat())


def test_another_seed_gives_other_weights():
    assert (stochastic(1).run(going_on).flat() != stochastic(2).run(going_on).flat()).any()


@pytest.mark.parametrize("optimiser", ["lbfgs", "adagrad"])
@pytest.mark.parametrize("stop", ["told", "interrupted"])
def test_a_training_that_is_stopped_keeps_what_it_has(optimiser, stop):
    trainer = stochastic()
    trainer = replace(trainer, config=replace(trainer.config, optimiser=optimiser))
    kept: list[Weights] = []

    def report(step: int, value: float, weights: Weights) -> bool:
        kept.append(weights)
        if step == 2 and stop == "interrupted":
            raise KeyboardInterrupt
        return step == 2

    weights = trainer.run(report)
    assert len(kept) == 2
    np.testing.assert_array_equal(weights.flat(), kept[-1].flat())
    assert weights.flat().any()


def test_an_interruption_before_the_first_step_leaves_the_start():
    trainer = stochastic()

    class Interrupting:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    objective = Objective(Interrupting(), trainer.lattice, 0.1, complete=False)  # type: ignore[arg-type]
    assert not lbfgs(objective, trainer.zero_weights(), 5, going_on).flat().any()
