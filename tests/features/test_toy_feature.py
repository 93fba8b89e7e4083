"""A feature that is registered from outside the package is trained, saved, loaded and parsed with, kernels or not."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from feature_cases import batch, lexicons
from model_cases import references, trained

from benchmarks.support.experiments import train_parser
from ibidem.errors import ConfigError, ModelError
from ibidem.features import Batch, Feature, FeatureFamily, features_of, register
from ibidem.features.lexicons import empty
from ibidem.features.registry import Codes
from ibidem.kernels import SWITCH, compiled
from ibidem.labels.tasks import AUTHORS, SECTIONS, Task
from ibidem.models.parser import Parser
from ibidem.models.storage import load, save
from ibidem.models.training import CRFConfig
from ibidem.types import Annotation, Example, Parsed


def word_modulo(given: Batch) -> Codes:
    """The hash of the word modulo seven: the toy."""
    return given.word % 7


TOY = Feature("toy", 7, word_modulo)
FAMILY = FeatureFamily(
    "toys/",
    lambda _: {"even": 2, "third": 3},
    lambda given, _: {"even": given.position % 2, "third": given.position % 3},
)


@contextmanager
def registered(*features: Feature[Batch] | FeatureFamily[Batch], task: str = "references") -> Iterator[None]:
    """Features of context that a task has inside a `with` block."""
    for feature in features:
        register(feature, task)
    try:
        yield
    finally:
        for feature in features:
            features_of(task).context.remove(feature)


@pytest.fixture(scope="module")
def toy_path(tmp_path_factory):
    """The file of a model that uses the toys."""
    path = tmp_path_factory.mktemp("toy") / "toy.ibidem"
    with registered(TOY, FAMILY):
        save(trained(references()), path)
    return path


def parse(path, texts: list[str]) -> list[Parsed]:
    """What a model gives for some strings, with caches of its own."""
    with registered(TOY, FAMILY):
        return list(Parser(load(path)).parse_many(texts))


def test_five_thousand_strings_are_parsed_alike_with_and_without_kernels(toy_path, monkeypatch):
    texts = [example.text for example in references(5000)]
    here = parse(toy_path, texts)
    monkeypatch.setenv(SWITCH, "numpy")
    there = parse(toy_path, texts)
    assert [one.error for one in here] == [None] * len(texts)
    for one, other in zip(here, there, strict=True):
        assert [field[:4] for field in one.fields] == [field[:4] for field in other.fields]
        assert one.confidence == pytest.approx(other.confidence, abs=1e-3)


@pytest.mark.skipif(compiled() is None, reason="there are no compiled kernels here")
def test_the_kernel_still_computes_the_features_that_it_has(toy_path, monkeypatch):
    computed: list[str] = []
    with registered(TOY, FAMILY):
        parser = Parser(load(toy_path))
        list(parser.parse_many(example.text for example in references(500)))
        for entry in features_of("references").context:
            monkeypatch.setattr(type(entry), "compute", noting(type(entry).compute, computed))
        list(parser.parse_many(example.text for example in references(500)))
    assert set(computed) == {"toy", "toys/"}


def noting(compute: Callable[..., object], names: list[str]) -> Callable[..., object]:
    """The same method, and the name of the feature is added to the list."""

    def noted(entry, given, known):
        names.append(entry.name)
        return compute(entry, given, known)

    return noted


def test_the_toys_have_weights(toy_path):
    with registered(TOY, FAMILY):
        model = load(toy_path)
    assert list(model.encoder.context)[-3:] == ["toy", "toys/even", "toys/third"]
    rows = model.encoder.context["toy"]
    assert model.context.used()[rows[rows >= 0]].any()


def test_a_model_without_the_toys_is_not_touched_by_them():
    plain = trained(references())
    text = references()[3].text
    before = Parser(plain).parse(text)
    with registered(TOY, FAMILY):
        assert Parser(plain).parse(text) == before


def test_a_model_that_uses_an_unknown_feature_is_refused_by_its_name(toy_path):
    with pytest.raises(ModelError, match=r"uses the feature 'toy', which this version.*upgrade Ibidem, or register"):
        load(toy_path)


def test_a_model_whose_feature_has_another_size_is_refused(toy_path):
    with registered(Feature("toy", 8, word_modulo), FAMILY), pytest.raises(ModelError, match="'toy' has 7 codes"):
        load(toy_path)


def test_the_names_and_sizes_of_features_are_in_the_file(toy_path):
    with zipfile.ZipFile(toy_path) as archive:
        context = json.loads(archive.read("model.json"))["context"]
    assert {"toy": 7, "toys/even": 2, "toys/third": 3}.items() <= context.items()


@pytest.mark.parametrize("name", ["location", "fine/", "fine/rank", "phrase/rivers"])
def test_a_name_that_is_taken_is_refused(name):
    with pytest.raises(ConfigError, match="already"):
        register(Feature(name, 7, word_modulo))


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda given: given.word[:-1] % 7, r"'toy' must give an array of 4 integers.*int64 of shape \(3,\)"),
        (lambda given: (given.word % 7)[:, None], r"'toy' must give an array of 4 integers.*shape \(4, 1\)"),
        (lambda given: given.word / 7, "'toy' must give an array of 4 integers.*float64"),
        (lambda given: given.wordlike, "'toy' must give an array of 4 integers.*bool"),
        (lambda given: (given.word % 7).tolist(), "'toy' must give an array of 4 integers.*it gave list"),
        (lambda given: given.word % 7 + 7, "'toy' has 7 codes, from 0 to 6; it gave the code"),
        (lambda given: given.word % 7 - 7, "'toy' has 7 codes, from 0 to 6; it gave the code -"),
        (
            lambda given: np.full(len(given.word), -1, dtype=np.int8),
            "'toy' has 7 codes, from 0 to 6; it gave the code -1",
        ),
    ],
)
def test_codes_of_another_shape_type_or_range_are_refused(function, complaint):
    given = batch(["Marsh, A."], lexicons())
    with registered(Feature("toy", 7, function)), pytest.raises(ConfigError, match=complaint):
        features_of("references").compute(given, lexicons(), ["toy"])


def test_codes_of_a_large_batch_are_checked_too():
    given = batch(["Marsh and Reed and Bells."] * 1000, lexicons())
    with registered(Feature("toy", 7, lambda found: found.string % 8)), pytest.raises(ConfigError, match="the code 7"):
        features_of("references").compute(given, lexicons(), ["location", "toy"])


def test_a_family_that_leaves_out_a_feature_is_refused():
    family: FeatureFamily[Batch] = FeatureFamily("toys/", lambda _: {"even": 2}, lambda *_: {})
    with registered(family), pytest.raises(ConfigError, match=r"'toys/even' must give an array.*it gave nothing"):
        features_of("references").compute(batch(["Marsh"], lexicons()), lexicons())


def section_example(number: int) -> Example:
    """A paper with two headings."""
    text = f"Introduction\nBells {number}"
    return Example(text, (Annotation("introduction", 0, 12), Annotation("method", 13, len(text))), "toy")


def author_example(number: int) -> Example:
    """A header with an author and an affiliation."""
    text = f"Ann {'Reed Marsh Quill'.split()[number % 3]}\nUniversity of Fenland"
    end = text.index("\n")
    return Example(text, (Annotation("author", 0, end), Annotation("affiliation", end + 1, len(text))), "toy")


@pytest.mark.parametrize(("task", "example"), [(SECTIONS, section_example), (AUTHORS, author_example)])
def test_other_tasks_have_lists_of_their_own(task: Task, example, tmp_path):
    config = CRFConfig(window=3, min_count=1, context_min_count=1, iterations=20)
    examples = [example(number) for number in range(8)]
    with registered(TOY, task=task.name):
        assert "toy" not in features_of("references").sizes(empty())
        model = train_parser(examples, config, lambda _: None, task, empty()).model
        save(model, tmp_path / "toy.ibidem")
        again = load(tmp_path / "toy.ibidem")
        assert len(again.encoder.context["toy"]) == TOY.size
        found = list(Parser(again).parse_many([one.text for one in examples] * 50))
    assert found[:8] == found[-8:]
    labels = [{mark.label for mark in one.annotations} for one in examples]
    assert [{field.label for field in parsed.fields} for parsed in found[:8]] == labels
    with pytest.raises(ModelError, match="'toy'"):
        load(tmp_path / "toy.ibidem")
