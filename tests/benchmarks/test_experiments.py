"""Trials: what is tried out on strings of one's own is what would be found in new ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from model_cases import lexicons, references

from benchmarks.experiments import at_once, trained_on_others, with_best_sigma
from ibidem.metrics.scoring import score_spans
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Example

FAST = CRFConfig(optimiser="adagrad", epochs=4, batch=4, min_count=1, context_min_count=1)


def test_the_sigma_that_does_best_on_validation_strings_is_chosen():
    examples = references(16)
    told: list[str] = []
    config = with_best_sigma(
        examples[:12],
        examples[12:],
        CRFConfig(model="semi", iterations=15),
        lambda trial: score_spans(trial.gold, trial.predicted).micro.f1,
        told.append,
        sigmas=(1.0, 0.01),
    )
    assert config.l2 == 0.5  # a prior so narrow that nothing is learnt does worse
    assert [line.split(":")[0] for line in told if line.startswith("sigma")] == ["sigma 0.01", "sigma 1"]


def plain(examples: list[Example]) -> list[Example]:
    """The examples with their outermost fields alone."""
    return [
        replace(one, annotations=tuple(annotation for annotation in one.annotations if "/" not in annotation.label))
        for one in examples
    ]


def test_a_trainer_of_some_places_counts_past_strings_that_fit_no_path():
    examples = plain(references(6))
    data = training_set([(one, False) for one in examples], labels_seen(examples))
    data.allowed[len(data.strings[0])] = 0  # no label may stand on the first token of the second string
    trainer = Trainer.prepare(data, lexicons(), FAST)
    assert trainer.usable.tolist() == [True, False, *[True] * 4] and trainer.skipped == 1
    part = trainer.among(np.array([1, 2, 5]))
    assert part.skipped == 1 and part.usable.tolist() == [False, True, True]
    whole = np.split(trainer.encoded.context, np.cumsum(trainer.encoded.lengths)[:-1])
    assert np.array_equal(part.encoded.context, np.concatenate([whole[1], whole[4]]))


def test_each_part_is_read_by_parsers_of_the_others():
    asked: list[list[int]] = []

    def make(places):
        asked.append(places.tolist())
        return

    parts = list(trained_on_others(10, 3, [make], lambda _: None))
    assert sorted(place for held, _ in parts for place in held) == list(range(10))
    for (held, _), train in zip(parts, asked, strict=True):
        assert sorted([*held, *train]) == list(range(10))


def test_calls_at_once_answer_in_order_and_an_error_of_one_is_not_lost():
    assert at_once([lambda n=number: n * n for number in range(5)]) == [0, 1, 4, 9, 16]
    with pytest.raises(ZeroDivisionError):
        at_once([lambda: 1, lambda: 1 // 0])
