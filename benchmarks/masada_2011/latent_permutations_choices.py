"""Choices that Masada 2011 made in preliminary experiments, one changed at a time, and what each changes in F.

They are β (Figure 3), the number of topics, threads and iterations (section 4.2) and the majority over all samples
(section 4.1). The runs of a choice have the random initial states of those of the usual choices, so that differences
are paired. `IBIDEM_BENCH_STRINGS` and `IBIDEM_BENCH_RUNS` make it smaller; `IBIDEM_BENCH_ONLY` restricts it to the
choices that a shell pattern matches, such as `D50, draws *, 1,000 iterations*`, beside the usual ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchmarks.masada_2011.latent_permutations import (
    METRICS,
    RUNS,
    SHARES,
    check_only,
    is_partial,
    score_topics,
    wants,
)
from benchmarks.masada_2011.segmenters import blocked
from benchmarks.masada_2011.synthetic_permutations import Elements, canonical, shuffle
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.runs import summarise_runs
from benchmarks.support.segmentation import score_clusters
from benchmarks.support.timing import how_many, say
from ibidem.unsupervised.gibbs import GibbsConfig, sample

Draws = Literal["kept", "rebuilt"]

_CITATIONS = 5_000
_RUNS = 5
_THREADS = 8  # those of the paper
_FIELDS = (4, 5, 6)
_USUAL, _LAST = "usual", "last sample"
_DRAWS: tuple[Draws, ...] = ("kept", "rebuilt")

Topics = Sequence[NDArray[np.uint8]]
"""The topic of each token, of several runs."""


@benchmark(
    "latent-permutations-choices",
    "Choices of Masada 2011, one by one: beta, number of topics, majority, iterations, threads",
    is_partial,
)
def latent_permutations_choices() -> Outcome:
    """Measure every choice on parts of D0, D20 and D50."""
    runs = min(int(os.environ.get(RUNS) or _RUNS), _RUNS)
    whole, size = canonical("D"), how_many(_CITATIONS)
    rows: list[Result] = []
    for share in SHARES:
        name, corpus = f"D{share}", shuffle(whole, share / 100).sample(size)
        for draws in _DRAWS:
            rows += _choices(f"{name}, draws {draws}", corpus, draws, runs)
        rows += _ours(f"{name}, ours", corpus, runs)
    check_only(rows)
    data = (
        f"{size:,} citations of each corpus, the same for all; usual: 5 topics, beta learned, 150 iterations, majority "
        "over every tenth, one thread; each other row changes what it names; differences are those from usual with the "
        f"same seed, agreement is F with usual as truth; mean ± deviation of {runs} runs; percent"
    )
    return data, rows


def variants(draws: Draws) -> dict[str, tuple[GibbsConfig, int]]:
    """Return the settings and the number of threads of each choice that needs runs of its own."""
    usual = GibbsConfig(fields=5, sweeps=150, burn_in=0, thin=10, draws=draws)
    return {
        _USUAL: (usual, 1),
        f"beta fixed at {usual.beta}": (replace(usual, learn_beta=False), 1),
        "4 topics": (replace(usual, fields=4), 1),
        "6 topics": (replace(usual, fields=6), 1),
        f"{_THREADS} threads": (usual, _THREADS),
        "300 iterations, every 20th": (replace(usual, sweeps=300, thin=20), 1),
        "1,000 iterations, every 50th": (replace(usual, sweeps=1000, thin=50), 1),
    }


def _choices(name: str, given: Elements, draws: Draws, runs: int) -> Iterator[Result]:
    """Score every choice; of the usual one also the last sample alone, and the β that it learns."""
    wanted = {choice for choice in (*variants(draws), _LAST) if wants(f"{name}, {choice}")}
    if not wanted:
        return
    found = {
        choice: [sample(given.corpus, replace(config, seed=seed), threads=threads) for seed in range(runs)]
        for choice, (config, threads) in variants(draws).items()
        if choice in {_USUAL, *wanted}
    }
    usual = [one.topic for one in found[_USUAL]]
    yield from _score(f"{name}, {_USUAL}", given, usual)
    yield _mean(f"{name}, {_USUAL}", "learned beta", [one.beta for one in found[_USUAL]])
    others = {choice: [one.topic for one in sampled] for choice, sampled in found.items() if choice != _USUAL}
    for choice, topics in {_LAST: [one.last for one in found[_USUAL]], **others}.items():
        yield from _score(f"{name}, {choice}", given, topics)
        yield from _compare(f"{name}, {choice}, against {_USUAL}", given, topics, usual)


def _compare(row: str, given: Elements, runs: Topics, usual: Topics) -> Iterator[Result]:
    """Yield the mean differences between runs with the same seeds, and their F if the usual ones were true."""
    pairs = list(zip(runs, usual, strict=True))
    differences = np.array([np.subtract(score_topics(given, one), score_topics(given, two)) for one, two in pairs])
    for metric in ("F", "boundary F1"):
        yield _mean(row, f"{metric}, difference", differences[:, METRICS.index(metric)])
    yield _mean(row, "F, agreement", [100 * score_clusters(two, one).f1 for one, two in pairs])


def _ours(name: str, given: Elements, runs: int) -> Iterator[Result]:
    for fields in (fields for fields in _FIELDS if wants(f"{name}, {fields} fields")):
        found = [blocked(given.corpus, fields, seed) for seed in range(runs)]
        yield from _score(f"{name}, {fields} fields", given, found)


def _score(row: str, given: Elements, runs: Topics) -> Iterator[Result]:
    scores = np.array([score_topics(given, topics) for topics in runs])  # [runs, METRICS]
    say(f"{row}: F {scores[:, METRICS.index('F')].round(2)}")
    for metric, values in zip(METRICS, scores.T, strict=True):
        yield _mean(row, metric, values)


def _mean(row: str, metric: str, values: ArrayLike) -> Result:
    found = summarise_runs(values)
    return Result(row, metric, None, found.mean, deviation=found.deviation)
