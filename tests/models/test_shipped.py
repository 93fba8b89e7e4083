"""The doors to a model: by path or the one that ships, with one process or several."""

from __future__ import annotations

import pytest

import ibidem
from ibidem.errors import InputError, ModelError
from ibidem.models import shipped

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
    from ibidem.tasks.bio import levels_of
    from ibidem.tasks.schema import SCHEMA

    model = ibidem.load().model
    assert {path for label in model.labels for path in levels_of(label)[0]} <= set(SCHEMA)
    assert model.calibration and model.card["name"]
