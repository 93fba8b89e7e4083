"""Looks in rendered text: HTML and Markdown have them, and nothing of the text is taken for them."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.csl.markers import strip_markers, wrap
from ibidem.csl.markup import as_html, as_markdown, as_text, font_of


def in_font(text: str, **attributes: str) -> str:
    before, after = font_of({key.replace("_", "-"): value for key, value in attributes.items()})
    return before + text + after


ITALIC, BOLD = {"font_style": "italic"}, {"font_weight": "bold"}
TABLE = [
    ("plain", "plain", "plain"),
    (f"On {in_font('reeds', **ITALIC)}.", "On <i>reeds</i>.", "On *reeds*."),
    (in_font(f"a {in_font('b', **BOLD)} c", **ITALIC), "<i>a </i><i><b>b</b></i><i> c</i>", "*a* ***b*** *c*"),
    (in_font(f"a {in_font('b', font_style='normal')} c", **ITALIC), "<i>a </i>b<i> c</i>", "*a* b *c*"),
    (in_font("A", font_variant="small-caps"), '<span style="font-variant:small-caps">A</span>', "A"),
    (in_font("2", vertical_align="sup"), "<sup>2</sup>", "2"),
    (f"{in_font('a', **ITALIC)}{in_font('b', **ITALIC)}", "<i>ab</i>", "*ab*"),
    (f"{in_font('a', **ITALIC)}{in_font('b', **BOLD)}", "<i>a</i><b>b</b>", "*a*<b>b</b>"),
    (f"{in_font('a,', **ITALIC)}b", "<i>a,</i>b", "<i>a,</i>b"),
    (f"{wrap('title', 'x  y ')} z", "x y z", "x y z"),
    ("<b> & *c* [d]", "&lt;b&gt; &amp; *c* [d]", "\\<b> & \\*c\\* \\[d\\]"),
    ("R&D; &amp;", "R&amp;D; &amp;amp;", "R\\&D; \\&amp;"),
]


@pytest.mark.parametrize(("rendered", "html", "markdown"), TABLE)
def test_fonts_in_html_and_markdown(rendered, html, markdown):
    assert (as_html(rendered), as_markdown(rendered)) == (html, markdown)


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc"))))
def test_the_text_comes_out_of_html_as_it_went_in(text):
    html = as_html(in_font(strip_markers(text), **ITALIC))
    assert unescape(re.sub("^<i>|</i>$", "", html)) == as_text(strip_markers(text))
