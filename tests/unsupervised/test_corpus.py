"""Citations as arrays of integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.unsupervised.corpus import corpus_of, shape_class

citations = st.lists(st.lists(st.text(min_size=1, max_size=4), max_size=6), max_size=8)


@given(citations)
def test_without_a_minimum_count_every_token_is_kept(given_citations: list[list[str]]) -> None:
    corpus = corpus_of(given_citations)
    back = [
        [corpus.vocabulary[word] for word in corpus.words[start:end]]
        for start, end in zip(corpus.starts, corpus.starts[1:], strict=False)
    ]
    assert back == given_citations
    assert len(set(corpus.vocabulary)) == len(corpus.vocabulary)


@given(citations, st.integers(1, 4))
def test_only_rare_words_become_their_class(given_citations: list[list[str]], min_count: int) -> None:
    flat = [word for citation in given_citations for word in citation]
    corpus = corpus_of(given_citations, min_count)
    expected = [word if flat.count(word) >= min_count else shape_class(word) for word in flat]
    assert [corpus.vocabulary[word] for word in corpus.words] == expected


def test_a_selection_has_the_chosen_citations_in_their_order() -> None:
    corpus = corpus_of([["a", "b"], [], ["c"], ["d", "a", "b"]])
    part = corpus.select(np.array([3, 1, 0]))
    assert [corpus.vocabulary[word] for word in part.words] == ["d", "a", "b", "a", "b"]
    assert part.starts.tolist() == [0, 3, 3, 5]


def test_a_word_mostly_in_lower_case_loses_its_capital_and_a_name_keeps_it() -> None:
    made = [["The", "bell", "of", "the", "Reed"], ["Bell", "the", "reed", "Reed", "bell"], ["RNA", "NaCl", "of"]]
    corpus = corpus_of(made, lower_first=True)
    assert [corpus.vocabulary[word] for word in corpus.words] == [
        *("the", "bell", "of", "the", "Reed"), *("bell", "the", "reed", "Reed", "bell"), *("RNA", "NaCl", "of"),
    ]  # fmt: skip
