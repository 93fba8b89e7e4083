"""The benchmark of induction: no work in training and test, and every string labelled once by every variant."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("scipy", reason="training needs the extra `train`")

from benchmarks.wellner_2004 import induction
from benchmarks.wellner_2004.cases import Case, cases_of
from ibidem.models.induction import InductionConfig
from ibidem.types import Annotation, Example

FEW = InductionConfig(rounds=1, conjunctions=5, min_count=2, steps=1)


def cases() -> list[Case]:
    found = []
    for number in range(12):
        author, title = f"Reed {'ABCDEF'[number % 6]}.", f"The drift of {('bells', 'mires', 'quills')[number % 3]}"
        text = f"{author} {title} {1980 + number}"
        edges = {"author": (0, 7), "title": (8, 8 + len(title)), "date": (len(text) - 4, len(text))}
        annotations = tuple(Annotation(label, *edge) for label, edge in edges.items())
        found.append(Example(text, annotations, f"cora:{number}:work{number // 2}"))
    return cases_of(found, lambda _: "")


def test_no_work_is_in_two_parts():
    parts = induction.split_by_work(cases(), 3)
    assert sorted(case.text for part in parts for case in part) == sorted(case.text for case in cases())
    works = [{case.work for case in part} for part in parts]
    assert all(works) and sum(map(len, works)) == len(set().union(*works)) == 6


def test_every_string_is_labelled_once_by_every_variant(monkeypatch):
    small = {name: replace(config, iterations=10, induction=FEW) for name, config in induction.VARIANTS.items()}
    monkeypatch.setattr(induction, "VARIANTS", small)
    monkeypatch.setattr(induction, "cora_cases", cases)
    data, rows = induction.induction()
    assert data.startswith("12 distinct strings")
    scores = {row.row: row.ours for row in rows if row.metric == "token F1" and row.reference is None}
    assert scores.keys() == small.keys() and all(0 <= value <= 100 for value in scores.values())
    grown = [row for row in rows if row.metric.startswith("conjunctions")]
    assert grown and all(row.ours > 0 for row in grown)
    compared = [row for row in rows if row.reference is not None and row.metric == "token F1"]
    for row in compared:
        mine, _, theirs = row.row.partition("; reference: ")
        assert (scores[mine], scores[theirs]) == (pytest.approx(row.ours), pytest.approx(row.reference))
