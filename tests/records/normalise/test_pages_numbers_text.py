"""Tables of pages, numbers and plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.records.normalise.numbers import number_of, roman
from ibidem.records.normalise.pages import pages_of
from ibidem.records.normalise.text import clean, join_hyphenated, normalise_text
from ibidem.records.record import Number, Pages

PAGES = {
    "153-60": Pages("153", "160"),
    "153–160": Pages("153", "160"),
    "1123-30": Pages("1123", "1130"),
    "199-4": Pages("199", "204"),
    "99-104": Pages("99", "104"),
    "pp. 88 - 117": Pages("88", "117"),
    "S. 12-15": Pages("12", "15"),
    "S12-S19": Pages("S12", "S19"),
    "S12-9": Pages("S12", "S19"),
    "e153": Pages("e153"),
    "xi-xv": Pages("xi", "xv"),
    "12": Pages("12"),
    "A12–A15": Pages("A12", "A15"),
    "1234A-1240A": Pages("1234A", "1240A"),
    "12 to 15": Pages("12", "15"),
    "1,234-1,240": Pages("1,234", "1,240"),
}


@pytest.mark.parametrize("text", PAGES)
def test_pages_are_first_and_last(text):
    assert pages_of(text) == (PAGES[text], ())


@pytest.mark.parametrize("text", ["12-15, 18-20", "passim", "", "12ff", "160-153x9"])
def test_pages_that_are_not_understood_or_not_whole_say_so(text):
    value, warnings = pages_of(text)
    assert warnings and (value == text or isinstance(value, Pages))


def test_pages_that_run_backwards_say_so():
    assert pages_of("160-12x") and pages_of("xv-xi")[1]


NUMBERS = {
    "14": 14,
    "XIV": 14,
    "xiv": 14,
    "2nd": 2,
    "3rd ed.": 3,
    "2., überarb. Aufl.": 2,
    "2. Auflage": 2,
    "second": 2,
    "zweiter": 2,
    "tercera edición": 3,
    "2e éd.": 2,
    "premier": 1,
    "Vol. 12": 12,
    "12A": None,
    "3-4": None,
    "Suppl 1": None,
    "": None,
}


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_has_this_value_and_keeps_its_text(text):
    assert number_of(text) == Number(text, NUMBERS[text])


@given(st.integers(1, 3999))
def test_every_roman_numeral_is_read(value):
    pairs = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")]
    pairs += [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    left, text = value, ""
    for worth, letters in pairs:
        text += letters * (left // worth)
        left %= worth
    assert roman(text) == value


TEXTS = {
    "  The  drift of\nbells, ": "The drift of bells",
    "“The drift of bells.”": "The drift of bells.",
    "“Bells” and “reeds”": "“Bells” and “reeds”",
    "THE DRIFT of Bells": "THE DRIFT of Bells",
    "(Bells)": "Bells",
    "What do bells mean?": "What do bells mean?",
    "": "",
}


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_made_clean_and_its_case_is_kept(text):
    assert clean(text) == TEXTS[text]


KNOWN = {"recognition", "long", "term", "bells"}


@pytest.mark.parametrize(
    ("text", "mended", "warned"),
    [
        ("Recog- nition", "Recognition", False),
        ("Recog-\nnition", "Recognition", False),
        ("Recog\u00adnition", "Recognition", False),
        ("long- term", "long-term", False),
        ("pre- and post-war", "pre- and post-war", False),
        ("Mayer- Kress", "Mayer- Kress", False),
        ("quux- baz", "quux- baz", True),
        ("long-term", "long-term", False),
    ],
)
def test_line_break_hyphens_are_joined_where_words_are_known(text, mended, warned):
    value, warnings = join_hyphenated(text, KNOWN.__contains__)
    assert value == mended and bool(warnings) == warned


@given(st.text(max_size=200))
def test_making_text_clean_never_adds_a_word(text):
    letters = [character for character in text if character.isalnum()]
    assert [character for character in normalise_text(text)[0] if character.isalnum()] == letters
