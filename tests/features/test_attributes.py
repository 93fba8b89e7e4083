"""Attributes of a token alone: its class, its shape, its affixes and patterns."""

from __future__ import annotations

import pytest
from feature_cases import lexicons, words
from hypothesis import given
from hypothesis import strategies as st

from ibidem.features import TRAITS, Lexicons, compute_attributes, traits_of
from ibidem.features.attributes import shape
from ibidem.features.lexicons import empty
from ibidem.features.token_class import (
    COUNT,
    KEYWORD_CLASSES,
    KEYWORDS,
    TOKEN_CLASSES,
    punctuation_class,
    strip_punctuation,
    token_class_of,
)
from ibidem.text.fold import fold


def attributes_of(word: str, known: Lexicons) -> list[str]:
    """The attributes of one token."""
    [found] = compute_attributes([word], known)
    return found


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("capitalised", "Marsh Müller Ｍüller Иванов Écho"),
        ("lower", "bells колокола ﬁeld infor-"),
        ("upper", "IEEE ＡＢＣ НАУКА"),
        ("mixed", "McDonald deMauro arXiv"),
        ("initial", "J J. Ж Ж. É"),
        ("year", "1999 2019 (2001) 1999a 1421"),
        ("number1", "7 12"),
        ("number3", "123 4711 1299 2100"),
        ("code", "D43 153-60 x1 12bis"),
        ("and", "and und et & y"),
        ("in", "In in"),
        ("page", "pp p. стр с"),
        ("volume", "Vol vol. Bd. том"),
        ("issue", "no Nr. Heft"),
        ("editor", "ed eds. Hrsg."),
        ("month", "Jan. März december"),
        ("work", "thesis report PhD"),
        ("etal", "al al."),
        ("function", "the of der"),
        ("link", "https://bells.example www.bells.example 10.1000/xyz doi.org/10.1000/x a@bells.example"),
        ("ideograph", "山 鐘 の"),
        ("comma", ", ， 、"),
        ("stop", ". 。 ! ..."),
        ("colon", ": ："),
        ("semicolon", "; ；"),
        ("open", "( [ （ 【"),
        ("close", ") ] ） 】"),
        ("quote", "“ ” « » ' 「"),
        ("dash", "- – — --"),
        ("slash", "/"),
        ("symbol", "§ · 🙂 \u0301 \x00 \ud800 \u200f"),
    ],
)
def test_every_class_has_its_tokens(name, members):
    found = {word: TOKEN_CLASSES[token_class_of(word)] for word in members.split(" ")}
    assert {word: other for word, other in found.items() if other != name} == {}


def test_no_class_is_left_without_a_name_or_named_twice():
    assert len(set(TOKEN_CLASSES)) == COUNT == len(TOKEN_CLASSES)
    assert TOKEN_CLASSES[0] == "outside"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("McDonald", "XxXxx"), ("2019", "99"), ("A.", "X."), ("(2001)", "(99)"), ("153-60", "99-99"), ("Жук", "Xxx"),
        ("鐘", "x"), ("ＡＢＣ", "XX"), ("２０１９", "99"), ("infor-", "xx-"), ("...", ".."), ("\u0301", "\u0301"),
        ("a" * 50 + "B", "xx"), ("AbAbAbAbAbAb", "XxXxXxXxXx"),
    ],
)  # fmt: skip
def test_the_shape_of_a_word(word, expected):
    assert shape(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Müller", "muller"), ("Ｍüller", "muller"), ("ﬁeld", "field"), ("Œuvres", "oeuvres"), ("Straße", "strasse"),
        ("ŁÓDŹ", "lodz"), ("Søren", "soren"), ("２０１９", "2019"), ("Колокол", "колокол"), ("é", "e"),
        ("e\u0301", "e"), ("鐘", "鐘"),
        ("\u0301", ""), ("\x00", "\x00"), ("\ud800", "\ud800"), ("İstanbul", "istanbul"), ("", ""),
    ],
)  # fmt: skip
def test_words_that_look_alike_are_folded_together(word, expected):
    assert fold(word) == expected


