"""One training, one parser, one file for every task; models of one task are not mistaken for those of another."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from benchmarks.support.experiments import train_parser
from ibidem.data.readers.papers import label_headings
from ibidem.errors import ConfigError, DataError, ModelError
from ibidem.features.lexicons import empty
from ibidem.labels.tasks import AUTHORS, SECTIONS
from ibidem.models.evaluation import evaluate_examples
from ibidem.models.parser import Parser
from ibidem.models.storage import load, save
from ibidem.models.training import CRFConfig, complete_labels
from ibidem.types import Annotation, Example

SUBJECTS = "Bells Reeds Ferries Mires Quills Tides".split()


def paper(number: int) -> Example:
    """A paper with four or five headings."""
    subject = SUBJECTS[number % 6]
    lines = ["Introduction", f"The drift of {subject.lower()}", "Results", "References"]
    labels = ["introduction", "method", "evaluation", "references"]
    if number % 2:
        lines.insert(1, "Related work")
        labels.insert(1, "related-work")
    return label_headings(lines, labels, f"paper:{number}")


def header(number: int) -> Example:
    """A header with two authors and two affiliations."""
    one, two = SUBJECTS[number % 6], SUBJECTS[(number + 1) % 6]
    parts = [("author", f"Ann {one}"), ("symbol", "1"), ("separator", ","), ("", " "), ("author", f"Bo {two}")]
    parts += [("symbol", "2"), ("", "\n"), ("symbol", "1"), ("", " "), ("affiliation", f"University of {two}")]
    parts += [("", "\n"), ("symbol", "2"), ("", " "), ("affiliation", f"Institute of {one}, UK")]
    text, annotations = "", []
    for label, words in parts:
        if label:
            annotations.append(Annotation(label, len(text), len(text) + len(words)))
        text += words
    return Example(text, tuple(annotations), f"header:{number}")


CONFIG = CRFConfig(window=3, min_count=1, context_min_count=1, iterations=40)


@pytest.fixture(scope="module", params=["chain", "semi"])
def config(request) -> CRFConfig:
    """Settings of either kind of model."""
    return replace(CONFIG, model=request.param)


@pytest.fixture(scope="module")
def section_parser(config) -> Parser:
    return train_parser([paper(number) for number in range(12)], config, lambda _: None, SECTIONS, empty())


@pytest.fixture(scope="module")
def author_parser(config) -> Parser:
    return train_parser([header(number) for number in range(12)], config, lambda _: None, AUTHORS, empty())


def test_headings_are_labelled_one_by_one(section_parser):
    parsed = section_parser.parse("Introduction\n\n The drift of ropes \nResults\nReferences", alternatives=2)
    assert [field.label for field in parsed.fields] == ["introduction", "method", "evaluation", "references"]
    assert [parsed.text[field.start : field.end] for field in parsed.fields] == [f.text for f in parsed.fields]
    assert parsed.fields[1].text == "The drift of ropes" and parsed.links is None
    assert len(parsed.alternatives) == 2


def test_authors_are_linked(author_parser):
    parsed = author_parser.parse("Ann Ropes1, Bo Bells2\n1 University of Bells\n2 Institute of Ropes, UK")
    linked = [(parsed.fields[link.author].text, parsed.fields[link.affiliation].text) for link in parsed.links or ()]
    assert linked == [("Ann Ropes", "University of Bells"), ("Bo Bells", "Institute of Ropes, UK")]


def test_one_heading_and_none(section_parser, author_parser):
    assert [field.label for field in section_parser.parse("Introduction").fields] == ["introduction"]
    assert section_parser.parse(" \n ").error == "empty: there is no heading here"
    assert author_parser.parse("").error == "empty: there is no author or affiliation here"
    assert author_parser.parse("Ann Reed").links == ()


def test_a_document_of_five_thousand_lines_is_answered_whole(section_parser, author_parser):
    found = section_parser.parse("\n".join(["Introduction", "The drift of ropes"] * 2500))
    assert found.error is None and len(found.fields) == 5000
    text = "\n".join(["Ann Ropes1, Bo Bells2", "1 University of Bells"] * 2500)
    found = author_parser.parse(text)
    assert found.error is None and sum(field.label == "author" for field in found.fields) >= 2500
    assert all(text[field.start : field.end] == field.text for field in found.fields)


@given(st.text(max_size=60))
def test_whatever_the_text_is_the_fields_are_stretches_of_it_in_order(section_parser, author_parser, text):
    for parser in (section_parser, author_parser):
        parsed = parser.parse(text)
        assert (parsed.error is None) == bool(text.strip())
        assert all(text[field.start : field.end] == field.text != "" for field in parsed.fields)
        assert all(before.end <= after.start for before, after in pairwise(parsed.fields))
        assert all(0 <= field.confidence <= 1 for field in parsed.fields)
    if text.strip():
        fields = section_parser.parse(text).fields
        assert [field.start for field in fields] == [token.start for token in SECTIONS.tokenise(text)]


def test_a_model_keeps_its_task_in_its_file(section_parser, author_parser, tmp_path):
    for parser in (section_parser, author_parser):
        path = tmp_path / "saved.ibidem"
        save(parser.model, path)
        again = Parser(load(path))
        assert again.task is parser.task
        text = "Introduction\nAnn Reed1\nReferences"
        assert [f[:4] for f in again.parse(text).fields] == [f[:4] for f in parser.parse(text).fields]


def test_a_model_of_one_task_is_refused_for_another(section_parser, tmp_path):
    path = tmp_path / "sections.ibidem"
    save(section_parser.model, path)
    assert ibidem.sections(["Introduction"], model=path).fields[0].label == "introduction"
    with pytest.raises(ModelError, match="is a model for sections, not for references"):
        ibidem.parse("Reed A. Bells. 1990.", model=path)
    with pytest.raises(DataError, match="hosemicrf is a set of references and the model labels sections"):
        ibidem.evaluate(path, "hosemicrf")


def test_labels_outside_the_schema_are_refused_when_a_model_is_scored(section_parser, tmp_path):
    path = tmp_path / "sections.ibidem"
    save(section_parser.model, path)
    write(tmp_path, "strange.jsonl", [label_headings(["Bells"], ["chimes"], "strange")])
    with pytest.raises(DataError, match="the labels of sections do not have 'chimes'"):
        ibidem.evaluate(path, str(tmp_path / "strange.jsonl"))


def test_fields_of_other_tasks_are_scored_by_their_places(author_parser, section_parser):
    report = evaluate_examples(author_parser, [header(number) for number in range(12)])
    assert report.accuracy == 1.0 and report.table()[0].name == "exact match" and report.item == "header"
    assert report.labels["separator"].gold == 12
    moved = Example("Introduction\nIntroduction", (Annotation("introduction", 0, 12), Annotation("?", 13, 25)), "two")
    assert evaluate_examples(section_parser, [moved]).micro.gold == 1


def test_a_heading_without_a_mark_is_of_an_unknown_role_and_gets_one():
    papers = [replace(paper(number), annotations=paper(number).annotations[:2]) for number in range(8)]
    parser = train_parser([*papers, *(paper(number) for number in range(8))], CONFIG, lambda _: None, SECTIONS, empty())
    assert len(parser.parse("Introduction\nBells\n???\nReferences").fields) == 4


def test_headings_never_go_on_and_authors_have_no_editors():
    assert complete_labels(("O", "B-method"), SECTIONS) == ("O", "B-method")
    assert complete_labels(("O", "B-author"), AUTHORS) == ("O", "B-author", "I-author")


def write(folder, name, examples):
    """The file of labelled strings of some examples."""
    rows = [
        {"text": one.text, "fields": [{"label": m.label, "start": m.start, "end": m.end} for m in one.annotations]}
        for one in examples
    ]
    (folder / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")


RECIPE = """
name = "mine"
about = "made here"
output = "mine.ibidem"
task = "{task}"
lexicons = []
label_min_count = 1

