"""GROBID's citation corpus: ten-fold cross-validation in its own labels."""

from __future__ import annotations

import sys
from functools import partial

from ibidem.app.reproduce import Figure, Outcome, benchmark
from ibidem.models.training import ChainConfig, tokens_of
from ibidem.models.trials import Trial, folds, parser_of, try_out
from ibidem.tasks import registry
from ibidem.tasks.scoring import score_texts
from ibidem.tasks.statistics import accuracy_interval, f1_interval
from ibidem.types import Example, Span

# Chosen by the first fold alone, trained on nine tenths of the other folds.
CONFIG = ChainConfig(optimiser="adagrad", epochs=6, rate=0.1, l2=1.0, at_least=2, context_at_least=3)
_say = partial(print, file=sys.stderr, flush=True)


@benchmark("grobid-citation", "Field F1 on GROBID's citation corpus, 10-fold (GROBID: CRF 94.48, BiLSTM-CRF 95.22)")
def grobid_citation() -> Outcome:
    """The figures of ten folds taken together: a field is right when label and text agree, edge punctuation aside."""
    examples = [item for item in registry.load("grobid-citation") if isinstance(item, Example)]
    gold, predicted = [], []
    for number, (train, test) in enumerate(folds(len(examples), 10, seed=1)):
        held = [examples[place] for place in test]
        trial = try_out(parser_of([examples[place] for place in train], CONFIG, _say), held)
        _say(f"fold {number + 1} of 10")
        for example, spans in zip(held, trial.predicted, strict=True):
            tokens = tokens_of(example)
            gold.append([(mark.label, example.text[mark.start : mark.end]) for mark in example.marks])
            predicted.append(
                [(span.label, example.text[tokens[span.start].start : tokens[span.end - 1].end]) for span in spans]
            )
    report = score_texts(gold, predicted)
    whole, fields = accuracy_interval(report.whole_array()), f1_interval(report.count_array())
    rows = [
        Figure("all fields", "whole reference", None, *(100 * x for x in (whole.value, whole.low, whole.high))),
        Figure("all fields, GROBID's CRF", "field F1", 94.48, *(100 * x for x in (fields.value, fields.low, fields.high))),
        Figure("all fields, GROBID's BiLSTM-CRF", "field F1", 95.22, *(100 * x for x in (fields.value, fields.low, fields.high))),
    ]
    rows += [Figure(name, "field F1", None, 100 * score.f1) for name, score in report.labels.items() if score.true >= 50]
    return f"GROBID citation corpus, {len(examples):,} strings, 10 folds, 1 seed", rows
