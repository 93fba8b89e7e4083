"""Soft constraints on nested UMass: the three tables of Anzaroot 2014 beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.anzaroot_2014.umass import NESTED, PENALTIES, examples_of, score_rows
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import best_spans, cross_train, parser_maker, spans_on, train_parser, truth_of
from benchmarks.support.timing import alternate, say
from ibidem.inference import best
from ibidem.inference.constraints import compile_constraints, countable
from ibidem.inference.dual import ConstrainedPaths, SoftDual
from ibidem.labels.bio import spans_of
from ibidem.metrics.scoring import Report, score_spans
from ibidem.metrics.significance import (
    bootstrap_accuracy,
    compare_accuracy,
    compare_f1,
    mcnemar,
    wilcoxon,
)
from ibidem.models.evaluation import evaluate_examples
from ibidem.models.evaluation import examples_of as unified
from ibidem.models.parser import Parser
from ibidem.models.penalties import FittedConstraints, GoldStrings, fit_constraints
from ibidem.models.shipped import DEFAULT
from ibidem.models.storage import load
from ibidem.models.training import tokens_of
from ibidem.types import Example, Reference

# Chosen by five-fold cross-validation on the development strings. See the page of the paper for what was tried.
JACK_KNIFE = replace(PENALTIES, violations=5, learning_rate=0.03, passes=6)
_STOPS = {1: (94.44, 76.29, 1.0), 2: (95.07, 83.38, 1.24), 5: (95.12, 95.91, 1.61), 10: (95.39, 99.18, 1.73)}
_METRIC = "field F1"
_UNLIMITED = 1000  # iterations: what is not solved then has a duality gap that multipliers cannot close
_FAMILIES = {
    "only-one": (("only-one",), 94.62, 0.0, 3),
    "hierarchical": (("hierarchical",), 94.55, 56.25, 16),
    "pairwise": (("pairwise",), 95.23, 43.19, 609),
    "all": (("only-one", "pairwise", "hierarchical"), 95.39, 32.96, 628),
}
_GAINS = {
    "venue/series": 31.37,
    "venue/editor/person/person-first": 28.07,
    "venue/school": 26.67,
    "venue/editor/person/person-last": 19.74,
    "venue/editor": 12.22,
    "venue/editor/person/person-middle": 9.85,
}


def decode(
    fitted: FittedConstraints, truth: GoldStrings, iterations: int = 10, several: int = 30, hard: bool = False
) -> ConstrainedPaths:
    """Return the best paths under constraints, or under those of them that a model with fewer labels can count."""
    known = countable(truth.labels)
    kept = [place for place, one in enumerate(fitted.constraints) if all(name in known for name, _ in one.terms)]
    penalty = np.full(len(kept), np.inf) if hard else fitted.penalty[kept]
    terms = compile_constraints([fitted.constraints[place] for place in kept], truth.labels)
    dual = SoftDual(terms, penalty, iterations=iterations, several=several)
    return dual.decode(truth.automaton, truth.potentials)


def report_on(truth: GoldStrings, spans: Sequence[Sequence[object]]) -> Report:
    """Return the exact span scores of predictions."""
    return score_spans([spans_of(list(labels)) for labels in truth.gold], spans)  # type: ignore[arg-type]


@benchmark(
    "soft-constraints",
    "Soft constraints on nested UMass: Tables 1, 2 and 3 of Anzaroot 2014 (95.39 F1 with all)",
    reference="Anzaroot et al. 2014, Tables 1 to 3 (pages 598, 600, 601), same strings; time: without, in the same run",
)
def soft_constraints() -> Outcome:
    """Fit penalties on dev for a CRF trained on train, and score test."""
    train, dev, test = (examples_of("umass-nested", split) for split in ("train", "dev", "test"))
    parser = train_parser(train, NESTED, say)
    on_dev, on_test = truth_of(parser, dev), truth_of(parser, test)
    plain = report_on(on_test, best_spans(on_test))
    rows = [*score_rows("Table 1: baseline", plain, 94.44, _METRIC)]
    for name, (families, paper, sparsity, count) in _FAMILIES.items():
        fitted = fit_constraints([on_dev], PENALTIES, families)
        found = report_on(on_test, spans_on(on_test, decode(fitted, on_test).paths))
        rows += score_rows(f"Table 1: {name}", found, paper, _METRIC)
        zero = 100 * float(np.mean(fitted.penalty == 0))
        rows.append(Result(f"Table 1: {name}", "% of penalties that are 0", sparsity, zero))
        rows.append(Result(f"Table 1: {name}", "constraints", count, len(fitted.penalty)))
        say(f"{name}: {len(fitted.penalty)} constraints")
    hard = report_on(on_test, spans_on(on_test, decode(fitted, on_test, hard=True).paths))
    rows += score_rows("Table 1: all, hard", hard, 94.6, _METRIC)
    rows += _significance(found, plain)
    rows += _stops(fitted, on_test)
    rows += _gains(found, plain)
    rows += _cost(fitted, on_test, parser, test)
    rows += _jack_knife(train, dev, test)
    rows += _default_model()
    return "UMass nested: 1457 strings for the CRF, 660 for the penalties, 367 for testing; 1 seed", rows


def _jack_knife(train: Sequence[Example], dev: Sequence[Example], test: Sequence[Example]) -> Iterator[Result]:
    """Use all data for both: a CRF of train and dev, and penalties fitted on the held-out folds of five CRFs."""
    every = [*train, *dev]
    parts = [
        truth_of(parser, [every[place] for place in held])
        for held, [parser] in cross_train(len(every), 5, [parser_maker(every, NESTED, say)], say)
    ]
    on_test = truth_of(train_parser(every, NESTED, say), test)
    fitted = fit_constraints(parts, JACK_KNIFE)
    plain = report_on(on_test, best_spans(on_test))
    found = report_on(on_test, spans_on(on_test, decode(fitted, on_test).paths))
    yield from score_rows("train + dev, penalties by jack-knife: baseline", plain, None, _METRIC)
    yield from score_rows("train + dev, penalties by jack-knife: all", found, None, _METRIC)
    p_value = wilcoxon(found.f1_array(), plain.f1_array()).p_value
    yield Result("train + dev, penalties by jack-knife: all against baseline", "p, Wilcoxon", None, p_value)


def _default_model() -> Iterator[Result]:
    """Yield the exact match of the default model without and with its constraints, on test strings of the open sets."""
    model = load(DEFAULT)
    exact: list[list[NDArray[np.bool_]]] = [[], []]
    for name in ("elife", "grobid-citation", "anystyle", "giant"):
        test = unified(name, "test", 2000)
        for limited, found in zip((False, True), exact, strict=True):
            found.append(evaluate_examples(Parser(model, constraints=limited), test).exact_match_array())
            value = bootstrap_accuracy(found[-1])
            row = f"default model, {name} test, {'with' if limited else 'without'} constraints"
            yield Result(row, "exact match", None, *(100 * x for x in (value.value, value.low, value.high)))
    before, after = (np.concatenate(found) for found in exact)
    difference = compare_accuracy(after, before)
    ends = (100 * x for x in (difference.value, difference.low, difference.high))
    yield Result(f"default model, all {len(after):,}, with minus without", "exact match", None, *ends)
    yield Result("default model, all, with against without", "p, McNemar", None, mcnemar(after, before).p_value)


def _significance(ours: Report, theirs: Report) -> Iterator[Result]:
    difference = compare_f1(ours.count_array(), theirs.count_array())
    ends = (100 * x for x in (difference.value, difference.low, difference.high))
    yield Result("all minus baseline", "field F1", None, *ends)
    p_value = wilcoxon(ours.f1_array(), theirs.f1_array()).p_value
    yield Result("all against baseline, F1 of each string", "p, Wilcoxon", 0.05, p_value)
    yield Result(
        "all against baseline, exact match",
        "p, McNemar",
        None,
        mcnemar(ours.exact_match_array(), theirs.exact_match_array()).p_value,
    )


def _stops(fitted: FittedConstraints, truth: GoldStrings) -> Iterator[Result]:
    for stop, (paper, converged, iterations) in _STOPS.items():
        found = decode(fitted, truth, iterations=stop, several=0)
        report = report_on(truth, spans_on(truth, found.paths))
        name = f"Table 2: stop after {stop}"
        yield from score_rows(name, report, paper, _METRIC)
        yield Result(name, "% converged", converged, 100 * float(found.optimal.mean()))
        yield Result(name, "iterations, mean", iterations, float(found.iterations.mean()))
    at_most, solved = (
        100 * float(decode(fitted, truth, iterations=stop, several=several).optimal.mean())
        for stop, several in ((_UNLIMITED, 0), (9, 30))
    )
    yield Result(f"Table 2: stop after {_UNLIMITED:,}", "% converged", None, at_most)
    yield Result("Table 2: stop after 10, then the 30 best paths searched", "% converged", 99.18, solved, bar=99.0)


def _gains(ours: Report, theirs: Report) -> Iterator[Result]:
    """Yield the six labels that gain most, and the six of the paper."""
    gains = {
        name: 100 * (one.f1 - theirs.labels[name].f1) for name, one in ours.labels.items() if name in theirs.labels
    }
    frequent = [name for name in gains if ours.labels[name].gold >= 5]
    most = sorted(frequent, key=lambda name: -gains[name])[:6]
    for name in dict.fromkeys([*most, *_GAINS]):
        if name in gains:
            yield Result(f"Table 3: {name}", "gain in F1", _GAINS.get(name), gains[name])


def _cost(fitted: FittedConstraints, truth: GoldStrings, parser: Parser, test: Sequence[Example]) -> Iterator[Result]:
    """Compare the time with constraints to that without: of decoding, and of labelling in all."""
    dual = SoftDual(compile_constraints(fitted.constraints, truth.labels), np.asarray(fitted.penalty, dtype=np.float64))
    constraints = {str(one): float(cost) for one, cost in zip(fitted.constraints, fitted.penalty, strict=True)}
    limited = Parser(replace(parser.model, constraints=constraints))
    references = [Reference(example.text, tokens_of(example)) for example in test]
    works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "decoding": (
            lambda: best(truth.automaton, truth.potentials),
            lambda: dual(truth.automaton, truth.potentials),
        ),
        "labelling, from tokens to fields with confidence": (
            lambda: parser.label(references),
            lambda: limited.label(references),
        ),
    }
    for name, pair in works.items():
        plain, constrained = (1000 * taken / len(test) for taken in alternate(pair, 9))
        row = f"{name}, with constraints; reference: without"
        yield Result(row, "ms per string", plain, constrained, ratio=constrained / plain, bar=1.5)
