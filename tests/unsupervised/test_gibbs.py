from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from posterior import log_joint, posterior, states

from ibidem.errors import ConfigError
from ibidem.kernels import compiled
from ibidem.unsupervised import gibbs_numpy as gibbs_twin
from ibidem.unsupervised.corpus import Corpus, corpus_of
from ibidem.unsupervised.gibbs import Gibbs, GibbsConfig, lda, sample

RHO = np.array([0.7, 1.3])
CITATIONS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=9), min_size=1, max_size=8)
CONFIGS = st.builds(
    GibbsConfig,
    topics=st.integers(2, 6),
    order=st.sampled_from(["mallows", "constrained", "uniform"]),
    draws=st.sampled_from(["kept", "rebuilt"]),
    alpha=st.sampled_from([math.inf, 0.3, 4.0]),
    beta=st.sampled_from([0.01, 0.5]),
    threads=st.integers(1, 3),
    seed=st.integers(0, 1000),
)
needs_kernels = pytest.mark.skipif(compiled() is None, reason="the kernels are not compiled")


def run(corpus: Corpus, config: GibbsConfig, steps: int, twin: bool = False) -> Gibbs:
    sampler = Gibbs(corpus, config)
    if twin:
        sampler._kernels = gibbs_twin
    for _ in range(steps):
        sampler.step()
    return sampler


def same(one: Gibbs, other: Gibbs) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("draws", "inversions", "counts", "totals")
    )


@needs_kernels
@settings(deadline=None, max_examples=60)
@given(CITATIONS, CONFIGS)
def test_the_fast_kernel_the_literal_one_and_the_twin_draw_the_same(citations: list[list[str]], config: GibbsConfig):
    corpus = corpus_of(citations)
    twin = run(corpus, config, 3, twin=True)
    assert same(run(corpus, config, 3), twin)
    assert same(run(corpus, replace(config, kernel="literal"), 3), twin)


@needs_kernels
@settings(deadline=None, max_examples=30)
@given(CITATIONS, CONFIGS)
def test_lda_and_its_twin_draw_the_same(citations: list[list[str]], config: GibbsConfig):
    corpus = corpus_of(citations)
    assert same(run(corpus, lda(config), 3), run(corpus, lda(config), 3, twin=True))


@settings(deadline=None, max_examples=40)
@given(CITATIONS, CONFIGS)
def test_counts_are_always_those_of_the_assignment(citations: list[list[str]], config: GibbsConfig):
    sampler = run(corpus_of(citations), config, 2)
    counts, totals = sampler.counts.copy(), sampler.totals.copy()
    sampler.recount()
    assert np.array_equal(counts, sampler.counts) and np.array_equal(totals, sampler.totals)
    assert not counts[:, config.topics :].any()


@settings(deadline=None, max_examples=40)
@given(CITATIONS, CONFIGS)
def test_a_topic_is_contiguous_in_every_citation(citations: list[list[str]], config: GibbsConfig):
    sampler = run(corpus_of(citations), config, 2)
    topics, starts = sampler.assigned(), sampler.corpus.starts
    for begin, end in pairwise(starts):
        own = topics[begin:end].tolist()
        runs = [k for place, k in enumerate(own) if place == 0 or k != own[place - 1]]
        assert len(runs) == len(set(runs))


@pytest.mark.parametrize("alpha", [math.inf, 0.4])
def test_conditionals_are_those_of_the_joint_distribution(alpha: float):
    corpus = corpus_of([list("abca"), list("bc"), list("aadbb")])
    sampler = Gibbs(corpus, GibbsConfig(topics=3, seed=4))
    chance, beta = np.random.default_rng(0), 0.2
    sampler.inversions[:] = [[2, 0], [1, 1], [0, 1]]
    sampler.recount()

    def joint() -> float:
        own = [
            (tuple(sampler.draws[a:b].tolist()), tuple(v.tolist()))
            for a, b, v in zip(corpus.starts[:-1], corpus.starts[1:], sampler.inversions, strict=True)
        ]
        return log_joint(corpus, tuple(own), RHO, alpha, beta)

    for j in range(3):
        place = slice(int(corpus.starts[j]), int(corpus.starts[j + 1]))
        words, draws, order = corpus.words[place], sampler.draws[place], sampler.inversions[j]
        counts, totals = sampler.counts.copy(), sampler.totals.copy()
        for word, k in zip(words, gibbs_twin.assigned(draws, order), strict=True):
            counts[word, k] -= 1
            totals[k] -= 1
        for k in range(2):
            found = gibbs_twin.inversion_scores(words, draws, order, k, RHO, counts, totals, beta)
            assert np.allclose(*_shares(found, _tried(joint, order, k, len(found))))
        i = int(chance.integers(len(words)))
        found = gibbs_twin.draw_scores(words, draws, order, i, alpha, counts, totals, beta)
        assert np.allclose(*_shares(found, _tried(joint, draws, i, 3)))


