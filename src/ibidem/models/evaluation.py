"""How well a model does on a dataset, compared as far as the dataset's labels go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ibidem.errors import DataError
from ibidem.models.parser import Parser
from ibidem.models.training import tokens_of
from ibidem.tasks import registry
from ibidem.tasks.bio import labels_of, spans_of
from ibidem.tasks.readers.labelled import looks_like_file, read_labelled
from ibidem.tasks.schema import UNKNOWN
from ibidem.tasks.scoring import Report, normalise, score_spans, score_texts
from ibidem.tasks.task import REFERENCES, Task, known_only
from ibidem.types import Example, Field, Mark, Parsed

Pairs = list[tuple[str, str]]


def examples_of(dataset: str, split: str | None, limit: int | None = None) -> list[Example]:
    """The examples of a split in our labels, or of a file of labelled strings; unreadable pieces are left out.

    `ibidem data verify` speaks of the unreadable pieces of datasets. A file has no split but those made by its text.
    """
    if looks_like_file(dataset):
        items = registry.split_by_text(read_labelled(Path(dataset)), split or "")
    else:
        items = registry.load_unified(dataset, split or "dev")
    found = (item for item in items if isinstance(item, Example))
    examples = list(islice(found, limit))
    if not examples:
        raise DataError(f"the split {split!r} of {dataset} has no examples")
    return examples


def evaluate(parser: Parser, dataset: str, split: str | None = None) -> Report:
    """The exact-field scores of a parser on a split of a dataset (dev when none is named) or on a file.

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
    """The exact-field scores of a parser on examples; `deep` compares parts of fields too.

    Fields of references are compared by their texts, those of other tasks, where punctuation counts, by their places.
    """
    results = zip(examples, parser.parse_many(example.text for example in examples), strict=True)
    if parser.task is not REFERENCES:
        placed = [in_place(example, parsed, parser.task) for example, parsed in results]
        report = score_spans([gold for gold, _ in placed], [guess for _, guess in placed])
        return replace(report, unit="field", item=parser.task.item)
    pairs = [comparable(example, parsed, deep) for example, parsed in results]
    return score_texts([gold for gold, _ in pairs], [guess for _, guess in pairs])


def in_place(example: Example, parsed: Parsed, task: Task) -> tuple[list[Mark], list[Mark]]:
    """The fields of an example and those found in it with their places, both only as far as the example speaks."""
    tokens = tokens_of(example, task)
    spans = spans_of(labels_of(tokens, example.marks)[0])
    marks = [Mark(span.label, tokens[span.start].start, tokens[span.end - 1].end) for span in spans]
    silent = [mark for mark in marks if UNKNOWN in mark.label.split("|")]
    gold = {(mark.start, mark.end): mark for mark in marks if mark not in silent}
    found = []
    for field in parsed.fields:
        true = gold.get((field.start, field.end))
        fits = true is not None and field.label in true.label.split("|")
        if fits or not _within(field, silent):
            found.append(Mark(true.label if fits and true else field.label, field.start, field.end))
    return list(gold.values()), found


def comparable(example: Example, parsed: Parsed, deep: bool) -> tuple[Pairs, Pairs]:
    """The fields of an example and those found in it, both only as far as the example speaks.

    Parts below an opaque field are left out; fields found where the example says nothing usable are left out; a
    field whose label the example leaves open between several counts as any of them.
    """
    gold = [mark for mark in example.marks if UNKNOWN not in mark.label.split("|")]
    silent = [mark for mark in example.marks if UNKNOWN in mark.label.split("|")]
    open_ = [mark for mark in gold if "|" in mark.label]
    true = [(mark.label, example.text[mark.start : mark.end]) for mark in gold if _speaks(mark.label, example, deep)]
    found = [
        (_as_open(field, open_, example.text), field.text)
        for field in parsed.fields
        if _speaks(field.label, example, deep) and not _within(field, silent)
    ]
    return true, found


def _speaks(label: str, example: Example, deep: bool) -> bool:
    if "/" not in label:
        return True
    above = label.split("/")
    return deep and not any("/".join(above[:depth]) in example.opaque for depth in range(1, len(above)))


def _within(field: Field, marks: Iterable[Mark]) -> bool:
    return any(mark.start < field.end and field.start < mark.end for mark in marks)


def _as_open(field: Field, marks: Iterable[Mark], text: str) -> str:
    for mark in marks:
        if field.label in mark.label.split("|") and normalise(field.text) == normalise(text[mark.start : mark.end]):
            return mark.label
    return field.label
