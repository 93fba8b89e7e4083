"""Strings per second of Ibidem and of a python-crfsuite pipeline, on the same strings, one core, in one run.

New strings are measured first, before any of them has been labelled: each once by each of the two.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.crfsuite_baseline import CrfsuiteBaseline, is_unambiguous
from benchmarks.support.samples import MIXTURE, mixture, new_strings, sources, texts
from benchmarks.support.timing import alternate, how_many, model_path, one_core, require_crfsuite, say
from ibidem import inference
from ibidem.kernels import SWITCH
from ibidem.labels.bio import labels_of
from ibidem.models.parser import Parser
from ibidem.models.shipped import parser
from ibidem.text import tokenise
from ibidem.text.tokens import tokenise_batch
from ibidem.types import Annotation, Example, FloatArray, IntArray

_TIMES = 5
_RUNS = 3  # of a command
_BLOCKS = 5
_OTHERS = 2000  # strings of the warm-up
_TRAINING = 500  # strings of each set that the baseline is trained on
_ITERATIONS = 30


@benchmark(
    "speed",
    "Strings per second, one core, beside a python-crfsuite pipeline (bars: 20 x, 8 x to JSON, 6 x to records)",
    reference="the python-crfsuite pipeline, labels alone, or what the row names; measured in the same run",
)
def speed() -> Outcome:
    """Time strings to fields, new ones and again; files to JSON Lines and records; kernels against those in NumPy."""
    require_crfsuite()
    about, strings = texts(how_many(2000))
    training = mixture("train", _TRAINING, (*MIXTURE, "elife")) or _label(strings)
    with one_core():
        say(f"training the baseline on {len(training):,} strings, {_ITERATIONS} iterations")
        baseline = CrfsuiteBaseline(training, _ITERATIONS)
        say(f"the baseline has {baseline.labels} labels; timing")
        rows = [row for name, (sets, count) in sources().items() for row in _new(baseline, name, sets, count)]
        rows += [*_again(baseline, strings), *_to_json(baseline, strings), *_kernels(strings[:200])]
    gold = [example for example in mixture("dev", len(strings) // len(MIXTURE)) if is_unambiguous(example)]
    rows += _accuracy(baseline, gold) if gold else []
    data = (
        f"One core. New strings: distinct dev strings, each labelled once by each after a warm-up on {_OTHERS:,}"
        f" training strings; median of {_BLOCKS} alternating blocks. Again: {len(strings):,} {about}, after a first"
        f" run; median of {_TIMES} alternating runs. Baseline: tokens, about 60 features of each, those of words kept"
        " between strings, best path. Ours: tokens, features, best path, confidence unless it says labels alone"
    )
    return data, rows


def _new(baseline: CrfsuiteBaseline, name: str, sets: Sequence[str], count: int) -> Iterator[Result]:
    """Time strings that neither has seen, each labelled once by each, and commands that parse a file of them."""
    others, strings = new_strings(sets, _OTHERS, how_many(count))
    ours = Parser(parser(model_path()).model)
    warm_up = len(baseline.label_many(others)), len(list(ours.parse_many(others)))
    say(f"{len(strings):,} new strings of {name}, after {max(warm_up):,} others")
    blocks = [strings[place::_BLOCKS] for place in range(_BLOCKS)]
    first, second = iter(blocks), iter(blocks)
    theirs, mine = alternate(
        [lambda: baseline.label_many(next(first)), lambda: list(ours.parse_many(next(second)))], _BLOCKS
    )
    new = f"{len(strings):,} new strings of {name}"
    yield _result(f"{new}, with confidence", theirs, mine, len(strings) / _BLOCKS)
    with _files(strings) as (source, target):
        calls: list[Callable[[], object]] = [
            lambda: baseline.label_many(strings),
            partial(_command, source, target),
            partial(_command, source, target, "--format", "csl-json"),
        ]
        theirs, json, records = alternate(calls, _RUNS)
    yield _result(f"command, {new} to JSON Lines, start included", theirs, json, len(strings))
    yield _result(f"command, {new} to records in CSL-JSON, start included", theirs, records, len(strings))


def _label(strings: Sequence[str]) -> list[Example]:
    """Return strings labelled by our model, where there is no data: the speed of the baseline needs no gold labels."""
    found = parser(model_path()).parse_many(strings)
    return [
        Example(one.text, tuple(Annotation(f.label, f.start, f.end) for f in one.fields), "parsed") for one in found
    ]


def _again(baseline: CrfsuiteBaseline, strings: list[str]) -> Iterator[Result]:
    """Time strings to labels that both have seen before."""
    ours = Parser(parser(model_path()).model)
    calls: list[Callable[[], object]] = [
        lambda: baseline.label_many(strings),
        lambda: list(ours.label_many(strings, confidence=False)),
        lambda: list(ours.label_many(strings)),
    ]
    alternate(calls, 1)
    theirs, labels, confident = alternate(calls, _TIMES)
    again = f"the same {len(strings):,} strings again"
    yield _result(f"{again}, labels alone", theirs, labels, len(strings), 20)
    yield _result(f"{again}, with the confidence of every field", theirs, confident, len(strings))


def _to_json(baseline: CrfsuiteBaseline, strings: list[str]) -> Iterator[Result]:
    """Time a file of strings seen before to JSON Lines, in this process; the baseline only labels the same strings."""
    with _files(strings) as (source, target):
        calls: list[Callable[[], object]] = [
            lambda: baseline.label_many(strings),
            partial(_parse_file, source, target, 0),
            partial(_parse_file, source, target, 0, "csl-json"),
            partial(_parse_file, source, target, 5),
        ]
        alternate(calls, 1)
        theirs, json, records, others = alternate(calls, _TIMES)
    again = f"the same {len(strings):,} strings again"
    yield _result(f"{again}, to JSON Lines", theirs, json, len(strings), 8)
    yield _result(f"{again}, to records in CSL-JSON", theirs, records, len(strings), 6)
    yield _result(f"{again}, to JSON Lines with --alternatives 5", theirs, others, len(strings))


@contextmanager
def _files(strings: Sequence[str]) -> Iterator[tuple[Path, Path]]:
    """Give the path of a file of strings, one on each line, and that of one to write."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "strings.txt"
        source.write_text("\n".join(" ".join(text.split()) for text in strings) + "\n", "utf-8")
        yield source, Path(folder) / "fields.jsonl"


