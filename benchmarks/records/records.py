"""Records of predicted fields, scored against records of the gold fields of the same strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import say
from ibidem.labels.schema import UNKNOWN
from ibidem.metrics.scoring import score_texts
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.evaluation import examples_of
from ibidem.records.build import record_of
from ibidem.records.fields import NAMES
from ibidem.records.normalise.given_names import tidy_name
from ibidem.records.normalise.names import name_of, name_of_parts
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record, Value
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


def record_of_gold(gold: Parsed) -> Record:
    """Return the record of an example as if parsed perfectly: where persons are annotated, they are its names."""
    record = record_of(gold)
    entries: list[Entry] = []
    for whole in gold.fields:
        parts = parts_of(whole, gold.fields) if whole.label in NAMES else []
        if any(part.label == f"{whole.label}/person" for part in parts):
            entries += _annotated_names(whole.label, parts)
    divided = {entry.field.removesuffix("-etal") for entry in entries}
    kept = [entry for entry in record.entries if entry.field.removesuffix("-etal") not in divided]
    return replace(record, entries=(*kept, *entries))


def parts_of(whole: Field, fields: Sequence[Field]) -> list[Field]:
    """Return the fields that are parts of one."""
    return [one for one in fields if one.label.startswith(whole.label + "/") and whole.start <= one.start < whole.end]


def _annotated_names(role: str, parts: Sequence[Field]) -> Iterator[Entry]:
    """Yield the entries of the persons, groups and words for others that are annotated in a list of names."""
    for item in parts:
        kind = item.label.removeprefix(f"{role}/")
        if kind == "person":
            found: dict[str, str] = {}
            for part in parts_of(item, parts):
                name = part.label.rpartition("/")[2]
                found[name] = f"{found[name]} {part.text}" if name in found else part.text
            named = name_of_parts(found.get("family", ""), found.get("given", ""), found.get("suffix", ""))
            yield Entry(role, named if found.get("family") else name_of(item.text))
        elif kind == "etal":
            yield Entry(f"{role}-etal", item.text)
        elif kind == "collaboration":
            yield Entry(role, Name(literal=tidy_name(item.text)))


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
            gold.append(pairs_of(record_of_gold(gold_of(example, found))))
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
