"""The default model on strings that it was not trained on."""

from __future__ import annotations

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import model_path, say
from ibidem.metrics.calibration import measure_calibration
from ibidem.metrics.significance import bootstrap_accuracy, bootstrap_f1
from ibidem.models.cards import judge_fields, judge_strings
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
# Wanted of exact match and of the calibration error, set before the model was trained.
_BARS = {"elife": 88.0, "grobid-citation": 82.0, "anystyle": 86.5, "linkedbooks": 79.0}
_DOMAIN_BARS = {"en": 74.0, "de": 66.0}
_CALIBRATED = 2.0


@benchmark("open-sets", "Exact match of the default model on strings that it was not trained on")
def open_sets() -> Outcome:
    """Score each set: exact match of top-level fields after stripping edge punctuation, with parts, calibration."""
    parser = ibidem.load(model_path())
    rows: list[Result] = []
    for name, split in _SETS:
        examples = examples_of(name, split)
        report = evaluate_examples(parser, examples)
        deep = evaluate_examples(parser, examples, deep=True)
        whole, fields = bootstrap_accuracy(report.exact_match_array()), bootstrap_f1(report.count_array())
        row = f"{name} {split}, {len(examples):,} strings"
        bar = _DOMAIN_BARS[split] if name == "excite" else _BARS.get(name)
        rows.append(Result(row, "exact match", None, 100 * whole.value, 100 * whole.low, 100 * whole.high, bar=bar))
        rows.append(Result(row, "field F1", None, 100 * fields.value, 100 * fields.low, 100 * fields.high))
        rows.append(Result(row, "exact match with parts", None, 100 * deep.accuracy))
        judged = judge_fields(parser, examples)
        wrong = 100 * measure_calibration(judged.confidence, judged.right).error
        rows.append(
            Result(
                row, "calibration error of fields, points", None, wrong, bar=_CALIBRATED if name == "excite" else None
            )
        )
        wrong = 100 * measure_calibration(*judge_strings(parser, examples)).error
        rows.append(Result(row, "calibration error of strings, points", None, wrong))
        say(f"{row}: exact match {100 * whole.value:.1f}, field F1 {100 * fields.value:.2f}")
    return (
        "dev splits of the open sets; EXCITE (English, German) whole, of another domain than anything trained on",
        rows,
    )
