"""Constraints are chosen where the model breaks what the truth keeps, and penalties are learnt that mend it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ibidem.errors import ConfigError
from ibidem.inference import best, nested_bio
from ibidem.inference.constraints import compile_constraints, parse_constraint
from ibidem.inference.dual import SoftDual
from ibidem.models.decoding import TokenDecoder
from ibidem.models.penalties import (
    GoldStrings,
    PenaltyConfig,
    TrainingProgress,
    candidates,
    count_segments,
    fit_penalties,
    select_constraints,
)
from ibidem.types import Potentials

LABELS = ("O", "B-author", "I-author", "B-editor", "I-editor", "B-title", "I-title")


def confused(count: int = 30, seed: int = 1) -> GoldStrings:
    """Strings `author title editor` whose scores take many an editor for a second author."""
    rng = np.random.default_rng(seed)
    gold = ("B-author", "I-author", "B-title", "I-title", "B-editor", "I-editor")
    number = {label: place for place, label in enumerate(LABELS)}
    span = rng.normal(scale=0.3, size=(count * len(gold), 1, len(LABELS)))
    for row in range(len(span)):
        span[row, 0, number[gold[row % len(gold)]]] += 3.0
    for string in range(count):
        if string % 2:
            place = string * len(gold) + 4
            span[place, 0, number["B-author"]] = span[place, 0, number["B-editor"]] + 0.5
            span[place + 1, 0, number["I-author"]] = span[place + 1, 0, number["I-editor"]] + 0.5
    automaton, _ = nested_bio(LABELS)
    lengths = np.full(count, len(gold), dtype=np.int32)
    return GoldStrings(
        LABELS,
        automaton,
        Potentials(span, np.zeros(len(automaton.src)), lengths),
        (gold,) * count,
        TokenDecoder(automaton, LABELS).spans,
    )


def wrong(truth: GoldStrings, state: np.ndarray) -> int:
    found = [truth.labels[label] for label in np.asarray(truth.automaton.label)[state]]
    return sum(a != b for a, b in zip(found, [label for labels in truth.gold for label in labels], strict=True))


def test_templates_cover_every_label_that_begins_somewhere():
    made = candidates(["O", "B-a/B-x", "I-a/B-x", "B-b"])
    assert [str(one) for one in made["only-one"]] == ["count(a) <= 1", "count(a/x) <= 1", "count(b) <= 1"]
    assert "count(*/a) - count(*/x) <= 0" in [str(one) for one in made["hierarchical"]]
    assert "count(a) + count(b) >= 2" in [str(one) for one in made["pairwise"]]


def test_the_constraint_that_the_model_breaks_and_the_truth_keeps_is_chosen():
    truth = confused()
    chosen = select_constraints(
        [one for family in candidates(LABELS).values() for one in family], [truth], PenaltyConfig()
    )
    names = [str(one) for one in chosen.constraints]
    assert "count(author) <= 1" in names
    assert "count(title) <= 1" not in names
    assert (chosen.importance >= 2.75).all() and (chosen.violations >= 3).all()


def test_what_the_gold_labels_never_violate_is_important_however_seldom_the_model_violates_it():
    truth = confused().part([0, 1])  # the model takes one editor for an author
    constraint = parse_constraint("count(author) <= 1")
    strict = PenaltyConfig(importance=1000.0, violations=1)
    assert select_constraints([constraint], [truth], strict).constraints == (constraint,)
    assert select_constraints([constraint], [truth], replace(strict, violations=2)).constraints == ()
    often = parse_constraint("count(author) <= 0")  # violated by all gold labels, and no more often by the model
    assert select_constraints([often], [truth], replace(strict, importance=1.1)).constraints == ()


def test_by_default_a_penalty_that_comes_back_to_zero_is_exactly_zero():
    truth = confused()
    constraints = [one for family in candidates(LABELS).values() for one in family]
    penalty = fit_penalties(constraints, [truth], PenaltyConfig(learning_rate=0.1, passes=3))
    steps = penalty / 0.1
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)
    assert (penalty[penalty > 0] >= 0.1 - 1e-9).all() and (penalty == 0).any()


@pytest.mark.parametrize("method", ["perceptron", "averaged", "svm"])
def test_learnt_penalties_mend_what_the_model_breaks(method):
    truth, fresh = confused(), confused(seed=2)
    config = PenaltyConfig(method=method, passes=5, learning_rate=0.1)
    constraints = [parse_constraint("count(author) <= 1"), parse_constraint("count(title) <= 0")]
    penalty = fit_penalties(constraints, [truth], config)
    assert penalty[0] > 0.5 and penalty[1] == 0.0  # the truth itself breaks the second
    plain = best(fresh.automaton, fresh.potentials)
    mended = SoftDual(compile_constraints(constraints, LABELS), penalty)(fresh.automaton, fresh.potentials)
    assert wrong(fresh, mended.state) < wrong(fresh, plain.state) / 4


@pytest.mark.parametrize("method", ["perceptron", "averaged", "svm"])
def test_every_pass_is_reported_and_learning_gives_the_same_again(method):
    truths = [confused(), confused(seed=3)]
    constraints = [parse_constraint("count(author) <= 1"), parse_constraint("count(editor) >= 1")]
    config = PenaltyConfig(method=method, passes=5)
    courses: list[TrainingProgress] = []
    whole = fit_penalties(constraints, truths, config, report=courses.append)
    assert [course.passes for course in courses] == [1, 2, 3, 4, 5]
    np.testing.assert_array_equal(fit_penalties(constraints, truths, config), whole)


def test_labels_are_counted_by_every_name_they_begin():
    counts = count_segments([["B-a/B-x", "I-a/B-x", "O"]], ["a", "a/x", "*/x", "b"])
    assert counts.tolist() == [[1, 2, 2, 0]]


@pytest.mark.parametrize("wrong_value", [{"method": "guess"}, {"passes": 0}, {"batch": 0}])
def test_settings_that_mean_nothing_are_refused(wrong_value):
    with pytest.raises(ConfigError):
        replace(PenaltyConfig(), **wrong_value)
