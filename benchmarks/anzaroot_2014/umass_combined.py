"""Flat UMass by networks pretrained on open strings, the mean of their scores, and soft constraints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.anzaroot_2014.soft_constraints import JACK_KNIFE
from benchmarks.anzaroot_2014.soft_tables import constrain
from benchmarks.anzaroot_2014.umass import FLAT, examples_of, part_of, score, score_rows, unseen_of
from benchmarks.anzaroot_2014.umass_open import open_data
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import (
    Predictions,
    best_spans,
    cross_train,
    gold_spans,
    recurrent_maker,
    spans_on,
    texts_of,
    truth_of,
)
from benchmarks.support.recurrent.network import Size
from benchmarks.support.recurrent.tagger import RecurrentTagger
from benchmarks.support.recurrent.training import TrainingConfig
from benchmarks.support.timing import say
from ibidem.data.decontamination import Blocklist
from ibidem.metrics.scoring import score_texts
from ibidem.metrics.significance import compare_f1, wilcoxon
from ibidem.models.penalties import GoldStrings, fit_constraints
from ibidem.types import Example

# Chosen by jack-knife over train and dev, span F1. A chain: 95.1 without open strings, 95.5 with them. A network: 95.8
# with 66,016 open strings, 95.9 with 141,000, 96.0 where half of 176,000 are recast records and all have UMass's form.
# Networks of one kind by the mean of their scores: two 96.00 to 96.15, three 96.05 to 96.15, four 96.13 and 96.19; with
# constraints 96.05 to 96.20, 96.02 to 96.15, 96.15 and 96.20. A reranker of the
# labellings of two networks, a chain and a semi-CRF, which stood here before: 96.08 to 96.17.
FEATURES = replace(FLAT, min_count=4, context_min_count=12, label_history=())
SIZE = Size()
PRETRAINING = TrainingConfig(epochs=2, batch=64, learning_rate=2e-3, feature_dropout=0.5)  # on the open strings
FINE_TUNING = TrainingConfig(feature_dropout=0.5)
SEEDS = (1, 2, 3, 4)
PARTS = 8
PUBLISHED = 96.3  # Thai et al. 2020, abstract: RoBERTa, trained on strings generated from BibTeX too
_ONE, _ALL, _LIMITED = "a network", f"{len(SEEDS)} networks", f"{len(SEEDS)} networks, soft constraints"


@dataclass(frozen=True, slots=True)
class _Part:
    """Some strings with the potentials of networks that were not trained on them."""

    examples: Sequence[Example]
    one: GoldStrings  # by the first of the networks
    every: GoldStrings  # by the mean of all


@benchmark(
    "umass-combined",
    "Span F1 on flat UMass by networks pretrained on open data, and with soft constraints",
    reference="Thai et al. 2020 (arXiv 2006.05563), abstract: RoBERTa, trained on generated strings too",
)
def umass_combined() -> Outcome:
    """Score networks by jack-knife over train and dev, and on test after training on both.

    Penalties are fitted on strings that their networks were not trained on: each eighth of train and dev, scored by
    networks of the other seven eighths. In the jack-knife the penalties of a part are fitted on the seven others.
    """
    train, dev, test = (examples_of("umass-flat", split) for split in ("train", "dev", "test"))
    known = train + dev
    others = open_data(Blocklist.from_examples(known + test))
    make = recurrent_maker(known, FEATURES, SIZE, others, PRETRAINING, FINE_TUNING, SEEDS, say)
    parts = [
        _score(tagger, [known[place] for place in held])
        for held, [tagger] in cross_train(len(known), PARTS, [make], say)
    ]
    by_part = [_predict(part, [other for other in parts if other is not part]) for part in parts]
    by_jack_knife = {name: _concatenate([found[name] for found in by_part]) for name in by_part[0]}
    on_test = _predict(_score(make(np.arange(len(known))), test), parts)
    chosen = max(by_jack_knife, key=lambda name: score(by_jack_knife[name]).micro.f1)
    rows = [
        *_rows("jack-knife over train + dev", by_jack_knife, chosen, [one for part in parts for one in part.examples]),
        *_rows("test", on_test, chosen, test),
        *_best("test", on_test[chosen], chosen, test, known),
    ]
    return f"UMass flat: 1454 / 651 / 367 strings, {len(others):,} open strings, {len(SEEDS)} networks", rows


def _score(tagger: RecurrentTagger, examples: Sequence[Example]) -> _Part:
    first = replace(tagger, networks=tagger.networks[:1])
    return _Part(examples, truth_of(first, examples), truth_of(tagger, examples))


def _predict(part: _Part, others: Sequence[_Part]) -> dict[str, Predictions]:
    """Return the predictions of one network, of all, and of all with constraints fitted on the other parts."""
    fitted = fit_constraints([other.every for other in others], JACK_KNIFE)
    one, every, gold = part.one, part.every, gold_spans(part.examples)
    found = {
        _ONE: best_spans(one),
        _ALL: best_spans(every),
        _LIMITED: spans_on(every, constrain(fitted, every).decode().paths),
    }
    return {name: Predictions(gold, spans) for name, spans in found.items()}


def _concatenate(parts: Sequence[Predictions]) -> Predictions:
    """Return the predictions of several parts as one."""
    return Predictions(
        tuple(spans for part in parts for spans in part.gold),
        tuple(spans for part in parts for spans in part.predicted),
    )


def _rows(name: str, found: Mapping[str, Predictions], chosen: str, examples: Sequence[Example]) -> Iterator[Result]:
    """Yield the scores of each system, and what constraints and more networks gain over one network."""
    for system, predictions in found.items():
        yield from score_rows(f"{name}: {system}", score(predictions), None)
    yield from _stripped(f"{name}: {chosen}, punctuation at edges aside", examples, found[chosen])
    yield from _gain(f"{name}: {_LIMITED} minus {_ONE}", found[_LIMITED], found[_ONE])


def _best(
    name: str, predictions: Predictions, chosen: str, examples: Sequence[Example], known: Sequence[Example]
) -> Iterator[Result]:
    """Yield the scores of the system that is best by jack-knife, beside the published result."""
    unseen = unseen_of(examples, known)
    part = f"{name}: best by jack-knife ({chosen}), {sum(unseen)} strings not in train or dev"
    yield from score_rows(f"{name}: best by jack-knife ({chosen})", score(predictions), PUBLISHED)
    yield from score_rows(part, score(part_of(predictions, unseen)), None)


def _stripped(name: str, examples: Sequence[Example], predictions: Predictions) -> Iterator[Result]:
    """Yield the scores with punctuation at the edges of fields ignored."""
    gold, found = (list(map(texts_of, examples, each)) for each in (predictions.gold, predictions.predicted))
    yield from score_rows(name, score_texts(gold, found), None, "field F1")


def _gain(name: str, more: Predictions, less: Predictions) -> Iterator[Result]:
    ours, theirs = score(more), score(less)
    found = compare_f1(ours.count_array(), theirs.count_array())
    p_value = wilcoxon(ours.f1_array(), theirs.f1_array()).p_value
    yield Result(name, "span F1", None, *(100 * x for x in (found.value, found.low, found.high)))
    yield Result(f"{name}, F1 of each string", "p, Wilcoxon", None, p_value)
