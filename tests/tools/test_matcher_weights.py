"""Training of the default matcher, on a handful of invented references."""

from __future__ import annotations

from linking_cases import STRINGS, TRUE

from ibidem.linking.confidence import CLUSTER_FEATURES
from tools.weights.elife_works import Cited
from tools.weights.matcher import THRESHOLDS, choose_threshold, distinct, exactly_right, finish, views_of
from tools.weights.matcher_training import train

CITED = [Cited(text, f"10.1234/{work}", 1) for text, work in zip(STRINGS, TRUE, strict=True)]
WORKS = [one.work for one in CITED]


def test_duplicates_are_trained_on_once():
    views, works = distinct(views_of([*CITED, *CITED]), [*WORKS, *WORKS])
    assert len(views) == len(works) == len(STRINGS)


def test_the_matcher_is_scored_at_every_threshold_and_the_best_is_kept():
    views = views_of(CITED)
    model = finish(train(*distinct(views, WORKS)), views, WORKS)
    rows = model.card["dev"]["thresholds"]
    assert [row["threshold"] for row in rows] == list(THRESHOLDS)
    assert next(row for row in rows if row["threshold"] == model.threshold)["f1"] == 1.0
    assert model.card["dev"]["blocking recall"] == 1.0
    assert set(model.confidence) == {*CLUSTER_FEATURES, "bias"}


def test_a_cluster_is_right_when_it_is_complete_and_pure():
    assert exactly_right("aabbc", [1, 1, 2, 3, 3]) == {1: True, 2: False, 3: False}
    assert exactly_right("aab", [1, 2, 3]) == {1: False, 2: False, 3: True}


def test_of_equally_good_thresholds_the_one_nearest_a_half_is_taken():
    rows = [{"threshold": p, "f1": f, "clusters": 1.0} for p, f in ((0.1, 0.9), (0.4, 1.0), (0.9, 1.0))]
    assert choose_threshold(rows) == 0.4
