"""Evaluation of a parser on a dataset, in the labels that both have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ibidem.data import registry
from ibidem.data.readers.labelled import looks_like_file, read_labelled
from ibidem.errors import DataError
from ibidem.labels.bio import labels_of, spans_of
from ibidem.labels.schema import UNKNOWN
from ibidem.labels.tasks import REFERENCES, Task, known_only
from ibidem.metrics.scoring import Report, normalise, score_spans, score_texts
from ibidem.models.parser import Parser
from ibidem.models.training import tokens_of
from ibidem.types import Annotation, Example, Field, Malformed, Parsed

Pairs = list[tuple[str, str]]


def examples_of(dataset: str, split: str | None, limit: int | None = None) -> list[Example]:
    """Return the examples of a split in our labels, or of a file of labelled strings, without malformed ones.

    `ibidem data verify` lists the malformed pieces of datasets. A file has no splits but those made by its text.
    """
    if looks_like_file(dataset):
        items = registry.split_by_text(read_labelled(Path(dataset)), split or "")
    else:
        items = registry.load_unified(dataset, split or "dev")
    problems: list[Malformed] = []

    def examples_in() -> Iterator[Example]:
        for item in items:
            if isinstance(item, Example):
                yield item
            else:
                problems.append(item)

    examples = list(islice(examples_in(), limit))
    if not examples:
        part = f"the split {split!r} of {dataset}" if split else dataset
        why = f"; of {len(problems):,} that cannot be read the first: {problems[0].reason}" if problems else ""
        raise DataError(f"{part} has no labelled strings{why}")
    return examples


def evaluate(parser: Parser, dataset: str, split: str | None = None) -> Report:
    """Return the exact-field scores of a parser on a split of a dataset (dev when none is named) or on a file.

    A dataset of another task than the parser's is refused, as is one whose labels the task does not have.
    """
    task = parser.task
    if not looks_like_file(dataset) and registry.dataset(dataset).task != task.name:
        other = registry.dataset(dataset).task
        raise DataError(f"{dataset} is a set of {other} and the model labels {task.name}: give a model or a set to fit")
    examples, complaints = known_only(examples_of(dataset, split), task)
    if complaints:
        raise DataError(f"{len(complaints):,} strings have labels of another kind; the first: {complaints[0]}")
    return evaluate_examples(parser, examples, deep=True)


def evaluate_examples(parser: Parser, examples: Sequence[Example], deep: bool = False) -> Report:
    """Return the exact-field scores of a parser on examples; `deep` compares parts of fields too.

    Fields of references are compared by their texts, those of other tasks, where punctuation counts, by their places.
    """
    results = zip(examples, parser.parse_many(example.text for example in examples), strict=True)
    if parser.task is not REFERENCES:
        placed = [locate_fields(example, parsed, parser.task) for example, parsed in results]
        report = score_spans([gold for gold, _ in placed], [guess for _, guess in placed])
        return replace(report, unit="field", item=parser.task.item)
    pairs = [comparable(example, parsed, deep) for example, parsed in results]
    return score_texts([gold for gold, _ in pairs], [guess for _, guess in pairs])


def locate_fields(example: Example, parsed: Parsed, task: Task) -> tuple[list[Annotation], list[Annotation]]:
    """Return the fields of an example and those found in it with their places, as far as the example is annotated."""
    tokens = tokens_of(example, task)
    spans = spans_of(labels_of(tokens, example.annotations)[0])
    annotations = [Annotation(span.label, tokens[span.start].start, tokens[span.end - 1].end) for span in spans]
    silent = [annotation for annotation in annotations if UNKNOWN in annotation.label.split("|")]
    gold = {(annotation.start, annotation.end): annotation for annotation in annotations if annotation not in silent}
    found = []
    for field in parsed.fields:
        true = gold.get((field.start, field.end))
        fits = true is not None and field.label in true.label.split("|")
        if fits or not _within(field, silent):
            found.append(Annotation(true.label if fits and true else field.label, field.start, field.end))
    return list(gold.values()), found


def comparable(example: Example, parsed: Parsed, deep: bool) -> tuple[Pairs, Pairs]:
    """Return the fields of an example and those found in it, both as far as the example is annotated.

    Left out are parts of a partially annotated field, and fields found where the label is unknown; a field whose
    annotation allows several labels counts as any of them.
    """
    gold = [annotation for annotation in example.annotations if UNKNOWN not in annotation.label.split("|")]
    silent = [annotation for annotation in example.annotations if UNKNOWN in annotation.label.split("|")]
    open_ = [annotation for annotation in gold if "|" in annotation.label]
    true = [
        (annotation.label, example.text[annotation.start : annotation.end])
        for annotation in gold
        if _is_annotated(annotation.label, example, deep)
    ]
    found = [
        (_as_open(field, open_, example.text), field.text)
        for field in parsed.fields
        if _is_annotated(field.label, example, deep) and not _within(field, silent)
    ]
    return true, found


def _is_annotated(label: str, example: Example, deep: bool) -> bool:
    if "/" not in label:
        return True
    above = label.split("/")
    return deep and not any("/".join(above[:depth]) in example.partially_annotated for depth in range(1, len(above)))


def _within(field: Field, annotations: Iterable[Annotation]) -> bool:
    return any(annotation.start < field.end and field.start < annotation.end for annotation in annotations)


def _as_open(field: Field, annotations: Iterable[Annotation], text: str) -> str:
    for annotation in annotations:
        if field.label in annotation.label.split("|") and normalise(field.text) == normalise(
            text[annotation.start : annotation.end]
        ):
            return annotation.label
    return field.label
