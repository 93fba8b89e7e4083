"""Figure 3 and Table 2 of Masada 2011: unsupervised segmentation by the paper's Gibbs sampler and by ours.

The paper's sampler runs twice: with the draws of a citation kept between visits, which leaves the posterior invariant,
and with draws rebuilt in the order of topics, which does not and comes near the paper's results. `IBIDEM_BENCH_STRINGS`
makes all corpora smaller, `IBIDEM_BENCH_RUNS` limits the number of runs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.masada_2011.segmenters import Segmenter, blocked, gibbs_segmenter, lda
from benchmarks.masada_2011.synthetic_permutations import Elements, canonical, shuffle
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.runs import summarise_runs
from benchmarks.support.segmentation import score_boundaries, score_clusters
from benchmarks.support.timing import how_many, say
from ibidem.unsupervised.gibbs import GibbsConfig

RUNS = "IBIDEM_BENCH_RUNS"
SHARES = (0, 20, 50)
_ITERATIONS, _EVERY = 150, 10  # those of the paper for MEDLINE; for DBLP it has 1,000 and 50
_ALL = 1 << 60
TABLE_2 = {  # precision, recall and F
    ("alpha infinite", 0): (87.0, 82.8, 84.9),
    ("alpha infinite", 20): (85.5, 80.3, 82.8),
    ("alpha infinite", 50): (79.1, 72.6, 75.7),
    ("alpha estimated", 0): (46.9, 79.8, 59.1),
    ("alpha estimated", 20): (65.2, 66.4, 65.8),
    ("alpha estimated", 50): (71.8, 61.8, 66.4),
}
_LDA_ON_DBLP = (None, None, 29.0)  # "around 0.290 for all of D0, D20, and D50"
_NOT_GIVEN = (None, None, None)
_BARS = {"D": 97.0, "M": 93.0}
_METRICS = ("precision", "recall", "F", "boundary F1")

Published = Mapping[int, Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of segmentation: its name, function, number of citations and of runs, and the paper's P, R and F."""

    name: str
    segmenter: Segmenter
    size: int = _ALL
    runs: int = 5
    paper: Published | None = None
    ours: bool = False


@benchmark(
    "latent-permutations",
    "Figure 3 of Masada 2011: unsupervised segmentation of DBLP citations, clustering F",
    reference="Masada et al. 2011, section 4, in the text (LDA)",
)
def latent_permutations() -> Outcome:
    """The figures of D0, D20 and D50."""
    config = GibbsConfig(fields=5, sweeps=_ITERATIONS, burn_in=0, thin=_EVERY)
    part, unordered = 20_000, dict.fromkeys(SHARES, _LDA_ON_DBLP)
    methods = [
        Method("ours", blocked, ours=True),
        *_both("paper's sampler", config, runs=1),
        *_both("paper's sampler", config, part),
        *_both("constrained", replace(config, order="constrained"), part),
        *_both("uniform", replace(config, order="uniform"), part),
        Method("LDA", gibbs_segmenter(lda(config)), part, paper=unordered),
    ]
    return _measure("D", "DBLP-like", methods)


@benchmark(
    "latent-permutations-medline",
    "Table 2 of Masada 2011: unsupervised segmentation of journal articles (M0 84.9)",
    reference="Masada et al. 2011, Table 2, on the paper's own records",
)
def latent_permutations_medline() -> Outcome:
    """The figures of M0, M20 and M50."""
    config = GibbsConfig(fields=6, sweeps=_ITERATIONS, burn_in=0, thin=_EVERY)
    part, less = 20_000, 10_000
    kinds = ("alpha infinite", "alpha estimated")
    dense, estimated = ({share: TABLE_2[kind, share] for share in SHARES} for kind in kinds)
    sparse = replace(config, alpha=1.0, learn_alpha=True)
    methods = [
        Method("ours", blocked, paper=dense, ours=True),
        *_both("paper's sampler", config, part, paper=dense),
        *_both("paper's sampler, alpha estimated", sparse, part, paper=estimated),
        *_both("constrained", replace(config, order="constrained"), less),
        *_both("uniform", replace(config, order="uniform"), less),
        Method("LDA", gibbs_segmenter(lda(config)), less),
    ]
    return _measure("M", "journal article", methods)


def _both(
    name: str, config: GibbsConfig, size: int = _ALL, paper: Published | None = None, runs: int = 5
) -> list[Method]:
    """Return a variant of the paper's sampler with draws kept and with draws rebuilt."""
    rebuilt = replace(config, draws="rebuilt")
    return [
        Method(f"{name}, draws kept", gibbs_segmenter(config), size, runs, paper),
        Method(f"{name}, draws rebuilt", gibbs_segmenter(rebuilt), size, runs, paper),
    ]


def _measure(letter: str, about: str, methods: Sequence[Method]) -> Outcome:
    whole = canonical(letter).sample(how_many(_ALL))
    rows: list[Result] = []
    for share in SHARES:
        corpus = shuffle(whole, share / 100)
        for method in methods:
            rows += _rows(f"{letter}{share}", share, corpus, method, _BARS[letter])
    data = (
        f"{whole.corpus.size:,} {about} records, {len(whole.element):,} tokens, {len(whole.corpus.vocabulary):,} words;"
        f" elements {', '.join(whole.names)}; the paper's samplers have one topic more than elements and "
        f"{_ITERATIONS} iterations; mean ± deviation over the runs, boundary F1 beside; percent"
    )
    return data, rows


def _rows(name: str, share: int, given: Elements, method: Method, bar: float) -> Iterator[Result]:
    corpus = given.sample(method.size)
    runs = min(int(os.environ.get(RUNS) or method.runs), method.runs)
    found, taken = [], []
    for seed in range(runs):
        began = time.perf_counter()
        topics = method.segmenter(corpus.corpus, len(given.names), seed)
        taken.append(time.perf_counter() - began)
        score = score_clusters(corpus.element, topics)
        boundaries = score_boundaries(corpus.element, topics, corpus.corpus.starts)
        found.append([100 * x for x in (score.precision, score.recall, score.f1, boundaries.f1)])
        scores = f"F {found[-1][2]:.2f}, boundary F1 {found[-1][3]:.2f}"
        say(f"{name}, {method.name}, run {seed}: {scores}, {taken[-1]:.0f} s")
    paper = (*(method.paper or {}).get(share, _NOT_GIVEN), None)
    row = f"{name}, {method.name}, {corpus.corpus.size:,} citations, {runs} run{'s' * (runs > 1)}"
    for metric, values, published in zip(_METRICS, np.array(found).T, paper, strict=True):
        measured = summarise_runs(values)
        wanted = bar if method.ours and metric == "F" else None
        deviation = measured.deviation if runs > 1 else None
        yield Result(row, metric, published, measured.mean, bar=wanted, deviation=deviation)
    yield Result(row, "seconds a run", None, summarise_runs(taken).mean)
