"""Everything at once is what its parts are one after the other, and packed tables mean what plain ones mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inference_cases import random_case

from ibidem.errors import IbidemError
from ibidem.inference import (
    best,
    best_segments,
    emissions,
    empty_rows,
    log_partition,
    nested_bio,
    packed_emissions,
    put_scales,
    segment_mass,
)
from ibidem.inference.constraints import CompiledConstraints
from ibidem.inference.dual import SoftDual, label_counts
from ibidem.types import Potentials


@given(st.integers(0, 2**32 - 1), st.sampled_from(["float32", "float64"]), st.sampled_from([0.5, 3.0, 60.0]))
def test_a_reading_is_the_best_path_its_segments_and_their_chances(seed: int, dtype: str, scale: float) -> None:
    rng = np.random.default_rng(seed)
    S = int(rng.integers(1, 40))
    case = random_case(seed, S, 1, [7, 0, 3, 12], scale, density=1.0, dtype=dtype, forbidden=0.0)
    automaton, potentials = case.automaton, case.potentials
    if not automaton.final.any():
        return
    first = rng.random((3, S)) < 0.3
    inside = (rng.random((3, S)) < 0.5) & ~first
    decoded_ = best_segments(automaton, potentials, first, inside, threads=2)
    np.testing.assert_allclose(decoded_.score, best(automaton, potentials).score, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(decoded_.log_partition, log_partition(automaton, potentials), rtol=1e-5, atol=1e-4)
    mass = segment_mass(automaton, potentials, decoded_.segments, first, inside)
    np.testing.assert_allclose(np.exp(decoded_.mass), np.exp(mass), atol=1e-4)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["float32", "float64"]))
def test_a_reading_under_constraints_is_one_of_the_scores_less_prices(seed: int, dtype: str) -> None:
    rng = np.random.default_rng(seed)
    case = random_case(seed, 6, 1, [7, 0, 3, 12], 2.0, density=1.0, dtype=dtype, forbidden=0.0)
    automaton, potentials = case.automaton, case.potentials
    if not automaton.final.any():
        return
    Y = potentials.span.shape[2]
    constraints = CompiledConstraints(
        rng.integers(-1, 2, (4, Y)).astype(np.float64), rng.integers(0, 3, 4).astype(np.float64)
    )
    dual = SoftDual(constraints, rng.exponential(3.0, 4))
    first = rng.random((3, 6)) < 0.3
    inside = (rng.random((3, 6)) < 0.5) & ~first
    decoded_ = best_segments(automaton, potentials, first, inside, dual=dual)
    decoded = dual.decode(automaton, potentials)
    priced = dual.subtract(potentials, decoded_.multipliers)
    counts = label_counts(automaton, potentials, decoded.paths)
    score = decoded.paths.score - (counts * dual.label_costs(decoded_.multipliers)).sum(axis=1)
    np.testing.assert_allclose(decoded_.score, score, rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(decoded_.log_partition, log_partition(automaton, priced), rtol=1e-5, atol=1e-3)
    mass = segment_mass(automaton, priced, decoded_.segments, first, inside)
    np.testing.assert_allclose(np.exp(decoded_.mass), np.exp(mass), atol=1e-3)


@pytest.mark.parametrize("scale", [1.0, 30.0])
@pytest.mark.parametrize("forbidden", [0.0, 0.1])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_strings_side_by_side_are_read_as_the_twin_reads_each(
    dtype: str, forbidden: float, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More strings than a register has lanes, of all lengths, one too long to stand beside others."""
    lengths = [*range(40), 600, *range(20)]
    case = random_case(7, 12, 1, lengths, scale, density=0.7, dtype=dtype, forbidden=forbidden)
    automaton, potentials = case.automaton, case.potentials
    rng = np.random.default_rng(1)
    first = rng.random((2, 12)) < 0.3
    inside = (rng.random((2, 12)) < 0.5) & ~first
    decoded_, path = best_segments(automaton, potentials, first, inside), best(automaton, potentials)
    monkeypatch.setenv("IBIDEM_KERNELS", "numpy")
    reference = best_segments(automaton, potentials, first, inside)
    np.testing.assert_allclose(path.score, reference.score, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(decoded_.score, reference.score, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(decoded_.log_partition, reference.log_partition, rtol=1e-5, atol=1e-4)
    assert decoded_.segments.tolist() == reference.segments.tolist()
    np.testing.assert_allclose(np.exp(decoded_.mass), np.exp(reference.mass), atol=2e-4)


@given(st.integers(0, 2**32 - 1))
def test_the_segments_of_a_reading_nest_as_the_labels_on_the_best_path_do(seed: int) -> None:
    labels = ["O", "B-a/B-x", "I-a/B-x", "I-a/I-x", "I-a", "B-b", "I-b"]
    automaton, _ = nested_bio(labels, remember=True)
    names = [labels[label] for label in automaton.label]
    first, inside = (np.array([[f"{tag}-{field}" in name for name in names] for field in "axb"]) for tag in "BI")
    rng = np.random.default_rng(seed)
    lengths = np.array([9, 1, 0, 14], dtype=np.int32)
    scores, arcs = rng.normal(scale=3, size=(24, 1, len(labels))), rng.normal(size=len(automaton.src))
    potentials = Potentials(scores, arcs, lengths)
    decoded_ = best_segments(automaton, potentials, first, inside)
    wanted, begin = [], 0
    states = best(automaton, potentials).state
    for string, length in enumerate(lengths):
        path = states[begin : begin + length]
        begin += length
        for start, state in enumerate(path):
            for mask in np.flatnonzero(first[:, state]):
                end = start + 1
                while end < length and inside[mask, path[end]]:
                    end += 1
                wanted.append([string, start, end, mask])
    assert decoded_.segments.tolist() == wanted


def test_a_string_without_a_path_is_refused() -> None:
    automaton, _ = nested_bio(["O"])
    nothing = Potentials(np.full((2, 1, 1), -np.inf), np.zeros(len(automaton.src)), np.array([2], dtype=np.int32))
    masks = np.zeros((1, 1), dtype=np.bool_)
    with pytest.raises(IbidemError, match="no path"):
        best_segments(automaton, nothing, masks, masks)


@pytest.mark.parametrize("labels", [1, 3, 8, 13, 87, 96, 97, 130])
@pytest.mark.parametrize("kernels", ["numpy", ""])
def test_a_packed_table_gives_what_a_plain_one_gives(
    labels: int, kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IBIDEM_KERNELS", kernels)
    rng = np.random.default_rng(labels)
    rows = rng.normal(size=(5, 3, labels)).astype(np.float32)
    table, scale = empty_rows(20, labels), rng.random(20).astype(np.float32)
    table[:, :labels] = rng.integers(-127, 128, (20, labels))
    put_scales(table, labels, np.arange(20), scale)
    numbers = table[:, :labels] * scale[:, None]
    types, ids = rng.integers(-1, 5, 30).astype(np.int32), rng.integers(-1, 20, (30, 6)).astype(np.int32)
    lengths = np.array([12, 0, 18], dtype=np.int32)
    plain = emissions(rows, types, lengths, numbers, ids)
    np.testing.assert_allclose(packed_emissions(rows, types, lengths, table, ids), plain, rtol=1e-4, atol=1e-3)
    ids[:, 1:3] = np.repeat(ids[::5, 1:3], 5, axis=0)
    plain = emissions(rows, types, lengths, numbers, ids)
    steady = packed_emissions(rows, types, lengths, table, ids, steady=[(1, 3), (4, 5)])
    np.testing.assert_allclose(steady, plain, rtol=1e-4, atol=1e-3)


def test_a_packed_table_of_another_kind_is_refused() -> None:
    rows, ids = np.zeros((1, 1, 2), dtype=np.float32), np.zeros((1, 1), dtype=np.int32)
    one = np.array([0], dtype=np.int32)
    with pytest.raises(IbidemError, match="in order"):
        packed_emissions(rows, one, np.array([1], dtype=np.int32), empty_rows(1, 2), ids, steady=[(0, 2)])
    with pytest.raises(IbidemError, match="empty_rows"):
        packed_emissions(rows, one, np.array([1], dtype=np.int32), np.zeros((1, 2)), ids)  # type: ignore[arg-type]
