"""The recipe of the model that ships, on a handful of invented references."""

from __future__ import annotations

from coref_cases import STRINGS, TRUE

from ibidem.coref.elife import Cited
from ibidem.coref.shipping import THRESHOLDS, blocked, distinct, scored, trained, views_of

CITED = [Cited(text, f"10.1234/{work}", 1) for text, work in zip(STRINGS, TRUE, strict=True)]
WORKS = [one.work for one in CITED]


def test_copies_are_learnt_from_once():
    views, works = distinct(views_of([*CITED, *CITED]), [*WORKS, *WORKS])
    assert len(views) == len(works) == len(STRINGS)


def test_what_was_learnt_is_scored_at_every_threshold():
    model, views = trained(CITED), views_of(CITED)
    rows = scored(model, views, WORKS)
    assert [row["threshold"] for row in rows] == list(THRESHOLDS)
    assert next(row for row in rows if row["threshold"] == 0.5)["f1"] == 1.0
    assert blocked(views, WORKS)["blocking recall"] == 1.0
