"""Features of a token in its string: codes within their bounds that depend on no other string of the batch."""

from __future__ import annotations

import numpy as np
import pytest
from feature_cases import batch, lexicons, strings
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem.features import CONTEXT, FEATURES, TRAITS, Feature, batch_of, phrases, position
from ibidem.features.lexicons import Lexicons, empty, hash_phrases
from ibidem.features.token_class import COUNT, NUMBER
from ibidem.text.fold import fold

KNOWN = lexicons()


@given(st.lists(strings, min_size=1, max_size=4))
def test_every_code_lies_within_its_bounds(texts):
    found = batch(texts, KNOWN)
    sizes = FEATURES.sizes(KNOWN)
    for name, codes in FEATURES.compute(found, KNOWN).items():
        assert codes.shape == found.token_class.shape, name
        assert codes.dtype.kind == "i", name
        assert ((codes >= 0) & (codes < sizes[name])).all(), name


@given(st.lists(strings, min_size=2, max_size=4))
@example(["bells", "; vol"])  # a chunk of one mark that begins its string
@example([";", ";", "("])
@example(["Bog", "Review"])  # a phrase that two strings would make together
def test_a_string_has_the_same_codes_in_any_company(texts):
    together = FEATURES.compute(batch(texts, KNOWN), KNOWN)
    alone = [FEATURES.compute(batch([text], KNOWN), KNOWN) for text in texts]
    for name, codes in together.items():
        np.testing.assert_array_equal(codes, np.concatenate([each[name] for each in alone]), err_msg=name)


def test_a_batch_without_strings_has_codes_of_no_tokens():
    nothing = batch_of([], np.zeros(0, dtype=np.bool_), np.zeros((0, len(TRAITS)), dtype=np.int64))
    found = FEATURES.compute(nothing, KNOWN)
    assert all(len(codes) == 0 for codes in found.values())


@given(st.lists(strings, min_size=1, max_size=3))
def test_every_batch_has_codes_of_the_same_features_in_the_same_order(texts):
    assert list(FEATURES.compute(batch(texts, KNOWN), KNOWN)) == list(FEATURES.sizes(KNOWN))


def test_every_feature_of_the_list_is_there_and_every_phrase_lexicon_adds_one():
    sizes = FEATURES.sizes(KNOWN)
    assert {entry.name: entry.size for entry in CONTEXT if isinstance(entry, Feature)}.items() <= sizes.items()
    assert set(sizes) - set(FEATURES.sizes(empty())) == {"phrase/journal", "phrase/place"}


@given(st.lists(strings, min_size=1, max_size=3), st.integers(-4, 4))
def test_shifted_values_stay_in_their_string(texts, offset):
    found = batch(texts, KNOWN)
    moved = found.shift(found.word, offset, fill=-1)
    for token, value in enumerate(moved.tolist()):
        other = token + offset
        inside = 0 <= other < len(moved) and found.string[other] == found.string[token]
        assert value == (found.word[other] if inside else -1)


@given(st.lists(strings, min_size=1, max_size=3), st.data())
def test_before_and_total_count_within_the_string(texts, data):
    found = batch(texts, KNOWN)
    count = len(found.token_class)
    flags = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)), dtype=np.bool_)
    for token in range(count):
        same = found.string == found.string[token]
        assert position.count_before(found, flags)[token] == (flags & same)[:token].sum()
        assert position.count_all(found, flags)[token] == (flags & same).sum()


@pytest.mark.parametrize(
    ("text", "depths"),
    [
        ("a (b) c", [0, 1, 1, 1, 0]),
        ("((a", [1, 2, 2]),
        ("a) b", [0, 0, 0]),
        ("(((a", [1, 2, 2, 2]),
    ],
)
def test_brackets_are_counted_to_two_and_never_below_nothing(text, depths):
    assert (position.brackets(batch([text], KNOWN)) // COUNT).tolist() == depths


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("a b", [0, 0]),
        ("a “b” c", [1, 1, 2, 2, 3]),
        ("it 's", [0, 0, 0]),  # a lone quote is none
    ],
)
def test_before_inside_and_after_a_quotation(text, states):
    assert (position.quotes(batch([text], KNOWN)) // COUNT).tolist() == states


def test_years_before_and_years_to_come():
    codes = position.years(batch(["1999 a 2001 b"], KNOWN)) // COUNT
    assert codes.tolist() == [0 * 3 + 2, 1 * 3 + 1, 1 * 3 + 1, 2 * 3 + 0]


def test_the_place_in_a_string_of_one_token_is_its_beginning_and_its_end():
    found = batch(["bells"], KNOWN)
    assert position.location(found).tolist() == [0]
    assert position.from_edges(found).tolist() == [0]
    assert position.spaces(found).tolist() == [3 * COUNT + NUMBER["lower"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bog Review", [(2, 2), (2, 0)]),
        ("Bog. Review.", [(2, 2), (0, 0), (2, 0), (0, 0)]),  # punctuation is passed over
        ("BOG, review 12", [(2, 2), (0, 0), (2, 0), (0, 0)]),
        ("Bog of Review", [(0, 0), (0, 0), (0, 0)]),
        ("a River Bells and Marsh", [(0, 0), (4, 4), (4, 0), (4, 0), (4, 0)]),
        ("Bog", [(0, 0)]),
        (". , ;", [(0, 0)] * 3),
    ],
)
def test_known_phrases_are_found_with_their_length(text, expected):
    codes = phrases.compute(batch([text], KNOWN), KNOWN)["journal"]
    assert [divmod(code, 5) for code in codes.tolist()] == expected


plain = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=5).filter(lambda word: fold(word).isalnum())


@given(st.lists(plain, min_size=1, max_size=8))
def test_words_that_are_a_known_phrase_are_found_in_themselves(words):
    text = ". ".join(words)
    known = Lexicons({}, {"it": hash_phrases([text])}, empty().statistics)
    assert phrases.compute(batch([text], known), known)["it"][0] > 0
