"""Open strings take on the labels, the tokens and the gaps of flat UMass."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ibidem.app.benchmarks import umass_open
from ibidem.app.benchmarks.umass_open import as_umass
from ibidem.types import Example, Mark


def example_of(text: str, fields: dict[str, str], opaque: frozenset[str] = frozenset()) -> Example:
    """An example with each field where its text is first found; a label may end in `#` and a number."""
    marks = [
        Mark(label.partition("#")[0], text.index(part), text.index(part) + len(part)) for label, part in fields.items()
    ]
    return Example(text, tuple(marks), "made up", (), opaque)


TEXT = "Reed, A., Marsh, B., et al. (1980a). “On reeds”. In: Bog Review 12(3), pp. 3–9. doi:10.1/bog.12"
FIELDS = {
    "author": "Reed, A., Marsh, B., et al.",
    "author/person": "Reed, A",
    "author/person#2": "Marsh, B",
    "author/etal": "et al.",
    "date": "1980a",
    "date/year": "1980a",
    "title": "On reeds",
    "book": "Bog Review",
    "volume": "12",
    "issue": "3",
    "pages": "3–9",
    "doi": "10.1/bog.12",
}


@pytest.fixture(params=[False, True], ids=["large tokens", "small tokens"])
def small(request, monkeypatch) -> bool:
    """Whether strings are cut into small tokens."""
    monkeypatch.setattr(umass_open, "_SMALL", 1 if request.param else 1 << 65)
    return request.param


def shown(example: Example) -> list[tuple[str, str]]:
    return [(mark.label, example.text[mark.start : mark.end]) for mark in example.marks]


def test_a_reference_is_cut_and_labelled_as_there(small):
    found = as_umass(example_of(TEXT, FIELDS))
    assert found is not None
    assert [token.text for token in found.tokens] == found.text.split(" ")
    assert all(found.text[token.start : token.end] == token.text for token in found.tokens)
    assert all(one.end < other.start for one, other in pairwise(found.tokens))
    dot, dash = (" .", " - - ") if small else (".", "--")
    assert shown(found) == [
        ("author", f"Reed , A{dot}"),
        ("author", f"Marsh , B{dot}"),
        ("year", "1980a"),
        ("title", "On reeds"),
        ("booktitle", "Bog Review"),
        ("volume", "12"),
        ("number", "3"),
        ("pages", f"3{dash}9"),
    ]
    assert not {"In", "al", "doi", "et"} & set(found.text.split()) and "pp" in found.text.split()


def test_and_between_persons_is_a_comma():
    text = "Reed A and Marsh B & Quill C, On reeds"
    people = {"author": "Reed A and Marsh B & Quill C", "author/person": "Reed A", "author/person#2": "Marsh B"}
    found = as_umass(example_of(text, people | {"author/person#3": "Quill C", "title": "On reeds"}))
    assert found is not None and found.text == "Reed A , Marsh B , Quill C , On reeds"


def test_a_list_that_is_not_divided_is_divided_by_the_persons_given():
    whole = example_of(
        "Reed A, Marsh B. On reeds", {"author": "Reed A, Marsh B", "title": "On reeds"}, frozenset({"author"})
    )
    assert as_umass(whole) is None
    found = as_umass(whole, [Mark("author/person", 0, 6), Mark("author/person", 8, 15)])
    assert found is not None and shown(found)[:2] == [("author", "Reed A"), ("author", "Marsh B.")]


def test_what_is_left_open_stays_open():
    found = as_umass(example_of("On reeds. Bog Press", {"title": "On reeds", "publisher|institution": "Bog Press"}))
    assert found is not None
    assert shown(found)[1] == ("institution|organization|school|publisher", "Bog Press")


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("On reeds", {}),
        ("Reed on reeds", {"translator": "Reed", "title": "on reeds"}),
        ("О тростнике и болоте", {"title": "О тростнике и болоте"}),
        ("On reeds", {"title": "On reeds", "book": "reeds"}),
    ],
    ids=["no field", "a label that is not there", "another script", "fields that overlap"],
)
def test_what_cannot_be_shown_so_is_left_out(text, fields):
    assert as_umass(example_of(text, fields)) is None
