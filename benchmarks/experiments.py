"""Trials: train on some examples, label others, compare; what the benchmarks and cross-validation are made of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.recurrent.learning import TrainingConfig, learnt
from benchmarks.recurrent.net import Net, Size, fresh
from benchmarks.recurrent.reader import RecurrentReader
from ibidem.features import Lexicons
from ibidem.inference import Paths, best
from ibidem.labels.bio import labels_of, spans_of
from ibidem.labels.tasks import REFERENCES, Task
from ibidem.models.parser import Parser
from ibidem.models.penalties import GoldStrings, references_of
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import CRFConfig, Trainer, labels_seen, tokens_of, training_set
from ibidem.types import Example, Span

_Made = TypeVar("_Made")
Make = Callable[[NDArray[np.int64]], _Made]
"""Makes a parser, or another reader, of the examples at some places."""

_LONGEST = 120  # tokens of other strings that a network learns from: those of a batch take as long as its longest

SIGMAS = (0.1, 1.0, 10.0, 100.0)
"""The widths of the Gaussian prior of weights that Cuong 2015 chooses among."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Gold and predicted spans over the same tokens, string by string."""

    gold: tuple[tuple[Span, ...], ...]
    predicted: tuple[tuple[Span, ...], ...]


def parser_of(
    train: Sequence[Example],
    config: CRFConfig,
    say: Callable[[str], None],
    task: Task = REFERENCES,
    known: Lexicons | None = None,
    loose: Callable[[Example], bool] = lambda _: False,
) -> Parser:
    """A parser trained on examples whose marks are complete but for what they leave open, in their own labels.

    `known` are the lexicons, those of the model that ships where none are given. The edges of the fields are uncertain
    in the examples that are `loose`.
    """
    data = training_set(((example, loose(example)) for example in train), labels_seen(train, task=task), task)
    trainer = Trainer.prepare(data, default_lexicons() if known is None else known, config, say)
    if trainer.skipped:
        say(f"{trainer.skipped} training strings fit no path and were left out")

    def report(step: int, value: float, _: object) -> bool:
        if step % 20 == 0:
            say(f"  step {step}: objective {value:,.1f}")
        return False

    return Parser(trainer.model(trainer.run(report)))


def with_best_sigma(
    train: Sequence[Example],
    validation: Sequence[Example],
    config: CRFConfig,
    score: Callable[[Trial], float],
    say: Callable[[str], None],
    sigmas: Sequence[float] = SIGMAS,
) -> CRFConfig:
    """The settings with the penalty 1 / (2 sigma^2) that does best on validation strings; the strictest of equals."""
    found: list[tuple[float, CRFConfig]] = []
    for sigma in sorted(sigmas):
        tried = replace(config, l2=1 / (2 * sigma * sigma))
        found.append((score(try_out(parser_of(train, tried, say), validation)), tried))
        say(f"sigma {sigma:g}: {found[-1][0]:.4f} on {len(validation)} validation strings")
    return max(found, key=lambda pair: pair[0])[1]


def gold_spans(examples: Sequence[Example], task: Task = REFERENCES) -> tuple[tuple[Span, ...], ...]:
    """The true spans of the examples over their tokens."""
    return tuple(tuple(spans_of(labels_of(tokens_of(example, task), example.annotations)[0])) for example in examples)


def texts_of(example: Example, spans: Sequence[Span]) -> list[tuple[str, str]]:
    """The labels and texts of spans over the tokens of an example."""
    tokens = tokens_of(example)
    return [(span.label, example.text[tokens[span.start].start : tokens[span.end - 1].end]) for span in spans]


def try_out(parser: Parser, test: Sequence[Example]) -> Trial:
    """The spans of the examples and those the parser finds on the same tokens."""
    labellings = parser.label(references_of(test, parser.task))
    return Trial(gold_spans(test, parser.task), tuple(labelling.spans for labelling in labellings))


