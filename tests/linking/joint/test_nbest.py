"""Laws of n-best labellings: one labelling changes nothing, and a feature of a pair is its mean over all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linking_cases import STRINGS

import ibidem
from ibidem.errors import ConfigError
from ibidem.linking.blocking import Pairs
from ibidem.linking.comparison import ComparisonFields
from ibidem.linking.joint.loop import nbest_reference
from ibidem.linking.joint.nbest import bounded_slices, expand_pairs, merge_nbest
from ibidem.linking.matcher import compute_features
from ibidem.linking.table import Table

PARSED = list(ibidem.parse_many(STRINGS, alternatives=4))
EVERY = [(a, b) for a in range(len(STRINGS)) for b in range(a + 1, len(STRINGS))]


def pairs_of(chosen):
    return Pairs(np.array([a for a, _ in chosen], dtype=np.int64), np.array([b for _, b in chosen], dtype=np.int64))


def test_one_labelling_each_is_the_same_as_no_nbest():
    nbest = [nbest_reference(parsed, 1).nbest for parsed in PARSED]
    rows = [each[0][0] for each in nbest]
    names, plain = compute_features(Table(rows), pairs_of(EVERY))
    again, integrated = compute_features(Table(rows, nbest=nbest), pairs_of(EVERY))
    assert names == again
    np.testing.assert_array_equal(plain, integrated)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(EVERY), min_size=1, max_size=4, unique=True), st.integers(2, 5))
def test_a_feature_is_its_mean_over_the_labellings_of_both(chosen, count):
    nbest = [nbest_reference(parsed, count).nbest for parsed in PARSED]
    table = Table([each[0][0] for each in nbest], nbest=nbest)
    _, found = compute_features(table, pairs_of(chosen))
    for row, (a, b) in zip(found, chosen, strict=True):
        wanted = np.zeros(found.shape[1])
        for one, p in nbest[a]:
            for other, q in nbest[b]:
                plain = Table([one, other], shared_vocabulary=table.vocabulary)
                wanted += p * q * compute_features(plain, pairs_of([(0, 1)]))[1][0]
        np.testing.assert_allclose(row, wanted, atol=1e-5)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0.001, 1)), min_size=1, max_size=6))
def test_probabilities_add_up_to_one_and_equal_fields_are_merged(given_):
    found = merge_nbest(
        [ComparisonFields(f"a reed {title}", title=title) for title, _ in given_],
        [p for _, p in given_],
    )
    assert sum(probability for _, probability in found) == pytest.approx(1.0, abs=1e-4)
    assert len({fields for fields, _ in found}) == len(found)
    assert [probability for _, probability in found] == sorted((probability for _, probability in found), reverse=True)


def test_without_any_probability_the_first_labelling_is_kept():
    one, other = ComparisonFields("a reed"), ComparisonFields("a reed", title="reed")
    assert merge_nbest([one, other], [0.0, 0.0]) == ((one, 1.0),)


def test_labellings_without_probabilities_are_refused():
    with pytest.raises(ConfigError, match="one of each"):
        merge_nbest([ComparisonFields("a reed")], [])


@given(st.lists(st.integers(1, 4), min_size=2, max_size=6), st.integers(1, 12), st.data())
def test_all_pairs_of_labellings_occur_once_and_in_bounded_slices(sizes, most, data):
    begin = np.concatenate([[0], np.cumsum(sizes)])
    every = [(a, b) for a in range(len(sizes)) for b in range(a + 1, len(sizes))]
    pairs = pairs_of(data.draw(st.lists(st.sampled_from(every), max_size=8)))
    pair, one, other = expand_pairs(begin, pairs.left, pairs.right)
    wanted = [
        (k, i, j)
        for k, (a, b) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
        for i in range(begin[a], begin[a + 1])
        for j in range(begin[b], begin[b + 1])
    ]
    assert list(zip(pair.tolist(), one.tolist(), other.tolist(), strict=True)) == wanted
    slices = list(bounded_slices(begin, pairs.left, pairs.right, most))
    assert [k for part in slices for k in range(len(pairs))[part]] == list(range(len(pairs)))
    for part in slices:
        pairs_of_labellings = len(expand_pairs(begin, pairs.left[part], pairs.right[part])[0])
        assert pairs_of_labellings <= most or part.stop - part.start == 1
