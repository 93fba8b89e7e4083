"""Words of ParsCit's get the labels of their letters, and open data take on its conventions."""

from __future__ import annotations

import pytest

from benchmarks.cuong_2015.parscit import _convert, _majority
from ibidem.types import Annotation, Example


@pytest.mark.parametrize(
    ("word", "labels", "most"),
    [
        ("1999).", ["date"] * 5 + ["O"], "date"),
        ("3):12", ["volume", "O", "O", "pages", "pages"], "pages"),
        ("--", ["title", "title"], "title"),
    ],
)
def test_a_word_has_the_label_of_majority_of_its_letters(word, labels, most):
    assert _majority(word, labels) == most


def test_what_stands_between_fields_goes_to_one_of_them():
    text = "Reed, A. (1980). On reeds. In: Bog Review, pp. 3-9."
    edges = {"author": (0, 8), "date": (10, 14), "title": (17, 25), "book": (31, 41), "pages": (47, 50)}
    example = Example(text, tuple(Annotation(label, *edge) for label, edge in edges.items()), "made up")
    converted = _convert(example)
    assert converted is not None
    assert [(annotation.label, text[annotation.start : annotation.end]) for annotation in converted.annotations] == [
        ("author", "Reed, A. ("),
        ("date", "1980)."),
        ("title", "On reeds."),
        ("booktitle", "In: Bog Review,"),
        ("pages", "pp. 3-9."),
    ]


def test_an_example_that_leaves_something_open_is_left_out():
    assert _convert(Example("Reed", (Annotation("title|book", 0, 4),), "made up")) is None
    assert _convert(Example("Reed", (), "made up")) is None
