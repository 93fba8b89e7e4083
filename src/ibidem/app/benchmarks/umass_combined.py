"""Flat UMass by two chains that learnt from open strings first, a semi-CRF, and a judge of what they read together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ibidem.app.benchmarks.timing import say
from ibidem.app.benchmarks.umass import FLAT, examples_of, part_of, score, score_rows, unseen_of
from ibidem.app.benchmarks.umass_open import open_data
from ibidem.app.reproduce import Figure, Outcome, benchmark
from ibidem.models.combined import Combined
from ibidem.models.judging import Candidates, Judge, judge_of
from ibidem.models.parser import Parser
from ibidem.models.trials import Trial, cold, gold_spans, lexicons, references_of, trained_on_others, try_out, warm
from ibidem.tasks.overlap import Blocklist
from ibidem.tasks.scoring import score_spans
from ibidem.tasks.statistics import f1_difference, wilcoxon
from ibidem.types import Example, Span

# Chosen by jack-knife over train and dev, span F1. A chain: 95.1 without open strings, 95.3 with GROBID's 7,749 first,
# 95.4 with 54,031, 95.3 and 95.5 with 66,016, 95.5 with 141,000. Two such chains and the semi-CRF: 95.5 together, 95.8
# judged, the same with one without open strings for the second or with a semi-CRF that learnt from them too; 95.2 and
# 95.55 with no open strings at all.
CHAINS = (replace(FLAT, epochs=20), replace(FLAT, epochs=20, seed=2))
SEMI = replace(FLAT, model="semi", milestones=())
FIRST = replace(FLAT, epochs=4, batch=32, noise=0.5)  # how the chains learn the open strings
PARTS = 8


@dataclass(frozen=True, slots=True)
class _Part:
    """Some strings as models that have not seen them read them."""

    examples: Sequence[Example]
    chain: tuple[tuple[Span, ...], ...]  # by the first model alone
    candidates: Sequence[Candidates]  # by all of them


@benchmark("umass-combined", "Span F1 on flat UMass by three models together, two begun on open data, and a judge")
def umass_combined() -> Outcome:
    """The figures by jack-knife over train and dev, and on test of models trained on both.

    A judge learns from readings of strings that their models have not seen: each eighth of train and dev, read by
    models of the other seven eighths. In the jack-knife the judge of a part is that of the seven others.
    """
    train, dev, test = (examples_of("umass-flat", split) for split in ("train", "dev", "test"))
    known = train + dev
    others = open_data(Blocklist.from_examples(known + test))
    makers = [
        *(warm(known, chain, others, replace(FIRST, seed=chain.seed), say) for chain in CHAINS),
        cold(known, SEMI, say),
    ]
    parts = [
        _read(parsers, [known[place] for place in held])
        for held, parsers in trained_on_others(len(known), PARTS, makers, say)
    ]
    rows = _rows("jack-knife over train + dev", parts, list(_judged(parts)))
    on_test = _read([make(np.arange(len(known))) for make in makers], test)
    judge = _judge(parts)
    rows += _rows("test", [on_test], [judge.best(one) for one in on_test.candidates], unseen_of(test, known))
    data = f"UMass flat: 1454 / 651 / 367 strings, {len(others):,} open strings, two chains and a semi-CRF, 1 seed"
    return data, rows


def _read(parsers: Sequence[Parser], examples: Sequence[Example]) -> _Part:
    together = Combined(parsers, [1.0] * len(parsers), several=10)
    return _Part(examples, try_out(parsers[0], examples).predicted, together.candidates(references_of(examples)))


def _judge(parts: Sequence[_Part]) -> Judge:
    """The judge that learnt from some parts."""
    readings = [one for part in parts for one in part.candidates]
    gold = [spans for part in parts for spans in gold_spans(part.examples)]
    worth = [
        [count.f1 for count in score_spans([spans] * len(one.readings), one.readings).counts]
        for spans, one in zip(gold, readings, strict=True)
    ]
    return judge_of(readings, worth, lexicons())


def _judged(parts: Sequence[_Part]) -> Iterator[tuple[Span, ...]]:
    """What the judge of the other parts prefers in each part."""
    for part in parts:
        judge = _judge([other for other in parts if other is not part])
        yield from (judge.best(one) for one in part.candidates)


def _rows(
    name: str, parts: Sequence[_Part], preferred: Sequence[tuple[Span, ...]], unseen: Sequence[bool] | None = None
) -> list[Figure]:
    """The first chain, the three models together, and what a judge prefers of their readings."""
    gold = tuple(spans for part in parts for spans in gold_spans(part.examples))
    chain = Trial(gold, tuple(spans for part in parts for spans in part.chain))
    together = Trial(gold, tuple(one.readings[0] for part in parts for one in part.candidates))
    judged = Trial(gold, tuple(preferred))
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


def _gain(name: str, judged: Trial, chain: Trial) -> list[Figure]:
    ours, theirs = score(judged), score(chain)
    found = f1_difference(ours.count_array(), theirs.count_array())
    p_value = wilcoxon([count.f1 for count in ours.counts], [count.f1 for count in theirs.counts]).p_value
    return [
        Figure(name, "span F1", None, *(100 * x for x in (found.value, found.low, found.high))),
        Figure(f"{name}, F1 of each string", "p, Wilcoxon", None, p_value),
    ]