def truth_of(reader: Parser | RecurrentReader, examples: Sequence[Example]) -> GoldStrings:
    """The examples as penalties are learnt on them: the scores a reader gives their tokens, and their true labels."""
    references = references_of(examples, reader.task)
    gold = tuple(
        tuple(labels_of(reference.tokens, example.annotations)[0])
        for reference, example in zip(references, examples, strict=True)
    )
    return GoldStrings(reader.labels, reader.automaton, reader.potentials(references), gold, reader.spans)


def parsers_of(examples: Sequence[Example], config: CRFConfig, say: Callable[[str], None]) -> Make[Parser]:
    """Makes parsers of some of the examples, by their places."""
    return lambda places: parser_of([examples[place] for place in places], config, say)


def recurrent(
    examples: Sequence[Example],
    features: CRFConfig,
    size: Size,
    others: Sequence[Example],
    first: TrainingConfig,
    then: TrainingConfig,
    seeds: Sequence[int],
    say: Callable[[str], None],
) -> Make[RecurrentReader]:
    """Makes readers of some of the examples: networks, one for each seed, that learnt other strings first.

    The networks have the features of a chain. The other strings are learnt once for all readers; those that are very
    long are left out, and labels may be less definite in them than in the examples. What features there are is as all
    strings show it, those of the examples that a reader is not made of among them.
    """
    strings = [*examples, *(example for example in others if len(tokens_of(example)) <= _LONGEST)]
    data = training_set(((example, False) for example in strings), labels_seen(strings))
    trainer = Trainer.prepare(data, default_lexicons(), features, say)
    rest = trainer.among(np.arange(len(examples), len(strings))).encoded
    encoder, labels, lattice = trainer.encoder, trainer.labels, trainer.lattice

    def taught(seed: int) -> Net:
        random = np.random.default_rng(seed)
        blank = fresh(size, len(encoder.attributes), encoder.contexts, len(labels), lattice.arcs, random)

        def report(step: int, value: float) -> None:
            say(f"  network {seed}, other strings, pass {step}: loss {value:,.1f}")

        return learnt(blank, rest, lattice, replace(first, seed=seed), report)

    begun = at_once([partial(taught, seed) for seed in seeds])

    def make(places: NDArray[np.int64]) -> RecurrentReader:
        part = trainer.among(places).encoded
        nets = [
            partial(learnt, net, part, lattice, replace(then, seed=seed), lambda *_: None)
            for seed, net in zip(seeds, begun, strict=True)
        ]
        return RecurrentReader(tuple(labels), trainer.automaton, encoder, tuple(at_once(nets)))

    return make


def at_once(calls: Sequence[Callable[[], _Made]]) -> list[_Made]:
    """What several calls give, as many of them at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda call: call(), calls))


def trained_on_others(
    count: int, number: int, makers: Sequence[Make[_Made]], say: Callable[[str], None], seed: int = 1
) -> Iterator[tuple[NDArray[np.int64], list[_Made]]]:
    """The places of each of several parts of so many examples, with what is made of the other parts, all at once."""
    for part, (train, held) in enumerate(folds(count, number, seed), 1):
        yield held, at_once([partial(make, train) for make in makers])
        say(f"part {part} of {number}")


def best_spans(truth: GoldStrings) -> tuple[tuple[Span, ...], ...]:
    """The spans on the best path of each string, without constraints."""
    return spans_on(truth, best(truth.automaton, truth.potentials))


def spans_on(truth: GoldStrings, paths: Paths) -> tuple[tuple[Span, ...], ...]:
    """The spans on a path of each string."""
    return tuple(map(tuple, truth.spans(paths, truth.potentials.lengths)))


def folds(count: int, number: int, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The numbers of the training and test strings of each fold of a cross-validation."""
    order = np.random.default_rng(seed).permutation(count)
    parts = np.array_split(order, number)
    return [(np.sort(np.concatenate(parts[:k] + parts[k + 1 :])), np.sort(parts[k])) for k in range(number)]
