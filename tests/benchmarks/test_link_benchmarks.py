"""The benchmarks of linking on a handful of invented references."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.linking import coreference_elife
from benchmarks.linking.dblp_scholar import best_threshold, person, view
from tools.weights.elife_works import Cited

TEXTS = (
    ("Marchbanks, T. (1999). The grammar of bell signals. Codes before telegraphy, 12(3), 88–117.", "10.1/a1"),
    ("T. Marchbanks, The grammar of bell signals, Codes Before Telegraphy 12 (1999) 88-117.", "10.1/a1"),
    ("Quillfeather, B. Tides of the inner delta. Moss & Daughters, Eastport, 1984.", "10.1/b2"),
)


def test_strings_of_two_works_are_linked_without_error():
    known = [Cited(text, work, 5, work) for text, work in TEXTS]
    views, seconds = coreference_elife.compute_views(known)
    found = {row.metric: row.ours for row in coreference_elife.score_strings(known, views, seconds)}
    assert found["pair F1"] == found["blocking: pair recall"] == found["works exactly right, %"] == 100.0
    assert found["blocking: candidates per string"] <= 1.0 and found["seconds for 10,000"] > 0


@pytest.mark.parametrize(
    ("name", "wanted"), [("s guha", ("guha", "s")), ("garcia-molina", ("garcia molina", "")), ("ј x y", ("y", "ј"))]
)
def test_names_have_their_initials_first(name, wanted):
    assert person(name) == wanted


def test_a_record_is_read_whatever_is_missing():
    found = view(
        {"title": "bells & hellip ; of harbours", "authors": "a reed , b marsh", "venue": "", "year": "1986.0"}
    )
    assert found.title == "bells of harbours" and found.year == 1986 and found.venue == ""
    assert found.people == (("reed", "a"), ("marsh", "b"))
    assert view({}).year == 0


def test_the_threshold_is_the_one_with_the_best_f1():
    same = np.array([True, True, False, True, False])
    threshold, value = best_threshold(same, np.array([5.0, 4.0, 3.0, 2.0, 1.0]))
    assert 1.0 < threshold < 2.0 and value == pytest.approx(600 / 7)
