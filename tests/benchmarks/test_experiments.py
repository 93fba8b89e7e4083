"""Experiments: folds do not overlap, and concurrent calls keep their order and their errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from model_cases import lexicons, references

from benchmarks.support.experiments import among, cross_train, run_concurrently
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Example

FAST = CRFConfig(optimiser="adagrad", epochs=4, batch=4, min_count=1, context_min_count=1)


def plain(examples: list[Example]) -> list[Example]:
    """The examples with their outermost fields alone."""
    return [
        replace(one, annotations=tuple(annotation for annotation in one.annotations if "/" not in annotation.label))
        for one in examples
    ]


def test_a_trainer_of_some_strings_skips_those_that_the_labels_cannot_represent():
    examples = plain(references(6))
    data = training_set([(one, False) for one in examples], labels_seen(examples))
    data.allowed[len(data.strings[0])] = 0  # no label may stand on the first token of the second string
    trainer = Trainer.prepare(data, lexicons(), FAST)
    assert trainer.usable.tolist() == [True, False, *[True] * 4] and trainer.skipped == 1
    part = among(trainer, np.array([1, 2, 5]))
    assert len(part.lengths) == 2
    whole = np.split(trainer.encoded.context, np.cumsum(trainer.encoded.lengths)[:-1])
    assert np.array_equal(part.context, np.concatenate([whole[1], whole[4]]))


def test_each_fold_is_labelled_by_parsers_of_the_others():
    asked: list[list[int]] = []

    def make(places):
        asked.append(places.tolist())
        return

    parts = list(cross_train(10, 3, [make], lambda _: None))
    assert sorted(place for held, _ in parts for place in held) == list(range(10))
    for (held, _), train in zip(parts, asked, strict=True):
        assert sorted([*held, *train]) == list(range(10))


def test_concurrent_calls_answer_in_order_and_an_error_of_one_is_not_lost():
    assert run_concurrently([lambda n=number: n * n for number in range(5)]) == [0, 1, 4, 9, 16]
    with pytest.raises(ZeroDivisionError):
        run_concurrently([lambda: 1, lambda: 1 // 0])