def _tried(joint, array: np.ndarray, place: int, values: int) -> np.ndarray:
    before, scores = array[place], []
    for value in range(values):
        array[place] = value
        scores.append(joint())
    array[place] = before
    return np.array(scores)


def _shares(*scores: np.ndarray) -> list[np.ndarray]:
    return [np.exp(each - each.max()) / np.exp(each - each.max()).sum() for each in scores]


def visited(corpus: Corpus, every, chances: np.ndarray, j: int, alpha: float, beta: float, rebuilt: bool) -> np.ndarray:
    """The chances of all states after a visit of citation j, exactly."""
    K, number = len(RHO) + 1, {state: place for place, state in enumerate(every)}

    def with_own(state, draws, order):
        return (*state[:j], (tuple(draws), tuple(order)), *state[j + 1 :])

    def others(state):
        counts, totals = np.zeros((len(corpus.vocabulary), K), dtype=np.int32), np.zeros(K, dtype=np.int64)
        for i, own in enumerate(state):
            if i != j:
                topics = gibbs_twin.assigned(*own)
                gibbs_twin._count(corpus.words[corpus.starts[i] : corpus.starts[i + 1]], topics, counts, totals, 1)
        return counts, totals, beta

    def moved(chances: np.ndarray, options) -> np.ndarray:
        after = np.zeros(len(every))
        for place, state in enumerate(every):
            found, scores = options(state, *state[j])
            for option, share in zip(found, _shares(np.array(scores))[0], strict=True):
                after[number[option]] += chances[place] * share
        return after

    def inversion(k, state, draws, order):
        scores = gibbs_twin.inversion_scores(own, draws, order, k, RHO, *others(state))
        return [with_own(state, draws, [*order[:k], x, *order[k + 1 :]]) for x in range(K - k)], scores

    def draw(i, state, draws, order):
        scores = gibbs_twin.draw_scores(own, draws, order, i, alpha, *others(state))
        return [with_own(state, [*draws[:i], x, *draws[i + 1 :]], order) for x in range(K)], scores

    own = corpus.words[corpus.starts[j] : corpus.starts[j + 1]]
    for k in range(K - 1):
        chances = moved(chances, partial(inversion, k))
    if rebuilt:
        chances = moved(chances, lambda state, draws, order: ([with_own(state, sorted(draws), order)], [0.0]))
    for i in range(len(own)):
        chances = moved(chances, partial(draw, i))
    return chances


@pytest.mark.parametrize("alpha", [math.inf, 0.5])
def test_a_visit_that_keeps_the_draws_leaves_the_exact_posterior_as_it_is(alpha: float):
    corpus, beta = corpus_of([list("aba"), list("b")]), 0.3
    every = states(corpus, 3)
    chances = posterior(corpus, every, RHO, alpha, beta)
    for j in range(2):
        after = visited(corpus, every, chances, j, alpha, beta, rebuilt=False)
        assert np.abs(after - chances).max() < 1e-12


def test_a_visit_that_rebuilds_the_draws_changes_how_likely_segmentations_are():
    corpus, beta = corpus_of([list("aba"), list("b")]), 0.3
    every = states(corpus, 3)
    chances = posterior(corpus, every, RHO, math.inf, beta)
    after = visited(corpus, every, chances, 0, math.inf, beta, rebuilt=True)
    assert np.abs(_by_segmentation(every, after) - _by_segmentation(every, chances)).sum() > 0.01


