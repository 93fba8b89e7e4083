"""Every compiled kernel refuses wrong arguments with a ValueError, as its reference implementation does."""

from __future__ import annotations

from typing import Any

import fuzz_kernels
import numpy as np
import pytest

from ibidem.kernels import compiled
from ibidem.unsupervised import blocked_numpy, gibbs_numpy

pytestmark = pytest.mark.skipif(compiled() is None, reason="there are no compiled kernels here")


def test_random_and_hostile_arguments_are_answered_alike_or_refused() -> None:
    outcomes = fuzz_kernels.fuzz(1_500, 7)
    assert min(outcomes[how] for how in ("answered", "answered, twice", "refused", "refused, twice")) > 50


def good(make: Any, places: dict[int, Any]) -> list[Any]:
    """Return good arguments with at least two tokens, some of them replaced."""
    for seed in range(100):
        arguments = make(np.random.default_rng(seed))
        if len(arguments[0]) > 3:
            return [places.get(place, value) for place, value in enumerate(arguments)]
    raise AssertionError("no such arguments")


@pytest.mark.parametrize("name", ["sample_segmentations", "decode_segmentations"])
@pytest.mark.parametrize("wrong", [3, 16, 200, 254])
def test_an_element_out_of_range_never_reaches_the_tables(name: str, wrong: int) -> None:
    make = fuzz_kernels.all_kernels()[name].make
    arguments = good(make, {})
    arguments[3] = np.full_like(arguments[3], wrong)
    for module in (compiled(), blocked_numpy):
        with pytest.raises(ValueError, match="every token must have an element, or none"):
            getattr(module, name)(*arguments)


def test_draws_and_inversions_out_of_range_never_reach_the_counts() -> None:
    arguments = good(fuzz_kernels.make_gibbs, {})
    for place, complaint in ((2, "draws must be from 0"), (6, "an inversion count is larger")):
        wrong = list(arguments)
        wrong[place] = np.full_like(arguments[place], 99)
        for module in (compiled(), gibbs_numpy):
            with pytest.raises(ValueError, match=complaint):
                module.gibbs_sweep(*wrong)
