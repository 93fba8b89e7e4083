"""GROBID's citation corpus by a chain and a semi-CRF that answer together: the ten folds of `grobid-citation`."""

from __future__ import annotations

from dataclasses import replace

from ibidem.app.benchmarks.grobid import CONFIG, difference_rows, field_rows, found_texts, marked_texts, relabelled
from ibidem.app.benchmarks.timing import say
from ibidem.app.reproduce import Outcome, benchmark
from ibidem.models.combined import Combined
from ibidem.models.training import tokens_of
from ibidem.models.trials import folds, parser_of
from ibidem.tasks import registry
from ibidem.tasks.scoring import score_texts
from ibidem.types import Example, Reference

SEMI = replace(CONFIG, model="semi", order=2, pattern_at_least=10, milestones=())
# Chosen on a tenth of the training part of the first fold: field F1 there 94.59 for the chain alone, 94.30 for the
# semi-CRF alone, 95.02 with a weight of 0.3 for the semi-CRF, 94.93 with 0.5.
WEIGHTS = (0.7, 0.3)


@benchmark("grobid-combined", "Field F1 on GROBID's citation corpus by a chain and a semi-CRF together, 10-fold")
def grobid_combined() -> Outcome:
    """The figures of ten folds taken together, the chain of each fold beside the two models together."""
    examples = [relabelled(item) for item in registry.load("grobid-citation") if isinstance(item, Example)]
    gold: list[list[tuple[str, str]]] = []
    alone: list[list[tuple[str, str]]] = []
    both: list[list[tuple[str, str]]] = []
    for train, held in folds(len(examples), 10, 1):
        parsers = [parser_of([examples[place] for place in train], config, say) for config in (CONFIG, SEMI)]
        test = [examples[place] for place in held]
        references = [Reference(example.text, tokens_of(example), example.source) for example in test]
        gold += map(marked_texts, test)
        chain = [labelling.spans for labelling in parsers[0].label(references)]
        alone += map(found_texts, test, chain)
        both += map(found_texts, test, Combined(parsers, WEIGHTS).label(references))
        say(f"{len(gold):,} of {len(examples):,} strings")
    plain, together = score_texts(gold, alone), score_texts(gold, both)
    rows = [
        *field_rows("chain", plain),
        *field_rows("chain and semi-CRF", together),
        *difference_rows("together", together, "the chain", plain),
    ]
    return f"GROBID citation corpus, {len(examples):,} strings, 10 folds, 1 seed", rows
