"""How well a model does on a dataset, compared as far as the dataset's labels go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from ibidem.errors import DataError
from ibidem.models.parser import Parser
from ibidem.tasks import registry
from ibidem.tasks.readers.labelled import looks_like_file, read_labelled
from ibidem.tasks.schema import UNKNOWN
from ibidem.tasks.scoring import Report, normalise, score_texts
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
    """The exact-field scores of a parser on a split of a dataset (dev when none is named) or on a file."""
    return evaluate_examples(parser, examples_of(dataset, split), deep=True)


def evaluate_examples(parser: Parser, examples: Sequence[Example], deep: bool = False) -> Report:
    """The exact-field scores of a parser on examples; `deep` compares parts of fields too."""
    parsed = parser.parse_many(example.text for example in examples)
    pairs = [comparable(example, result, deep) for example, result in zip(examples, parsed, strict=True)]
    return score_texts([gold for gold, _ in pairs], [guess for _, guess in pairs])


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
