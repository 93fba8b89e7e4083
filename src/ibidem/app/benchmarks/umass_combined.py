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
from ibidem.models.trials import Trial, gold_spans, lexicons, parser_of, references_of, trained_on_others, try_out
from ibidem.tasks.scoring import score_spans
from ibidem.tasks.statistics import f1_difference, wilcoxon
from ibidem.types import Example

# Chosen on the development strings: span F1 there 94.6 and 94.9 for the two chains, 94.3 for the semi-CRF, 95.0 for the
# three together; 95.2 to 95.9 with a judge, over 15 choices of its features and how strongly they are held to zero.
# By jack-knife over train and dev: 95.2 for the three together, 95.5 judged without lexicons, 95.55 with them; 95.57 by
# five models or with a semi-CRF of order 2; 95.57 and 95.64 with the labels of the model that ships as features.
MODELS = (FLAT, replace(FLAT, seed=2), replace(FLAT, model="semi", milestones=()))
PARTS = 8
_Known = tuple[list[Example], list[Candidates]]


@benchmark("umass-combined", "Span F1 on flat UMass by three models together and a judge of their readings")
def umass_combined() -> Outcome:
    """The figures of models trained on train, on dev and on test, and of models trained on both, on test.

    A judge learns from readings of strings that their models have not seen: each eighth of what the models are trained
    on, read by models of the other seven eighths, and for the models of train on test the development strings too.
    """
    train, dev, test = (examples_of("umass-flat", split) for split in ("train", "dev", "test"))
    unseen = unseen_of(test, train + dev)
    of_train, parsers = _crossed(train), [parser_of(train, config, say) for config in MODELS]
    on_dev = _read(parsers, dev)
    rows = _rows("train, on dev", parsers, (dev, on_dev), _judge(of_train))
    with_dev = (of_train[0] + dev, of_train[1] + on_dev)
    rows += _rows("train, on test", parsers, (test, _read(parsers, test)), _judge(with_dev), unseen)
    parsers = [parser_of(train + dev, config, say) for config in MODELS]
    judge = _judge(_crossed(train + dev))
    rows += _rows("train + dev, on test", parsers, (test, _read(parsers, test)), judge, unseen)
    return "UMass flat: 1454 / 651 / 367 strings, two chains and a semi-CRF, 1 seed", rows


def _rows(
    name: str, parsers: Sequence[Parser], known: _Known, judge: Judge, unseen: Sequence[bool] | None = None
) -> list[Figure]:
    """The first chain, the three models together, and what the judge makes of their readings."""
    examples, found = known
    chain = try_out(parsers[0], examples)
    together = Trial(chain.gold, tuple(one.readings[0] for one in found))
    judged = Trial(chain.gold, tuple(judge.best(one) for one in found))
    rows = [
        *score_rows(f"{name}: chain", score(chain), None),
        *score_rows(f"{name}: together", score(together), None),
        *score_rows(f"{name}: judged", score(judged), None),
        *_gain(f"{name}: judged less chain", judged, chain),
    ]
    if unseen is not None:
        part = f"{name}: judged, {sum(unseen)} strings not in train or dev"
        rows += score_rows(part, score(part_of(judged, unseen)), None)
    return rows


def _crossed(examples: Sequence[Example]) -> _Known:
    """The examples, part by part, with what models that were trained on the other parts read in them."""
    known: list[Example] = []
    readings: list[Candidates] = []
    for held, parsers in trained_on_others(examples, PARTS, MODELS, say):
        known += (part := [examples[place] for place in held])
        readings += _read(parsers, part)
    return known, readings


def _read(parsers: Sequence[Parser], examples: Sequence[Example]) -> list[Candidates]:
    return Combined(parsers, [1.0] * len(parsers), several=10).candidates(references_of(examples))


def _judge(known: _Known) -> Judge:
    examples, readings = known
    worth = [
        [count.f1 for count in score_spans([gold] * len(one.readings), one.readings).counts]
        for gold, one in zip(gold_spans(examples), readings, strict=True)
    ]
    return judge_of(readings, worth, lexicons())


def _gain(name: str, judged: Trial, chain: Trial) -> list[Figure]:
    ours, theirs = score(judged), score(chain)
    found = f1_difference(ours.count_array(), theirs.count_array())
    p_value = wilcoxon([count.f1 for count in ours.counts], [count.f1 for count in theirs.counts]).p_value
    return [
        Figure(name, "span F1", None, *(100 * x for x in (found.value, found.low, found.high))),
        Figure(f"{name}, F1 of each string", "p, Wilcoxon", None, p_value),
    ]
