"""Token updates per second of the paper's sampler, literal and optimised; threads; growth; and our sampler."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.masada_2011.synthetic_permutations import Elements, canonical, shuffle
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.processes import peak_of
from benchmarks.support.segmentation import score_clusters
from benchmarks.support.timing import alternate, how_many, one_core, say, seconds
from ibidem.unsupervised.blocked import BlockedConfig, priors_of, sweep_once
from ibidem.unsupervised.corpus import Corpus, replace_rare_words
from ibidem.unsupervised.gibbs import Gibbs, GibbsConfig, sample
from ibidem.unsupervised.split_merge import search

_ALL = 1 << 60
_PAPER = 17_408_876 * 1000 / (11 * 3600) / 8  # updates a second and thread: D, 1,000 iterations in 11 hours, 8 threads
_WARM = 5  # sweeps before timing: the first ones, from random draws, are not typical
_SIZES = (10_000, 30_000, 100_000, 300_000, _ALL)


@benchmark(
    "latent-permutations-speed",
    "Token updates per second of Masada 2011, literal and fast; threads; growth",
    reference="what each row names, in the same run; a thread of the paper: Masada et al. 2011, section 4, Core i7 920",
)
def latent_permutations_speed() -> Outcome:
    """Measure speed on D50 and growth on M50."""
    dblp = shuffle(canonical("D").sample(how_many(_ALL)), 0.5)
    rows = [*_kernels(dblp), *_threads(dblp.corpus)]
    articles = shuffle(canonical("M").sample(how_many(_ALL)), 0.5)
    rows += _growth(
        "paper's sampler, one thread", articles, lambda corpus: _warm_up(corpus, GibbsConfig(fields=6)).step
    )
    rows += _growth("ours, one thread", articles, _blocked_step)
    rows += _command("D50", dblp, 600)
    rows += _command("M50", articles, 2700)
    data = (
        f"D50, {dblp.corpus.size:,} citations, {len(dblp.element):,} tokens, 5 topics; growth on M50 and parts of it; "
        "an update is one draw of a token's topic with its share of the inversion counts; medians of alternate runs"
    )
    return data, rows


def _warm_up(corpus: Corpus, config: GibbsConfig) -> Gibbs:
    sampler = Gibbs(corpus, config)
    for _ in range(_WARM):
        sampler.step()
    return sampler


def _like(sampler: Gibbs, config: GibbsConfig, threads: int = 1) -> Gibbs:
    """A sampler with other settings in the state of one that has run."""
    other = Gibbs(sampler.corpus, config, threads)
    other.draws, other.inversions = sampler.draws.copy(), sampler.inversions.copy()
    other.rho, other.beta = sampler.rho.copy(), sampler.beta
    other.recount()
    return other


def _kernels(given: Elements) -> Iterator[Result]:
    """Literal and fast, one core, from the same state; and that they find the same."""
    config = GibbsConfig(fields=5)
    literal = replace(config, kernel="literal")
    with one_core():
        fast = _warm_up(given.corpus, config)
        slow = _like(fast, literal)
        before, after = (len(given.element) / each / 1e6 for each in alternate([slow.sweep, fast.sweep], 3))
    say(f"literal {before:.3f}, fast {after:.2f} million updates per second")
    yield Result(
        "fast, one core; reference: equation 7 taken literally",
        "M updates/s",
        before,
        after,
        ratio=after / before,
        bar=20,
    )
    paper = _PAPER / 1e6
    yield Result("fast, one core; reference: a thread of the paper", "M updates/s", paper, after, ratio=after / paper)
    part = given.sample(5000)
    short = replace(config, sweeps=30, burn_in=0, thin=3)
    first, second = (
        100 * score_clusters(part.element, sample(part.corpus, each).topic).f1
        for each in (replace(short, kernel="literal"), short)
    )
    yield Result("fast; reference: literal; 5,000 citations, 30 iterations", "F", first, second)


def _threads(corpus: Corpus) -> Iterator[Result]:
    one = _warm_up(corpus, GibbsConfig(fields=5))
    two = _like(one, GibbsConfig(fields=5), threads=2)
    alone, together = (len(corpus.words) / each / 1e6 for each in alternate([one.sweep, two.sweep], 5))
    say(f"one thread {alone:.2f}, two {together:.2f} million updates a second")
    yield Result("two threads; reference: one", "M updates/s", alone, together, ratio=together / alone, bar=1.7)


def _growth(name: str, given: Elements, make: Callable[[Corpus], Callable[[], object]]) -> Iterator[Result]:
    """Measure the seconds per iteration on parts of a corpus, and the exponent of their growth."""
    sizes, taken = [], []
    for size in _SIZES:
        part = given.sample(size)
        if part.corpus.size in sizes:
            continue
        step = make(part.corpus)
        times = max(3, min(30, 1_000_000 // part.corpus.size))
        taken.append(float(np.median([seconds(step) for _ in range(times)])))
        sizes.append(part.corpus.size)
        say(f"{name}: {sizes[-1]:,} citations, {taken[-1]:.3f} s per iteration")
        yield Result(f"{name}, {sizes[-1]:,} citations, one iteration", "seconds", None, taken[-1])
    yield Result(f"{name}, growth", "exponent", None, exponent(sizes, taken), bar=1.05)


def _blocked_step(corpus: Corpus) -> Callable[[], object]:
    """A sweep of our sampler after a start found on a sample, as it is at the beginning of the long part of a run."""
    config = BlockedConfig(fields=5)
    given = replace_rare_words(corpus, config.min_count, lower_first=True)
    priors = priors_of(given)
    state = search(given, priors, config, 1, lambda _line: None)
    state = sweep_once(given, state, priors, config.seed, 1)
    return lambda: sweep_once(given, state, priors, config.seed, 1)


def _command(name: str, given: Elements, bar: float) -> Iterator[Result]:
    """Measure the time and memory of `ibidem segment` on a file with one citation per line."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "citations.txt"
        words, names = given.corpus.words, given.corpus.vocabulary
        with source.open("w", encoding="utf-8") as stream:
            for begin, end in pairwise(given.corpus.starts.tolist()):
                stream.write(" ".join(names[word] for word in words[begin:end].tolist()) + "\n")
        options = ["--fields", str(len(given.names)), "--jobs", "2"]
        peak, taken = peak_of("segment", source, options, f"{name}, {given.corpus.size:,} citations")
    row = f"ibidem segment, {name}, {given.corpus.size:,} citations, two threads"
    yield Result(row, "seconds", None, taken, bar=bar)
    yield Result(row, "MB", None, peak, bar=4000)


def exponent(sizes: Sequence[float], taken: Sequence[float]) -> float:
    """Return the exponent of growth, the slope of log time against log size.

    >>> round(exponent([10, 100, 1000], [1, 10, 100]), 6)
    1.0
    """
    if len(sizes) < 2:
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log(taken), 1)[0])
