"""Confidence: kept in order, brought back to the truth, shared where a label is rare."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.models.calibration import EVERY, calibrate, doubt_of, fit, fit_whole, logit

chances = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


def no_doubt(p: np.ndarray) -> np.ndarray:
    """The doubt of strings whose labelling is certain."""
    return np.zeros(len(p))


def distorted(a: float, b: float, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Marginals whose true rates are sigmoid(a * logit + b), and which of the spans are right."""
    rng = np.random.default_rng(seed)
    p = rng.random(count)
    rate = 1 / (1 + np.exp(-(a * logit(p) + b)))
    return p, rng.random(count) < rate


@given(chances, st.floats(0.05, 5), st.floats(-3, 3))
def test_calibrated_chances_keep_their_order_and_are_chances(p, a, b):
    p = np.sort(p)
    sure = calibrate({EVERY: (a, b, -1.0)}, ["title"] * len(p), p, np.full(len(p), 0.5))
    assert (np.diff(sure) >= 0).all()
    assert ((sure >= 0) & (sure <= 1)).all()


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.0), (0.4, 0.0), (2.0, -1.0), (0.7, 1.5)])
def test_a_known_distortion_is_undone(a, b):
    p, right = distorted(a, b, 20_000, seed=4)
    found = fit(["title"] * len(p), p, right, no_doubt(p))["title"]
    assert found == pytest.approx((a, b, 0.0), abs=0.1)
    assert fit_whole(p, right) == found
    sure = calibrate({"title": found}, ["title"] * len(p), p, no_doubt(p))
    for low in np.arange(0, 1, 0.1):
        chosen = (sure >= low) & (sure < low + 0.1)
        if chosen.sum() > 200:
            assert right[chosen].mean() == pytest.approx(sure[chosen].mean(), abs=0.06)


def test_a_rare_label_shares_the_map_of_all():
    p, right = distorted(0.5, 0.5, 400, seed=1)
    labels = ["title"] * 360 + ["issn"] * 40
    maps = fit(labels, p, right, no_doubt(p))
    assert set(maps) == {EVERY, "title"}
    one = np.array([0.3])
    assert (
        calibrate(maps, ["issn"], one, no_doubt(one))
        == calibrate(maps, ["never seen"], one, no_doubt(one))
        == calibrate({EVERY: maps[EVERY]}, ["title"], one, no_doubt(one))
    )
    assert calibrate(maps, ["title"], one, no_doubt(one)) != calibrate(maps, ["issn"], one, no_doubt(one))


def test_without_maps_marginals_stay_as_they_are():
    p = np.array([0.2, 0.7])
    np.testing.assert_array_equal(calibrate({}, ["a", "b"], p, no_doubt(p)), p)
    assert len(calibrate({EVERY: (1.0, 0.0, 0.0)}, [], np.zeros(0), np.zeros(0))) == 0
    np.testing.assert_allclose(calibrate({"other": (3.0, 1.0, 0.0)}, ["a", "b"], p, no_doubt(p)), p)


@pytest.mark.parametrize("p", [0.0, 1.0, 1e-300])
def test_certainty_stays_finite(p):
    assert np.isfinite(logit(np.array([p]))).all()
    assert 0 < calibrate({EVERY: (2.0, 1.0, 0.0)}, ["a"], np.array([p]), np.zeros(1))[0] < 1


@given(chances, st.data())
def test_any_data_give_a_map_that_is_finite(p, data):
    right = np.array(data.draw(st.lists(st.booleans(), min_size=len(p), max_size=len(p))), dtype=np.bool_)
    doubt = np.array(data.draw(st.lists(st.floats(0, 700), min_size=len(p), max_size=len(p))))
    maps = fit(["title"] * len(p), p, right, doubt)
    assert np.isfinite(list(maps.values())).all()


@pytest.mark.parametrize("seed", range(5))
def test_marginals_that_are_nearly_all_certain_are_fitted_too(seed):
    """Most spans at one, a few of them wrong: whole steps of Newton's method run away here."""
    rng = np.random.default_rng(seed)
    p = np.where(rng.random(600) < 0.9, 1 - 1e-7, rng.random(600))
    right = rng.random(600) < p * 0.98
    maps = fit(["title"] * len(p), p, right, no_doubt(p))
    assert 0 < maps["title"][0] < 2
    assert calibrate(maps, ["title"] * len(p), p, no_doubt(p)).mean() == pytest.approx(right.mean(), abs=0.01)


def test_confidence_never_falls_while_marginals_rise_or_doubt_falls():
    p = np.linspace(0.01, 0.99, 200)
    maps = fit(["title"] * 200, p, p < 0.5, no_doubt(p))  # the wrong way round
    assert maps["title"][0] == 0
    assert calibrate(maps, ["title"], np.array([0.3]), np.zeros(1))[0] == pytest.approx(0.5, abs=0.05)
    maps = fit(["title"] * 200, np.full(200, 0.7), p > 0.5, doubt=p)  # right where there is doubt
    assert maps["title"][2] == 0


def test_fields_of_doubtful_strings_are_less_sure():
    """Marginals say 0.9 of all; on the strings whose labelling is doubtful half of the fields are right."""
    p, doubt = np.full(2000, 0.9), np.repeat([0.1, 3.0], 1000)
    right = np.concatenate([np.arange(1000) % 10 > 0, np.arange(1000) % 2 > 0])
    maps = fit(["title"] * 2000, p, right, doubt)
    sure = calibrate(maps, ["title"] * 2, np.array([0.9, 0.9]), np.array([0.1, 3.0]))
    assert sure == pytest.approx([0.9, 0.5], abs=0.02)
    assert maps["title"][2] < 0


@given(st.lists(st.floats(-1e6, 0), min_size=2, max_size=9).map(sorted))
def test_doubt_falls_with_probability_and_is_none_where_that_is_one(logs):
    found = doubt_of(np.array([*logs, 0.0]))
    assert (np.diff(found) <= 0).all() and found[-1] == 0
