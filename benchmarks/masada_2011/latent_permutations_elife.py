"""Unsupervised segmentation of real strings: eLife's references by style, beside the supervised parser.

Nothing is shuffled. A style is an order of elements; each of the most frequent styles is segmented by itself, then all
strings together. Tokens that no tag of eLife covers (mostly punctuation) are seen by the samplers and not scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.masada_2011.segmenters import THREADS, Segmenter, gibbs_segmenter
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.runs import summarise_runs
from benchmarks.support.segmentation import score_boundaries, score_clusters
from benchmarks.support.timing import how_many, say
from ibidem.models.evaluation import examples_of
from ibidem.models.shipped import parser
from ibidem.text.tokens import tokenise
from ibidem.types import Example, Token
from ibidem.unsupervised.blocked import BlockedConfig
from ibidem.unsupervised.blocked_run import METHOD as BLOCKED
from ibidem.unsupervised.corpus import Corpus, corpus_of
from ibidem.unsupervised.gibbs import GibbsConfig
from ibidem.unsupervised.segmenting import segment_citations

ELEMENTS = ("author", "date", "title", "journal", "volume", "issue", "pages")
_SAME = {"author-etal": "author", "booktitle": "journal", "article-number": "pages"}
_OTHER = len(ELEMENTS)  # doi, publisher, …: one more element
_NONE = 255  # no element: not scored where it is gold
_STYLES = 3
_RUNS = 3
_STRINGS = 15_000


@dataclass(frozen=True, slots=True)
class Strings:
    """Examples with their tokens, and the gold element of each token."""

    examples: list[Example]
    tokens: list[tuple[Token, ...]]
    corpus: Corpus
    element: NDArray[np.uint8]  # [N]


@benchmark(
    "latent-permutations-elife",
    "Unsupervised segmentation of eLife's references, by style, beside the parser",
    reference="the default parser, measured in the same run",
)
def latent_permutations_elife() -> Outcome:
    """Score the most frequent styles, and all strings together."""
    examples = [one for one in examples_of("elife", "dev") if style_of(one)][: how_many(_STRINGS)]
    styles = Counter(map(style_of, examples))
    rows: list[Result] = []
    for style, _ in styles.most_common(_STYLES):
        rows += _measure(", ".join(style), [one for one in examples if style_of(one) == style])
    rows += _measure("all styles together", examples)
    data = (
        f"eLife dev, {len(examples):,} strings with author, title and journal, {len(styles):,} orders of elements;"
        f" F by clusters and boundary F1 over tagged tokens, percent; mean ± deviation of {_RUNS} runs; the parser was "
        "trained on other, tagged strings of eLife"
    )
    return data, rows


def style_of(example: Example) -> tuple[str, ...]:
    """Return the elements of a string in order; none where author, title or journal is missing."""
    seen = dict.fromkeys(name_of(annotation.label) for annotation in example.annotations if "/" not in annotation.label)
    style = tuple(name for name in seen if name in ELEMENTS)
    return style if {"author", "title", "journal"} <= set(style) else ()


def name_of(label: str) -> str:
    """Return the element that a field of this label belongs to, or the label."""
    return _SAME.get(label, label)


def strings_of(examples: Sequence[Example]) -> Strings:
    """Return the examples as a corpus, with the gold elements."""
    tokens = [tokenise(example.text) for example in examples]
    element = [
        _elements(own, ((m.label, m.start, m.end) for m in example.annotations))
        for example, own in zip(examples, tokens, strict=True)
    ]
    corpus = corpus_of([token.text for token in own] for own in tokens)
    return Strings(list(examples), tokens, corpus, np.concatenate([*element, np.zeros(0, dtype=np.uint8)]))


def _elements(tokens: Sequence[Token], fields: Iterator[tuple[str, int, int]]) -> NDArray[np.uint8]:
    """Return the element of each token: that of the top-level field that its first character is in."""
    found = np.full(len(tokens), _NONE, dtype=np.uint8)
    starts = np.array([token.start for token in tokens], dtype=np.int64)
    for label, start, end in fields:
        if "/" not in label and not label.startswith("?"):
            name = name_of(label)
            number = ELEMENTS.index(name) if name in ELEMENTS else _OTHER
            found[(starts >= start) & (starts < end)] = number
    return found


def parse_elements(strings: Strings) -> NDArray[np.uint8]:
    """Return the elements that the default model finds: [N]."""
    found = parser(None).parse_many(example.text for example in strings.examples)
    each = [
        _elements(own, ((field.label, field.start, field.end) for field in one.fields))
        for own, one in zip(strings.tokens, found, strict=True)
    ]
    return np.concatenate([*each, np.zeros(0, dtype=np.uint8)])


def segment(strings: Strings, elements: int, seed: int) -> NDArray[np.uint8]:
    """Return the elements that `ibidem.segment` finds, which tokenises the strings itself: [N]."""
    texts = (example.text for example in strings.examples)
    found = segment_citations(texts, BlockedConfig(elements, seed=seed + 1), threads=THREADS)
    clusters = np.full(len(strings.element), _NONE, dtype=np.uint8)
    for own, one, begin in zip(strings.tokens, found, strings.corpus.starts[:-1].tolist(), strict=True):
        number = {token.start: element for token, element in zip(one.tokens, one.elements, strict=True)}
        starts = np.array([token.start for token in own], dtype=np.int64)
        here = clusters[begin : begin + len(own)]
        for field in one.fields:
            here[(starts >= field.start) & (starts < field.end)] = number[field.start]
    return clusters


def scores(strings: Strings, found: NDArray[np.uint8]) -> tuple[float, float, float, float]:
    """Return clustering precision, recall and F and boundary F1, in percent, over the tokens with a gold element."""
    tagged = strings.element != _NONE
    starts = np.concatenate([[0], np.cumsum(tagged)])[strings.corpus.starts]
    true, clusters = strings.element[tagged], found[tagged]
    score = score_clusters(true, clusters)
    boundaries = score_boundaries(true, clusters, starts)
    return 100 * score.precision, 100 * score.recall, 100 * score.f1, 100 * boundaries.f1


def _count_elements(strings: Strings) -> int:
    """Return how many elements at least a tenth of the strings have, as a user would count them, up to our limit."""
    owner = np.repeat(np.arange(strings.corpus.size), np.diff(strings.corpus.starts))
    pairs = np.unique(owner * (_NONE + 1) + strings.element)
    times = np.bincount(pairs % (_NONE + 1), minlength=_NONE + 1)[:_NONE]
    return min(int((times >= strings.corpus.size / 10).sum()), BLOCKED.max_fields)


def _measure(style: str, examples: Sequence[Example]) -> Iterator[Result]:
    strings = strings_of(examples)
    elements = _count_elements(strings)
    supervised = scores(strings, parse_elements(strings))
    config = GibbsConfig(fields=elements + 1, sweeps=150, burn_in=0, thin=10)
    methods: dict[str, Segmenter] = {
        "ours": lambda _corpus, number, seed: segment(strings, number, seed),
        "paper's sampler, draws kept": gibbs_segmenter(config),
        "paper's sampler, draws rebuilt": gibbs_segmenter(replace(config, draws="rebuilt")),
    }
    for name, segmenter in methods.items():
        runs = np.array([scores(strings, segmenter(strings.corpus, elements, seed)) for seed in range(_RUNS)])
        say(f"{style}, {len(examples):,} strings, {name}: F {runs[:, 2].mean():.1f}; parser {supervised[2]:.1f}")
        metrics = ("precision", "recall", "F", "boundary F1")
        for metric, values, other in zip(metrics, runs.T, supervised, strict=True):
            found = summarise_runs(values)
            row = f"{style}, {len(examples):,} strings, {name}; reference: the parser"
            yield Result(row, metric, other, found.mean, deviation=found.deviation)
