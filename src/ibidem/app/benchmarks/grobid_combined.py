"""GROBID's citation corpus by chains and a semi-CRF that answer together: the ten folds of `grobid-citation`."""

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
# Chosen on a tenth of the training part of the first fold: field F1 there 94.59 for the chain, 94.70 for the chain with
# more noise, 94.03 for the semi-CRF, 95.14 for the three together by the mean of their probabilities and 94.77 by the
# mean of their logarithms; 94.99 for the chain and the semi-CRF, 95.01 with four more models.
MODELS = (CONFIG, replace(CONFIG, noise=0.6, seed=4), SEMI)


@benchmark("grobid-combined", "Field F1 on GROBID's citation corpus by two chains and a semi-CRF together, 10-fold")
def grobid_combined() -> Outcome:
    """The figures of ten folds taken together, the first chain of each fold beside the three models together."""
    examples = [relabelled(item) for item in registry.load("grobid-citation") if isinstance(item, Example)]
    gold: list[list[tuple[str, str]]] = []
    alone: list[list[tuple[str, str]]] = []
    both: list[list[tuple[str, str]]] = []
    for train, held in folds(len(examples), 10, 1):
        parsers = [parser_of([examples[place] for place in train], config, say) for config in MODELS]
        test = [examples[place] for place in held]
        references = [Reference(example.text, tokens_of(example), example.source) for example in test]
        gold += map(marked_texts, test)
        chain = [labelling.spans for labelling in parsers[0].label(references)]
        alone += map(found_texts, test, chain)
        both += map(found_texts, test, Combined(parsers, [1.0] * len(parsers), several=8).label(references))
        say(f"{len(gold):,} of {len(examples):,} strings")
    plain, together = score_texts(gold, alone), score_texts(gold, both)
    rows = [
        *field_rows("chain", plain),
        *field_rows("two chains and a semi-CRF", together),
        *difference_rows("together", together, "the chain", plain),
    ]
    return f"GROBID citation corpus, {len(examples):,} strings, 10 folds, 1 seed", rows