[[data]]
file = "train.jsonl"

[[dev]]
file = "dev.jsonl"

[training]
window = 3
min_count = 1
context_min_count = 1
iterations = 20
"""


@pytest.fixture
def recipe(tmp_path):
    """A recipe for sections with its files; one paper has a label that sections do not have."""
    strange = label_headings(["Bells"], ["chimes"], "strange")
    write(tmp_path, "train.jsonl", [*(paper(number) for number in range(12)), strange])
    write(tmp_path, "dev.jsonl", [label_headings(["Introduction", "On ropes"], ["introduction", "method"], "dev")])
    path = tmp_path / "mine.toml"
    path.write_text(RECIPE.format(task="sections"), "utf-8")
    return path


def test_a_recipe_trains_a_model_of_its_task_and_tells_of_strange_labels(recipe):
    said: list[str] = []
    target = ibidem.train(recipe, progress=said.append, task="sections")
    assert any("'chimes'" in line for line in said) and "1 strings skipped because of their labels" in said
    card = load(target).card
    assert card["lexicons"] == {} and "whole paper" in card["scores"]["dev.jsonl"]
    assert ibidem.sections(["Introduction"], model=target).fields[0].label == "introduction"
    with pytest.raises(DataError, match="'chimes'"):
        ibidem.evaluate(target, str(recipe.parent / "train.jsonl"))


def test_a_recipe_for_another_task_is_refused(recipe):
    with pytest.raises(ConfigError, match="is a recipe for sections, and --task says authors"):
        ibidem.train(recipe, task="authors")
    recipe.write_text(RECIPE.format(task="titles"), "utf-8")
    with pytest.raises(ConfigError, match="there is no task 'titles'"):
        ibidem.train(recipe)
    recipe.write_text(RECIPE.format(task="sections").replace('file = "train.jsonl"', 'name = "umass-flat"'), "utf-8")
    with pytest.raises(ConfigError, match="umass-flat is a set of references and the recipe is for sections"):
        ibidem.train(recipe)


def test_only_labels_of_the_task_or_nothing_to_train_on(recipe):
    write(recipe.parent, "train.jsonl", [label_headings(["Bells"], ["chimes"], "strange")])
    with pytest.raises(DataError, match="no string has the labels of sections"):
        ibidem.train(recipe)
