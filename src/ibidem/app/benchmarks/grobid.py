"""GROBID's citation corpus: ten-fold cross-validation in GROBID's own labels."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ibidem.app.benchmarks.soft_constraints import decoded
from ibidem.app.reproduce import Figure, Outcome, benchmark
from ibidem.inference import Paths, best
from ibidem.models.penalties import PenaltyConfig, Truth, learnt_on
from ibidem.models.training import ChainConfig, tokens_of
from ibidem.models.trials import crossed, spans_on
from ibidem.tasks import registry
from ibidem.tasks.scoring import Report, score_texts
from ibidem.tasks.statistics import accuracy_difference, accuracy_interval, f1_difference, f1_interval, mcnemar
from ibidem.types import Example, Mark, Span

# Chosen within the training part of the first fold, a tenth of it held out: field F1 there 94.0 to 94.4 for noise from
# 0.3 to 0.6 and rates from 0.05 to 0.15.
CONFIG = ChainConfig(
    optimiser="adagrad",
    epochs=10,
    batch=64,
    rate=0.08,
    noise=0.4,
    context_at_least=3,
    milestones=("title", "journal", "booktitle", "series", "volume"),
)
# The labels of GROBID's citation model by the tags of its corpus.
LABELS = {
    "title": "title",
    "title:a": "title",
    "title:j": "journal",
    "title:m": "booktitle",
    "title:s": "series",
    "author": "author",
    "authors": "author",
    "editor": "editor",
    "orgName": "institution",
    "orgName:collaboration": "collaboration",
    "biblScope:volume": "volume",
    "volumes": "volume",
    "biblScope:issue": "issue",
    "biblScope:page": "pages",
    "biblScope:pages": "pages",
    "page": "pages",
    "date": "date",
    "biblScope:date": "date",
    "publisher": "publisher",
    "publishe": "publisher",
    "pubPlace": "location",
    "note": "note",
    "note:report": "tech",
    "ptr:web": "web",
}
# One of two that were tried in this cross-validation; an importance of 1.5 and 10 violations gave 79.95 % of references
# wholly right and 94.36 field F1.
PENALTIES = PenaltyConfig(importance=1.2, violations=15, rate=0.02, passes=4, batch=32)
_say = partial(print, file=sys.stderr, flush=True)


def relabelled(example: Example) -> Example:
    """The example in GROBID's labels; identifiers of every kind are one label there."""
    marks = [mark for mark in example.marks if "/" not in mark.label]
    names = [LABELS.get(m.label, "pubnum" if m.label.startswith("idno") else "note") for m in marks]
    return replace(example, marks=tuple(Mark(name, m.start, m.end) for name, m in zip(names, marks, strict=True)))


@benchmark("grobid-citation", "Field F1 on GROBID's citation corpus, 10-fold (GROBID: CRF 94.48, BiLSTM-CRF 95.22)")
def grobid_citation() -> Outcome:
    """The figures of ten folds taken together: a field is right when label and text agree, edge punctuation aside."""
    examples = [relabelled(item) for item in registry.load("grobid-citation") if isinstance(item, Example)]
    parts = crossed(examples, 10, CONFIG, _say)
    gold = [marked_texts(examples[place]) for held, _ in parts for place in held]
    plain = score_texts(gold, _found(examples, parts, [best(truth.automaton, truth.potentials) for _, truth in parts]))
    rows = list(field_rows("all fields", plain))
    frequent = {name: score for name, score in plain.labels.items() if score.true >= 50}
    rows += [Figure(name, "field F1", None, 100 * score.f1) for name, score in frequent.items()]
    _say("penalties of constraints, each fold's from the others")
    within = score_texts(gold, _found(examples, parts, _constrained([truth for _, truth in parts])))
    rows += field_rows("with soft constraints, all fields", within)
    rows += difference_rows("with soft constraints", within, "without", plain)
    return f"GROBID citation corpus, {len(examples):,} strings, 10 folds, 1 seed", rows


def field_rows(name: str, report: Report) -> Iterator[Figure]:
    """Whole references and fields, beside GROBID's own figures."""
    whole, fields = accuracy_interval(report.whole_array()), f1_interval(report.count_array())
    ours = [100 * x for x in (fields.value, fields.low, fields.high)]
    yield Figure(name, "whole reference", None, *(100 * x for x in (whole.value, whole.low, whole.high)))
    yield Figure(f"{name}, beside GROBID's CRF", "field F1", 94.48, *ours)
    yield Figure(f"{name}, beside GROBID's BiLSTM-CRF", "field F1", 95.22, *ours)


def difference_rows(name: str, report: Report, other_name: str, other: Report) -> Iterator[Figure]:
    """What one way to label gains over another, in fields and in whole references."""
    fields = f1_difference(report.count_array(), other.count_array())
    whole = accuracy_difference(report.whole_array(), other.whole_array())
    for metric, found in (("field F1", fields), ("whole reference", whole)):
        ends = (100 * x for x in (found.value, found.low, found.high))
        yield Figure(f"{name} less {other_name}", metric, None, *ends)
    p_value = mcnemar(report.whole_array(), other.whole_array()).p_value
    yield Figure(f"{name} against {other_name}, whole reference", "p, McNemar", None, p_value)


def _constrained(truths: Sequence[Truth]) -> list[Paths]:
    """The paths of each fold under constraints whose penalties were learnt on the other folds."""
    found = []
    for place, truth in enumerate(truths):
        others = [other for number, other in enumerate(truths) if number != place]
        learnt = learnt_on(others, PENALTIES, ("only-one", "pairwise"))
        found.append(decoded(learnt, truth).paths)
    return found


def _found(
    examples: Sequence[Example], parts: Sequence[tuple[NDArray[np.int64], Truth]], paths: Sequence[Paths]
) -> list[list[tuple[str, str]]]:
    """The labels and texts of the fields on the paths, string by string."""
    return [
        found_texts(examples[place], spans)
        for (held, truth), path in zip(parts, paths, strict=True)
        for place, spans in zip(held, spans_on(truth, path), strict=True)
    ]


def found_texts(example: Example, spans: Sequence[Span]) -> list[tuple[str, str]]:
    """The labels and texts of spans over the tokens of an example."""
    tokens = tokens_of(example)
    return [(span.label, example.text[tokens[span.start].start : tokens[span.end - 1].end]) for span in spans]


def marked_texts(example: Example) -> list[tuple[str, str]]:
    """The labels and texts of an example's own marks."""
    return [(mark.label, example.text[mark.start : mark.end]) for mark in example.marks]
