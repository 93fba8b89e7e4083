"""Flat UMass by chains and a semi-CRF that answer together, and a judge of their readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ibidem.app.benchmarks.timing import say
from ibidem.app.benchmarks.umass import FLAT, examples_of, part_of, score, score_rows, unseen_of
from ibidem.app.reproduce import Figure, Outcome, benchmark
from ibidem.models.combined import Combined
from ibidem.models.judging import Candidates, Judge, judge_of
from ibidem.models.parser import Parser
from ibidem.models.trials import Trial, gold_spans, parser_of, references_of, trained_on_others, try_out
from ibidem.tasks.scoring import score_spans
from ibidem.tasks.statistics import f1_difference, wilcoxon
from ibidem.types import Example

# Chosen on the development strings: span F1 there 94.6 and 94.9 for the two chains, 94.3 for the semi-CRF, 95.0 for the
# three together; 95.2 to 95.6 with a judge, over 12 choices of its features and how strongly they are held to zero.
MODELS = (FLAT, replace(FLAT, seed=2), replace(FLAT, model="semi", milestones=()))
PARTS = 8


@benchmark("umass-combined", "Span F1 on flat UMass by three models together and a judge of their readings")
def umass_combined() -> Outcome:
    """The figures of models trained on train; the judge learns from readings of strings that they have not seen.

    On dev the judge knows training strings alone, each read by models trained on the other seven eighths; on test also
    the development strings, read by the models themselves.
    """
    train, dev, test = (examples_of("umass-flat", split) for split in ("train", "dev", "test"))
    known: list[Example] = []
    readings: list[Candidates] = []
    for held, parsers in trained_on_others(train, PARTS, MODELS, say):
        known += (part := [train[place] for place in held])
        readings += _read(parsers, part)
    parsers = [parser_of(train, config, say) for config in MODELS]
    on_dev, on_test = _read(parsers, dev), _read(parsers, test)
    judges = _judge(known, readings), _judge([*known, *dev], [*readings, *on_dev])
    rows: list[Figure] = []
    for split, examples, found, judge in zip(("dev", "test"), (dev, test), (on_dev, on_test), judges, strict=True):
        chain = try_out(parsers[0], examples)
        together = Trial(chain.gold, tuple(one.readings[0] for one in found))
        judged = Trial(chain.gold, tuple(judge.best(one) for one in found))
        rows += score_rows(f"chain, on {split}", score(chain), None)
        rows += score_rows(f"two chains and a semi-CRF, on {split}", score(together), None)
        rows += score_rows(f"two chains and a semi-CRF, judged, on {split}", score(judged), None)
        rows += _gain(f"judged less chain, on {split}", judged, chain)
        if split == "test":
            unseen = unseen_of(test, train + dev)
            name = f"judged, on {sum(unseen)} test strings not in train or dev"
            rows += score_rows(name, score(part_of(judged, unseen)), None)
    return "UMass flat: 1454 / 651 / 367 strings, trained on train; the judge for test on train and dev", rows


def _read(parsers: Sequence[Parser], examples: Sequence[Example]) -> list[Candidates]:
    return Combined(parsers, [1.0] * len(parsers), several=10).candidates(references_of(examples))


def _judge(examples: Sequence[Example], readings: Sequence[Candidates]) -> Judge:
    worth = [
        [count.f1 for count in score_spans([gold] * len(one.readings), one.readings).counts]
        for gold, one in zip(gold_spans(examples), readings, strict=True)
    ]
    return judge_of(readings, worth)


def _gain(name: str, judged: Trial, chain: Trial) -> list[Figure]:
    ours, theirs = score(judged), score(chain)
    found = f1_difference(ours.count_array(), theirs.count_array())
    p_value = wilcoxon([count.f1 for count in ours.counts], [count.f1 for count in theirs.counts]).p_value
    return [
        Figure(name, "span F1", None, *(100 * x for x in (found.value, found.low, found.high))),
        Figure(f"{name}, F1 of each string", "p, Wilcoxon", None, p_value),
    ]
