"""Strings per second of Ibidem and of a python-crfsuite pipeline, on the same strings, one core, in one run."""

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
from benchmarks.support.samples import MIXTURE, mixture, texts
from benchmarks.support.timing import alternate, how_many, model_path, one_core, require_crfsuite, say, seconds
from ibidem import inference
from ibidem.kernels import SWITCH
from ibidem.labels.bio import labels_of
from ibidem.models.parser import Parser
from ibidem.models.shipped import parser
from ibidem.text import tokenise
from ibidem.text.tokens import tokenise_batch
from ibidem.types import Annotation, Example, FloatArray, IntArray

_TIMES = 5
_TRAINING = 500  # strings of each set that the baseline is trained on
_ITERATIONS = 30


@benchmark(
    "speed",
    "Strings per second, one core, beside a python-crfsuite pipeline (bars: 20 x, 8 x to JSON, 6 x to records)",
)
def speed() -> Outcome:
    """Time strings to labels, a file to JSON Lines, and the kernels against their NumPy reference implementations."""
    require_crfsuite()
    about, strings = texts(how_many(2000))
    training = mixture("train", _TRAINING) or _label(strings)
    with one_core():
        say(f"training the baseline on {len(training):,} strings, {_ITERATIONS} iterations")
        baseline = CrfsuiteBaseline(training, _ITERATIONS)
        say(f"the baseline has {baseline.labels} labels; timing")
        rows = [*_labelling(baseline, strings), *_to_json(baseline, strings), *_kernels(strings[:200])]
    gold = [example for example in mixture("dev", len(strings) // len(MIXTURE)) if is_unambiguous(example)]
    rows += _accuracy(baseline, gold) if gold else []
    data = (
        f"{len(strings):,} {about}; one core, median of {_TIMES} alternating runs. Baseline: string, tokens, about 60"
        " features per token in Python, Tagger.tag. Ours: string, tokens, features, best path; to JSON also every"
        " field's confidence"
    )
    return data, rows


def _label(strings: Sequence[str]) -> list[Example]:
    """Return strings labelled by our model, where there is no data: the speed of the baseline needs no gold labels."""
    found = parser(model_path()).parse_many(strings)
    return [
        Example(one.text, tuple(Annotation(f.label, f.start, f.end) for f in one.fields), "parsed") for one in found
    ]


def _labelling(baseline: CrfsuiteBaseline, strings: list[str]) -> Iterator[Result]:
    """Time strings to labels: first with an empty cache, then alternating with the baseline."""
    fresh = Parser(parser(model_path()).model)
    calls: list[Callable[[], object]] = [
        lambda: [baseline.label(text) for text in strings],
        lambda: list(fresh.label_many(strings, confidence=False)),
        lambda: list(fresh.label_many(strings)),
    ]
    cold = seconds(calls[1])
    theirs, warm, confident = alternate(calls, _TIMES)
    yield _result("labelling, warm", theirs, warm, len(strings), 20)
    yield _result("labelling, first run", theirs, cold, len(strings))
    yield _result("labelling with the confidence of every field, warm", theirs, confident, len(strings))


def _to_json(baseline: CrfsuiteBaseline, strings: list[str]) -> Iterator[Result]:
    """Time a file to JSON Lines, in this process and as a command; the baseline only labels the same strings."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "strings.txt", Path(folder) / "fields.jsonl"
        source.write_text("\n".join(" ".join(text.split()) for text in strings) + "\n", "utf-8")
        calls: list[Callable[[], object]] = [
            lambda: [baseline.label(text) for text in strings],
            partial(_parse_file, source, target, 0),
            partial(_parse_file, source, target, 0, "csl-json"),
            partial(_parse_file, source, target, 5),
            partial(_command, source, target),
        ]
        theirs, json, records, others, command = alternate(calls, _TIMES)
    yield _result("parse to JSON Lines", theirs, json, len(strings), 8)
    yield _result("parse to records in CSL-JSON", theirs, records, len(strings), 6)
    yield _result("parse to JSON Lines with --alternatives 5", theirs, others, len(strings))
    yield _result("parse to JSON Lines as a command, start included", theirs, command, len(strings))


def _parse_file(source: Path, target: Path, alternatives: int, records_as: str | None = None) -> None:
    from ibidem.cli.convert import FormatOptions
    from ibidem.cli.inputs import Source
    from ibidem.cli.labelling import write_labelled

    records = FormatOptions(records_as) if records_as else None
    write_labelled(
        Source((), [source]), target, pretty=False, records=records, model=model_path(), alternatives=alternatives
    )


def _command(source: Path, target: Path) -> None:
    chosen = model_path()
    model = ["--model", str(chosen)] if chosen else []
    command = [sys.executable, "-m", "ibidem.cli", "parse", str(source), "-o", str(target), *model]
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


def _result(row: str, theirs: float, ours: float, strings: int, bar: float | None = None) -> Result:
    return Result(row, "strings/s", strings / theirs, strings / ours, ratio=theirs / ours, bar=bar)
