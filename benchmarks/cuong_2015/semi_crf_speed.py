"""Figure 2 of Cuong 2015: the speed-up by extensible features; and the cost of a semi-CRF beside a chain.

Run times with and without extensibility are those of the same model on the same strings, alternating: from the numbers
of the features of every word to the best segmentation. For the growth with the length of a string, strings are joined,
and segments may be as long as the string, as in the paper.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np

from benchmarks.cuong_2015 import parscit, published_features, published_models
from benchmarks.cuong_2015.extensibility import Decoding, prepare
from benchmarks.cuong_2015.headers import known
from benchmarks.cuong_2015.published_features import Pool
from benchmarks.cuong_2015.published_models import Published
from benchmarks.cuong_2015.sections import merge_runs
from benchmarks.cuong_2015.semi_crf import CHAIN, SEMI
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import train_parser
from benchmarks.support.timing import alternate, how_many, one_core, say, seconds
from ibidem.data import registry
from ibidem.features.lexicons import Lexicons, empty
from ibidem.labels.bio import labels_of
from ibidem.labels.tasks import AUTHORS, SECTIONS, Task
from ibidem.metrics.scoring import score_tokens
from ibidem.models.likelihood import Weights
from ibidem.models.parser import Parser
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Example, Reference

ORDERS = (1, 2, 3)
# The other tasks: the set, the lexicons of its models, and the number of test strings of the paper.
_OTHERS: dict[str, tuple[Task, Callable[[], Lexicons], int]] = {
    "sections-generic": (SECTIONS, empty, 65),
    "grobid-affiliation-lines": (AUTHORS, known, 145),
    "grobid-author-lists": (AUTHORS, known, 144),
}
_TRAINING = 400  # strings that a model is trained on
LENGTHS = (16, 32, 64, 128, 256)
_TIMES = 5
_NEW = 1800  # strings that the models have not seen; a sixth of them are to warm up
_STEPS = 60  # of training: the time of decoding does not depend on how good the weights are
_FIVE_MINUTES = 300.0
# The data of the authors' program with our features, until L-BFGS converges.
HOSEMICRF = CRFConfig(model="semi", l2=0.5, iterations=300, min_count=1, context_min_count=2)


@benchmark(
    "semi-crf-speed",
    "Figure 2 of Cuong 2015: time with and without extensible features; the price of an order",
    reference="what each row names, measured in the same run; the five minutes are a target",
)
def semi_crf_speed() -> Outcome:
    """Measure speed, all on one core."""
    with one_core():
        rows = [*_figure_2(), *_compare_orders(), *_hosemicrf()]
    data = "ParsCit's test strings for references, else what each row names"
    return f"{data}; one core, median of {_TIMES} alternating runs", rows


def _figure_2() -> Iterator[Result]:
    pool = published_features.read_pool()
    train = pool.part(range(published_features.TRAIN))
    test = pool.part(range(published_features.TRAIN, published_features.TRAIN + how_many(125)))
    for order in ORDERS:
        say(f"references, order {order}, with and without extensible features")
        model = published_models.train(train, order, _STEPS, say)
        yield _one_of_figure_2("references", order, model.decoding(test), 5)
        if order == 2:
            yield from _growth(model, test)
    for name, (task, lists, tested) in _OTHERS.items():
        examples = [merge_runs(each) if task is SECTIONS else each for each in _read_first(name, _TRAINING + tested)]
        held = examples[-how_many(tested) :]
        for order in ORDERS:
            say(f"{name}, order {order}, with and without extensible features")
            work = prepare(examples[:-tested], held, order, task, lists())
            yield _one_of_figure_2(name, order, work)


def _read_first(name: str, most: int, split: str | None = None) -> list[Example]:
    """Read the first examples of a set, in our labels."""
    return list(islice((item for item in registry.load_unified(name, split) if isinstance(item, Example)), most))


def _one_of_figure_2(name: str, order: int, work: Decoding, bar: float | None = None) -> Result:
    slow, quick = work.seconds(_TIMES)
    return Result(
        f"{name}, order {order}, {len(work.lengths)} strings, without extensible features as reference",
        "seconds", slow, quick, ratio=slow / quick, bar=bar,
    )  # fmt: skip


def _growth(model: Published, test: Pool) -> Iterator[Result]:
    """Yield the seconds by length of string, and the exponents of their growth."""
    taken: list[list[float]] = []
    for length in LENGTHS:
        slow, quick = model.with_longest(length).decoding(_join(test, length)).seconds(3)
        taken.append([slow, quick])
        yield Result(
            f"a string of {length} words, order 2, without extensible features as reference",
            "seconds", slow, quick, ratio=slow / quick,
        )  # fmt: skip
    steps = np.diff(np.log(taken[-3:]), axis=0) / math.log(2)
    slow, quick = steps.mean(axis=0).tolist()
    yield Result(
        "growth of seconds with the length of the string, without extensible features as reference",
        "exponent", slow, quick,
    )  # fmt: skip


def _join(strings: Pool, length: int) -> Pool:
    """Join strings to one of `length` words."""
    parts = zip(strings.words, strings.features, strings.labels, strict=True)
    words, features, labels = (sum(each, ()) for each in zip(*parts, strict=True))
    times = -(-length // len(words))
    return Pool(((words * times)[:length],), ((features * times)[:length],), ((labels * times)[:length],))


def _compare_orders() -> Iterator[Result]:
    """Compare the speed of the chain and of semi-CRFs of each order, with our features."""
    train, test = parscit.retokenise(parscit.read_strings("train")), parscit.read_strings("test")
    texts = [example.text for example in test]
    parsers: dict[str, Parser] = {}
    for order in range(4):
        name = f"semi-CRF of order {order}" if order else "chain"
        say(f"{name}, our features")
        config = replace(SEMI, order=order) if order else CHAIN
        parsers[name] = train_parser(train, replace(config, epochs=5), lambda _: None)
    for kind, confidence in (("labelling", False), ("labelling with confidence", True)):
        calls = [partial(_label, parser, texts, confidence) for parser in parsers.values()]
        for call in calls:
            call()  # warm
        times = alternate(calls, _TIMES)
        chain = times[0]
        for name, taken in zip(parsers, times, strict=True):
            bar = 10 if name.endswith("2") and not confidence else None
            yield Result(
                f"{kind}, {name}, the chain as reference",
                "strings/s", len(texts) / chain, len(texts) / taken, ratio=chain / taken, bar=bar and 1 / bar,
            )  # fmt: skip
    yield from _compare_on_new_strings(parsers)


def _compare_on_new_strings(parsers: Mapping[str, Parser]) -> Iterator[Result]:
    """Compare the same models on strings that none of them has seen: most types of tokens are new."""
    texts = [example.text for example in _read_first("elife", how_many(_NEW), "dev")]
    size = -(-len(texts) // (_TIMES + 1))
    first, *parts = (texts[begin : begin + size] for begin in range(0, len(texts), size))
    for kind, confidence in (("labelling", False), ("labelling with confidence", True)):
        fresh = {name: Parser(parser.model) for name, parser in parsers.items()}
        total = dict.fromkeys(fresh, 0.0)
        for strings in (first, *parts):
            for name, parser in fresh.items():
                taken = seconds(partial(_label, parser, strings, confidence))
                total[name] += taken if strings is not first else 0.0
        count = len(texts) - len(first)
        for name, taken in total.items():
            yield Result(
                f"{kind}, {count:,} new strings of eLife dev, {name}, the chain as reference",
                "strings/s", count / total["chain"], count / taken, ratio=total["chain"] / taken,
                bar=0.25 if name.endswith("1") else None,
            )  # fmt: skip


def _label(parser: Parser, texts: Sequence[str], confidence: bool) -> None:
    for _ in parser.label_many(texts, confidence=confidence):
        pass


def _hosemicrf() -> Iterator[Result]:
    train, test = ([e for e in registry.load("hosemicrf", s) if isinstance(e, Example)] for s in ("train", "test"))
    for order in ORDERS:
        trainer = Trainer.prepare(
            training_set([(example, False) for example in train], labels_seen(train)),
            default_lexicons(),
            replace(HOSEMICRF, order=order),
        )
        steps: list[float] = []
        began = time.perf_counter()
        weights = trainer.run(_counting(steps))
        taken = time.perf_counter() - began
        say(f"hosemicrf, order {order}: {len(steps)} steps, {taken:.0f} s")
        yield Result(
            f"hosemicrf, order {order}, training to convergence, five minutes as reference",
            "seconds", _FIVE_MINUTES, taken, ratio=_FIVE_MINUTES / taken, bar=1,
        )  # fmt: skip
        yield Result(f"hosemicrf, order {order}, steps", "", None, len(steps))
        found = _label_tokens(Parser(trainer.model(weights)), test)
        gold = [[label.partition("-")[2] or label for label in labels_of(e.tokens, e.annotations)[0]] for e in test]
        yield Result(f"hosemicrf, order {order}", "token accuracy", None, 100 * score_tokens(gold, found).micro.f1)


def _counting(steps: list[float]) -> Callable[[int, float, Weights], bool]:
    def report(_step: int, value: float, _weights: Weights) -> bool:
        steps.append(value)
        return False

    return report


def _label_tokens(parser: Parser, examples: Sequence[Example]) -> list[list[str]]:
    """Return the label that a parser gives each token of examples that come tokenised."""
    found = []
    for example, labelling in zip(
        examples, parser.label([Reference(e.text, e.tokens, e.source) for e in examples]), strict=True
    ):
        labels = ["O"] * len(example.tokens)
        for span in labelling.spans:
            labels[span.start : span.end] = [span.label] * (span.end - span.start)
        found.append(labels)
    return found