def _by_segmentation(every, chances: np.ndarray) -> np.ndarray:
    """The chances of what can be seen: the topics of the tokens, whatever the order of the draws."""
    numbers: dict[object, int] = {}
    place = [numbers.setdefault(tuple(map(tuple, (gibbs_twin.assigned(*c) for c in s))), len(numbers)) for s in every]
    return np.bincount(place, weights=chances)


def _distance(config: GibbsConfig, sweeps: int) -> float:
    """How far what the kernel visits is from the exact posterior, by segmentations: half the sum of differences."""
    corpus = corpus_of([list("abb"), list("ca")])
    every = states(corpus, config.topics, config.order != "constrained")
    chances = posterior(corpus, every, RHO, config.alpha, config.beta)
    exact: dict[tuple[int, ...], float] = {}
    for state, chance in zip(every, chances, strict=True):
        key = tuple(k for citation in state for k in gibbs_twin.assigned(*citation))
        exact[key] = exact.get(key, 0.0) + chance
    sampler = Gibbs(corpus, config)
    sampler.rho = RHO.copy()
    seen = np.empty((sweeps, 5), dtype=np.uint8)
    for number in range(sweeps):
        sampler.sweep()
        seen[number] = sampler.assigned()
    keys, times = np.unique(seen[100:], axis=0, return_counts=True)
    found = {tuple(key): share for key, share in zip(keys.tolist(), times / times.sum(), strict=True)}
    return 0.5 * sum(abs(exact.get(key, 0.0) - found.get(key, 0.0)) for key in {*exact, *found})


@needs_kernels
@pytest.mark.parametrize(
    ("kernel", "alpha", "order"),
    [
        ("fast", math.inf, "mallows"),
        ("fast", 0.5, "mallows"),
        ("fast", 0.5, "constrained"),
        ("literal", math.inf, "mallows"),
    ],
)
def test_the_kernels_visit_segmentations_as_often_as_the_posterior_says(kernel: str, alpha: float, order: str):
    config = GibbsConfig(topics=3, alpha=alpha, beta=0.3, kernel=kernel, order=order)
    assert _distance(config, 30_000) < 0.035


@needs_kernels
def test_rebuilt_draws_do_not_visit_segmentations_as_often_as_the_posterior_says():
    assert _distance(GibbsConfig(topics=3, beta=0.3, draws="rebuilt"), 30_000) > 0.05


def test_the_answer_is_the_same_for_the_same_seed_and_other_for_another():
    corpus = corpus_of([list("abcab"), list("cdb"), list("aabd")] * 4)
    config = GibbsConfig(topics=3, iterations=6, every=2, threads=2)
    assert np.array_equal(sample(corpus, config).topic, sample(corpus, config).topic)
    assert not np.array_equal(sample(corpus, config).last, sample(corpus, replace(config, seed=1)).last)


def test_a_topic_is_told_by_most_intermediate_results():
    corpus, seen = corpus_of([list("abcab"), list("cdb")]), []
    config = GibbsConfig(topics=3, iterations=9, every=3)
    found = sample(corpus, config, lambda number, state: seen.append(state.assigned()) if number % 3 == 0 else None)
    votes = np.array([np.bincount(column, minlength=3) for column in np.array(seen).T])
    assert len(seen) == 3 and np.array_equal(found.topic, votes.argmax(axis=1))


@pytest.mark.parametrize("citations", [[], [[]], [["a"]], [["a"], [], ["b"]], [list("ab") * 5000]])
def test_no_citations_empty_ones_short_ones_and_long_ones_are_sampled(citations: list[list[str]]):
    corpus = corpus_of(citations)
    if compiled() is None and len(corpus.words) > 100:
        pytest.skip("the twin is slow")
    found = sample(corpus, GibbsConfig(topics=5, iterations=2, every=1))
    assert len(found.topic) == len(corpus.words) and np.isfinite(found.rho).all()
    assert len(sample(corpus, lda(GibbsConfig(topics=5, iterations=2))).topic) == len(corpus.words)


@pytest.mark.parametrize(
    "wrong", [{"topics": 1}, {"topics": 17}, {"iterations": 0}, {"beta": 0.0}, {"learn_alpha": True}, {"order": "none"}]
)
def test_settings_that_make_no_sense_are_refused(wrong: dict):
    with pytest.raises(ConfigError):
        GibbsConfig(**wrong)
