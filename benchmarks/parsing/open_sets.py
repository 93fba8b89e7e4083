"""The default model on strings that it was not trained on."""

from __future__ import annotations

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import say
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.evaluation import evaluate_examples, examples_of

_SETS = (
    ("elife", "dev"),
    ("grobid-citation", "dev"),
    ("anystyle", "dev"),
    ("giant", "dev"),
    ("linkedbooks", "dev"),
    ("excite", "en"),
    ("excite", "de"),
)


@benchmark("open-sets", "Exact match of the default model on strings that it was not trained on")
def open_sets() -> Outcome:
    """Score each set: exact match of all top-level fields after stripping edge punctuation; then with their parts."""
    parser = ibidem.load()
    rows: list[Result] = []
    for name, split in _SETS:
        examples = examples_of(name, split)
        report = evaluate_examples(parser, examples)
        deep = evaluate_examples(parser, examples, deep=True)
        whole, fields = bootstrap_accuracy(report.exact_match_array()), bootstrap_f1(report.count_array())
        row = f"{name} {split}, {len(examples):,} strings"
        rows.append(Result(row, "exact match", None, 100 * whole.value, 100 * whole.low, 100 * whole.high))
        rows.append(Result(row, "field F1", None, 100 * fields.value, 100 * fields.low, 100 * fields.high))
        rows.append(Result(row, "exact match with parts", None, 100 * deep.accuracy))
        say(f"{row}: exact match {100 * whole.value:.1f}, field F1 {100 * fields.value:.2f}")
    return (
        "dev splits of the open sets; EXCITE (English, German) whole, of another domain than anything trained on",
        rows,
    )
