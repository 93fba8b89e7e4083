"""The card of a model: its training data, its scores, and the reliability of its confidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.data import registry
from ibidem.features.lexicons import licences_of
from ibidem.labels.tasks import REFERENCES
from ibidem.metrics.calibration import measure_calibration
from ibidem.metrics.scoring import normalise
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.calibration import WHOLE, calibrate, doubt_of, fit, fit_whole
from ibidem.models.evaluation import comparable, evaluate_examples, locate_fields
from ibidem.models.parser import Parser
from ibidem.models.penalties import FittedConstraints
from ibidem.models.scorer import Model
from ibidem.types import Example, Parsed

Measured = dict[str, Any]


class Judged(NamedTuple):
    """The fields that a parser finds in examples, as far as these are annotated: each with what its confidence means.

    `certainty` is the confidence of the whole string of each field.
    """

    labels: list[str]
    confidence: NDArray[np.float64]
    right: NDArray[np.bool_]
    certainty: NDArray[np.float64]

    @property
    def doubt(self) -> NDArray[np.float64]:
        """Doubt of the labelling of each field's string, where the confidences are uncalibrated."""
        return doubt_of(np.log(np.maximum(self.certainty, _SMALLEST)))


_SMALLEST = 1e-300


def judge_fields(parser: Parser, examples: list[Example]) -> Judged:
    """Return every field that is found in the examples, with its confidence, and whether it is right."""
    rows: list[tuple[str, float, bool, float]] = []
    for example, parsed in zip(examples, parser.parse_many(e.text for e in examples), strict=True):
        rows += [(*row, parsed.confidence) for row in _judge(parser, example, parsed)]
    labels, confidence, right, certainty = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Judged(list(labels), np.array(confidence, float), np.array(right, bool), np.array(certainty, float))


def _judge(parser: Parser, example: Example, parsed: Parsed) -> Iterator[tuple[str, float, bool]]:
    """Yield label, confidence and correctness of every field found in an example, as far as it is annotated."""
    if parser.task is not REFERENCES:
        gold_fields, guesses = locate_fields(example, parsed, parser.task)
        sure = {(field.start, field.end): field.confidence for field in parsed.fields}
        for guess in guesses:
            yield guess.label.partition("|")[0], sure[guess.start, guess.end], guess in gold_fields
        return
    gold, found = comparable(example, parsed, deep=True)
    true = {(label, normalise(text)) for label, text in gold}
    spoken = {(label, text) for label, text in found}
    for field in parsed.fields:
        if (field.label, field.text) in spoken:
            yield field.label, field.confidence, (field.label, normalise(field.text)) in true


def judge_strings(parser: Parser, examples: list[Example]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the confidence of the labelling of each example, and whether all of its fields are right."""
    report = evaluate_examples(parser, examples)
    confidence = [parsed.confidence for parsed in parser.parse_many(e.text for e in examples)]
    return np.array(confidence, float), report.exact_match_array()


def calibrate_model(model: Model, dev: Mapping[str, list[Example]]) -> tuple[Model, Measured]:
    """Return the model calibrated on half of the dev strings, and what is measured on the other half."""
    raw = Parser(replace(model, calibration={}))
    halves = [[example for each in dev.values() for example in each[start::2]] for start in (0, 1)]
    judged = judge_fields(raw, halves[0])
    maps = fit(judged.labels, judged.confidence, judged.right, judged.doubt)
    maps[WHOLE] = fit_whole(*judge_strings(raw, halves[0]))
    ready = replace(model, calibration=maps)
    judged = judge_fields(raw, halves[1])
    sure = calibrate(maps, judged.labels, judged.confidence, judged.doubt)
    whole = _reliability(*judge_strings(Parser(ready), halves[1]))
    return ready, {
        "calibration": _calibration(judged.labels, sure, judged.right) | {"whole strings": whole},
        "before calibration": _calibration(judged.labels, judged.confidence, judged.right)["all"],
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


def _origin(sets: Sequence[str]) -> dict[str, str]:
    """Return licences and homes of public datasets; those of a user's own files are unknown."""
    if not sets:
        return {"licence": "Apache-2.0", "home": "invented by the templates of Ibidem"}
    known = [registry.dataset(name) for name in sets if name in registry.names()]
    licences, homes = [one.licence for one in known], [one.home for one in known]
    if len(known) < len(sets):
        licences, homes = [*licences, "not stated"], [*homes, "a file"]
    return {"licence": "; ".join(dict.fromkeys(licences)), "home": "; ".join(dict.fromkeys(homes))}


def add_card(
    model: Model,
    name: str,
    about: str,
    counts: Mapping[str, int],
    sets: Mapping[str, Sequence[str]],
    measured: Measured,
) -> Model:
    """Return the model with its card: name, purpose, data with licences, and everything measured.

    `counts` says how many strings each source gave, and `sets` from which sets or files those were made that are none.
    """
    data = {source: {"strings": count, **_origin(sets.get(source, [source]))} for source, count in counts.items()}
    lexicons = licences_of(model.lexicons)
    return replace(model, card={"name": name, "about": about, "data": data, "lexicons": lexicons, **measured})
