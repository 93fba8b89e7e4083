"""How many strings a second: Ibidem beside a python-crfsuite pipeline, on the same strings, one core, in one run."""

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
from benchmarks.rival import Rival, definite
from benchmarks.samples import MIXTURE, mixture, texts
from benchmarks.timing import alternating, how_many, model_path, need_crfsuite, one_core, say, seconds
from ibidem import inference
from ibidem.kernels import SWITCH
from ibidem.labels.bio import labels_of
from ibidem.models.parser import Parser
from ibidem.models.shipped import ParseOptions, parse_in_parallel, parser
from ibidem.text import tokenise
from ibidem.text.tokens import columns
from ibidem.types import Annotation, Example, FloatArray, IntArray

_TIMES = 5
_TAUGHT = 500  # strings of each set that the rival is trained on
_ITERATIONS = 30


@benchmark(
    "speed",
    "Strings per second, one core, beside a python-crfsuite pipeline (bars: 20 x, 8 x to JSON, 6 x to records)",
)
def speed() -> Outcome:
    """The figures: from strings to labels, from a file to JSON Lines, and of the kernels against their twin."""
    need_crfsuite()
    about, strings = texts(how_many(2000))
    taught = mixture("train", _TAUGHT) or _taught_by_us(strings)
    with one_core():
        say(f"training the rival on {len(taught):,} strings, {_ITERATIONS} iterations")
        rival = Rival(taught, _ITERATIONS)
        say(f"it has {rival.labels} labels; now the clock")
        rows = [*_labelling(rival, strings), *_to_json(rival, strings), *_kernels(strings[:200])]
    gold = [example for example in mixture("dev", len(strings) // len(MIXTURE)) if definite(example)]
    rows += _accuracy(rival, gold) if gold else []
    data = (
        f"{len(strings):,} {about}; one core, median of {_TIMES}, in turns. Rival: string, tokens, about 60 features a "
        "token in Python, Tagger.tag. Ours: string, tokens, features, best path; to JSON also every field's confidence"
    )
    return data, rows


def _taught_by_us(strings: Sequence[str]) -> list[Example]:
    """Examples labelled by the model itself, for where there is no data: the rival's speed does not need the truth."""
    found = parser(model_path()).parse_many(strings)
    return [
        Example(one.text, tuple(Annotation(f.label, f.start, f.end) for f in one.fields), "parsed") for one in found
    ]


def _labelling(rival: Rival, strings: list[str]) -> Iterator[Result]:
    """Strings to labels: first with nothing in the cache, then in turns with the rival."""
    fresh = Parser(parser(model_path()).model)
    works: list[Callable[[], object]] = [
        lambda: [rival.label(text) for text in strings],
        lambda: list(fresh.label_many(strings, confidence=False)),
        lambda: list(fresh.label_many(strings)),
    ]
    cold = seconds(works[1])
    theirs, warm, sure = alternating(works, _TIMES)
    yield _figure("labelling, warm", theirs, warm, len(strings), 20)
    yield _figure("labelling, first run", theirs, cold, len(strings))
    yield _figure("labelling with the confidence of every field, warm", theirs, sure, len(strings))


def _to_json(rival: Rival, strings: list[str]) -> Iterator[Result]:
    """A file to JSON Lines, in this process and as a command; the rival only labels the same strings."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "strings.txt", Path(folder) / "fields.jsonl"
        source.write_text("\n".join(" ".join(text.split()) for text in strings) + "\n", "utf-8")
        works: list[Callable[[], object]] = [
            lambda: [rival.label(text) for text in strings],
            partial(_parse_file, source, target, 0),
            partial(_parse_file, source, target, 0, "csl-json"),
            partial(_parse_file, source, target, 5),
            partial(_command, source, target),
        ]
        theirs, json, records, others, command = alternating(works, _TIMES)
    yield _figure("parse to JSON Lines", theirs, json, len(strings), 8)
    yield _figure("parse to records in CSL-JSON", theirs, records, len(strings), 6)
    yield _figure("parse to JSON Lines with --alternatives 5", theirs, others, len(strings))
    yield _figure("parse to JSON Lines as a command, start included", theirs, command, len(strings))


def _parse_file(source: Path, target: Path, alternatives: int, records_as: str | None = None) -> None:
    from ibidem.cli.convert import FormatOptions
    from ibidem.cli.parsing import Source, run

    verb = partial(parse_in_parallel, options=ParseOptions(model_path(), alternatives), jobs=1)
    run(Source((), [source]), verb, target, False, FormatOptions(records_as) if records_as else None)


def _command(source: Path, target: Path) -> None:
    chosen = model_path()
    model = ["--model", str(chosen)] if chosen else []
    command = [sys.executable, "-m", "ibidem.cli", "parse", str(source), "-o", str(target), *model]
    subprocess.run(command, check=True)


def _kernels(strings: list[str]) -> Iterator[Result]:
    """The compiled kernels against their NumPy twin, on the scores of real strings."""
    scorer = parser(model_path()).model.scorer()
    potentials = scorer.score(columns(strings))
    rows, types, table, ids = _made_up(len(potentials.span), potentials.span.shape[2])
    works: list[tuple[str, Callable[[], object]]] = [
        ("best", lambda: inference.best(scorer.automaton, potentials)),
        ("marginals", lambda: inference.marginals(scorer.automaton, potentials)),
        ("emissions", lambda: inference.emissions(rows, types, potentials.lengths, table, ids)),
    ]
    for name, work in works:
        with _chosen("numpy"):
            twin = alternating([work], 3)[0]
        if inference.kernels_in_use() != "NumPy":
            compiled = alternating([work], _TIMES)[0]
            yield _figure(f"kernel {name}, reference is its NumPy twin", twin, compiled, len(strings))


def _made_up(tokens: int, labels: int) -> tuple[FloatArray, IntArray, FloatArray, IntArray]:
    """Rows of 2,000 types in a window of five and of 20,000 codes, and 60 codes for each token."""
    chance = np.random.default_rng(1)
    rows, table = (chance.normal(size=size).astype(np.float32) for size in ((2000, 5, labels), (20_000, labels)))
    types = chance.integers(0, 2000, tokens).astype(np.int32)
    return rows, types, table, chance.integers(0, 20_000, (tokens, 60)).astype(np.int32)


@contextmanager
def _chosen(kernels: str) -> Iterator[None]:
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = kernels
    try:
        yield
    finally:
        os.environ.pop(SWITCH)
        if before is not None:
            os.environ[SWITCH] = before


def _accuracy(rival: Rival, gold: Sequence[Example]) -> Iterator[Result]:
    """The share of tokens with the right label; the rival is trained in a minute, so this says only that it works."""
    fields = parser(model_path()).parse_many(example.text for example in gold)
    theirs = mine = total = 0
    for example, found in zip(gold, fields, strict=True):
        tokens = tokenise(example.text)
        truth = labels_of(tokens, example.annotations)[0]
        ours = labels_of(tokens, [Annotation(field.label, field.start, field.end) for field in found.fields])[0]
        theirs += sum(a == b for a, b in zip(truth, rival.label(example.text), strict=True))
        mine += sum(a == b for a, b in zip(truth, ours, strict=True))
        total += len(tokens)
    yield Result("tokens with the right label, %", "accuracy", 100 * theirs / total, 100 * mine / total)


def _figure(row: str, theirs: float, ours: float, strings: int, bar: float | None = None) -> Result:
    return Result(row, "strings/s", strings / theirs, strings / ours, ratio=theirs / ours, bar=bar)
