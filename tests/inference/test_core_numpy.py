"""The compiled kernels and their NumPy reference agree, at sizes that enumeration cannot reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from inference_cases import Case, random_case

from ibidem import kernels
from ibidem.errors import ConfigError
from ibidem.inference import best, kbest, kernels_in_use, log_partition, marginals, sample, segment_mass
from ibidem.types import Automaton, Potentials

pytestmark = pytest.mark.usefixtures("compiled")

# States, longest span, density of the arcs (dense matrices and sparse lists), scale of the scores.
SIZES = [
    (40, 1, 0.5, 3.0),
    (80, 1, 0.06, 3.0),
    (17, 4, 0.5, 3.0),
    (60, 3, 0.06, 3.0),
    (20, 1, 0.4, 120.0),
    (33, 2, 0.3, 80.0),
    (80, 1, 0.06, 100.0),
]


def big(S: int, L: int, density: float, scale: float, dtype: str, forbidden: float = 0.1) -> Case:
    """Eight strings of up to 25 tokens."""
    return random_case(S + L, S, L, [12, 1, 0, 25, 7, 2, 16, 3], scale, density, dtype, forbidden)


def both(call: Callable[[], Any]) -> tuple[Any, Any]:
    """What the reference and the compiled kernels answer."""
    answers = []
    for name in ("numpy", "c++"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(kernels.SWITCH, name)
            answers.append(call())
    return answers[0], answers[1]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", SIZES)
def test_marginals_agree(size: tuple[int, int, float, float], dtype: str) -> None:
    case = big(*size, dtype)
    (log_z, want), (got_log_z, got) = both(lambda: marginals(case.automaton, case.potentials, threads=2))
    tolerance = 1e-9 if dtype == "float64" else (1e-5 if size[3] < 10 else 2e-3)
    assert np.isfinite(log_z).sum() >= 4
    np.testing.assert_allclose(got_log_z, log_z, rtol=1e-6, atol=tolerance)
    np.testing.assert_allclose(got.span, want.span, atol=10 * tolerance)
    np.testing.assert_allclose(got.arc, want.arc, atol=50 * tolerance)
    np.testing.assert_allclose(*both(lambda: log_partition(case.automaton, case.potentials)), rtol=1e-6, atol=tolerance)


@pytest.mark.parametrize("size", SIZES)
def test_paths_agree(size: tuple[int, int, float, float]) -> None:
    case = big(*size, "float64", forbidden=0.0)
    log_z = log_partition(case.automaton, case.potentials)
    keep = log_z > -np.inf
    lengths = case.potentials.lengths
    potentials = Potentials(case.potentials.span[np.repeat(keep, lengths)], case.potentials.arc, lengths[keep])
    for call in (
        lambda: best(case.automaton, potentials, threads=2),
        lambda: sample(case.automaton, potentials, seed=7, draws=3, threads=2),
        lambda: kbest(case.automaton, potentials, 6, threads=2),
    ):
        want, got = both(call)
        np.testing.assert_array_equal(got.state, want.state)
        np.testing.assert_array_equal(got.start, want.start)
        np.testing.assert_allclose(got.score, want.score, rtol=1e-9)
        np.testing.assert_array_equal(got.count, want.count)
    single = Potentials(potentials.span.astype(np.float32), potentials.arc.astype(np.float32), potentials.lengths)
    want, got = both(lambda: best(case.automaton, single))
    np.testing.assert_allclose(got.score, want.score, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_segment_masses_agree(dtype: str) -> None:
    for size in SIZES:
        if size[1] > 1:
            continue
        case = big(*size, dtype, forbidden=0.02)
        rng = np.random.default_rng(1)
        S = len(case.automaton.label)
        first, inside = rng.random((3, S)) < 0.6, rng.random((3, S)) < 0.6
        segments = np.array([(b, 0, n, n % 3) for b, n in enumerate(case.potentials.lengths) if n] + [(3, 5, 8, 1)])
        want, got = both(lambda c=case, m=(segments, first, inside): segment_mass(c.automaton, c.potentials, *m))
        np.testing.assert_allclose(np.exp(got), np.exp(want), atol=1e-9 if dtype == "float64" else 2e-3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("step", [50.0, 60.0, 120.0, 500.0])
def test_a_path_far_below_the_best_prefix_is_kept_when_only_it_goes_on(step: float, dtype: str) -> None:
    """Two states that never meet: one falls far behind, wins later by more, and falls behind again at the end."""
    automaton = Automaton(
        np.array([0, 1], dtype=np.int32),
        np.array([-1, -1, 0, 1], dtype=np.int32),
        np.array([0, 1, 0, 1], dtype=np.int32),
        np.ones(2, dtype=np.bool_),
    )
    lead = np.array([step] * 3 + [-step] * 6 + [step] * 3 + [-0.5])  # in all half a point for the second state
    span = np.zeros((len(lead), 1, 2), dtype=dtype)
    span[:, 0, 0] = lead
    potentials = Potentials(span, np.zeros(4, dtype=dtype), np.array([len(lead)], dtype=np.int32))
    log_z, counts = marginals(automaton, potentials)
    np.testing.assert_allclose(log_z, np.logaddexp(0.0, -0.5), atol=1e-4)
    np.testing.assert_allclose(counts.span[:, 0, 1], 1 / (1 + np.exp(-0.5)), atol=1e-4)
    probability = 1 / (1 + np.exp(-0.5))
    np.testing.assert_allclose(
        counts.arc, [1 - probability, probability, 12 * (1 - probability), 12 * probability], rtol=1e-3
    )
    drawn = sample(automaton, potentials, seed=1, draws=400)
    assert abs(drawn.state[:, 0].mean() - 1 / (1 + np.exp(-0.5))) < 0.1
    mask = np.eye(2, dtype=np.bool_)
    mass = segment_mass(automaton, potentials, np.array([[0, 0, len(lead), 1]]), mask, mask)
    np.testing.assert_allclose(np.exp(mass), 1 / (1 + np.exp(-0.5)), atol=1e-4)


@pytest.mark.parametrize("drift", [0.3, 3.0, 40.0])
def test_states_that_fall_behind_all_along_are_summed_as_exactly_as_the_best(drift: float) -> None:
    """Groups of states that never meet: each falls behind by more than the one before, and all are level at the end."""
    G, N, T = 5, 4, 600
    rng = np.random.default_rng(2)
    src = [-1] * (G * N) + [g * N + r for g in range(G) for r in range(N) for _ in range(N)]
    dst = [*range(G * N), *(g * N + s for g in range(G) for _ in range(N) for s in range(N))]
    automaton = Automaton(
        np.arange(G * N, dtype=np.int32),
        np.array(src, dtype=np.int32),
        np.array(dst, dtype=np.int32),
        np.ones(G * N, dtype=np.bool_),
    )
    span = np.tile(rng.normal(size=(T, 1, N)), G) - drift * np.repeat(np.arange(G), N)
    span[-1] += drift * T * np.repeat(np.arange(G), N)
    arc = np.concatenate([np.zeros(G * N), np.tile(rng.normal(size=N * N), G)])
    potentials = Potentials(span, arc, np.array([T], dtype=np.int32))
    (log_z, want), (got_log_z, got) = both(lambda: marginals(automaton, potentials))
    np.testing.assert_allclose(got_log_z, log_z, rtol=1e-12)
    np.testing.assert_allclose(got.span, want.span, atol=1e-9)
    np.testing.assert_allclose(got.span[-1, 0].reshape(G, N).sum(axis=1), 1 / G, rtol=1e-6)


def test_a_masked_string_follows_its_mask_however_unlikely() -> None:
    rng = np.random.default_rng(0)
    case = random_case(3, S=30, L=1, lengths=[20] * 4, scale=60.0, density=0.5, dtype="float32", forbidden=0.0)
    flat = Potentials(case.potentials.span * 0, case.potentials.arc * 0, case.potentials.lengths)
    state = sample(case.automaton, flat, seed=5)
    allowed = rng.random(case.potentials.span[:, 0].shape) < 0.05
    allowed[np.arange(80), case.automaton.label[state.state[0]]] = True
    span = np.where(allowed[:, None], case.potentials.span, np.float32(-np.inf))
    masked = Potentials(span, case.potentials.arc, case.potentials.lengths)
    (log_z, want), (got_log_z, got) = both(lambda: marginals(case.automaton, masked))
    assert np.isfinite(log_z).all()
    np.testing.assert_allclose(got_log_z, log_z, rtol=1e-5)
    np.testing.assert_allclose(got.span, want.span, atol=1e-3)
    assert not got.span[~allowed[:, None]].any()


@pytest.mark.parametrize("L", [1, 3])
def test_threads_change_nothing(L: int) -> None:
    case = random_case(9, S=20, L=L, lengths=list(range(1, 30)) * 5, density=0.5, dtype="float32")
    one, many = (marginals(case.automaton, case.potentials, threads=n) for n in (1, 4))
    for first, second in ((one[0], many[0]), (one[1].span, many[1].span), (one[1].arc, many[1].arc)):
        np.testing.assert_array_equal(first, second)


def test_the_environment_chooses_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(kernels.SWITCH, raising=False)
    assert kernels_in_use().startswith("C++ (")
    monkeypatch.setenv(kernels.SWITCH, "numpy")
    assert kernels_in_use() == "NumPy"
    monkeypatch.setenv(kernels.SWITCH, "fortran")
    with pytest.raises(ConfigError, match="fortran"):
        kernels_in_use()
    monkeypatch.setenv(kernels.SWITCH, "c++")
    monkeypatch.setattr(kernels, "_compiled", None)
    with pytest.raises(ConfigError, match="unset the variable"):
        kernels_in_use()
    monkeypatch.delenv(kernels.SWITCH)
    assert kernels_in_use() == "NumPy"
