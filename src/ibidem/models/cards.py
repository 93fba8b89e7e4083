"""The card of a model: what it was trained on, how well it does, how far its confidence can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ibidem.data import registry
from ibidem.features.lexicon_sources import licences_of
from ibidem.labels.tasks import REFERENCES
from ibidem.metrics.calibration import measure_calibration
from ibidem.metrics.scoring import normalise
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.calibration import calibrated, fit
from ibidem.models.evaluation import comparable, evaluate_examples, in_place
from ibidem.models.parser import Parser
from ibidem.models.penalties import Learnt
from ibidem.models.scorer import Model
from ibidem.types import Example

Measured = dict[str, Any]


def judged(parser: Parser, examples: list[Example]) -> tuple[list[str], list[float], list[bool]]:
    """Label, confidence and rightness of every field found in the examples, as far as they speak."""
    labels: list[str] = []
    confidence: list[float] = []
    right: list[bool] = []
    for example, parsed in zip(examples, parser.parse_many(e.text for e in examples), strict=True):
        if parser.task is not REFERENCES:
            marks, guesses = in_place(example, parsed, parser.task)
            labels += [guess.label.partition("|")[0] for guess in guesses]
            sure = {(field.start, field.end): field.confidence for field in parsed.fields}
            confidence += [sure[guess.start, guess.end] for guess in guesses]
            right += [guess in marks for guess in guesses]
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


def calibrate(model: Model, held_out: Mapping[str, list[Example]]) -> tuple[Model, Measured]:
    """The model with its confidence calibrated on half of the held-out strings, and what the other half says of it."""
    raw = Parser(replace(model, calibration={}))
    halves = [[example for each in held_out.values() for example in each[start::2]] for start in (0, 1)]
    labels, confidence, right = judged(raw, halves[0])
    maps = fit(labels, np.array(confidence), np.array(right))
    ready = replace(model, calibration=maps)
    labels, confidence, right = judged(raw, halves[1])
    sure = calibrated(maps, labels, np.array(confidence))
    return ready, {
        "calibration": _calibration(labels, sure, np.array(right)),
        "before calibration": _calibration(labels, np.array(confidence), np.array(right))["all"],
        "scores": {name: scored(Parser(ready), examples[1::2]) for name, examples in held_out.items()},
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


def scored(parser: Parser, examples: list[Example]) -> Measured:
    """Whole-reference accuracy and field F1 on examples, with 95 % intervals, in per cent."""
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


def told(learnt: Learnt) -> Measured:
    """What was seen of each constraint on the strings that penalties were learnt on."""
    numbers = zip(learnt.importance.tolist(), learnt.violations.tolist(), learnt.binding.tolist(), strict=True)
    each = {
        str(one): {"importance": round(importance, 2), "broken": broken, "binding": binding}
        for one, (importance, broken, binding), penalty in zip(
            learnt.constraints, numbers, learnt.penalty.tolist(), strict=True
        )
        if penalty > 0
    }
    return {"strings": learnt.strings, "of each": each}


def _origin(source: str) -> dict[str, str]:
    """Licence and home of a public set; those of a file of one's own are its owner's to say."""
    if source not in registry.names():
        return {"licence": "not stated", "home": "a file of labelled strings"}
    data = registry.dataset(source)
    return {"licence": data.licence, "home": data.home}


def with_card(model: Model, name: str, about: str, counts: Mapping[str, int], measured: Measured) -> Model:
    """The model with its card: name, purpose, data with licences, and everything measured."""
    data = {source: {"strings": count, **_origin(source)} for source, count in counts.items()}
    lexicons = licences_of(model.encoder.lexicons)
    return replace(model, card={"name": name, "about": about, "data": data, "lexicons": lexicons, **measured})
