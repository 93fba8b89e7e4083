"""Parsers are judged only as far as the annotation speaks, and cards say what was measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.support.experiments import folds, predict
from ibidem.errors import DataError
from ibidem.models.cards import calibrate_model, judge_fields, score_parser
from ibidem.models.evaluation import comparable, evaluate, evaluate_examples
from ibidem.models.parser import Parser
from ibidem.types import Annotation, Example, Field, Parsed

TEXT = "Reed, A. River Bells 12"
AUTHOR, FAMILY, JOURNAL = Annotation("author", 0, 8), Annotation("author/person", 0, 8), Annotation("journal", 9, 20)


def example(*annotations: Annotation, partially_annotated: tuple[str, ...] = ()) -> Example:
    return Example(TEXT, annotations, "test", (), frozenset(partially_annotated))


def parsed(*annotations: Annotation) -> Parsed:
    return Parsed(TEXT, tuple(Field(m.label, TEXT[m.start : m.end], m.start, m.end, 0.9) for m in annotations))


@pytest.mark.parametrize(
    ("gold", "found", "deep", "true", "guessed"),
    [
        # parts count only where they are asked for
        (example(AUTHOR, FAMILY), (AUTHOR, FAMILY), False, ["author"], ["author"]),
        (example(AUTHOR, FAMILY), (AUTHOR, FAMILY), True, ["author", "author/person"], ["author", "author/person"]),
        # what an example does not annotate is not held against a parser
        (example(AUTHOR, partially_annotated=("author",)), (AUTHOR, FAMILY), True, ["author"], ["author"]),
        (example(AUTHOR), (AUTHOR, FAMILY), True, ["author"], ["author", "author/person"]),
        # where it says nothing usable, nothing is compared
        (example(AUTHOR, Annotation("?", 9, 23)), (AUTHOR, JOURNAL), True, ["author"], ["author"]),
        (example(Annotation("journal|?", 9, 20)), (JOURNAL,), True, [], []),
        # a label left open counts as any of its labels, for the same words
        (example(Annotation("journal|book", 9, 20)), (JOURNAL,), True, ["journal|book"], ["journal|book"]),
        (
            example(Annotation("journal|book", 9, 20)),
            (Annotation("journal", 9, 14),),
            True,
            ["journal|book"],
            ["journal"],
        ),
        (example(Annotation("journal|book", 9, 20)), (Annotation("title", 9, 20),), True, ["journal|book"], ["title"]),
        (example(), (JOURNAL,), True, [], ["journal"]),
    ],
)
def test_only_what_the_example_speaks_of_is_compared(gold, found, deep, true, guessed):
    pairs = comparable(gold, parsed(*found), deep)
    assert [label for label, _ in pairs[0]] == true
    assert [label for label, _ in pairs[1]] == guessed


def test_a_parser_that_knows_the_examples_is_right_and_one_that_does_not_is_not(parser, examples):
    assert evaluate_examples(parser, examples).accuracy == 1
    assert evaluate_examples(parser, examples, deep=True).micro.f1 == 1
    moved = [
        replace(e, annotations=tuple(replace(m, label="note") for m in e.annotations if "/" not in m.label))
        for e in examples
    ]
    assert evaluate_examples(parser, moved).micro.f1 == 0


def test_every_field_that_can_be_judged_is_judged(parser, examples):
    labels, confidence, right, certainty = judge_fields(parser, examples[:5])
    assert (
        len(labels) == len(confidence) == len(right) == len(certainty) == sum(len(e.annotations) for e in examples[:5])
    )
    assert all(right)


def test_calibration_is_fitted_on_one_half_and_measured_on_the_other(tiny, examples):
    model, measured = calibrate_model(tiny, {"tiny": examples})
    assert {"*", "whole string"} <= model.calibration.keys() and model.labels == tiny.labels
    assert measured["calibration"]["all"]["fields"] == sum(len(e.annotations) for e in examples[1::2])
    assert measured["calibration"]["whole strings"]["fields"] == len(examples[1::2])
    assert measured["scores"]["tiny"]["whole reference"][0] == 100
    assert Parser(model).parse(examples[0].text).fields


def test_scores_come_with_their_intervals(parser, examples):
    found = score_parser(parser, examples)
    assert found["strings"] == len(examples)
    for name in ("whole reference", "field F1"):
        value, low, high = found[name]
        assert 0 <= low <= value <= high <= 100


def test_a_trial_compares_spans_over_the_same_tokens(parser, examples):
    trial = predict(parser, examples[:4])
    assert trial.gold == trial.predicted
    assert all(len(spans) == len(e.annotations) for spans, e in zip(trial.gold, examples, strict=False))


def test_folds_test_every_string_once_and_never_on_itself():
    made = folds(23, 5, seed=3)
    assert sorted(np.concatenate([test for _, test in made]).tolist()) == list(range(23))
    for train, test in made:
        assert not set(train.tolist()) & set(test.tolist()) and len(train) + len(test) == 23
    assert [test.tolist() for _, test in folds(23, 5, seed=3)] == [test.tolist() for _, test in made]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "x.jsonl has no labelled strings"),
        (b"\x89PNG\n{\n", "x.jsonl has no labelled strings; of 2 that cannot be read the first: it is not UTF-8"),
        (b"[7]", "of 1 that cannot be read the first: expected an object with a string `text`"),
    ],
)
def test_a_file_without_labelled_strings_is_refused(parser, tmp_path, content, message):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        evaluate(parser, str(path))
