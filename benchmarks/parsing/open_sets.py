"""The model that ships, on strings it was not trained on: by whole reference, then by field."""

from __future__ import annotations

import sys

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from ibidem.metrics.significance import accuracy_interval, f1_interval
from ibidem.models.evaluation import evaluate_examples, examples_of

# The share of references that AnyStyle, the best rival that runs offline, gets wholly right, where it was measured.
_SETS = {
    ("elife", "dev"): 50.0,
    ("grobid-citation", "dev"): None,
    ("anystyle", "dev"): None,
    ("giant", "dev"): None,
    ("linkedbooks", "dev"): 27.0,
    ("excite", "en"): 62.0,
    ("excite", "de"): 26.0,
}


@benchmark("open-sets", "Whole references right, by the model that ships, on held-out strings; beside AnyStyle")
def open_sets() -> Outcome:
    """The figures of each set: all top-level fields right after stripping edge punctuation; then with their parts."""
    parser = ibidem.load()
    rows: list[Result] = []
    for (name, split), rival in _SETS.items():
        examples = examples_of(name, split)
        report = evaluate_examples(parser, examples)
        deep = evaluate_examples(parser, examples, deep=True)
        whole, fields = accuracy_interval(report.whole_array()), f1_interval(report.count_array())
        row = f"{name} {split}, {len(examples):,} strings"
        rows.append(Result(row, "whole reference", rival, 100 * whole.value, 100 * whole.low, 100 * whole.high))
        rows.append(Result(row, "field F1", None, 100 * fields.value, 100 * fields.low, 100 * fields.high))
        rows.append(Result(row, "whole reference with parts", None, 100 * deep.accuracy))
        print(f"{row}: whole {100 * whole.value:.1f}, field F1 {100 * fields.value:.2f}", file=sys.stderr, flush=True)
    return (
        "dev splits of the open sets; EXCITE (English, German) whole, of another domain than anything trained on",
        rows,
    )
