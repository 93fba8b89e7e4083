from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.metrics.calibration import measure_calibration


def test_perfect_calibration_has_no_error_and_perfect_certainty_of_wrong_answers_has_all():
    assert measure_calibration([0.75] * 4, [True, True, True, False]).error == 0.0
    assert measure_calibration([1.0] * 4, [False] * 4).error == 1.0
    assert measure_calibration([], []).error == 0.0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1), st.integers(1, 20))
def test_every_item_lies_in_the_bin_that_holds_its_confidence(items, bins):
    sure, right = zip(*items, strict=True)
    found = measure_calibration(sure, right, bins=bins)
    assert sum(one.count for one in found.bins) == len(items)
    assert all(one.low - 1e-9 <= one.confidence <= one.high + 1e-9 for one in found.bins)
    assert 0.0 <= found.error <= 1.0


def test_confidences_out_of_range_or_of_another_number_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        measure_calibration([1.5], [True])
    with pytest.raises(ValueError, match="one of each per item"):
        measure_calibration([0.5], [True, False])
