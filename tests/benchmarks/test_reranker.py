"""The reranker: it minimises its objective, and without weights takes the most probable candidate."""

from __future__ import annotations

import numpy as np
import pytest
from model_cases import references, trained

from benchmarks.support.ensemble import Ensemble
from benchmarks.support.experiments import gold_spans
from benchmarks.support.reranker import Candidates, Reranker, RerankerConfig, train_reranker
from benchmarks.support.reranker_features import BITS, labelling_codes
from ibidem.errors import ConfigError
from ibidem.features.lexicons import empty
from ibidem.metrics.scoring import score_spans
from ibidem.models.parser import Parser
from ibidem.models.penalties import references_of
from ibidem.models.training import CRFConfig
from ibidem.text import reference_of
from ibidem.types import Span

NONE = empty()
NAMES = ("Vale", "Moor", "Hill", "Lake", "Reed", "Wood")


def _case(name: str) -> Candidates:
    """Two labellings of a string; the wrong one, with two titles and no author, is more probable."""
    reference = reference_of(f"{name}, On rivers")
    wrong = (Span("title", 0, 1), Span("title", 2, 4))
    right = (Span("author", 0, 1), Span("title", 2, 4))
    return Candidates(reference, (wrong, right), np.log([0.6, 0.4]))


def _loss(weights: np.ndarray, cases: list[Candidates], f1: list[list[float]], l2: float) -> float:
    """The objective, string by string."""
    total = l2 * float((weights.astype(np.float64) ** 2).sum())
    for case, given in zip(cases, f1, strict=True):
        values = [
            base + sum(float(weights[code]) for code in labelling_codes(case.reference, labelling, NONE))
            for labelling, base in zip(case.labellings, case.log_probability, strict=True)
        ]
        share = np.exp(values) / np.exp(values).sum()
        total += max(given) - float(share @ given)
    return total


def test_a_systematic_error_is_corrected_in_a_new_string():
    cases = [_case(name) for name in NAMES]
    reranker = train_reranker(cases, [[0.5, 1.0]] * len(cases), NONE)
    new = _case("Brook")
    assert reranker.best(new) == new.labellings[1]
    assert reranker.scores(new)[1] > reranker.scores(new)[0]


def test_the_weights_are_a_minimum_of_what_is_loss():
    cases = [_case(name) for name in NAMES]
    f1 = [[0.5, 1.0]] * 4 + [[1.0, 0.5]] * 2
    reranker = train_reranker(cases, f1, NONE, RerankerConfig(l2=0.05))
    least = _loss(reranker.weights, cases, f1, 0.05)
    assert least < _loss(np.zeros(1 << BITS), cases, f1, 0.05)
    random = np.random.default_rng(3)
    used = np.unique(np.concatenate([codes for case in cases for codes in case.codes(NONE)]))
    for _ in range(20):
        other = reranker.weights.astype(np.float64)
        other[used] += random.normal(0, 0.05, len(used))
        assert least < _loss(other, cases, f1, 0.05)


def test_a_reranker_without_weights_takes_the_most_probable():
    case = _case("Vale")
    nothing = Reranker(np.zeros(1 << BITS, dtype=np.float32), NONE)
    assert nothing.best(case) == case.labellings[0]
    np.testing.assert_allclose(nothing.scores(case), case.log_probability)


def test_rare_features_have_no_weight():
    assert not train_reranker([_case("Vale")], [[0.0, 1.0]], NONE, RerankerConfig(min_count=3)).weights.any()


def test_strings_without_candidates_or_with_too_few_scores_are_refused():
    for cases, f1 in (([], []), ([_case("Vale")], [[1.0]]), ([_case("Vale")], [])):
        with pytest.raises(ConfigError, match="the F1 of every candidate"):
            train_reranker(cases, f1, NONE)
    for bad in ({"l2": -1.0}, {"l2": float("nan")}, {"min_count": 0}, {"iterations": 0}):
        with pytest.raises(ConfigError, match="give an l2 of 0 or more"):
            RerankerConfig(**bad)


def test_the_candidates_of_an_ensemble_are_reranked_from_end_to_end():
    examples = references(24)
    parsers = [Parser(trained(references(12), CRFConfig(iterations=2, l2=l2))) for l2 in (1.0, 4.0)]
    ensemble = Ensemble(parsers, [1.0, 1.0], several=6)
    found = ensemble.candidates(references_of(examples))
    for one in found:
        assert (np.diff(one.log_probability) <= 0).all() and np.exp(one.log_probability).sum() < 1 + 1e-5
        assert len(set(one.labellings)) == len(one.labellings)
    f1 = [
        [count.f1 for count in score_spans([gold] * len(one.labellings), one.labellings).counts]
        for gold, one in zip(gold_spans(examples), found, strict=True)
    ]
    reranker = train_reranker(found, f1, NONE)
    gold = gold_spans(examples)
    reranked = score_spans(gold, ensemble.label(references_of(examples), reranker))
    assert reranked.micro.f1 > score_spans(gold, ensemble.label(references_of(examples))).micro.f1


def test_a_string_without_tokens_has_one_empty_labelling():
    parser = Parser(trained(references(6), CRFConfig(iterations=2)))
    [found] = Ensemble([parser], [1.0]).candidates([reference_of("")])
    assert found.labellings == ((),)
