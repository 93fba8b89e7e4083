"""Soft constraints on nested UMass: the three tables of Anzaroot 2014 beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.anzaroot_2014.soft_tables import (
    METRIC,
    OURS,
    PAPERS,
    constrain,
    find_named_constraints,
    report_on,
    tables,
)
from benchmarks.anzaroot_2014.umass import NESTED, PENALTIES, examples_of, score_rows
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import (
    best_spans,
    cross_train,
    folds,
    parser_maker,
    spans_on,
    train_parser,
    truth_of,
)
from benchmarks.support.timing import alternate, say
from ibidem.inference import best
from ibidem.inference.constraints import compile_constraints
from ibidem.inference.dual import SoftDual
from ibidem.metrics.significance import bootstrap_accuracy, compare_accuracy, mcnemar, wilcoxon
from ibidem.models.evaluation import evaluate_examples
from ibidem.models.evaluation import examples_of as unified
from ibidem.models.parser import Parser
from ibidem.models.penalties import FAMILIES, METHODS, FittedConstraints, GoldStrings, fit_constraints
from ibidem.models.shipped import DEFAULT
from ibidem.models.storage import load
from ibidem.models.training import tokens_of
from ibidem.types import Example, Reference, Span

# Chosen by five-fold cross-validation on the development strings. See the page of the paper for what was tried.
JACK_KNIFE = replace(PENALTIES, method="averaged", violations=5, learning_rate=0.03, passes=6)


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
    rows = [*_methods(on_dev)]
    rows += tables("", OURS, on_dev, on_test)
    rows += find_named_constraints("", on_dev, OURS.fit(on_dev, FAMILIES))
    rows += tables("paper's settings, ", PAPERS, on_dev, on_test)
    rows += _cost(OURS.fit(on_dev, FAMILIES), on_test, parser, test)
    rows += _jack_knife(train, dev, test)
    rows += _default_model()
    return "UMass nested: 1457 strings for the CRF, 660 for the penalties, 367 for testing; 1 seed", rows


def _methods(on_dev: GoldStrings) -> Iterator[Result]:
    """Compare the ways of fitting by cross-validation on dev alone: this is what the default was chosen by."""
    spans: dict[str, list[tuple[Span, ...]]] = {method: [] for method in METHODS}
    zeros: dict[str, list[float]] = {method: [] for method in METHODS}
    order: list[int] = []
    for others, held in folds(len(on_dev.gold), 5, seed=1):
        part, rest = on_dev.part(others.tolist()), on_dev.part(held.tolist())
        order += held.tolist()
        for method in METHODS:
            fitted = fit_constraints([part], replace(PENALTIES, method=method))
            spans[method] += spans_on(rest, constrain(fitted, rest).decode().paths)
            zeros[method].append(100 * float(np.mean(fitted.penalty == 0)))
    reports = {method: report_on(on_dev.part(order), found) for method, found in spans.items()}
    for method, report in reports.items():
        row = f"five-fold cross-validation on dev: {method}"
        yield from score_rows(row, report, None, METRIC)
        yield Result(row, "% of penalties that are 0", None, float(np.mean(zeros[method])))
    sparse, dense = (reports[method].f1_array() for method in ("perceptron", "averaged"))
    row = "five-fold cross-validation on dev: perceptron against averaged, F1 of each string"
    yield Result(row, "p, Wilcoxon", None, wilcoxon(sparse, dense).p_value)


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
    found = report_on(on_test, spans_on(on_test, constrain(fitted, on_test).decode().paths))
    yield from score_rows("train + dev, penalties by jack-knife: baseline", plain, None, METRIC)
    yield from score_rows("train + dev, penalties by jack-knife: all", found, None, METRIC)
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
