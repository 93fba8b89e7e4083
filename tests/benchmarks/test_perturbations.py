"""The benchmark of perturbations: bars of perturbations that there are, held-out words, the cost of one."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.parsing.perturbations import _BARS, _HELD_OUT, _changes, _compare
from ibidem.data.augmentation import PERTURBATIONS
from ibidem.types import Annotation, Example


def test_bars_and_held_out_halves_are_of_perturbations_that_there_are():
    assert set(_BARS) <= set(PERTURBATIONS) and set(_HELD_OUT) <= set(PERTURBATIONS)
    names = [name.partition(",")[0] for name, _, _ in _changes()]
    assert sorted(names) == sorted([*PERTURBATIONS, *_HELD_OUT])


def test_held_out_words_are_not_those_of_training():
    example = Example("Moe, A.", (Annotation("author", 0, 7),), "x")

    def words(name: str) -> set[str]:
        [found] = (change for label, change, _ in _changes() if label == name)
        return {found(example, Random(seed)).text.partition("Moe")[0].strip(" (:：,").lower() for seed in range(3000)}

    trained, held_out = words("lead-in, as in training"), words("lead-in, held out")
    assert len(trained) > 100 and len(held_out) > 100 and trained.isdisjoint(held_out)
    assert "see also" in trained and "see also" not in held_out


def test_the_cost_is_the_difference_of_the_same_strings():
    before, after = [(True, 0.9)] * 8 + [(False, 0.5)] * 2, [(True, 0.8)] * 6 + [(False, 0.2)] * 4
    exact, cost = _compare("x", before, after, 1.0)
    assert (exact.reference, exact.ours) == pytest.approx((80, 60))
    assert cost.ours == pytest.approx(20) and cost.low <= 20 <= cost.high and cost.bar == 1
    assert list(_compare("x", [], [], None)) == []
