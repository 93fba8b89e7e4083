"""The two models for references in the package, on strings that neither was trained on: scores, speed and size.

The chain is the default; the semi-CRF is `--model semi`. The chain was trained on more strings and has constraints, the
semi-CRF on a sample and without: this compares two models, not two kinds of models. `semi-crf` compares those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.samples import texts
from benchmarks.support.timing import alternate, how_many, one_core, say
from ibidem.metrics.scoring import Report, score_texts
from ibidem.metrics.significance import compare_accuracy, compare_f1, mcnemar, wilcoxon
from ibidem.models.evaluation import comparable, examples_of
from ibidem.models.parser import Parser
from ibidem.models.shipped import DEFAULT, NAMED
from ibidem.types import Example

SETS = ("elife", "grobid-citation", "anystyle", "giant", "linkedbooks")
MAX_STRINGS = 500  # dev strings of a set, spread evenly over it
_TIMES = 3


@benchmark(
    "chain-or-semi",
    "The two models for references, the default chain and the semi-CRF: scores and speed",
    reference="the chain, measured in the same run",
)
def chain_or_semi() -> Outcome:
    """Compare the semi-CRF with the chain as reference."""
    parsers = [ibidem.load(), ibidem.load("semi")]
    rows: list[Result] = []
    reports: list[tuple[Report, ...]] = []
    for name in SETS:
        examples = _thin(examples_of(name, "dev"), how_many(MAX_STRINGS))
        found, deep = zip(*(_evaluate(parser, examples) for parser in parsers), strict=True)
        row = f"{name} dev, {len(examples):,} strings"
        say(f"{row}: exact match {', '.join(f'{100 * report.accuracy:.2f}' for report in found)}")
        rows += _scores(row, found, deep)
        reports.append(found)
    rows += _differences([[one[place] for one in reports] for place in (0, 1)])
    with one_core():
        about, strings = texts(how_many(MAX_STRINGS))
        rows += _speed(parsers, strings)
    sizes = [path.stat().st_size / 1e6 for path in (DEFAULT, NAMED["semi"])]
    rows.append(Result("size of the model", "MB", sizes[0], sizes[1], ratio=sizes[1] / sizes[0]))
    which = "reference: the chain, the default; ours: the semi-CRF, `--model semi`; dev strings, which neither saw"
    return f"{which}; speed on {len(strings):,} {about}, one core, median of {_TIMES} alternating runs", rows


def _thin(examples: Sequence[Example], most: int) -> list[Example]:
    """Return at most `most` of the examples, at equal distances."""
    step = max(1, len(examples) / most)
    return [examples[int(place * step)] for place in range(min(most, len(examples)))]


def _evaluate(parser: Parser, examples: Sequence[Example]) -> tuple[Report, Report]:
    """Return the field scores of a parser without and with parts of fields."""
    parsed = list(parser.parse_many(example.text for example in examples))
    pairs = [[comparable(*one, deep) for one in zip(examples, parsed, strict=True)] for deep in (False, True)]
    flat, deep = (score_texts([gold for gold, _ in each], [found for _, found in each]) for each in pairs)
    return flat, deep


def _scores(row: str, found: Sequence[Report], deep: Sequence[Report]) -> Iterator[Result]:
    for metric, reports in (("exact match", found), ("exact match with parts", deep)):
        yield Result(row, metric, *(100 * report.accuracy for report in reports))
    for metric, reports in (("field F1", found), ("field F1 with parts", deep)):
        yield Result(row, metric, *(100 * report.micro.f1 for report in reports))


def _differences(reports: Sequence[Sequence[Report]]) -> Iterator[Result]:
    """Yield the differences over the strings of all sets, with their significance."""
    exact = [[right for one in each for right in one.exact_matches] for each in reports]
    counts = [[row for one in each for row in one.count_array()] for each in reports]
    row = f"all sets, {len(exact[0]):,} strings, semi-CRF minus chain"
    accuracy, fields = compare_accuracy(exact[1], exact[0]), compare_f1(counts[1], counts[0])
    for metric, apart in (("exact match", accuracy), ("field F1", fields)):
        ends = (100 * x for x in (apart.value, apart.low, apart.high))
        yield Result(row, f"{metric}, difference", None, *ends)
    yield Result(f"{row}, exact match", "p, McNemar", None, mcnemar(exact[1], exact[0]).p_value)
    each = [[score.f1 for one in some for score in one.counts] for some in reports]
    yield Result(f"{row}, F1 of each string", "p, Wilcoxon", None, wilcoxon(each[1], each[0]).p_value)


def _speed(parsers: Sequence[Parser], strings: list[str]) -> Iterator[Result]:
    for row, confidence in (("labelling, warm", False), ("labelling with the confidence of every field, warm", True)):

        def label(parser: Parser, with_confidence: bool = confidence) -> None:
            for _ in parser.label_many(strings, confidence=with_confidence):
                pass

        for parser in parsers:
            label(parser)
        chain, semi = alternate([lambda p=parser: label(p) for parser in parsers], _TIMES)  # type: ignore[misc]
        yield Result(row, "strings/s", len(strings) / chain, len(strings) / semi, ratio=chain / semi)
