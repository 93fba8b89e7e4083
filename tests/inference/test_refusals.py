"""What does not fit is refused with a message that says why; what only needs converting is converted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from inference_cases import random_case

from ibidem.errors import IbidemError
from ibidem.inference import kbest, log_partition, marginals, sample, segment_mass

pytestmark = pytest.mark.usefixtures("kernels")
CASE = random_case(4, S=3, L=2, lengths=[3, 2], density=1.0, forbidden=0.0)
AUTOMATON = replace(CASE.automaton, final=np.ones(3, dtype=np.bool_))
POTENTIALS = CASE.potentials


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": np.array([0, 1, 7], dtype=np.int32)}, "automaton.label must be from 0"),
        ({"label": np.array([0.0, 1.0, 1.0])}, "automaton.label must hold integers"),
        ({"src": AUTOMATON.src + 5}, "automaton.src must be from -1 to 2"),
        ({"dst": AUTOMATON.dst - 1}, "automaton.dst must be from 0 to 2"),
        ({"dst": AUTOMATON.dst[1:]}, "expected label"),
        ({"final": np.ones(2, dtype=np.bool_)}, "expected label"),
        ({"src": np.full_like(AUTOMATON.src, 1), "dst": np.full_like(AUTOMATON.src, 2)}, "both lead from state 1 to"),
        ({"src": np.full_like(AUTOMATON.src, -1), "dst": np.full_like(AUTOMATON.src, 0)}, "both lead from state -1 to"),
    ],
)
def test_a_wrong_automaton_is_refused(change: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(IbidemError, match=message):
        log_partition(replace(AUTOMATON, **change), POTENTIALS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"span": POTENTIALS.span[0]}, "3 dimensions"),
        ({"span": POTENTIALS.span[:, :0]}, "at least 1"),
        ({"span": np.full_like(POTENTIALS.span, np.nan)}, "NaN or"),
        ({"span": np.full_like(POTENTIALS.span, np.inf)}, "NaN or"),
        ({"arc": np.full_like(POTENTIALS.arc, np.nan)}, "NaN or"),
        ({"arc": POTENTIALS.arc[1:]}, "expected label"),
        ({"lengths": np.array([3, 3])}, "add up"),
        ({"lengths": np.array([6, -1])}, "add up"),
    ],
)
def test_wrong_potentials_are_refused(change: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(IbidemError, match=message):
        marginals(AUTOMATON, replace(POTENTIALS, **change))


def test_wrong_counts_are_refused() -> None:
    for call in (
        lambda: log_partition(AUTOMATON, POTENTIALS, threads=0),
        lambda: kbest(AUTOMATON, POTENTIALS, 0),
        lambda: sample(AUTOMATON, POTENTIALS, seed=1, draws=0),
    ):
        with pytest.raises(IbidemError, match="at least 1"):
            call()


def test_any_real_type_and_layout_is_converted() -> None:
    want = log_partition(AUTOMATON, POTENTIALS)
    odd = replace(
        POTENTIALS,
        span=np.asfortranarray(POTENTIALS.span),
        arc=np.repeat(POTENTIALS.arc, 2)[::2],
        lengths=POTENTIALS.lengths.astype(np.int64),
    )
    wide = replace(AUTOMATON, label=AUTOMATON.label.astype(np.int64), src=np.repeat(AUTOMATON.src, 2)[::2])
    np.testing.assert_array_equal(log_partition(wide, odd), want)
    half = replace(POTENTIALS, span=POTENTIALS.span.astype(np.float16))
    assert marginals(AUTOMATON, half)[1].span.dtype == np.float64
    assert np.isfinite(log_partition(AUTOMATON, replace(POTENTIALS, span=np.ones(POTENTIALS.span.shape, int)))).all()


def test_segments_out_of_place_are_refused() -> None:
    chain = replace(POTENTIALS, span=POTENTIALS.span[:, :1])
    mask = np.ones((1, 3), dtype=np.bool_)
    with pytest.raises(IbidemError, match="longest span 1"):
        segment_mass(AUTOMATON, POTENTIALS, np.array([[0, 0, 1, 0]]), mask, mask)
    for segment in ([0, 1, 1, 0], [0, -1, 1, 0], [1, 0, 3, 0]):
        with pytest.raises(IbidemError, match="segment 0 is"):
            segment_mass(AUTOMATON, chain, np.array([segment]), mask, mask)
    with pytest.raises(IbidemError, match="string of a segment"):
        segment_mass(AUTOMATON, chain, np.array([[2, 0, 1, 0]]), mask, mask)
    with pytest.raises(IbidemError, match="mask of a segment"):
        segment_mass(AUTOMATON, chain, np.array([[0, 0, 1, 1]]), mask, mask)
    with pytest.raises(IbidemError, match="two masks"):
        segment_mass(AUTOMATON, chain, np.array([[0, 0, 1, 0]]), mask[:, 1:], mask)
    assert segment_mass(AUTOMATON, chain, np.zeros((0, 4), dtype=np.int32), mask, mask).shape == (0,)
