"""Exact year, month and day of the strings of GROBID's date corpus."""

from __future__ import annotations

import re
import sys

from benchmarks.registry import Outcome, Result, benchmark
from ibidem.data import registry
from ibidem.metrics.significance import bootstrap_accuracy
from ibidem.records.normalise.dates import date_of
from ibidem.records.record import Date
from ibidem.text.months import MONTHS
from ibidem.types import Example

Parts = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
_BAR = 97.0


def gold_parts(example: Example) -> Parts:
    """Return the annotated years, months and days of an example, unique and in order; two-digit years as they are."""

    def numbers(label: str) -> tuple[int, ...]:
        pieces = [
            example.text[annotation.start : annotation.end]
            for annotation in example.annotations
            if annotation.label == label
        ]
        return tuple(dict.fromkeys(value for piece in pieces if (value := _value(piece)) is not None))

    return numbers("year"), numbers("month"), numbers("day")


def _value(piece: str) -> int | None:
    digits = "".join(re.findall(r"\d", piece))
    word = "".join(re.findall(r"[^\W\d_]", piece)).lower()
    return int(digits) if digits else MONTHS.get(word)


def our_parts(text: str) -> Parts:
    """Return the years, months and days that we find in a text, unique and in order."""
    date, _ = date_of(text)
    if not isinstance(date, Date):
        return (), (), ()
    ends = [date] if date.end is None else [date, date.end]

    def each(values: list[int | None]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(value for value in values if value is not None))

    return each([e.year for e in ends]), each([e.month for e in ends]), each([e.day for e in ends])


def agree(gold: Parts, ours: Parts) -> bool:
    """Return whether the parts are equal, where a two-digit year equals one that ends in it."""
    years = len(gold[0]) == len(ours[0]) and all(
        one == other or (one < 100 and one == other % 100) for one, other in zip(gold[0], ours[0], strict=True)
    )
    return years and gold[1:] == ours[1:]


@benchmark("dates", "Exact year, month and day on GROBID's date corpus")
def dates() -> Outcome:
    """Score both parts of the corpus; `corpus` was seen while the rules were written, `evaluation` never."""
    rows: list[Result] = []
    for split, name in (("train", "corpus, seen while the rules were written"), ("test", "evaluation, held out")):
        examples = [item for item in registry.load("grobid-date", split) if isinstance(item, Example)]
        right = [agree(gold_parts(example), our_parts(example.text)) for example in examples]
        found = bootstrap_accuracy(right)
        ends = (100 * found.value, 100 * found.low, 100 * found.high)
        rows.append(Result(f"{name}, {len(examples)} strings", "exact accuracy", None, *ends, bar=_BAR))
        if split == "train":
            for example, good in zip(examples, right, strict=True):
                if not good:
                    print(f"wrong: {example.text!r}", file=sys.stderr)
    return "GROBID's date corpus: strings of headers and citations", rows
