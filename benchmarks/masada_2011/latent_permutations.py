"""Figure 3 and Table 2 of Masada 2011: unsupervised segmentation by the paper's Gibbs sampler and by ours.

The paper's sampler runs twice: with the draws of a citation kept between visits, which leaves the posterior invariant,
and with draws rebuilt in the order of topics, which does not and comes near the paper's results. `IBIDEM_BENCH_STRINGS`
makes all corpora smaller, `IBIDEM_BENCH_RUNS` limits the number of runs, `IBIDEM_BENCH_ONLY` restricts a benchmark to
the rows that a shell pattern matches, such as `M50, paper's sampler, *, 759,466 *`; the other rows stay as they were.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from benchmarks.masada_2011.segmenters import Segmenter, blocked, gibbs_segmenter, lda
from benchmarks.masada_2011.synthetic_permutations import Elements, canonical, shuffle
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.runs import summarise_runs
from benchmarks.support.segmentation import score_boundaries, score_clusters
from benchmarks.support.timing import how_many, say
from ibidem.errors import ConfigError
from ibidem.unsupervised.gibbs import GibbsConfig

RUNS = "IBIDEM_BENCH_RUNS"
ONLY = "IBIDEM_BENCH_ONLY"
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
METRICS = ("precision", "recall", "F", "boundary F1")

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

    @property
    def times(self) -> int:
        """Number of runs, or less if the environment says so."""
        return min(int(os.environ.get(RUNS) or self.runs), self.runs)

    def row(self, name: str, citations: int) -> str:
        """Return the name of the row for a corpus of so many citations, of which the method may take a part."""
        return f"{name}, {self.name}, {min(self.size, citations):,} citations, {self.times} run{'s' * (self.times > 1)}"


def is_partial() -> bool:
    """Return whether only some rows are to be measured."""
    return bool(os.environ.get(ONLY))


def wants(row: str) -> bool:
    """Return whether a row is to be measured."""
    return not is_partial() or fnmatchcase(row, os.environ[ONLY])


def check_only(rows: Sequence[Result]) -> None:
    """Raise a `ConfigError` where nothing was to be measured."""
    if not rows:
        raise ConfigError(f"{ONLY} is {os.environ.get(ONLY)!r}, which matches nothing; give the name of a row")


@benchmark(
    "latent-permutations",
    "Figure 3 of Masada 2011: unsupervised segmentation of DBLP citations, clustering F",
    is_partial,
    reference="Masada et al. 2011, section 4, in the text (LDA)",
)
def latent_permutations() -> Outcome:
    """The figures of D0, D20 and D50."""
    config = GibbsConfig(fields=5, sweeps=_ITERATIONS, burn_in=0, thin=_EVERY)
    fixed = replace(config, beta=0.05, learn_beta=False)
    part, unordered = 20_000, dict.fromkeys(SHARES, _LDA_ON_DBLP)
    methods = [
        Method("ours", blocked, ours=True),
        *_both("paper's sampler", config, runs=1),
        *_both("paper's sampler, beta fixed at 0.05", fixed, runs=1),
        *_both("paper's sampler", config, part),
        *_both("paper's sampler, beta fixed at 0.05", fixed, part),
        *_both("constrained", replace(config, order="constrained"), part),
        *_both("uniform", replace(config, order="uniform"), part),
        Method("LDA", gibbs_segmenter(lda(config)), part, paper=unordered),
    ]
    return _measure("D", "DBLP-like", methods)


@benchmark(
    "latent-permutations-medline",
    "Table 2 of Masada 2011: unsupervised segmentation of journal articles (M0 84.9)",
    is_partial,
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
        *_both("paper's sampler", config, paper=dense, runs=1),
        *_both("paper's sampler, alpha estimated", sparse, paper=estimated, runs=1),
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
        name = f"{letter}{share}"
        wanted = [method for method in methods if wants(method.row(name, whole.corpus.size))]
        corpus = shuffle(whole, share / 100) if wanted else whole
        for method in wanted:
            rows += _rows(name, share, corpus, method, _BARS[letter])
    check_only(rows)
    data = (
        f"{whole.corpus.size:,} {about} records, {len(whole.element):,} tokens, {len(whole.corpus.vocabulary):,} words;"
        f" elements {', '.join(whole.names)}; the paper's samplers have one topic more than elements and "
        f"{_ITERATIONS} iterations; mean ± deviation over the runs, boundary F1 beside; percent"
    )
    return data, rows


def _rows(name: str, share: int, given: Elements, method: Method, bar: float) -> Iterator[Result]:
    corpus, runs, row = given.sample(method.size), method.times, method.row(name, given.corpus.size)
    found, taken = [], []
    for seed in range(runs):
        began = time.perf_counter()
        topics = method.segmenter(corpus.corpus, len(given.names), seed)
        taken.append(time.perf_counter() - began)
        found.append(score_topics(corpus, topics))
        scores = f"F {found[-1][2]:.2f}, boundary F1 {found[-1][3]:.2f}"
        say(f"{name}, {method.name}, run {seed}: {scores}, {taken[-1]:.0f} s")
    paper = (*(method.paper or {}).get(share, _NOT_GIVEN), None)
    for metric, values, published in zip(METRICS, np.array(found).T, paper, strict=True):
        measured = summarise_runs(values)
        wanted = bar if method.ours and metric == "F" else None
        deviation = measured.deviation if runs > 1 else None
        yield Result(row, metric, published, measured.mean, bar=wanted, deviation=deviation)
    yield Result(row, "seconds per run", None, summarise_runs(taken).mean)


def score_topics(given: Elements, topics: NDArray[np.integer]) -> list[float]:
    """Return the `METRICS` of the topics of all tokens, in percent."""
    score = score_clusters(given.element, topics)
    boundaries = score_boundaries(given.element, topics, given.corpus.starts)
    return [100 * value for value in (score.precision, score.recall, score.f1, boundaries.f1)]
