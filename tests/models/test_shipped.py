"""The doors to a model: by path or the one that ships, with one process or several."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys

import pytest

import ibidem
from ibidem.errors import InputError, ModelError
from ibidem.models import shipped
from ibidem.models.parser import Parser

REFERENCE = "Reed, A. (1980). The drift of bells. Bog Review, 4, 11-15."
ODD = ["", "\ud800 \x00 e\u0301", "ابن \u202eReed", "x" * 30_000]


def test_two_processes_answer_as_one_does(tiny_path, examples, monkeypatch):
    monkeypatch.setattr(shipped, "_CHUNK", 7)
    texts = [example.text for example in examples] * 2 + ODD
    one = list(ibidem.parse_many(texts, model=tiny_path, alternatives=1))
    two = list(ibidem.parse_many(iter(texts), model=tiny_path, alternatives=1, jobs=2))
    assert [parsed.text for parsed in two] == texts
    assert two == one


@pytest.mark.parametrize("task", ["references", "sections", "authors"])
def test_two_processes_answer_as_one_does_with_the_default_models(task, monkeypatch):
    monkeypatch.setattr(shipped, "_CHUNK", 5)
    lines = "Ann Reed1 and Bo Marsh2\n1 University of Fenland, UK\n2 Bog Institute, Tartu"
    texts = [
        REFERENCE,
        *ODD,
        lines,
        "1 Introduction\n2 Bells\nReferences",
        None,
        7,
        "(" * 500,
        "山田 " * 400,
        REFERENCE,
    ]
    one = list(ibidem.parse_many(texts, task=task, alternatives=2, explain=True))
    two = list(ibidem.parse_many(texts, task=task, alternatives=2, explain=True, jobs=2))
    assert len(one) == len(texts)
    assert two == one


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("task", "stage"), [("references", "parse"), ("authors", "finish")])
def test_a_fault_costs_one_string(run_ibidem, jobs, task, stage):
    lines = [f"Ann Reed{number} and Bo Marsh" for number in range(1200)]
    stdin = ("\n\n" if task == "authors" else "\n").join(lines).encode()
    done = run_ibidem("parse", "--task", task, "-j", str(jobs), "-", stdin=stdin, IBIDEM_FAULT=f"{stage}:Reed777")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["text"] for one in found] == lines
    assert [number for number, one in enumerate(found) if "error" in one] == [777]
    assert "a fault in Ibidem while parsing it" in found[777]["error"]


def test_a_parser_goes_to_another_process_by_its_path(tiny_path, tmp_path, monkeypatch):
    more = tmp_path / "more.toml"
    more.write_text('[constraints]\n"count(title) <= 1" = 4.0\n')
    monkeypatch.chdir(tiny_path.parent)
    for parser in (
        ibidem.load(),
        ibidem.load(task="authors"),
        ibidem.load(constraints=False),
        ibidem.load(tiny_path.name, constraints=more),
    ):
        packed = pickle.dumps(parser)
        assert len(packed) < 1_000
        code = (
            "import pickle, sys; parser = pickle.loads(sys.stdin.buffer.read()); "
            f"sys.stdout.buffer.write(pickle.dumps([parser.parse({REFERENCE!r}, 2), dict(parser.model.constraints)]))"
        )
        done = subprocess.run([sys.executable, "-c", code], input=packed, capture_output=True, check=True, cwd="/")
        assert pickle.loads(done.stdout) == [parser.parse(REFERENCE, 2), dict(parser.model.constraints)]


def test_a_parser_without_a_file_can_be_copied_but_not_pickled(tiny):
    parser = Parser(tiny)
    for again in (copy.copy(parser), copy.deepcopy(parser), copy.deepcopy([parser])[0]):
        assert again.parse(REFERENCE) == parser.parse(REFERENCE)
    with pytest.raises(ModelError, match="save its model"):
        pickle.dumps(parser)


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