def _parse_file(source: Path, target: Path, alternatives: int, records_as: str | None = None) -> None:
    from ibidem.cli.convert import FormatOptions
    from ibidem.cli.inputs import Source
    from ibidem.cli.labelling import write_labelled

    records = FormatOptions(records_as) if records_as else None
    write_labelled(
        Source((), [source]), target, pretty=False, records=records, model=model_path(), alternatives=alternatives
    )


def _command(source: Path, target: Path, *options: str) -> None:
    chosen = model_path()
    model = ["--model", str(chosen)] if chosen else []
    command = [sys.executable, "-m", "ibidem.cli", "parse", str(source), "-o", str(target), "--quiet", *options, *model]
    subprocess.run(command, check=True)


def _kernels(strings: list[str]) -> Iterator[Result]:
    """Compare the compiled kernels with their NumPy reference implementations, on the scores of real strings."""
    scorer = parser(model_path()).model.scorer()
    potentials = scorer.score(tokenise_batch(strings))
    rows, types, table, ids = _random_tables(len(potentials.span), potentials.span.shape[2])
    calls: list[tuple[str, Callable[[], object]]] = [
        ("best", lambda: inference.best(scorer.automaton, potentials)),
        ("marginals", lambda: inference.marginals(scorer.automaton, potentials)),
        ("emissions", lambda: inference.emissions(rows, types, potentials.lengths, table, ids)),
    ]
    for name, call in calls:
        with _select_kernels("numpy"):
            reference = alternate([call], 3)[0]
        if inference.kernels_in_use() != "NumPy":
            compiled = alternate([call], _TIMES)[0]
            yield _result(f"kernel {name}, reference is NumPy", reference, compiled, len(strings))


def _random_tables(tokens: int, labels: int) -> tuple[FloatArray, IntArray, FloatArray, IntArray]:
    """Return weight rows of 2,000 types in a window of five and of 20,000 codes, and 60 codes for each token."""
    generator = np.random.default_rng(1)
    rows, table = (generator.normal(size=size).astype(np.float32) for size in ((2000, 5, labels), (20_000, labels)))
    types = generator.integers(0, 2000, tokens).astype(np.int32)
    return rows, types, table, generator.integers(0, 20_000, (tokens, 60)).astype(np.int32)


@contextmanager
def _select_kernels(kernels: str) -> Iterator[None]:
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = kernels
    try:
        yield
    finally:
        os.environ.pop(SWITCH)
        if before is not None:
            os.environ[SWITCH] = before


def _accuracy(baseline: CrfsuiteBaseline, gold: Sequence[Example]) -> Iterator[Result]:
    """Compare token accuracies; the baseline is trained in a minute, so this only shows that it works."""
    fields = parser(model_path()).parse_many(example.text for example in gold)
    theirs = mine = total = 0
    for example, found in zip(gold, fields, strict=True):
        tokens = tokenise(example.text)
        truth = labels_of(tokens, example.annotations)[0]
        ours = labels_of(tokens, [Annotation(field.label, field.start, field.end) for field in found.fields])[0]
        theirs += sum(a == b for a, b in zip(truth, baseline.label(example.text), strict=True))
        mine += sum(a == b for a, b in zip(truth, ours, strict=True))
        total += len(tokens)
    yield Result("tokens with the right label, %", "accuracy", 100 * theirs / total, 100 * mine / total)


def _result(row: str, theirs: float, ours: float, strings: float, bar: float | None = None) -> Result:
    return Result(row, "strings/s", strings / theirs, strings / ours, ratio=theirs / ours, bar=bar)
