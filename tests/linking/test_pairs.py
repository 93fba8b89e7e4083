"""The compiled loops over pairs equal their reference implementation, whatever the characters."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.kernels import SWITCH, _compiled
from ibidem.linking import pairs as loops
from ibidem.linking import pairs_numpy as reference
from ibidem.linking.table import Vocabulary, content_words
from ibidem.linking.vectors import LONGEST, indicator_of_items

LETTERS = st.text(alphabet="abc é数\U0001d400\ud800\t ", max_size=90)
WORDS = st.lists(st.sampled_from("reed reeds rivers drift bell bells müller 数据 1999 a".split()), max_size=14).map(
    " ".join
)
TEXTS = st.lists(LETTERS | WORDS, min_size=1, max_size=5)
NAMES = st.lists(
    st.lists(st.sampled_from("j jnl journal appl applied phys physics jap japhysics of natl 12 é".split()), max_size=4)
    .map(" ".join), min_size=1, max_size=5
)  # fmt: skip

compared = pytest.mark.skipif(not hasattr(_compiled, "edit_ratios"), reason="the C++ kernels are not built")


def every_pair(count):
    left, right = np.indices((count, count)).reshape(2, -1)
    return np.ascontiguousarray(left, dtype=np.int64), np.ascontiguousarray(right, dtype=np.int64)


@compared
@given(TEXTS, st.sampled_from([1, 7, 64, 65, 1000]))
def test_edits_are_those_of_rapidfuzz(texts, longest):
    pairs, scorers = every_pair(len(texts)), np.arange(3, dtype=np.int32)
    found = _compiled.edit_ratios(texts, *pairs, scorers, longest)
    assert found == pytest.approx(reference.edit_ratios(texts, *pairs, scorers, longest), abs=1e-6)


@compared
@pytest.mark.parametrize("size", [63, 64, 65, 128, 129, 200, 256, 257, 320, 999, 5000])
@pytest.mark.parametrize("alphabet", ["abcd", "αβγδ数据字"])
def test_edits_of_long_strings_are_those_of_rapidfuzz(size, alphabet):
    draw = np.random.default_rng(size)
    texts = ["".join(draw.choice(list(alphabet + " "), size + more)) for more in (0, 1, 40)]
    pairs, scorers = every_pair(len(texts)), np.arange(3, dtype=np.int32)
    found = _compiled.edit_ratios(texts, *pairs, scorers, 10_000)
    assert found == pytest.approx(reference.edit_ratios(texts, *pairs, scorers, 10_000), abs=1e-6)


@compared
@given(TEXTS)
def test_ngram_cosines_are_the_same_to_the_bit(texts):
    pairs = every_pair(len(texts))
    found = _compiled.ngram_cosines(texts, *pairs, LONGEST)
    assert found.tolist() == reference.ngram_cosines(texts, *pairs, LONGEST).tolist()


@compared
@given(TEXTS)
def test_words_are_numbered_in_alphabetical_order(texts):
    numbers, lengths, words = _compiled.number_words(texts)
    expected = reference.number_words(texts)
    assert (numbers.tolist(), lengths.tolist(), words) == (expected[0].tolist(), expected[1].tolist(), expected[2])
    assert [words[number] for number in numbers] == [word for text in texts for word in text.split()]


@compared
def test_words_end_where_python_says():
    text = "".join(f"a{chr(code)}" for code in range(sys.maxunicode + 1) if chr(code).isspace())
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    for given_text in (text, every):
        numbers, _, words = _compiled.number_words([given_text])
        assert [words[number] for number in numbers] == given_text.split()


@compared
def test_many_different_words_keep_their_numbers():
    texts = [" ".join(f"w{(row * 7919 + k) % 90_000}" for k in range(300)) for row in range(400)]
    numbers, _, words = _compiled.number_words(texts)
    assert len(words) > 1 << 16 and words == sorted(set(words))
    assert [words[number] for number in numbers] == [word for text in texts for word in text.split()]


@compared
@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), min_size=1, max_size=5), st.integers(0, 3))
def test_rows_are_multiplied_and_unshared_columns_found(rows, most):
    matrix = indicator_of_items(rows)
    values = (1 + np.arange(len(matrix.values)) % 5).astype(np.float32)
    parts, pairs = (matrix.begin, matrix.columns, values), every_pair(len(rows))
    products = _compiled.row_products(*parts, *pairs)
    assert products.tolist() == reference.row_products(*parts, *pairs).tolist()
    classes = (np.arange(matrix.width) % 2).astype(np.int32)
    found, expected = (each.unshared(*parts, classes, *pairs, most) for each in (_compiled, reference))
    assert [each.tolist() for each in found] == [each.tolist() for each in expected]


@compared
@given(NAMES)
def test_venues_are_abbreviated_alike(names):
    names = sorted(set(names))
    words = list(map(content_words, names))
    left, right = np.triu_indices(len(names))
    found = loops.abbreviations(words, left, right)
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    assert found == pytest.approx(
        [reference.abbreviation(words[one].split(), words[other].split()) for one, other in pairs]
    )


@compared
@pytest.mark.parametrize("row", [-1, 2])
def test_a_row_that_is_not_there_is_refused(row):
    for loop, more in ((_compiled.ngram_cosines, (400,)), (_compiled.abbreviations, ())):
        with pytest.raises(ValueError, match="must be from 0 to 1"):
            loop(["one", "two"], np.array([0]), np.array([row]), *more)


@given(TEXTS)
def test_words_that_a_vocabulary_does_not_know_are_left_out(texts):
    vocabulary = Vocabulary(texts[:1])
    rows = vocabulary.weight_rows(texts)
    for begin, end, text in zip(rows.begin[:-1], rows.begin[1:], texts, strict=True):
        known = sorted(set(text.split()) & set(texts[0].split()))
        assert [vocabulary.words[k] for k in rows.columns[begin:end]] == known
    first = slice(0, rows.begin[1])
    assert rows.columns[first].tolist() == vocabulary.matrix.columns.tolist()
    assert rows.values[first].tolist() == vocabulary.matrix.values.tolist()


def test_linking_is_the_same_without_compiled_loops(monkeypatch):
    texts = ["Reed, A. Drift of ferries. J. Tides 12, 3-9, 1999.", "A. Reed: Drift of Ferries, Journal of Tides, 1999"]
    monkeypatch.setenv(SWITCH, "numpy")
    import ibidem

    alone = ibidem.link(texts)
    monkeypatch.delenv(SWITCH)
    for one, other in zip(alone, ibidem.link(texts), strict=True):
        assert len(one.members) == len(other.members)
        assert one.confidence == pytest.approx(other.confidence, abs=1e-6)
