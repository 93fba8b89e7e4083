"""GROBID's citation corpus by chains and a semi-CRF that answer together: the ten folds of `grobid-citation`."""

from __future__ import annotations

from dataclasses import replace

from ibidem.app.benchmarks.grobid import CONFIG, difference_rows, field_rows, found_texts, marked_texts, relabelled
from ibidem.app.benchmarks.timing import say
from ibidem.app.reproduce import Outcome, benchmark
from ibidem.models.combined import Combined
from ibidem.models.judging import Candidates, judge_of
from ibidem.models.trials import references_of, trained_on_others
from ibidem.tasks import registry
from ibidem.tasks.scoring import score_texts
from ibidem.types import Example

SEMI = replace(CONFIG, model="semi", order=2, pattern_at_least=10, milestones=())
# Chosen on a tenth of the training part of the first fold: field F1 there 94.59 for the chain, 94.70 for the chain with
# more noise, 94.03 for the semi-CRF, 95.14 for the three together by the mean of their probabilities and 94.77 by the
# mean of their logarithms; 94.99 for the chain and the semi-CRF, 95.01 with four more models.
MODELS = (CONFIG, replace(CONFIG, noise=0.6, seed=4), SEMI)
_Texts = list[tuple[str, str]]


@benchmark("grobid-combined", "Field F1 on GROBID's citation corpus by three models together and a judge, 10-fold")
def grobid_combined() -> Outcome:
    """The figures of ten folds taken together: the first chain, the three models, and a judge of their readings.

    The judge of a fold learns from the readings of the other nine, each made by models that had not seen the string.
    """
    examples = [relabelled(item) for item in registry.load("grobid-citation") if isinstance(item, Example)]
    tests: list[list[Example]] = []
    alone: list[_Texts] = []
    candidates: list[list[Candidates]] = []
    for held, parsers in trained_on_others(examples, 10, MODELS, say):
        tests.append([examples[place] for place in held])
        references = references_of(tests[-1])
        chain = [labelling.spans for labelling in parsers[0].label(references)]
        alone += map(found_texts, tests[-1], chain)
        candidates.append(Combined(parsers, [1.0] * len(parsers), several=10).candidates(references))
    gold = [marked_texts(example) for test in tests for example in test]
    likeliest = [
        found_texts(example, one.readings[0])
        for test, found in zip(tests, candidates, strict=True)
        for example, one in zip(test, found, strict=True)
    ]
    plain, together, judged = (score_texts(gold, found) for found in (alone, likeliest, _judged(tests, candidates)))
    rows = [
        *field_rows("chain", plain),
        *field_rows("two chains and a semi-CRF", together),
        *field_rows("two chains and a semi-CRF, judged", judged),
        *difference_rows("together", together, "the chain", plain),
        *difference_rows("judged", judged, "together", together),
    ]
    return f"GROBID citation corpus, {len(examples):,} strings, 10 folds, 1 seed", rows


def _judged(tests: list[list[Example]], candidates: list[list[Candidates]]) -> list[_Texts]:
    """What the judge of each fold finds, string by string."""
    worth = [list(map(_worth, test, found)) for test, found in zip(tests, candidates, strict=True)]
    result: list[_Texts] = []
    for place, (test, found) in enumerate(zip(tests, candidates, strict=True)):
        others = [number for number in range(len(tests)) if number != place]
        judge = judge_of(
            [one for number in others for one in candidates[number]], [w for number in others for w in worth[number]]
        )
        result += [found_texts(example, judge.best(one)) for example, one in zip(test, found, strict=True)]
        say(f"judge {place + 1} of {len(tests)}")
    return result


def _worth(example: Example, candidates: Candidates) -> list[float]:
    """The F1 of the fields of each reading."""
    found = [found_texts(example, reading) for reading in candidates.readings]
    return [score.f1 for score in score_texts([marked_texts(example)] * len(found), found).counts]
