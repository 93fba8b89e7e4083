"""The card of a model: its training data, its scores, and the reliability of its confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ibidem.data import registry
from ibidem.features.lexicons import licences_of
from ibidem.labels.tasks import REFERENCES
from ibidem.metrics.calibration import measure_calibration
from ibidem.metrics.scoring import normalise
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.calibration import calibrate, fit
from ibidem.models.evaluation import comparable, evaluate_examples, locate_fields
from ibidem.models.parser import Parser
from ibidem.models.penalties import FittedConstraints
from ibidem.models.scorer import Model
from ibidem.types import Example

Measured = dict[str, Any]


def judge_fields(parser: Parser, examples: list[Example]) -> tuple[list[str], list[float], list[bool]]:
    """Return label, confidence and correctness of every field found in the examples, as far as these are annotated."""
    labels: list[str] = []
    confidence: list[float] = []
    right: list[bool] = []
    for example, parsed in zip(examples, parser.parse_many(e.text for e in examples), strict=True):
        if parser.task is not REFERENCES:
            gold_fields, guesses = locate_fields(example, parsed, parser.task)
            labels += [guess.label.partition("|")[0] for guess in guesses]
            sure = {(field.start, field.end): field.confidence for field in parsed.fields}
            confidence += [sure[guess.start, guess.end] for guess in guesses]
            right += [guess in gold_fields for guess in guesses]
            continue
        gold, found = comparable(example, parsed, deep=True)
        true = {(label, normalise(text)) for label, text in gold}
        spoken = {(label, text) for label, text in found}
        for field in parsed.fields:
            if (field.label, field.text) in spoken:
                labels.append(field.label)
                confidence.append(field.confidence)
                right.append((field.label, normalise(field.text)) in true)
    return labels, confidence, right


def calibrate_model(model: Model, dev: Mapping[str, list[Example]]) -> tuple[Model, Measured]:
    """Return the model calibrated on half of the dev strings, and what is measured on the other half."""
    raw = Parser(replace(model, calibration={}))
    halves = [[example for each in dev.values() for example in each[start::2]] for start in (0, 1)]
    labels, confidence, right = judge_fields(raw, halves[0])
    maps = fit(labels, np.array(confidence), np.array(right))
    ready = replace(model, calibration=maps)
    labels, confidence, right = judge_fields(raw, halves[1])
    sure = calibrate(maps, labels, np.array(confidence))
    return ready, {
        "calibration": _calibration(labels, sure, np.array(right)),
        "before calibration": _calibration(labels, np.array(confidence), np.array(right))["all"],
        "scores": {name: score_parser(Parser(ready), examples[1::2]) for name, examples in dev.items()},
    }


def _calibration(labels: list[str], sure: Any, right: Any) -> Measured:
    names = np.array(labels)
    found: Measured = {"all": _reliability(sure, right)}
    for name in sorted(set(labels)):
        chosen = names == name
        if chosen.sum() >= 100:
            measured = _reliability(sure[chosen], right[chosen])
            found[name] = {key: value for key, value in measured.items() if key != "bins"}
    return found


def _reliability(sure: Any, right: Any) -> Measured:
    measured = measure_calibration(sure, right)
    bins = [[round(b.confidence, 4), round(b.accuracy, 4), b.count] for b in measured.bins if b.count]
    return {"fields": len(right), "expected calibration error": round(measured.error, 4), "bins": bins}


def score_parser(parser: Parser, examples: list[Example]) -> Measured:
    """Return exact match of all fields and field F1 on examples, with 95 % intervals, in per cent."""
    report = evaluate_examples(parser, examples)
    whole, fields = bootstrap_accuracy(report.exact_match_array()), bootstrap_f1(report.count_array())
    found = {
        "strings": len(examples),
        f"whole {parser.task.item}": _per_cent(report.accuracy, whole),
        "field F1": _per_cent(report.micro.f1, fields),
    }
    if parser.task is not REFERENCES:
        return found
    deep = evaluate_examples(parser, examples, deep=True)
    return found | {
        "whole reference with parts": round(100 * deep.accuracy, 2),
        "field F1 with parts": round(100 * deep.micro.f1, 2),
    }


def _per_cent(value: float, interval: Any) -> list[float]:
    return [round(100 * number, 2) for number in (value, interval.low, interval.high)]


def describe_constraints(fitted: FittedConstraints) -> Measured:
    """Return the statistics of each constraint on the strings that the penalties were fitted on."""
    numbers = zip(fitted.importance.tolist(), fitted.violations.tolist(), fitted.binding.tolist(), strict=True)
    each = {
        str(one): {"importance": round(importance, 2), "broken": broken, "binding": binding}
        for one, (importance, broken, binding), penalty in zip(
            fitted.constraints, numbers, fitted.penalty.tolist(), strict=True
        )
        if penalty > 0
    }
    return {"strings": fitted.strings, "of each": each}


def _origin(source: str) -> dict[str, str]:
    """Return licence and home of a public dataset; those of a user's own file are unknown."""
    if source not in registry.names():
        return {"licence": "not stated", "home": "a file of labelled strings"}
    data = registry.dataset(source)
    return {"licence": data.licence, "home": data.home}


def add_card(model: Model, name: str, about: str, counts: Mapping[str, int], measured: Measured) -> Model:
    """Return the model with its card: name, purpose, data with licences, and everything measured."""
    data = {source: {"strings": count, **_origin(source)} for source, count in counts.items()}
    lexicons = licences_of(model.lexicons)
    return replace(model, card={"name": name, "about": about, "data": data, "lexicons": lexicons, **measured})
