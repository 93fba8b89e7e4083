"""The types of works: what the weights that ship say, and how weights are learnt."""

from __future__ import annotations

import pytest

from ibidem.errors import ModelError
from ibidem.labels.schema import SCHEMA
from ibidem.records import document_type as kind
from ibidem.records.document_type import WEIGHTS, Model, evidence, model, type_of
from ibidem.records.types import TYPES
from ibidem.types import Field

CASES = {
    "article": [
        ("author", "Doe J"),
        ("title", "Reeds in wind"),
        ("journal", "J Reed Res"),
        ("date", "2019"),
        ("volume", "4"),
        ("pages", "1-9"),
    ],
    "book": [
        ("author", "Doe J"),
        ("title", "Reeds"),
        ("date", "1999"),
        ("publisher", "Reed University Press"),
        ("place", "Oxford"),
    ],
    "chapter": [
        ("author", "Doe J"),
        ("title", "Bells"),
        ("book", "Handbook of reeds"),
        ("editor", "Roe A"),
        ("publisher", "Springer"),
        ("pages", "1-9"),
        ("date", "2001"),
    ],
    "paper": [
        ("author", "Doe J"),
        ("title", "Bells"),
        ("book", "Proceedings of the International Conference on Reeds"),
        ("pages", "1-9"),
        ("date", "2001"),
    ],
    "thesis": [
        ("author", "Doe J"),
        ("title", "Bells"),
        ("type", "PhD thesis"),
        ("institution", "University of Reed"),
        ("date", "2001"),
    ],
    "preprint": [
        ("author", "Doe J"),
        ("title", "Bells"),
        ("journal", "bioRxiv"),
        ("date", "2021"),
        ("doi", "10.1101/2021.01.01.123456"),
    ],
    "webpage": [
        ("author", "Doe J"),
        ("title", "Bells"),
        ("url", "https://www.example.org/bells"),
        ("accessed", "3 May 2020"),
    ],
    "standard": [
        ("title", "Testing of bells"),
        ("report-number", "ISO 1234:2001"),
        ("publisher", "International Organization for Standardization"),
        ("date", "2001"),
    ],
    "patent": [
        ("author", "Doe J"),
        ("title", "Bell"),
        ("type", "US Patent"),
        ("report-number", "US Patent 1234567"),
        ("date", "2001"),
    ],
}


def fields(pairs):
    """Fields with these labels and texts."""
    return [Field(label, text, 0, len(text), 1.0) for label, text in pairs]


@pytest.mark.parametrize("name", CASES)
def test_a_plain_case_of_a_type_is_known(name):
    found, chance = type_of(fields(CASES[name]))
    assert found == name and 0.3 < chance <= 1


def test_the_probabilities_of_all_types_add_up_to_one():
    import math

    for pairs in CASES.values():
        scores = model().scores(list(evidence(pairs)))
        chance = math.exp(max(scores)) / sum(map(math.exp, scores))
        found, ours = type_of(fields(pairs))
        assert ours == pytest.approx(chance) and found == model().types[scores.index(max(scores))]


def test_the_weights_that_ship_are_small_and_know_only_our_types():
    assert WEIGHTS.stat().st_size < 300_000
    assert set(model().types) <= set(TYPES)


def test_nothing_labelled_gives_some_type():
    assert type_of([])[0] in TYPES


def test_weights_that_cannot_be_read_are_an_error(monkeypatch, tmp_path):
    broken = tmp_path / "types.json"
    broken.write_text("{")
    monkeypatch.setattr(kind, "WEIGHTS", broken)
    with pytest.raises(ModelError, match="make record-types"):
        model.__wrapped__()


def test_weights_are_learnt_from_samples():
    pytest.importorskip("scipy")
    from tools.weights.document_type_data import Sample
    from tools.weights.document_types import fit, predict

    samples = [Sample(name, tuple(pairs), name) for name, pairs in CASES.items() for _ in range(4)]
    learnt = Model(fit(samples, min_count=2, penalty=0.01))
    assert predict(learnt, samples) == [sample.type for sample in samples]


def test_an_entry_of_a_collection_becomes_a_sample_with_our_labels():
    from random import Random

    from tools.weights.document_type_data import _select_fields

    entry = {"entry-type": "phdthesis", "entry-key": "doe", "title": "{B}ells", "school": "Reed", "year": "1990"}
    printed = dict(_select_fields(entry, Random(3)))
    assert printed["title"] == "Bells" and printed["institution"] == "Reed" and "issue" not in printed
    assert set(printed) <= set(SCHEMA)


def test_what_is_invented_has_our_labels_and_types():
    from tools.weights.document_type_data import invent

    samples = list(invent(30))
    assert {sample.type for sample in samples} == {"standard", "patent"}
    assert all(label in SCHEMA for sample in samples for label, _ in sample.fields)
