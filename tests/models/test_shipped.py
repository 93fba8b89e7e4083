"""The doors to a model: by path or the one that ships, with one process or several."""

from __future__ import annotations

from pathlib import Path

import pytest

import ibidem
from ibidem.data import registry
from ibidem.errors import InputError, ModelError
from ibidem.models import shipped
from ibidem.models.semi.model import SemiModel

ODD = ["", "\ud800 \x00 e\u0301", "ابن \u202eReed", "x" * 30_000]


def test_two_processes_answer_as_one_does(tiny_path, examples, monkeypatch):
    monkeypatch.setattr(shipped, "_CHUNK", 7)
    texts = [example.text for example in examples] * 2 + ODD
    one = list(ibidem.parse_many(texts, model=tiny_path, alternatives=1))
    two = list(ibidem.parse_many(iter(texts), model=tiny_path, alternatives=1, jobs=2))
    assert [parsed.text for parsed in two] == texts
    assert two == one


def test_several_processes_are_never_far_ahead_of_the_reader(tiny_path, examples, monkeypatch):
    monkeypatch.setattr(shipped, "_CHUNK", 3)
    taken: list[int] = []

    def endless():
        for number in range(10**9):
            taken.append(number)
            yield examples[0].text

    answers = ibidem.parse_many(endless(), model=tiny_path, jobs=2)
    next(answers)
    assert len(taken) <= 3 * 2 * 2
    answers.close()


def test_no_strings_are_no_answers(tiny_path):
    assert list(ibidem.parse_many([], model=tiny_path, jobs=2)) == []


@pytest.mark.parametrize(
    ("jobs", "alternatives", "words"), [(0, 0, "jobs is 0"), (1, -1, "alternatives"), (2, -2, "alternatives")]
)
def test_numbers_out_of_range_are_refused_before_anything_is_read(tiny_path, jobs, alternatives, words):
    with pytest.raises(InputError, match=words):
        ibidem.parse_many(["bells"], model=tiny_path, jobs=jobs, alternatives=alternatives)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_model_is_refused_once(tmp_path, jobs):
    with pytest.raises(ModelError, match="no model at"):
        ibidem.parse_many(["bells"], model=tmp_path / "missing", jobs=jobs)


def test_a_model_is_loaded_once_and_kept(tiny_path):
    assert ibidem.load(tiny_path) is ibidem.load(str(tiny_path))


def test_where_no_model_ships_one_is_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "DEFAULT", tmp_path / "none.ibidem")
    with pytest.raises(ModelError, match="ibidem train"):
        ibidem.load()


@pytest.mark.skipif(not shipped.DEFAULT.exists(), reason="no model ships with this checkout")
def test_the_model_that_ships_can_be_loaded_and_knows_the_schema():
    from ibidem.labels.bio import levels_of
    from ibidem.labels.schema import SCHEMA

    model = ibidem.load().model
    assert {path for label in model.labels for path in levels_of(label)[0]} <= set(SCHEMA)
    assert model.calibration and model.card["name"]


def test_a_model_that_ships_has_a_name_and_a_file_of_that_name_a_path(tmp_path, monkeypatch):
    assert shipped.path_of("semi") == shipped.NAMED["semi"]
    assert shipped.path_of("./semi") == Path("semi") and shipped.path_of(Path("semi")) == Path("semi")
    assert shipped.path_of("mine.ibidem") == Path("mine.ibidem") and shipped.path_of(None) is None
    monkeypatch.setitem(shipped.NAMED, "semi", tmp_path / "semi.ibidem")
    with pytest.raises(ModelError, match=r"semi\.ibidem is not part of this installation.* 'ibidem train'"):
        ibidem.load("semi")


@pytest.mark.skipif(not shipped.NAMED["semi"].exists(), reason="no semi-CRF ships with this checkout")
def test_the_semi_crf_that_ships_parses_with_confidence_alternatives_and_a_card():
    text = "Pellworth JS, Adeyomi OT. Salivary markers of shift work. Ann Coast Med. 2019;14(3):153-60."
    parsed = ibidem.parse(text, model="semi", alternatives=2)
    found = {field.label: field.text for field in parsed.fields}
    assert found["title"] == "Salivary markers of shift work" and found["journal"] == "Ann Coast Med"
    assert all(0 <= field.confidence <= 1 for field in parsed.fields) and len(parsed.alternatives) == 2
    model = ibidem.load("semi").model
    assert isinstance(model, SemiModel) and model.calibration and model.card["name"] == "semi"
    assert all(registry.dataset(name).use == "open" for name in model.card["data"])
