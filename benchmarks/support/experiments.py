"""Experiments: train on some examples, label others, compare; with cross-validation and choice of the prior."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.support.recurrent.network import Network, Size, initialise
from benchmarks.support.recurrent.tagger import RecurrentTagger
from benchmarks.support.recurrent.training import TrainingConfig, train
from ibidem.features import Lexicons
from ibidem.inference import Paths, best
from ibidem.labels.bio import labels_of, spans_of
from ibidem.labels.tasks import REFERENCES, Task
from ibidem.models.likelihood import Encoded
from ibidem.models.parser import Parser
from ibidem.models.penalties import GoldStrings, references_of
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import CRFConfig, Trainer, labels_seen, tokens_of, training_set
from ibidem.types import Example, Span

_Made = TypeVar("_Made")
Make = Callable[[NDArray[np.int64]], _Made]
"""Trains a parser or another tagger on the examples with some indices."""

_LONGEST = 120  # tokens in a string of other data: a batch takes as long as its longest string


@dataclass(frozen=True, slots=True)
class Predictions:
    """Gold and predicted spans over the same tokens, string by string."""

    gold: tuple[tuple[Span, ...], ...]
    predicted: tuple[tuple[Span, ...], ...]


def train_parser(
    training: Sequence[Example],
    config: CRFConfig,
    say: Callable[[str], None],
    task: Task = REFERENCES,
    known: Lexicons | None = None,
    loose: Callable[[Example], bool] = lambda _: False,
) -> Parser:
    """Train a parser on examples in their own labels; what their annotations leave open stays open.

    `known` are the lexicons, by default those of the default model. Field boundaries are uncertain in the examples for
    which `loose` holds.
    """
    data = training_set(((example, loose(example)) for example in training), labels_seen(training, task=task), task)
    trainer = Trainer.prepare(data, default_lexicons() if known is None else known, config, say)
    if trainer.skipped:
        say(f"{trainer.skipped} training strings skipped: the label set cannot represent their annotation")

    def report(step: int, value: float, _: object) -> bool:
        if step % 20 == 0:
            say(f"  step {step}: objective {value:,.1f}")
        return False

    return Parser(trainer.model(trainer.run(report)))


def gold_spans(examples: Sequence[Example], task: Task = REFERENCES) -> tuple[tuple[Span, ...], ...]:
    """Return the gold spans of the examples over their tokens."""
    return tuple(tuple(spans_of(labels_of(tokens_of(example, task), example.annotations)[0])) for example in examples)


def texts_of(example: Example, spans: Sequence[Span]) -> list[tuple[str, str]]:
    """Return the labels and texts of spans over the tokens of an example."""
    tokens = tokens_of(example)
    return [(span.label, example.text[tokens[span.start].start : tokens[span.end - 1].end]) for span in spans]


def predict(parser: Parser, test: Sequence[Example]) -> Predictions:
    """Return the gold spans of the examples and those that the parser predicts on the same tokens."""
    labellings = parser.label(references_of(test, parser.task))
    return Predictions(gold_spans(test, parser.task), tuple(labelling.spans for labelling in labellings))


def truth_of(tagger: Parser | RecurrentTagger, examples: Sequence[Example]) -> GoldStrings:
    """Return the examples as penalties are fitted on them: the potentials of a tagger and the gold labels."""
    references = references_of(examples, tagger.task)
    gold = tuple(
        tuple(labels_of(reference.tokens, example.annotations)[0])
        for reference, example in zip(references, examples, strict=True)
    )
    return GoldStrings(tagger.labels, tagger.automaton, tagger.potentials(references), gold, tagger.spans)


def parser_maker(examples: Sequence[Example], config: CRFConfig, say: Callable[[str], None]) -> Make[Parser]:
    """Return a function that trains parsers on some of the examples, by their indices."""
    return lambda places: train_parser([examples[place] for place in places], config, say)


def among(trainer: Trainer, places: NDArray[np.int64]) -> Encoded:
    """Return the usable ones of some strings, given by their places in the training set, with all features."""
    number = np.cumsum(trainer.usable) - 1
    return trainer.encoded.strings(number[places[trainer.usable[places]]])


def recurrent_maker(
    examples: Sequence[Example],
    features: CRFConfig,
    size: Size,
    others: Sequence[Example],
    first: TrainingConfig,
    then: TrainingConfig,
    seeds: Sequence[int],
    say: Callable[[str], None],
) -> Make[RecurrentTagger]:
    """Return a function that fine-tunes networks, one for each seed, on some of the examples, by their indices.

    The networks have the features of a chain. They are pretrained once on the other strings, without very long ones;
    the labels there may be less definite than in the examples. The feature dictionary is that of all strings, including
    examples that a tagger is not trained on.
    """
    strings = [*examples, *(example for example in others if len(tokens_of(example)) <= _LONGEST)]
    data = training_set(((example, False) for example in strings), labels_seen(strings))
    trainer = Trainer.prepare(data, default_lexicons(), features, say)
    rest = among(trainer, np.arange(len(examples), len(strings)))
    encoder, labels, lattice = trainer.encoder, trainer.labels, trainer.lattice

    def pretrain(seed: int) -> Network:
        random = np.random.default_rng(seed)
        blank = initialise(size, len(encoder.attributes), encoder.contexts, len(labels), lattice.arcs, random)

        def report(step: int, value: float) -> None:
            say(f"  network {seed}, pretraining, epoch {step}: loss {value:,.1f}")

        return train(blank, rest, lattice, replace(first, seed=seed), report)

    pretrained = run_concurrently([partial(pretrain, seed) for seed in seeds])

    def make(places: NDArray[np.int64]) -> RecurrentTagger:
        part = among(trainer, places)
        calls = [
            partial(train, network, part, lattice, replace(then, seed=seed), lambda *_: None)
            for seed, network in zip(seeds, pretrained, strict=True)
        ]
        return RecurrentTagger(tuple(labels), trainer.automaton, encoder, tuple(run_concurrently(calls)))

    return make


def run_concurrently(calls: Sequence[Callable[[], _Made]]) -> list[_Made]:
    """Return the results of several calls, run in as many threads as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda call: call(), calls))


def cross_train(
    count: int, number: int, makers: Sequence[Make[_Made]], say: Callable[[str], None], seed: int = 1
) -> Iterator[tuple[NDArray[np.int64], list[_Made]]]:
    """Yield the indices of each held-out fold of `count` examples with what the makers train on the other folds."""
    for part, (others, held) in enumerate(folds(count, number, seed), 1):
        yield held, run_concurrently([partial(make, others) for make in makers])
        say(f"fold {part} of {number}")


def best_spans(truth: GoldStrings) -> tuple[tuple[Span, ...], ...]:
    """Return the spans on the best path of each string, without constraints."""
    return spans_on(truth, best(truth.automaton, truth.potentials))


def spans_on(truth: GoldStrings, paths: Paths) -> tuple[tuple[Span, ...], ...]:
    """Return the spans on a path of each string."""
    return tuple(map(tuple, truth.spans(paths, truth.potentials.lengths)))


def folds(count: int, number: int, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the indices of the training and test strings of each fold of a cross-validation."""
    order = np.random.default_rng(seed).permutation(count)
    parts = np.array_split(order, number)
    return [(np.sort(np.concatenate(parts[:k] + parts[k + 1 :])), np.sort(parts[k])) for k in range(number)]
