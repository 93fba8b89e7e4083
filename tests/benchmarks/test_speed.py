"""What the benchmark of speed compares: strings that are new to both sides, and a baseline that forgets no word."""

from __future__ import annotations

import pytest

from benchmarks.support import samples
from benchmarks.support.crfsuite_baseline import CrfsuiteBaseline, WordFeatures, items_of
from ibidem.data import registry
from ibidem.types import Annotation, Example

TEXT = "Doe J, Roe R. On reeds, and on reeds again. J Thing Res. 2019;14(3):153-60."


def test_features_that_were_kept_are_those_that_would_be_computed():
    known = WordFeatures()
    first, again = items_of(TEXT, known), items_of(TEXT, known)
    assert first == again == items_of(TEXT, WordFeatures())
    assert all(50 < len(set(item)) == len(item) for item in first[2:-2])
    assert b"word=Doe" in first[0] and b"-1:outside" in first[0] and b"1:word=j" in first[0]


def test_the_baseline_labels_a_string_alike_before_and_after_it_has_seen_its_words():
    pytest.importorskip("pycrfsuite")
    example = Example(TEXT, (Annotation("author", 0, 13), Annotation("title", 14, 42)), "made")
    baseline = CrfsuiteBaseline([example] * 3, 20)
    [labels], _ = baseline.label_many([TEXT]), baseline.label_many(["On bells. J Thing Res."])
    assert labels == baseline.label(TEXT) and {"B-author", "B-title"} <= set(labels)


def test_new_strings_are_distinct_and_none_is_among_the_others(monkeypatch):
    monkeypatch.setenv(registry.VARIABLE, "somewhere")
    splits = {"train": ["a b", "c d", "e f"], "dev": ["c d", "g h", "g h", "i j", "k l", "m n"]}
    load = lambda name, split: [Example(f"{text} {name}", (), name) for text in splits[split]]  # noqa: E731
    monkeypatch.setattr(registry, "load_unified", load)
    others, strings = samples.new_strings(["reeds", "bells"], 4, 6)
    assert others == ["a b reeds", "c d reeds", "a b bells", "c d bells"]
    assert strings == [f"{text} {name}" for name in ("reeds", "bells") for text in ("g h", "i j", "k l")]


def test_without_datasets_new_strings_are_invented(monkeypatch):
    monkeypatch.delenv(registry.VARIABLE, raising=False)
    [(names, _)] = samples.sources().values()
    others, strings = samples.new_strings(names, 50, 100)
    assert (len(others), len(strings)) == (50, 100) and len({*others, *strings}) == 150