@given(st.text(st.characters(max_codepoint=0x24F), max_size=8))
def test_what_is_folded_stays_as_it_is(word):
    assert fold(fold(word)) == fold(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("(2001)", "2001"), ("“Bells,”", "Bells"), ("J.", "J"), ("...", "..."), ("«", "«"), ("a-b", "a-b"), ("&", "&")],
)
def test_punctuation_is_stripped_from_the_edges_of_a_token(word, expected):
    assert strip_punctuation(word) == expected


@pytest.mark.parametrize(
    ("word", "present", "absent"),
    [
        ("Marsh", {"w=marsh", "W=Marsh", "k=capitalised", "s=Xxx", "l=5", "<mar", ">rsh"}, {"<marsh", "c=marsh"}),
        ("bells", {"w=bells", "k=lower"}, {"W=bells"}),
        ("J.", {"w=j.", "c=j", "p=initials", "p=abbreviation", "k=initial"}, {"p=roman"}),
        ("(2001)", {"c=2001", "k=year", "p=year-bracketed", "p=bracketed"}, {"p=four-digits"}),
        ("1999", {"w=1999", "k=year", "p=four-digits"}, {"p=many-digits"}),
        ("1234567", {"w=7", "p=many-digits"}, {"w=1234567"}),
        ("153-60", {"p=range", "k=code"}, {"p=two-digits"}),
        ("153–160", {"p=range"}, set()),
        ("S12", {"p=letter-number"}, {"p=number-letter"}),
        ("3rd", {"p=ordinal"}, set()),
        ("XIV", {"p=roman"}, set()),
        ("infor-", {"hyphenated", "c=infor"}, set()),
        ("a\u00ad", set(), {"hyphenated"}),
        ("infor\u00ad", {"hyphenated"}, set()),
        ("vol", {"n=volume", "k=volume"}, set()),
        ("Müller", {"w=muller", "W=Müller"}, {"w=Müller"}),
        ("Наука", {"script=4", "k=capitalised", "<нау"}, set()),
        ("鐘", {"k=ideograph"}, {"p=initials"}),
        ("ﬁeld", {"w=field", "<fie"}, set()),
        ("10.1000/xyz", {"p=doi", "k=link"}, set()),
        ("https://bells.example", {"p=web", "k=link"}, set()),
        ("a@bells.example", {"p=mail"}, set()),
        ("2001.01234", {"p=arxiv"}, set()),
        ("O’Reed", {"p=apostrophe"}, set()),
        ("\u0301", {"w=", "k=symbol"}, {"hyphenated"}),
    ],
)
def test_the_attributes_of_a_token(word, present, absent):
    found = set(attributes_of(word, empty()))
    assert present - found == set()
    assert absent & found == set()


def test_a_lexicon_adds_its_name_and_once_more_for_capitals():
    found = set(attributes_of("Marsh", lexicons()))
    assert {"x=family", "X=family"} <= found
    assert "x=place" not in found
    assert "x=family" in set(attributes_of("marsh", lexicons()))
    assert "X=family" not in set(attributes_of("marsh", lexicons()))


@given(words)
def test_no_token_is_too_odd(word):
    attributes = attributes_of(word, lexicons())
    assert len(attributes) == len(set(attributes)) < 60
    assert all(len(attribute) < 150 for attribute in attributes)
    assert 0 <= token_class_of(word) < COUNT
    assert len(shape(word)) <= 10
    traits = dict(zip(TRAITS, traits_of(word, lexicons()), strict=True))
    assert all(0 <= traits[name] < COUNT for name in ("token_class", "head", "tail"))
    assert 0 <= traits["word"] < 1 << 32
    assert 0 <= traits["statistics"] < 32
    assert traits["wordlike"] in (0, 1)


def test_a_very_long_token_costs_no_more_than_a_long_one():
    attributes = attributes_of("10.1000/" + "x" * 100_000, empty())
    assert max(map(len, attributes)) < 50


def test_only_punctuation_has_a_class_of_punctuation():
    assert TOKEN_CLASSES[punctuation_class(",")] == "comma"
    assert punctuation_class("a") == punctuation_class("1") == punctuation_class("山") == 0


def test_the_classes_of_keywords_are_all_reachable():
    assert {name for names in KEYWORD_CLASSES.values() for name in names} == set(KEYWORDS)
