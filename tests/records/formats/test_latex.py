"""TeX: what is escaped comes back, what others write is read, capitals are protected."""

from __future__ import annotations

import pytest
from format_cases import LINE
from hypothesis import given

from ibidem.records.formats.latex import decode, decode_by_library, escape, protect_capitals


@given(LINE)
def test_what_is_escaped_comes_back(text):
    assert decode(escape(text)) == text
    assert decode(protect_capitals(text)) == text


@given(LINE)
def test_the_quick_way_and_the_library_agree(text):
    assert decode_by_library(escape(text)) == decode(escape(text))


@given(LINE)
def test_braces_are_balanced_and_no_command_is_the_texts_own(text):
    depth = 0
    for character in escape(text):
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"G{\"o}del", "Gödel"),
        (r"G\"{o}del", "Gödel"),
        (r"{\'E}tudes sur l'{\oe}uvre", "Études sur l'œuvre"),
        (r"Stra{\ss}e \& \v{S}koda", "Straße & Škoda"),
        (r"{The {DNA} of bells}", "The DNA of bells"),
        (r"1990--1999 --- ``quoted''", "1990–1999 — “quoted”"),
        (r"\emph{Homo sapiens} \textit{in} \textbf{b}", "Homo sapiens in b"),
        (r"A~B", "A\xa0B"),
        (r"$\alpha$-helix", r"$\alpha$-helix"),
        (r"\LaTeX{} and \TeX", "LaTeX and TeX"),
        (r"50\% of a\_b", "50% of a_b"),
        (r"\unheardof{x}", r"\unheardof x"),
        (r"1\textsuperscript{st} H\textsubscript{2}O \enquote{x}", "1st H2O “x”"),
        (r"a\textsuperscript{} b\textsuperscript", "a b"),
    ],
)
def test_tex_of_others_is_read(source, text):
    assert decode(source) == text


@pytest.mark.parametrize(
    ("title", "source"),
    [
        ("A study of DNA", "A study of {DNA}"),
        ("Bells in Paris and on the iPhone", "Bells in {Paris} and on the {iPhone}"),
        ("The Bells of Paris and the Rivers of France", "The Bells of Paris and the Rivers of France"),
        ("DNA: A history", "{DNA}: A history"),
        ("Slow Rivers: A Social History of Lock-Keeping", "Slow Rivers: A Social History of Lock-Keeping"),
        ("a visit (Paris and “Rome”)", "a visit ({Paris} and “{Rome}”)"),
        ("reeds & rivers", r"reeds \& rivers"),
    ],
)
def test_capitals_that_mean_something_are_protected(title, source):
    assert protect_capitals(title) == source
