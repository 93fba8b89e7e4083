"""Records of predicted fields, scored against records of the gold fields of the same strings."""

from __future__ import annotations

from collections.abc import Sequence

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import say
from ibidem.labels.schema import UNKNOWN
from ibidem.metrics.scoring import score_texts
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.evaluation import examples_of
from ibidem.records.build import record_of
from ibidem.records.record import Date, Name, Number, Pages, Record, Value
from ibidem.types import Annotation, Example, Field, Parsed

Pairs = list[tuple[str, str]]

_SETS = ("grobid-citation", "anystyle", "elife")


def gold_of(example: Example, found: Parsed) -> Parsed:
    """Return the example as if parsed perfectly; where its label is ambiguous, the predicted one if it is possible."""
    fields = [
        Field(
            _resolve(annotation, found.fields),
            example.text[annotation.start : annotation.end],
            annotation.start,
            annotation.end,
            1.0,
        )
        for annotation in example.annotations
        if UNKNOWN not in annotation.label.split("|")
    ]
    return Parsed(example.text, tuple(fields), 1.0)


def _resolve(annotation: Annotation, found: Sequence[Field]) -> str:
    options = annotation.label.split("|")
    fits = [field.label for field in found if field.start < annotation.end and annotation.start < field.end]
    return next((label for label in options if label in fits), options[0])


def comparable(example: Example, found: Parsed) -> Parsed:
    """Return the predicted fields that the example covers: none where it is unannotated, no parts without parts."""
    unannotated = [annotation for annotation in example.annotations if UNKNOWN in annotation.label.split("|")]
    kept = [
        field
        for field in found.fields
        if not any(annotation.start < field.end and field.start < annotation.end for annotation in unannotated)
        and not any(field.label.startswith(label + "/") for label in example.partially_annotated)
    ]
    return Parsed(found.text, tuple(kept), found.confidence)


def pairs_of(record: Record) -> Pairs:
    """Return the fields and values of a record, as texts to compare."""
    return [(entry.field, write_value(entry.value)) for entry in record.entries]


def write_value(value: Value) -> str:
    """Return a value as one text that shows every part."""
    if isinstance(value, Name):
        return " | ".join((value.particle, value.family, value.given, value.suffix, value.literal))
    if isinstance(value, Date):
        return f"{value.edtf or (value.month, value.day, value.season)} {value.letter} {value.status}"
    if isinstance(value, Pages):
        return f"{value.first} to {value.last}"
    if isinstance(value, Number):
        return value.text if value.value is None else str(value.value)
    return value


@benchmark("records", "Fields after normalisation: records of predicted fields against records of gold fields")
def records() -> Outcome:
    """Score the dev split of each set: exact match of records and fields that are equal after normalisation."""
    parser = ibidem.load()
    rows: list[Result] = []
    for name in _SETS:
        examples = examples_of(name, "dev")
        gold, ours = [], []
        for example, found in zip(examples, parser.parse_many(e.text for e in examples), strict=True):
            gold.append(pairs_of(record_of(gold_of(example, found))))
            ours.append(pairs_of(record_of(comparable(example, found))))
        report = score_texts(gold, ours)
        whole, fields = bootstrap_accuracy(report.exact_match_array()), bootstrap_f1(report.count_array())
        row = f"{name} dev, {len(examples):,} strings"
        rows.append(
            Result(row, "exact match of records", None, *(100 * x for x in (whole.value, whole.low, whole.high)))
        )
        rows.append(Result(row, "field F1", None, *(100 * x for x in (fields.value, fields.low, fields.high))))
        frequent = {label: score for label, score in report.labels.items() if score.gold >= 50}
        rows += [Result(f"{name}: {label}", "field F1", None, 100 * score.f1) for label, score in frequent.items()]
        say(f"{row}: exact match {100 * whole.value:.1f}, field F1 {100 * fields.value:.2f}")
    return "dev splits of the open sets; a name, date or range of pages is right when all its parts are", rows
