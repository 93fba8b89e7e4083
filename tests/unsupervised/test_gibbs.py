"""The sampler of Masada et al. 2011: its kernels against the reference implementation and the exact posterior."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from posterior import inversion_counts, log_joint, posterior, states

from ibidem.errors import ConfigError
from ibidem.kernels import compiled
from ibidem.unsupervised import gibbs_numpy
from ibidem.unsupervised.corpus import Corpus, corpus_of
from ibidem.unsupervised.gibbs import Gibbs, GibbsConfig, _fit_rho, sample
from ibidem.unsupervised.mallows import fit_rho

RHO = np.array([0.7, 1.3])
CITATIONS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=9), min_size=1, max_size=8)
CONFIGS = st.builds(
    GibbsConfig,
    fields=st.integers(2, 6),
    order=st.sampled_from(["mallows", "constrained", "uniform"]),
    draws=st.sampled_from(["kept", "rebuilt"]),
    alpha=st.sampled_from([math.inf, 0.3, 4.0]),
    beta=st.sampled_from([0.01, 0.5]),
    seed=st.integers(0, 1000),
)
THREADS = st.integers(1, 3)
needs_kernels = pytest.mark.skipif(compiled() is None, reason="the kernels are not compiled")


def lda(config: GibbsConfig) -> GibbsConfig:
    return replace(config, order="none", alpha=1.0, learn_alpha=True)


def run(corpus: Corpus, config: GibbsConfig, steps: int, threads: int, reference: bool = False) -> Gibbs:
    sampler = Gibbs(corpus, config, threads)
    if reference:
        sampler._kernels = gibbs_numpy
    for _ in range(steps):
        sampler.step()
    return sampler


def same(one: Gibbs, other: Gibbs) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("draws", "inversions", "counts", "totals")
    )


@needs_kernels
@settings(deadline=None, max_examples=60)
@given(CITATIONS, CONFIGS, THREADS)
def test_the_fast_and_the_literal_kernel_agree_with_the_reference_implementation(
    citations: list[list[str]], config: GibbsConfig, threads: int
):
    corpus = corpus_of(citations)
    reference = run(corpus, config, 3, threads, reference=True)
    assert same(run(corpus, config, 3, threads), reference)
    assert same(run(corpus, replace(config, kernel="literal"), 3, threads), reference)


@needs_kernels
@settings(deadline=None, max_examples=30)
@given(CITATIONS, CONFIGS, THREADS)
def test_lda_agrees_with_its_reference_implementation(citations: list[list[str]], config: GibbsConfig, threads: int):
    corpus = corpus_of(citations)
    assert same(run(corpus, lda(config), 3, threads), run(corpus, lda(config), 3, threads, reference=True))


@settings(deadline=None, max_examples=40)
@given(CITATIONS, CONFIGS, THREADS)
def test_counts_are_always_those_of_the_assignment(citations: list[list[str]], config: GibbsConfig, threads: int):
    sampler = run(corpus_of(citations), config, 2, threads)
    counts, totals = sampler.counts.copy(), sampler.totals.copy()
    sampler.recount()
    assert np.array_equal(counts, sampler.counts) and np.array_equal(totals, sampler.totals)
    assert not counts[:, config.fields :].any()


@settings(deadline=None, max_examples=40)
@given(CITATIONS, CONFIGS, THREADS)
def test_a_topic_is_contiguous_in_every_citation(citations: list[list[str]], config: GibbsConfig, threads: int):
    sampler = run(corpus_of(citations), config, 2, threads)
    topics, starts = sampler.topics(), sampler.corpus.starts
    for begin, end in pairwise(starts):
        own = topics[begin:end].tolist()
        runs = [k for place, k in enumerate(own) if place == 0 or k != own[place - 1]]
        assert len(runs) == len(set(runs))


@pytest.mark.parametrize("alpha", [math.inf, 0.4])
def test_conditionals_are_those_of_the_joint_distribution(alpha: float):
    corpus = corpus_of([list("abca"), list("bc"), list("aadbb")])
    sampler = Gibbs(corpus, GibbsConfig(fields=3, seed=4))
    random, beta = np.random.default_rng(0), 0.2
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
        for word, k in zip(words, gibbs_numpy.assign_topics(draws, order), strict=True):
            counts[word, k] -= 1
            totals[k] -= 1
        for k in range(2):
            found = gibbs_numpy.inversion_scores(words, draws, order, k, RHO, counts, totals, beta)
            assert np.allclose(*_shares(found, _score_values(joint, order, k, len(found))))
        i = int(random.integers(len(words)))
        found = gibbs_numpy.draw_scores(words, draws, order, i, alpha, counts, totals, beta)
        assert np.allclose(*_shares(found, _score_values(joint, draws, i, 3)))


def _score_values(joint, array: np.ndarray, place: int, values: int) -> np.ndarray:
    before, scores = array[place], []
    for value in range(values):
        array[place] = value
        scores.append(joint())
    array[place] = before
    return np.array(scores)


def _shares(*scores: np.ndarray) -> list[np.ndarray]:
    return [np.exp(each - each.max()) / np.exp(each - each.max()).sum() for each in scores]


def visit(
    corpus: Corpus, every, probabilities: np.ndarray, j: int, alpha: float, beta: float, rebuilt: bool
) -> np.ndarray:
    """Return the exact probabilities of all states after a visit of citation j."""
    K, number = len(RHO) + 1, {state: place for place, state in enumerate(every)}

    def with_own(state, draws, order):
        return (*state[:j], (tuple(draws), tuple(order)), *state[j + 1 :])

    def others(state):
        counts, totals = np.zeros((len(corpus.vocabulary), K), dtype=np.int32), np.zeros(K, dtype=np.int64)
        for i, own in enumerate(state):
            if i != j:
                topics = gibbs_numpy.assign_topics(*own)
                gibbs_numpy._count(corpus.words[corpus.starts[i] : corpus.starts[i + 1]], topics, counts, totals, 1)
        return counts, totals, beta

    def move(probabilities: np.ndarray, options) -> np.ndarray:
        after = np.zeros(len(every))
        for place, state in enumerate(every):
            found, scores = options(state, *state[j])
            for option, share in zip(found, _shares(np.array(scores))[0], strict=True):
                after[number[option]] += probabilities[place] * share
        return after

    def inversion(k, state, draws, order):
        scores = gibbs_numpy.inversion_scores(own, draws, order, k, RHO, *others(state))
        return [with_own(state, draws, [*order[:k], x, *order[k + 1 :]]) for x in range(K - k)], scores

    def draw(i, state, draws, order):
        scores = gibbs_numpy.draw_scores(own, draws, order, i, alpha, *others(state))
        return [with_own(state, [*draws[:i], x, *draws[i + 1 :]], order) for x in range(K)], scores

    own = corpus.words[corpus.starts[j] : corpus.starts[j + 1]]
    for k in range(K - 1):
        probabilities = move(probabilities, partial(inversion, k))
    if rebuilt:
        probabilities = move(
            probabilities, lambda state, draws, order: ([with_own(state, sorted(draws), order)], [0.0])
        )
    for i in range(len(own)):
        probabilities = move(probabilities, partial(draw, i))
    return probabilities


@pytest.mark.parametrize("alpha", [math.inf, 0.5])
def test_a_visit_that_keeps_the_draws_leaves_the_exact_posterior_as_it_is(alpha: float):
    corpus, beta = corpus_of([list("aba"), list("b")]), 0.3
    every = states(corpus, 3)
    probabilities = posterior(corpus, every, RHO, alpha, beta)
    for j in range(2):
        after = visit(corpus, every, probabilities, j, alpha, beta, rebuilt=False)
        assert np.abs(after - probabilities).max() < 1e-12


def test_a_visit_that_rebuilds_the_draws_changes_how_likely_segmentations_are():
    corpus, beta = corpus_of([list("aba"), list("b")]), 0.3
    every = states(corpus, 3)
    probabilities = posterior(corpus, every, RHO, math.inf, beta)
    after = visit(corpus, every, probabilities, 0, math.inf, beta, rebuilt=True)
    assert np.abs(_by_segmentation(every, after) - _by_segmentation(every, probabilities)).sum() > 0.01


def _by_segmentation(every, probabilities: np.ndarray) -> np.ndarray:
    """Return the probabilities of what is observable: the topics of the tokens, whatever the order of the draws."""
    numbers: dict[object, int] = {}
    place = [
        numbers.setdefault(tuple(map(tuple, (gibbs_numpy.assign_topics(*c) for c in s))), len(numbers)) for s in every
    ]
    return np.bincount(place, weights=probabilities)


def _distance(config: GibbsConfig, sweeps: int) -> float:
    """Return the total variation distance between the segmentations that the kernel visits and the exact posterior."""
    corpus = corpus_of([list("abb"), list("ca")])
    every = states(corpus, config.fields, config.order != "constrained")
    probabilities = posterior(corpus, every, RHO, config.alpha, config.beta)
    exact: dict[tuple[int, ...], float] = {}
    for state, probability in zip(every, probabilities, strict=True):
        key = tuple(k for citation in state for k in gibbs_numpy.assign_topics(*citation))
        exact[key] = exact.get(key, 0.0) + probability
    sampler = Gibbs(corpus, config)
    sampler.rho = RHO.copy()
    seen = np.empty((sweeps, 5), dtype=np.uint8)
    for number in range(sweeps):
        sampler.sweep()
        seen[number] = sampler.topics()
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
    config = GibbsConfig(fields=3, alpha=alpha, beta=0.3, kernel=kernel, order=order)
    assert _distance(config, 30_000) < 0.035


@needs_kernels
def test_rebuilt_draws_do_not_visit_segmentations_as_often_as_the_posterior_says():
    assert _distance(GibbsConfig(fields=3, beta=0.3, draws="rebuilt"), 30_000) > 0.05


def test_the_same_seed_gives_the_same_answer_and_another_seed_another():
    corpus = corpus_of([list("abcab"), list("cdb"), list("aabd")] * 4)
    config = GibbsConfig(fields=3, sweeps=6, burn_in=0, thin=2)
    assert np.array_equal(sample(corpus, config, threads=2).topic, sample(corpus, config, threads=2).topic)
    assert not np.array_equal(sample(corpus, config).last, sample(corpus, replace(config, seed=1)).last)


def test_the_topic_of_a_token_is_the_majority_of_the_samples_and_confidence_its_share():
    corpus, seen = corpus_of([list("abcab"), list("cdb")]), []
    config = GibbsConfig(fields=3, sweeps=9, burn_in=0, thin=3)
    found = sample(corpus, config, lambda number, state: seen.append(state.topics()) if number % 3 == 0 else None)
    votes = np.array([np.bincount(column, minlength=3) for column in np.array(seen).T])
    assert len(seen) == 3 and np.array_equal(found.topic, votes.argmax(axis=1))
    assert found.confidence == pytest.approx(votes.max(axis=1) / 3)


@pytest.mark.parametrize("citations", [[], [[]], [["a"]], [["a"], [], ["b"]], [list("ab") * 5000]])
def test_corpora_without_citations_and_with_empty_short_and_long_ones_are_sampled(citations: list[list[str]]):
    corpus = corpus_of(citations)
    if compiled() is None and len(corpus.words) > 100:
        pytest.skip("the reference implementation is slow")
    found = sample(corpus, GibbsConfig(fields=5, sweeps=2, thin=1))
    assert len(found.topic) == len(corpus.words) and np.isfinite(found.rho).all()
    assert len(sample(corpus, lda(GibbsConfig(fields=5, sweeps=2))).topic) == len(corpus.words)


@pytest.mark.parametrize(
    "wrong",
    [
        {"fields": 1},
        {"fields": 17},
        {"sweeps": 0},
        {"thin": 0},
        {"burn_in": 1.0},
        {"burn_in": -0.1},
        {"beta": 0.0},
        {"learn_alpha": True},
        {"order": "none"},
    ],
)
def test_invalid_settings_are_refused(wrong: dict):
    with pytest.raises(ConfigError):
        GibbsConfig(**wrong)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"sweeps": 10, "burn_in": 0.0, "thin": 3}, [3, 6, 9]),
        ({"sweeps": 10, "burn_in": 0.5, "thin": 2}, [6, 8, 10]),
        ({"sweeps": 10, "burn_in": 0.55, "thin": 1}, [6, 7, 8, 9, 10]),
        ({"sweeps": 4, "burn_in": 0.5, "thin": 5}, [4]),
        ({"sweeps": 1, "burn_in": 0.5, "thin": 1}, [1]),
    ],
)
def test_samples_are_thinned_sweeps_after_the_burn_in(settings: dict, expected: list[int]):
    config = GibbsConfig(**settings)
    assert [sweep for sweep in range(1, config.sweeps + 1) if config.is_sample(sweep)] == expected


def test_the_log_likelihood_is_that_of_the_joint_distribution_without_orders_and_draws():
    corpus = corpus_of([list("abca"), list("bc"), list("aadbb")])
    sampler = Gibbs(corpus, GibbsConfig(fields=3, beta=0.2, seed=4))
    state = tuple(
        (tuple(sampler.draws[a:b].tolist()), tuple(v.tolist()))
        for a, b, v in zip(corpus.starts[:-1], corpus.starts[1:], sampler.inversions, strict=True)
    )
    flat = corpus.size * math.log(6)  # with ρ = 0 each order of three topics has the probability 1/6
    joint = log_joint(corpus, state, np.zeros(2), math.inf, 0.2) + flat
    assert sampler.log_likelihood() == pytest.approx(joint / len(corpus.words))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.permutations(range(4)), min_size=1, max_size=6), st.permutations(range(4)))
def test_rho_is_fitted_to_the_relabelled_orders(orders: list[list[int]], numbering: list[int]):
    inversions = np.array([inversion_counts(order) for order in orders], dtype=np.uint8)
    new_number = {old: new for new, old in enumerate(numbering)}
    relabelled = np.array([inversion_counts([new_number[k] for k in order]) for order in orders])
    expected = fit_rho(relabelled.sum(axis=0).tolist(), len(orders))
    assert _fit_rho(inversions, np.array(numbering)) == pytest.approx(expected)
