"""Laws of the similarity features: between 0 and 1, the same both ways, and 1 where two are the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linking_cases import STRINGS
from rapidfuzz.distance import JaroWinkler

import ibidem
from ibidem.linking.blocking import Pairs
from ibidem.linking.comparison import comparison_fields, comparison_fields_of_text
from ibidem.linking.matcher import compute_features
from ibidem.linking.similarity import CLOSE, similarity_features, soft_tfidf
from ibidem.linking.table import Table, Vocabulary
from ibidem.linking.vectors import hash_ngrams, normalise_rows

TEXT = st.lists(st.sampled_from("reed drift bells ferry 2019 1999 14 a the müller 数据".split()), max_size=8).map(
    " ".join
)


def every_pair(count):
    left, right = np.triu_indices(count, 1)
    return left.astype(np.int64), right.astype(np.int64)


@given(st.lists(TEXT, min_size=2, max_size=5))
def test_similarities_are_between_0_and_1_and_symmetric(texts):
    table = Table([comparison_fields_of_text(text) for text in texts])
    left, right = every_pair(len(texts))
    there, back = dict(similarity_features(table, left, right)), dict(similarity_features(table, right, left))
    for name, values in there.items():
        assert values.shape == left.shape and np.isfinite(values).all(), name
        assert (values >= -1e-6).all() and (values <= 1 + 1e-5).all(), name
        assert values == pytest.approx(back[name], abs=1e-6), name


def test_a_reference_is_like_itself():
    rows = [comparison_fields(ibidem.record_of(parsed)) for parsed in ibidem.parse_many(STRINGS)]
    table = Table([rows[0], rows[0], rows[3]])
    found = dict(similarity_features(table, np.array([0, 0]), np.array([1, 2])))
    for name in ("whole.edit", "whole.words", "whole.grams", "title.edit", "title.soft", "author.shared", "year.same"):
        assert found[name][0] == pytest.approx(1, abs=1e-5), name
        assert found[name][1] < 0.9, name


@given(st.lists(TEXT, min_size=2, max_size=4))
def test_soft_tfidf_follows_its_definition(texts):
    vocabulary = Vocabulary(texts)
    matrix = normalise_rows(vocabulary.weight_rows(texts))
    left, right = every_pair(len(texts))
    found = soft_tfidf(matrix, vocabulary, left, right)
    for a, b, value in zip(left, right, found, strict=True):
        rows = [slice(*matrix.begin[k : k + 2]) for k in (a, b)]
        one, other = (dict(zip(matrix.columns[row], matrix.values[row], strict=True)) for row in rows)
        total = 0.0
        for word, weight in one.items():
            if word in other:
                total += weight * other[word]
                continue
            gains = [
                weight * more * JaroWinkler.similarity(vocabulary.words[word], vocabulary.words[k])
                for k, more in other.items()
                if k not in one and vocabulary.words[k][0] == vocabulary.words[word][0]
                and JaroWinkler.similarity(vocabulary.words[word], vocabulary.words[k]) >= CLOSE
            ]  # fmt: skip
            total += max(gains, default=0.0)
        assert value == pytest.approx(min(total, 1.0), abs=1e-5)


def test_ngrams_do_not_cross_from_one_text_to_the_next():
    together, lengths = hash_ngrams(["reeds", "bells"])
    apart = [hash_ngrams([text])[0].tolist() for text in ("reeds", "bells")]
    assert together.tolist() == [*apart[0], *apart[1]] and lengths.tolist() == [2, 2]


def test_feature_names_are_unique():
    table = Table([comparison_fields_of_text(text) for text in STRINGS])
    names, values = compute_features(table, Pairs(*every_pair(len(STRINGS))))
    assert len(set(names)) == len(names) == values.shape[1]
