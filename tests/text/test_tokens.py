"""Tokens: nothing is lost, everything maps back, whatever the text is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text import reference_of, tokenise
from ibidem.text.tokens import _IS_SPACE, batch_tokens, tokenise_batch

PIECES = [*"10.1234/ 10.12/ http:// HTTPS:// Ftp:// doi.org/ DX. f x 1 . ) -- ...".split(), " "]
ANY_TEXT = st.one_of(
    st.text(),
    st.text(st.characters(codec=None, categories=None)),  # lone surrogates and NUL among them
    st.text(st.sampled_from("10./:;,()[]<>\"'–-… \t\n\x00aZéя林3٣ª²\u0301\u200f\ud800")),
    st.lists(st.sampled_from(PIECES)).map("".join),
)


@given(ANY_TEXT)
def test_tokens_and_the_whitespace_between_them_give_back_the_text(text):
    place, pieces = 0, []
    for token in tokenise(text):
        assert token.start >= place
        assert token.start < token.end
        assert token.text == text[token.start : token.end]
        between = text[place : token.start]
        assert not between.strip()
        pieces += [between, token.text]
        place = token.end
    assert not text[place:].strip()
    assert "".join([*pieces, text[place:]]) == text


@given(ANY_TEXT)
def test_no_token_holds_whitespace(text):
    assert not any(character.isspace() for token in tokenise(text) for character in token.text)


@given(ANY_TEXT)
def test_a_reference_keeps_its_text_and_source(text):
    reference = reference_of(text, "here")
    assert (reference.text, reference.source, reference.tokens) == (text, "here", tokenise(text))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \t\n", []),
        ("2019;14(3):153-60.", ["2019", ";", "14", "(", "3", ")", ":", "153", "-", "60", "."]),
        ("doi:10.9907/acm.2019.0153.", ["doi", ":", "10.9907/acm.2019.0153", "."]),
        ("https://doi.org/10.9921/jic.001", ["https://doi.org/", "10.9921/jic.001"]),
        ("see http://a.example/b?c=1, and", ["see", "http://a.example/b?c=1", ",", "and"]),
        ("García-López", ["García", "-", "López"]),
        ("e\u0301t", ["e\u0301t"]),
        ("林晓舟,", ["林", "晓", "舟", ","]),
        ("№ 2 // Вестник", ["№", "2", "/", "/", "Вестник"]),
        ("1980--1990 ...", ["1980", "--", "1990", "..."]),
        ("a\x00b", ["a", "\x00", "b"]),
    ],
)
def test_tokens_of_a_text(text, pieces):
    assert [token.text for token in tokenise(text)] == pieces


@pytest.mark.parametrize(
    "piece",
    [
        "10.",
        "10.1234/",
        "http://",
        "https://doi.org/",
        "(",
        "a.",
        ".",
        "-",
        "' ",
        "1",
        "\u0301",
        "x\u0301",
        "dx.",
        "http",
    ],
)
def test_hostile_repetitions_of_a_hundred_thousand_characters_are_split_and_kept(piece):
    text = (piece * 100_000)[:100_000]
    tokens = tokenise(text)
    assert sum(len(token.text) for token in tokens) == sum(not character.isspace() for character in text)


@given(st.lists(ANY_TEXT, max_size=5))
def test_a_batch_holds_the_same_tokens(texts):
    found, wanted = tokenise_batch(texts), batch_tokens([tokenise(text) for text in texts])
    assert found.texts == wanted.texts
    for column in ("start", "end", "space_before", "lengths"):
        np.testing.assert_array_equal(getattr(found, column), getattr(wanted, column))


def test_a_batch_holds_the_same_tokens_whatever_the_characters_are():
    codes = [range(first, first + 256) for first in range(0, 0x110000, 256)]
    texts = ["".join(f"x{chr(code)}y1{chr(code)} {chr(code)}." for code in page) for page in codes]
    found, wanted = tokenise_batch(texts), batch_tokens([tokenise(text) for text in texts])
    assert found.texts == wanted.texts
    np.testing.assert_array_equal(found.start, wanted.start)


def test_whitespace_is_what_python_calls_space():
    spaces = [code for code in range(0x110000) if chr(code).isspace()]
    assert np.flatnonzero(_IS_SPACE).tolist() == spaces
