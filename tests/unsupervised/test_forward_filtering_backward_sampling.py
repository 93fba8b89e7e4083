"""The blocked sampler: its kernels against enumeration of every segmentation, and their reference implementation."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.errors import IbidemError
from ibidem.kernels import compiled
from ibidem.unsupervised import blocked_numpy, mallows
from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised.corpus import Corpus

needs_compiled = pytest.mark.skipif(compiled() is None, reason="the kernels are not compiled here")


def tiny(seed: int, K: int, lengths: tuple[int, ...] = (4, 0, 3, 5), W: int = 5, placed: bool = True):
    """Return a random corpus, elements and tables."""
    random = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    words = random.integers(0, W, starts[-1]).astype(np.int32)
    corpus = Corpus(words, starts, tuple("abcdefgh"[:W]), random.integers(0, 3, len(words)).astype(np.int32))
    elements = np.full(len(words), ffbs.NO_ELEMENT, dtype=np.uint8)
    if placed:
        for begin, end in itertools.pairwise(starts):
            order = random.permutation(K)
            elements[begin:end] = order[np.sort(random.integers(0, K, end - begin))]
    longest = 5
    tables = ffbs.Tables(
        ffbs.count_words(corpus, elements, K) + random.uniform(0.05, 2, (W, K)),
        ffbs.count_lengths(corpus, elements, K, longest) + random.uniform(0.1, 1, (K, longest + 1)),
        mallows.step_weights(random.uniform(0, 2, K - 1)),
        random.uniform(0.1, 0.5, (3, K, 2)),
    )
    return corpus, elements, tables


def enumerate_segmentations(corpus: Corpus, elements, tables: ffbs.Tables, d: int) -> dict[tuple[int, ...], float]:
    """Return the unnormalised probability of every segmentation of citation d: all orders and all boundaries."""
    begin, end = corpus.starts[d], corpus.starts[d + 1]
    words, here, K = corpus.words[begin:end], elements[begin:end], tables.word.shape[1]
    T, gaps = len(words), corpus.gaps_of_tokens()[begin:end]
    word, length = tables.word.copy(), tables.length.copy()
    if T and here[0] != ffbs.NO_ELEMENT:
        np.subtract.at(word, (words, here), 1)
        np.subtract.at(length, (np.arange(K), np.bincount(here, minlength=K)), 1)
    word /= word.sum(axis=0)
    length /= length.sum(axis=1)[:, None]
    weights: dict[tuple[int, ...], float] = defaultdict(float)
    for order in itertools.permutations(range(K)):
        for cuts in itertools.combinations_with_replacement(range(T + 1), K - 1):
            edges = (0, *cuts, T)
            weight, used, labels = 1.0, 0, []
            for element, s, t in zip(order, edges, edges[1:], strict=False):
                weight *= tables.step[element, used] * length[element, t - s]
                used |= 1 << element
                labels += [element] * (t - s)
                for i in range(s, t):
                    weight *= word[words[i], element] * tables.gap[gaps[i], element, int(i == t - 1)]
            weights[tuple(labels)] += weight
    return weights


@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
@settings(max_examples=25, deadline=None)
def test_likelihoods_are_sums_over_all_segmentations(seed: int, K: int, placed: bool) -> None:
    corpus, elements, tables = tiny(seed, K, placed=placed)
    _, _, log_likelihoods = ffbs.decode(corpus, elements, tables)
    for d in range(corpus.size):
        weights = enumerate_segmentations(corpus, elements, tables, d)
        expected = np.log(sum(weights.values())) if corpus.lengths[d] else 0
        assert log_likelihoods[d] == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 10**6), st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_decoding_maximises_the_expected_number_of_correct_tokens(seed: int, K: int) -> None:
    corpus, elements, tables = tiny(seed, K)
    found, confidence, _ = ffbs.decode(corpus, elements, tables)
    for d in range(corpus.size):
        begin, end = corpus.starts[d], corpus.starts[d + 1]
        weights = enumerate_segmentations(corpus, elements, tables, d)
        total = sum(weights.values())
        mass = np.zeros((end - begin, K))
        for labels, weight in weights.items():
            mass[np.arange(len(labels)), list(labels)] += weight / total
        rows = np.arange(end - begin)
        assert confidence[begin:end] == pytest.approx(mass[rows, found[begin:end]], abs=1e-6)
        best = max(mass[rows, list(labels)].sum() for labels in weights)
        assert mass[rows, found[begin:end]].sum() == pytest.approx(best)


def test_segmentations_are_sampled_in_proportion_to_their_probability() -> None:
    corpus, elements, tables = tiny(5, 3, lengths=(4,))
    weights = enumerate_segmentations(corpus, elements, tables, 0)
    total, draws = sum(weights.values()), 4000 if compiled() else 300
    seen: dict[tuple[int, ...], int] = defaultdict(int)
    for sweep in range(draws):
        seen[tuple(ffbs.sample(corpus, elements, tables, 7, sweep)[0].tolist())] += 1
    assert set(seen) <= set(weights)
    for labels, weight in weights.items():
        share = weight / total
        assert abs(seen[labels] / draws - share) < 5 * np.sqrt(share * (1 - share) / draws) + 1e-3


def test_counts_are_those_of_the_sample() -> None:
    corpus, elements, tables = tiny(3, 3)
    sampled, _, counts = ffbs.sample(corpus, elements, tables, 1, 0)
    assert (counts.word == ffbs.count_words(corpus, sampled, 3)).all()
    assert (counts.length == ffbs.count_lengths(corpus, sampled, 3, 5)).all()
    assert counts.step.sum() == 3 * (corpus.lengths > 0).sum()
    assert counts.gap.sum() == len(corpus.words)
    for begin, end in itertools.pairwise(corpus.starts):
        pieces = [element for element, _ in itertools.groupby(sampled[begin:end])]
        assert len(pieces) == len(set(pieces))


@needs_compiled
@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=20, deadline=None)
def test_kernels_and_reference_implementation_agree(seed: int, K: int) -> None:
    corpus, elements, tables = tiny(seed, K, lengths=(4, 0, 1, 7))
    given_arrays = ffbs.kernel_arguments(corpus, elements, tables)
    for ours, theirs in zip(
        compiled().sample_segmentations(*given_arrays, seed, 3, 1),
        blocked_numpy.sample_segmentations(*given_arrays, seed, 3, 1),
        strict=True,
    ):
        assert ours == pytest.approx(theirs, abs=1e-9)
    for ours, theirs in zip(
        compiled().decode_segmentations(*given_arrays, 1),
        blocked_numpy.decode_segmentations(*given_arrays, 1),
        strict=True,
    ):
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_threads_change_nothing() -> None:
    corpus, elements, tables = tiny(11, 3, lengths=(3, 5, 2, 4) * (200 if compiled() else 3))
    one, three = (ffbs.sample(corpus, elements, tables, 1, 0, threads) for threads in (1, 3))
    assert (one[0] == three[0]).all()
    assert (one[1] == three[1]).all()
    assert (one[2].step == three[2].step).all()


@given(st.permutations(range(4)), st.integers(0, 1000))
def test_relabelled_counts_are_those_of_relabelled_elements(order: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    steps = np.zeros((4, 16), dtype=np.int64)
    orders, ours = [tuple(random.permutation(4)) for _ in range(5)], np.zeros((4, 16), dtype=np.int64)
    new = {old: place for place, old in enumerate(order)}
    for one in orders:
        for table, elements in ((steps, one), (ours, [new[element] for element in one])):
            used = 0
            for element in elements:
                table[element, used] += 1
                used |= 1 << int(element)
    empty = np.zeros((2, 4), dtype=np.int64)
    counts = ffbs.Counts(empty, empty.T, steps, np.zeros((1, 4, 2), dtype=np.int64))
    assert (counts.relabel(np.array(order)).step == ours).all()


def test_more_elements_than_possible_are_refused() -> None:
    corpus, elements, _ = tiny(0, 3)
    wide = ffbs.Tables(np.ones((5, 10)), np.ones((10, 3)), np.ones((10, 1024)), np.ones((3, 10, 2)))
    with pytest.raises(IbidemError, match="10 elements; from 1 to 9"):
        ffbs.sample(corpus, elements, wide, 1, 0)
