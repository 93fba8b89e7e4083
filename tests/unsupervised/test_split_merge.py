"""The moves of the split-merge search: what they change, and that elements stay contiguous."""

from __future__ import annotations

from itertools import groupby, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.unsupervised.corpus import Corpus, corpus_of
from ibidem.unsupervised.forward_filtering_backward_sampling import NO_ELEMENT
from ibidem.unsupervised.split_merge import shift_boundary, split_element

K = 3
lengths_of_segments = st.lists(st.lists(st.integers(0, 3), min_size=K, max_size=K), min_size=1, max_size=6)


def make_corpus(sizes: list[list[int]]) -> tuple[Corpus, np.ndarray]:
    """Return citations with segments of these lengths, each citation starting with another element."""
    turned = [[(number + k) % K for k in range(K)] for number in range(len(sizes))]
    labels = [
        [k for k, size in zip(order, own, strict=True) for _ in range(size)]
        for order, own in zip(turned, sizes, strict=True)
    ]
    corpus = corpus_of([["w"] * len(own) for own in labels])
    return corpus, np.array([k for own in labels for k in own], dtype=np.uint8)


def segments(corpus: Corpus, elements: np.ndarray) -> list[list[tuple[int, int]]]:
    """Return the segments of each citation: (element, tokens)."""
    return [
        [(int(element), len([*group])) for element, group in groupby(elements[begin:end])]
        for begin, end in pairwise(corpus.starts)
    ]


@given(lengths_of_segments, st.integers(0, K - 1), st.sampled_from((-1, 1)))
def test_a_shift_gives_one_token_of_longer_segments_to_the_neighbour(
    sizes: list[list[int]], element: int, way: int
) -> None:
    corpus, elements = make_corpus(sizes)
    for before, after in zip(
        segments(corpus, elements), segments(corpus, shift_boundary(corpus, elements, element, way)), strict=True
    ):
        expected = dict(before)
        order = [k for k, _ in before]
        place = order.index(element) if element in order else -1
        if place >= 0 and 0 <= place + way < len(order) and expected[element] > 1:
            expected[element] -= 1
            expected[order[place + way]] += 1
        assert after == [(k, expected[k]) for k in order]


@given(lengths_of_segments, st.integers(0, K - 1))
def test_a_split_element_is_two_adjacent_ones(sizes: list[list[int]], element: int) -> None:
    corpus, elements = make_corpus(sizes)
    split = split_element(corpus, elements, element, np.random.default_rng(1))
    back = split.copy()
    back[split > element] -= 1
    assert (back == elements).all()
    for own in segments(corpus, split):
        assert len({k for k, _ in own}) == len(own)


def test_tokens_without_an_element_are_not_shifted() -> None:
    corpus = corpus_of([["a", "b", "c"], [], ["d", "e"]])
    elements = np.array([NO_ELEMENT] * 3 + [0, 0], dtype=np.uint8)
    for way in (-1, 1):
        assert (shift_boundary(corpus, elements, 0, way) == elements).all()
