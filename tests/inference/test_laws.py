"""What inference computes is what enumeration of all paths gives."""

from __future__ import annotations

import brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inference_cases import Case, cases, random_case

from ibidem.errors import IbidemError
from ibidem.inference import best, kbest, log_partition, marginals, sample, segment_mass
from ibidem.types import Potentials

pytestmark = pytest.mark.usefixtures("kernels")
LAW = settings(max_examples=60, deadline=None)


def listed(case: Case) -> list[list[brute.Path]]:
    """All paths of each string."""
    return [brute.paths(case.automaton, scores, case.potentials.arc) for scores in brute.strings(case.potentials)]


def with_paths(case: Case) -> Case:
    """The case with only those of its strings that have a path."""
    keep = np.array([bool(paths) for paths in listed(case)], dtype=np.bool_)
    lengths = case.potentials.lengths
    return Case(
        case.automaton,
        Potentials(case.potentials.span[np.repeat(keep, lengths)], case.potentials.arc, lengths[keep]),
    )


@LAW
@given(cases())
def test_log_partition_and_marginals_are_those_of_all_paths(case: Case) -> None:
    log_z, span, arc = brute.marginals(case.automaton, case.potentials)
    np.testing.assert_allclose(log_partition(case.automaton, case.potentials), log_z, rtol=1e-9, atol=1e-9)
    got_log_z, got = marginals(case.automaton, case.potentials, threads=2)
    np.testing.assert_allclose(got_log_z, log_z, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(got.span, span, atol=1e-9)
    np.testing.assert_allclose(got.arc, arc, atol=1e-9)


@LAW
@given(cases(dtype="float32"))
def test_single_precision_is_right_to_five_digits(case: Case) -> None:
    log_z, span, arc = brute.marginals(case.automaton, case.potentials)
    got_log_z, got = marginals(case.automaton, case.potentials)
    assert (got_log_z.dtype, got.span.dtype, got.arc.dtype) == (np.float64, np.float32, np.float32)
    np.testing.assert_allclose(got_log_z, log_z, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(got.span, span, atol=2e-5)
    np.testing.assert_allclose(got.arc, arc, atol=5e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_scores_of_hundreds_lose_no_path(dtype: str, data: st.DataObject) -> None:
    case = data.draw(cases(scale=250.0, dtype=dtype))
    log_z, span, arc = brute.marginals(case.automaton, case.potentials)
    got_log_z, got = marginals(case.automaton, case.potentials)
    tolerance = 1e-8 if dtype == "float64" else 2e-3  # float32 keeps some four decimals of a score of 1000
    np.testing.assert_allclose(got_log_z, log_z, rtol=1e-6, atol=tolerance)
    np.testing.assert_allclose(got.span, span, atol=tolerance)
    np.testing.assert_allclose(got.arc, arc, atol=3 * tolerance)


@LAW
@given(cases())
def test_best_is_the_first_of_all_paths_and_its_credit_scores_it(case: Case) -> None:
    case = with_paths(case)
    got = best(case.automaton, case.potentials, threads=2)
    np.testing.assert_allclose(got.score, [paths[0].score for paths in listed(case)], rtol=1e-9, atol=1e-9)
    used = brute.path_counts(case.automaton, case.potentials, got)
    arcs = used.arc > 0
    total = case.potentials.span[used.span > 0].sum() + (used.arc[arcs] * case.potentials.arc[arcs]).sum()
    np.testing.assert_allclose(total, got.score.sum(), rtol=1e-9, atol=1e-9)


@LAW
@given(cases(), st.integers(1, 12))
def test_kbest_lists_the_k_best_paths_each_once(case: Case, k: int) -> None:
    got = kbest(case.automaton, case.potentials, k)
    begin = 0
    for b, (length, paths) in enumerate(zip(case.potentials.lengths.tolist(), listed(case), strict=True)):
        count = min(k, len(paths))
        assert got.count[b] == count
        np.testing.assert_allclose(got.score[:count, b], [path.score for path in paths[:count]], rtol=1e-9, atol=1e-9)
        assert (got.score[count:, b] == -np.inf).all()
        known = {(path.states(), path.starts()): path.score for path in paths}
        rows = [
            (tuple(got.state[i, begin : begin + length].tolist()), tuple(got.start[i, begin : begin + length].tolist()))
            for i in range(count)
        ]
        assert len(set(rows)) == count
        np.testing.assert_allclose([known[row] for row in rows], got.score[:count, b], rtol=1e-9, atol=1e-9)
        begin += length


def test_kbest_of_ties_is_distinct_and_quick() -> None:
    case = random_case(0, S=4, L=1, lengths=[40], density=1.0, forbidden=0.0)
    flat = Potentials(
        np.full_like(case.potentials.span, 0.1), np.full_like(case.potentials.arc, 0.1), case.potentials.lengths
    )
    got = kbest(case.automaton, flat, 20)
    assert got.count.tolist() == [20]
    assert len({tuple(row) for row in got.state.tolist()}) == 20
    np.testing.assert_allclose(got.score, 8.0)


@LAW
@given(cases(longest=1), st.integers(0, 2**32 - 1))
def test_segment_mass_is_the_share_of_the_paths_that_hold_the_segment(case: Case, seed: int) -> None:
    rng = np.random.default_rng(seed)
    S = len(case.automaton.label)
    first, inside = rng.random((2, S)) < 0.5, rng.random((2, S)) < 0.5
    segments = np.array(
        [
            (b, start, end, mask)
            for b, length in enumerate(case.potentials.lengths)
            for start in range(length)
            for end in range(start + 1, length + 1)
            for mask in range(2)
        ],
        dtype=np.int32,
    ).reshape(-1, 4)
    want = brute.segment_mass(case.automaton, case.potentials, segments, first, inside)
    got = segment_mass(case.automaton, case.potentials, segments, first, inside, threads=2)
    np.testing.assert_allclose(np.exp(got), np.exp(want), atol=1e-9)
    likely = want > -20
    np.testing.assert_allclose(got[likely], want[likely], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize(("L", "dtype"), [(1, "float64"), (3, "float64"), (2, "float32")])
def test_samples_come_as_often_as_their_probability_says(L: int, dtype: str) -> None:
    case = random_case(5, S=3, L=L, lengths=[3, 0, 2], scale=0.7, density=1.0, forbidden=0.0, dtype=dtype)
    automaton = type(case.automaton)(
        case.automaton.label, case.automaton.src, case.automaton.dst, np.ones(3, dtype=np.bool_)
    )
    draws = 3000
    got = sample(automaton, case.potentials, seed=11, draws=draws)
    for begin, scores in zip([0, 3, 3], brute.strings(case.potentials), strict=True):
        paths = brute.paths(automaton, scores, case.potentials.arc)
        log_z = brute.log_total([path.score for path in paths])
        part = slice(begin, begin + len(scores))
        seen: dict[tuple[tuple[int, ...], tuple[bool, ...]], int] = {}
        for states, starts in zip(got.state[:, part].tolist(), got.start[:, part].tolist(), strict=True):
            key = (tuple(states), tuple(starts))
            seen[key] = seen.get(key, 0) + 1
        expected = np.array([draws * np.exp(path.score - log_z) for path in paths])
        counted = np.array([seen.pop((path.states(), path.starts()), 0) for path in paths])
        assert not seen
        statistic = np.sum((counted - expected) ** 2 / expected)
        freedom = len(paths) - 1
        assert statistic < freedom + 6 * np.sqrt(2 * freedom) + 1e-9


def test_a_sample_depends_on_seed_draw_and_string_only() -> None:
    case = random_case(8, S=4, L=2, lengths=[4, 3, 4], density=1.0, forbidden=0.0)
    case = with_paths(case)
    many = sample(case.automaton, case.potentials, seed=3, draws=5, threads=3)
    few = sample(case.automaton, case.potentials, seed=3, draws=2)
    np.testing.assert_array_equal(many.state[:2], few.state)
    np.testing.assert_array_equal(many.start[:2], few.start)
    assert (sample(case.automaton, case.potentials, seed=4, draws=5).state != many.state).any()
    np.testing.assert_array_equal(many.row(1).state, few.row(1).state)


def test_a_string_without_a_path_has_no_credit_and_is_named_by_best() -> None:
    case = random_case(1, S=3, L=1, lengths=[2, 2], density=1.0, forbidden=0.0)
    automaton = type(case.automaton)(
        case.automaton.label, case.automaton.src, case.automaton.dst, np.ones(3, dtype=np.bool_)
    )
    span = case.potentials.span.copy()
    span[3] = -np.inf
    potentials = Potentials(span, case.potentials.arc, case.potentials.lengths)
    log_z, got = marginals(automaton, potentials)
    assert np.isfinite(log_z[0])
    assert log_z[1] == -np.inf
    assert not got.span[2:].any()
    np.testing.assert_allclose(got.arc.sum(), 2.0)
    assert kbest(automaton, potentials, 2).count.tolist() == [2, 0]
    with pytest.raises(IbidemError, match="string 1 of the batch"):
        best(automaton, potentials)
    with pytest.raises(IbidemError, match="string 1 of the batch"):
        sample(automaton, potentials, seed=0)
    mask = np.ones((1, 3), dtype=np.bool_)
    assert segment_mass(automaton, potentials, np.array([[1, 0, 1, 0]]), mask, ~mask).tolist() == [-np.inf]


def test_an_empty_batch_and_empty_strings_have_their_one_empty_path() -> None:
    for lengths in ([], [0], [0, 0]):
        case = random_case(2, S=2, L=2, lengths=lengths)
        log_z, got = marginals(case.automaton, case.potentials)
        assert log_z.tolist() == [0.0] * len(lengths)
        assert got.span.shape == case.potentials.span.shape
        assert not got.arc.any()
        assert best(case.automaton, case.potentials).score.tolist() == [0.0] * len(lengths)
        assert kbest(case.automaton, case.potentials, 3).count.tolist() == [1] * len(lengths)
        assert sample(case.automaton, case.potentials, seed=0, draws=2).score.tolist() == [[0.0] * len(lengths)] * 2
        assert not brute.path_counts(case.automaton, case.potentials, best(case.automaton, case.potentials)).arc.any()
