"""The blocked sampler: its kernels against enumeration of every segmentation, and against their twin."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.errors import IbidemError
from ibidem.kernels import compiled
from ibidem.unsupervised import blocked_numpy as twin
from ibidem.unsupervised import forward_filtering_backward_sampling as drawing
from ibidem.unsupervised import mallows
from ibidem.unsupervised.corpus import Corpus

needs_compiled = pytest.mark.skipif(compiled() is None, reason="the kernels are not compiled here")


def tiny(seed: int, K: int, lengths: tuple[int, ...] = (4, 0, 3, 5), W: int = 5, placed: bool = True):
    """A corpus, elements and tables, all made up."""
    chance = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    words = chance.integers(0, W, starts[-1]).astype(np.int32)
    corpus = Corpus(words, starts, tuple("abcdefgh"[:W]), chance.integers(0, 3, len(words)).astype(np.int32))
    elements = np.full(len(words), drawing.NO_ELEMENT, dtype=np.uint8)
    if placed:
        for begin, end in itertools.pairwise(starts):
            order = chance.permutation(K)
            elements[begin:end] = order[np.sort(chance.integers(0, K, end - begin))]
    longest = 5
    tables = drawing.Tables(
        drawing.count_words(corpus, elements, K) + chance.uniform(0.05, 2, (W, K)),
        drawing.count_lengths(corpus, elements, K, longest) + chance.uniform(0.1, 1, (K, longest + 1)),
        mallows.step_weights(chance.uniform(0, 2, K - 1)),
        chance.uniform(0.1, 0.5, (3, K, 2)),
    )
    return corpus, elements, tables


def enumerated(corpus: Corpus, elements, tables: drawing.Tables, d: int) -> dict[tuple[int, ...], float]:
    """The chance of every segmentation of citation d, by going through all orders and all cuts."""
    begin, end = corpus.starts[d], corpus.starts[d + 1]
    words, here, K = corpus.words[begin:end], elements[begin:end], tables.word.shape[1]
    T, gaps = len(words), corpus.gaps_of_tokens()[begin:end]
    word, length = tables.word.copy(), tables.length.copy()
    if T and here[0] != drawing.NO_ELEMENT:
        np.subtract.at(word, (words, here), 1)
        np.subtract.at(length, (np.arange(K), np.bincount(here, minlength=K)), 1)
    word /= word.sum(axis=0)
    length /= length.sum(axis=1)[:, None]
    chances: dict[tuple[int, ...], float] = defaultdict(float)
    for order in itertools.permutations(range(K)):
        for cuts in itertools.combinations_with_replacement(range(T + 1), K - 1):
            edges = (0, *cuts, T)
            chance, used, labels = 1.0, 0, []
            for element, s, t in zip(order, edges, edges[1:], strict=False):
                chance *= tables.step[element, used] * length[element, t - s]
                used |= 1 << element
                labels += [element] * (t - s)
                for i in range(s, t):
                    chance *= word[words[i], element] * tables.gap[gaps[i], element, int(i == t - 1)]
            chances[tuple(labels)] += chance
    return chances


@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
@settings(max_examples=25, deadline=None)
def test_chances_are_the_sums_over_all_segmentations(seed: int, K: int, placed: bool) -> None:
    corpus, elements, tables = tiny(seed, K, placed=placed)
    _, _, log_chances = drawing.read(corpus, elements, tables)
    for d in range(corpus.size):
        ways = enumerated(corpus, elements, tables, d)
        expected = np.log(sum(ways.values())) if corpus.lengths[d] else 0
        assert log_chances[d] == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 10**6), st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_what_is_read_has_the_most_tokens_expected_to_be_right(seed: int, K: int) -> None:
    corpus, elements, tables = tiny(seed, K)
    found, confidence, _ = drawing.read(corpus, elements, tables)
    for d in range(corpus.size):
        begin, end = corpus.starts[d], corpus.starts[d + 1]
        chances = enumerated(corpus, elements, tables, d)
        total = sum(chances.values())
        mass = np.zeros((end - begin, K))
        for labels, chance in chances.items():
            mass[np.arange(len(labels)), list(labels)] += chance / total
        rows = np.arange(end - begin)
        assert confidence[begin:end] == pytest.approx(mass[rows, found[begin:end]], abs=1e-6)
        best = max(mass[rows, list(labels)].sum() for labels in chances)
        assert mass[rows, found[begin:end]].sum() == pytest.approx(best)


def test_segmentations_are_drawn_as_often_as_their_chance_says() -> None:
    corpus, elements, tables = tiny(5, 3, lengths=(4,))
    chances = enumerated(corpus, elements, tables, 0)
    total, draws = sum(chances.values()), 4000 if compiled() else 300
    seen: dict[tuple[int, ...], int] = defaultdict(int)
    for sweep in range(draws):
        seen[tuple(drawing.draw(corpus, elements, tables, 7, sweep)[0].tolist())] += 1
    assert set(seen) <= set(chances)
    for labels, chance in chances.items():
        share = chance / total
        assert abs(seen[labels] / draws - share) < 5 * np.sqrt(share * (1 - share) / draws) + 1e-3


def test_counts_are_those_of_what_was_drawn() -> None:
    corpus, elements, tables = tiny(3, 3)
    drawn, _, counts = drawing.draw(corpus, elements, tables, 1, 0)
    assert (counts.word == drawing.count_words(corpus, drawn, 3)).all()
    assert (counts.length == drawing.count_lengths(corpus, drawn, 3, 5)).all()
    assert counts.step.sum() == 3 * (corpus.lengths > 0).sum()
    assert counts.gap.sum() == len(corpus.words)
    for begin, end in itertools.pairwise(corpus.starts):
        pieces = [element for element, _ in itertools.groupby(drawn[begin:end])]
        assert len(pieces) == len(set(pieces))


@needs_compiled
@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=20, deadline=None)
def test_kernel_and_twin_draw_and_read_the_same(seed: int, K: int) -> None:
    corpus, elements, tables = tiny(seed, K, lengths=(4, 0, 1, 7))
    given_arrays = drawing._checked(corpus, elements, tables)
    for ours, theirs in zip(
        compiled().order_draw(*given_arrays, seed, 3, 1), twin.order_draw(*given_arrays, seed, 3, 1), strict=True
    ):
        assert ours == pytest.approx(theirs, abs=1e-9)
    for ours, theirs in zip(compiled().order_read(*given_arrays, 1), twin.order_read(*given_arrays, 1), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_threads_change_nothing() -> None:
    corpus, elements, tables = tiny(11, 3, lengths=(3, 5, 2, 4) * (200 if compiled() else 3))
    one, three = (drawing.draw(corpus, elements, tables, 1, 0, threads) for threads in (1, 3))
    assert (one[0] == three[0]).all()
    assert (one[1] == three[1]).all()
    assert (one[2].step == three[2].step).all()


@given(st.permutations(range(4)), st.integers(0, 1000))
def test_renamed_counts_are_those_of_renamed_elements(order: list[int], seed: int) -> None:
    chance = np.random.default_rng(seed)
    steps = np.zeros((4, 16), dtype=np.int64)
    told, ours = [tuple(chance.permutation(4)) for _ in range(5)], np.zeros((4, 16), dtype=np.int64)
    new = {old: place for place, old in enumerate(order)}
    for one in told:
        for table, elements in ((steps, one), (ours, [new[element] for element in one])):
            used = 0
            for element in elements:
                table[element, used] += 1
                used |= 1 << int(element)
    empty = np.zeros((2, 4), dtype=np.int64)
    counts = drawing.Counts(empty, empty.T, steps, np.zeros((1, 4, 2), dtype=np.int64))
    assert (counts.renamed(np.array(order)).step == ours).all()


def test_more_elements_than_can_be_told_apart_are_refused() -> None:
    corpus, elements, _ = tiny(0, 3)
    wide = drawing.Tables(np.ones((5, 10)), np.ones((10, 3)), np.ones((10, 1024)), np.ones((3, 10, 2)))
    with pytest.raises(IbidemError, match="10 elements; from 1 to 9"):
        drawing.draw(corpus, elements, wide, 1, 0)
