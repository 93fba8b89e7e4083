"""A judge of readings: it learns what the objective asks, and chooses by likelihood where it knows nothing."""

from __future__ import annotations

import numpy as np
import pytest
from model_cases import references, trained

from benchmarks.ensemble import Combined
from benchmarks.experiments import gold_spans
from benchmarks.reranker import Candidates, JudgeConfig, Reranker, judge_of
from benchmarks.reranker_features import BITS, reading_codes
from ibidem.errors import ConfigError
from ibidem.features.lexicons import empty
from ibidem.metrics.scoring import score_spans
from ibidem.models.parser import Parser
from ibidem.models.penalties import references_of
from ibidem.models.training import CRFConfig
from ibidem.text.tokens import read
from ibidem.types import Span

NONE = empty()
NAMES = ("Vale", "Moor", "Hill", "Lake", "Reed", "Wood")


def _case(name: str) -> Candidates:
    """Two readings of a string, the wrong one likelier: that a string has two titles and no author."""
    reference = read(f"{name}, On rivers")
    wrong = (Span("title", 0, 1), Span("title", 2, 4))
    right = (Span("author", 0, 1), Span("title", 2, 4))
    return Candidates(reference, (wrong, right), np.log([0.6, 0.4]))


def _lost(weights: np.ndarray, cases: list[Candidates], worth: list[list[float]], l2: float) -> float:
    """The objective, string by string."""
    total = l2 * float((weights.astype(np.float64) ** 2).sum())
    for case, given in zip(cases, worth, strict=True):
        values = [
            chance + sum(float(weights[code]) for code in reading_codes(case.reference, reading, NONE))
            for reading, chance in zip(case.readings, case.chance, strict=True)
        ]
        share = np.exp(values) / np.exp(values).sum()
        total += max(given) - float(share @ given)
    return total


def test_what_is_wrong_again_and_again_is_put_right_in_a_new_string():
    cases = [_case(name) for name in NAMES]
    judge = judge_of(cases, [[0.5, 1.0]] * len(cases), NONE)
    new = _case("Brook")
    assert judge.best(new) == new.readings[1]
    assert judge.values(new)[1] > judge.values(new)[0]


def test_the_weights_are_a_minimum_of_what_is_lost():
    cases = [_case(name) for name in NAMES]
    worth = [[0.5, 1.0]] * 4 + [[1.0, 0.5]] * 2
    judge = judge_of(cases, worth, NONE, JudgeConfig(l2=0.05))
    least = _lost(judge.weights, cases, worth, 0.05)
    assert least < _lost(np.zeros(1 << BITS), cases, worth, 0.05)
    random = np.random.default_rng(3)
    used = np.unique(np.concatenate([codes for case in cases for codes in case.codes(NONE)]))
    for _ in range(20):
        other = judge.weights.astype(np.float64)
        other[used] += random.normal(0, 0.05, len(used))
        assert least < _lost(other, cases, worth, 0.05)


def test_a_judge_without_weights_takes_the_likeliest():
    case = _case("Vale")
    nothing = Reranker(np.zeros(1 << BITS, dtype=np.float32), NONE)
    assert nothing.best(case) == case.readings[0]
    np.testing.assert_allclose(nothing.values(case), case.chance)


def test_what_is_seen_too_seldom_has_no_weight():
    assert not judge_of([_case("Vale")], [[0.0, 1.0]], NONE, JudgeConfig(at_least=3)).weights.any()


def test_strings_without_readings_or_with_too_few_worths_are_refused():
    for cases, worth in (([], []), ([_case("Vale")], [[1.0]]), ([_case("Vale")], [])):
        with pytest.raises(ConfigError, match="a worth for every reading"):
            judge_of(cases, worth, NONE)
    for bad in ({"l2": -1.0}, {"l2": float("nan")}, {"at_least": 0}, {"iterations": 0}):
        with pytest.raises(ConfigError, match="give an l2 of 0 or more"):
            JudgeConfig(**bad)


def test_the_readings_of_models_together_are_judged_from_end_to_end():
    examples = references(24)
    parsers = [Parser(trained(references(12), CRFConfig(iterations=2, l2=l2))) for l2 in (1.0, 4.0)]
    together = Combined(parsers, [1.0, 1.0], several=6)
    found = together.candidates(references_of(examples))
    for one in found:
        assert (np.diff(one.chance) <= 0).all() and np.exp(one.chance).sum() < 1 + 1e-5
        assert len(set(one.readings)) == len(one.readings)
    worth = [
        [count.f1 for count in score_spans([gold] * len(one.readings), one.readings).counts]
        for gold, one in zip(gold_spans(examples), found, strict=True)
    ]
    judge = judge_of(found, worth, NONE)
    gold = gold_spans(examples)
    judged = score_spans(gold, together.label(references_of(examples), judge))
    assert judged.micro.f1 > score_spans(gold, together.label(references_of(examples))).micro.f1


def test_a_string_without_tokens_has_one_empty_reading():
    parser = Parser(trained(references(6), CRFConfig(iterations=2)))
    [found] = Combined([parser], [1.0]).candidates([read("")])
    assert found.readings == ((),)
