"""Beam search under soft constraints: exact where the beam holds everything, and never better than the best path."""

from __future__ import annotations

import brute
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inference_cases import Case, random_case

from benchmarks.anzaroot_2014.beam_search import BeamSearch
from ibidem.errors import ConfigError
from ibidem.inference import kbest
from ibidem.inference.constraints import CompiledConstraints
from ibidem.inference.dual import SoftDual

_ALL = 6**5  # prefixes of up to five tokens with up to six ways on from each


def case_of(seed: int) -> tuple[Case, CompiledConstraints, np.ndarray]:
    """A case with constraints from above and below, on sums and differences of counts."""
    case = random_case(seed, 5, 1, [5, 0, 3, 1, 5], 2.0, density=1.0, forbidden=0.0)
    rng = np.random.default_rng(seed)
    Y = case.potentials.span.shape[2]
    coefficient = rng.integers(-2, 3, (6, Y)).astype(np.float64)
    constraints = CompiledConstraints(coefficient, rng.integers(-2, 3, 6).astype(np.float64))
    return case, constraints, rng.exponential(2.0, 6) * (rng.random(6) < 0.8)


def values_of(case: Case, constraints: CompiledConstraints, penalty: np.ndarray) -> list[dict[tuple[int, ...], float]]:
    """The score less the penalties of every path of each string, by its states."""
    Y = case.potentials.span.shape[2]
    found = []
    for span in brute.strings(case.potentials):
        each = {}
        for path in brute.paths(case.automaton, span, case.potentials.arc):
            counts = np.bincount([case.automaton.label[s] for s in path.states()], minlength=Y)
            each[path.states()] = path.score - float(np.maximum(constraints.excess(counts), 0) @ penalty)
        found.append(each)
    return found


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_a_beam_that_holds_every_prefix_finds_the_best_of_all_paths(seed, certain):
    case, constraints, penalty = case_of(seed)
    if not case.automaton.final.any():
        return
    found = BeamSearch(case.automaton, constraints, penalty, _ALL, certain).decode(case.potentials)
    tops = [max(each.values()) for each in values_of(case, constraints, penalty)]
    np.testing.assert_allclose(found.value, tops, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(1, 20), st.booleans())
def test_the_value_is_that_of_the_path_that_is_returned_and_never_above_the_best(seed, width, certain):
    case, constraints, penalty = case_of(seed)
    if not case.automaton.final.all():  # a narrow beam may end where no path does
        return
    found = BeamSearch(case.automaton, constraints, penalty, width, certain).decode(case.potentials)
    ends = np.cumsum(case.potentials.lengths)
    for b, each in enumerate(values_of(case, constraints, penalty)):
        states = tuple(found.state[ends[b] - case.potentials.lengths[b] : ends[b]].tolist())
        assert found.value[b] == pytest.approx(each[states], abs=1e-9)
        assert found.value[b] <= max(each.values()) + 1e-9


@given(st.integers(0, 2**32 - 1))
def test_soft_dual_and_a_full_beam_agree_wherever_there_is_a_certificate(seed):
    case, constraints, penalty = case_of(seed)
    if not case.automaton.final.any():
        return
    beam = BeamSearch(case.automaton, constraints, penalty, _ALL).decode(case.potentials)
    dual = SoftDual(constraints, penalty, several=10_000).decode(case.automaton, case.potentials)
    assert dual.optimal.all()
    np.testing.assert_allclose(dual.value, beam.value, atol=5e-3)


@given(st.integers(0, 2**32 - 1))
def test_without_penalties_it_is_the_usual_beam_search_and_finds_the_best_path(seed):
    case, constraints, _ = case_of(seed)
    if not case.automaton.final.any():
        return
    found = BeamSearch(case.automaton, constraints, np.zeros(6), _ALL).decode(case.potentials)
    wanted = kbest(case.automaton, case.potentials, 1)
    np.testing.assert_allclose(found.score, wanted.score[0], atol=1e-4)


def test_a_certain_charge_waits_until_what_is_missing_can_no_longer_come():
    case = random_case(1, 3, 1, [4], 1.0, density=1.0, forbidden=0.0)
    Y = case.potentials.span.shape[2]
    at_least_two = CompiledConstraints(-np.eye(Y)[:1], np.full(1, -2.0))
    excess = np.full((1, 1, 1), 2.0)  # two are missing
    for certain, left, owed in ((True, 3, 0.0), (True, 1, 1.0), (True, 0, 2.0), (False, 3, 2.0)):
        search = BeamSearch(case.automaton, at_least_two, np.ones(1), 1, certain)
        found = search._owed(excess, np.array([[left]]) * search._mend[:, None])
        assert found[0, 0, 1:].tolist() == [owed] * (Y - 1)  # labels that do not count
        assert found[0, 0, 0] == max(owed - 1.0, 0.0) if left == 0 or not certain else found[0, 0, 0] == 0.0


@pytest.mark.parametrize(("width", "penalty"), [(0, 1.0), (1, np.inf)])
def test_what_has_no_meaning_is_refused(width, penalty):
    case, constraints, _ = case_of(1)
    with pytest.raises(ConfigError):
        BeamSearch(case.automaton, constraints, np.full(6, penalty), width)
