"""Which author belongs to which affiliation."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.labels.author_links import links_of, symbol_of, with_links
from ibidem.types import Field, Parsed

LABELS = {"a": "author", "f": "affiliation", "s": "symbol", "p": "separator", "m": "email"}


def parsed_of(marked: str) -> Parsed:
    """What `<a Ann><s 1>` stands for."""
    text, fields = "", []
    for piece in re.finditer(r"<(\w) ([^>]*)>|([^<]+)", marked):
        words = piece[2] if piece[1] else piece[3]
        if piece[1]:
            fields.append(Field(LABELS[piece[1]], words, len(text), len(text) + len(words), 1.0))
        text += words
    return Parsed(text, tuple(fields), 1.0)


def names(marked: str) -> list[str]:
    """The links as `author>affiliation/by`."""
    found = with_links(parsed_of(marked))
    return [f"{found.fields[a].text}>{found.fields[f].text}/{by}" for a, f, by in found.links or ()]


@pytest.mark.parametrize(
    ("marked", "links"),
    [
        ("<a Ann><s 1>, <a Bo><s 2>\n<s 1> <f Fen>\n<s 2> <f Bog>", ["Ann>Fen/symbol", "Bo>Bog/symbol"]),
        ("<a Ann><s 1><p ,><s 2>\n<s 1> <f Fen>\n<s 2> <f Bog>", ["Ann>Fen/symbol", "Ann>Bog/symbol"]),
        ("<a Ann><s ¹>\n<s 1>. <f Fen>\n<s 2>. <f Bog>", ["Ann>Fen/symbol"]),
        ("<a Ann> <s (a)>, <a Bo> <s b>\n<s a> <f Fen>; <s b> <f Bog>", ["Ann>Fen/symbol", "Bo>Bog/symbol"]),
        ("<a Ann><s 1> <s 1> <f Fen>; <s 2> <f Bog>", ["Ann>Fen/symbol"]),
        ("<a Ann><s *>\n<f Fen>", ["Ann>Fen/order"]),
        ("<a Ann>, <a Bo>\n<f Fen>", ["Ann>Fen/order", "Bo>Fen/order"]),
        ("<a Ann>\n<f Fen>\n<a Bo>\n<f Bog>", ["Ann>Fen/order", "Bo>Bog/order"]),
        ("<a Ann>\n<f Fen>\n<f Bog>\n<a Bo>\n<f Mire>", ["Ann>Fen/order", "Ann>Bog/order", "Bo>Mire/order"]),
        ("<a Ann>, <a Bo>\n<f Fen>\n<f Bog>", ["Ann>Fen/order", "Bo>Bog/order"]),
        ("<a Ann>, <a Bo>\n<f Fen>\n<f Bog>\n<f Mire>", []),
        (
            "<a Ann>, <a Bo>\n<f Fen>\n<f Bog>\n<a Cy>\n<f Mire>",
            ["Ann>Fen/order", "Ann>Bog/order", "Bo>Fen/order", "Bo>Bog/order", "Cy>Mire/order"],
        ),
        ("<a Ann>\n<s 1><p ,> <a Bo> <s 2>\n<s 1> <f Fen>\n<s 2> <f Bog>", ["Ann>Fen/symbol", "Bo>Bog/symbol"]),
        ("<a Ann><s 1><p ,><s *>\n<s 1> <f Fen>\n<s 2> <f Bog>\n<s *> To whom it concerns", ["Ann>Fen/symbol"]),
        ("<s 1> <a Ann>\n<s 2> <a Bo>\n<s 1> <f Fen>\n<s 2> <f Bog>", ["Ann>Fen/symbol", "Bo>Bog/symbol"]),
        ("<a Ann><s 2>\n<s 1> <f Fen><p ;> <s 2>\n<f Bog>", ["Ann>Bog/symbol"]),
        ("<a Ann><s 1>\n<f Fen> <s 1><p ,> <f Bog> <s 2>", ["Ann>Fen/symbol"]),
        ("<a Ann><s 1>\n<s 1><p ,><s 2> <f Fen>\n<f Bog>", ["Ann>Fen/symbol"]),
        ("<f Fen>\n<a Ann>\n<f Bog>\n<a Bo>", ["Ann>Fen/order", "Bo>Bog/order"]),
        ("<a Ann><s 1>, <a Bo>\n<s 1> <f Fen>\n<f Bog>", ["Ann>Fen/symbol", "Bo>Bog/order"]),
        ("<a Ann><s 3>\n<s 1> <f Fen>\n<s 2> <f Bog>", ["Ann>Fen/order", "Ann>Bog/order"]),
        ("<a Ann>", []),
        ("<f Fen>", []),
        ("<s 1>", []),
        ("", []),
    ],
)
def test_links(marked, links):
    assert names(marked) == links


@pytest.mark.parametrize(("text", "plain"), [("(1)", "1"), ("²", "2"), ("A", "a"), ("∗", "*"), ("[b],", "b"), ("", "")])
def test_a_symbol_is_compared_without_its_dress(text, plain):
    assert symbol_of(text) == plain


@given(st.lists(st.sampled_from(["<a Ann>", "<f Fen>", "<s 1>", "<s 2>", "<p ,>", "<m x>", "\n", " "]), max_size=30))
def test_links_tie_an_author_to_an_affiliation_once(pieces):
    found = parsed_of("".join(pieces))
    links = links_of(found.text, found.fields)
    assert len({link[:2] for link in links}) == len(links)
    for link in links:
        assert (found.fields[link.author].label, found.fields[link.affiliation].label) == ("author", "affiliation")


def test_a_symbol_that_everything_carries_does_not_link_everything():
    many = "".join(f"<a A{n}><s 1>\n<s 1> <f F{n}>\n" for n in range(300))
    assert len(names(many)) <= 300
