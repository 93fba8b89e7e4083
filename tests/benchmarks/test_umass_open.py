"""Open strings take on the labels, the tokens and the gaps of flat UMass."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchmarks.anzaroot_2014 import umass_form
from benchmarks.anzaroot_2014.umass_form import convert
from benchmarks.anzaroot_2014.umass_open import as_umass
from ibidem.types import Annotation, Example


def example_of(text: str, fields: dict[str, str], partially_annotated: frozenset[str] = frozenset()) -> Example:
    """An example with each field where its text is first found; a label may end in `#` and a number."""
    annotations = [
        Annotation(label.partition("#")[0], text.index(part), text.index(part) + len(part))
        for label, part in fields.items()
    ]
    return Example(text, tuple(annotations), "made up", (), partially_annotated)


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


@pytest.fixture(autouse=True)
def rare(monkeypatch):
    """Switch off the variations that only some strings get."""
    for name in ("_SMALL", "_NUMBERED", "_BROKEN"):
        monkeypatch.setattr(umass_form, name, 1 << 65)


@pytest.fixture(params=[False, True], ids=["large tokens", "small tokens"])
def small(request, monkeypatch) -> bool:
    """Whether strings are cut into small tokens."""
    if request.param:
        monkeypatch.setattr(umass_form, "_SMALL", 1)
    return request.param


def shown(example: Example) -> list[tuple[str, str]]:
    return [(annotation.label, example.text[annotation.start : annotation.end]) for annotation in example.annotations]


def test_a_reference_is_tokenised_and_labelled_as_in_umass(small):
    found = as_umass(example_of(TEXT, FIELDS))
    assert found is not None
    assert [token.text for token in found.tokens] == found.text.split(" ")
    assert all(found.text[token.start : token.end] == token.text for token in found.tokens)
    assert all(one.end < other.start for one, other in pairwise(found.tokens))
    dot, dash = (" .", " - - ") if small else (".", " -- ")
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


def test_words_between_fields_are_removed_and_punctuation_stays():
    found = as_umass(example_of(TEXT, FIELDS))
    assert found is not None
    assert found.text == "Reed , A. , Marsh , B. , ( 1980a ) . `` On reeds `` . Bog Review 12 ( 3 ) , pp . 3 -- 9 ."


@pytest.mark.parametrize(
    ("after", "form"),
    [
        (", On reeds", "Reed , A. , On reeds"),
        (" On reeds", "Reed , A. , On reeds"),
        (": On reeds", "Reed , A. : , On reeds"),
        ("; On reeds", "Reed , A. ; , On reeds"),
        (" (ed.), “On reeds", "Reed , A. , `` On reeds"),
        (" et al., On reeds", "Reed , A. , On reeds"),
    ],
)
def test_a_comma_follows_a_person(after, form):
    found = as_umass(
        example_of(f"Reed, A.{after}", {"author": "Reed, A.", "author/person": "Reed, A.", "title": "On reeds"})
    )
    assert found is not None and found.text == form
    assert shown(found) == [("author", "Reed , A."), ("title", "On reeds")]


def test_a_full_stop_after_the_last_person_stands_for_the_comma():
    found = as_umass(
        example_of("A. Reed. On reeds", {"author": "A. Reed.", "author/person": "A. Reed.", "title": "On reeds"})
    )
    assert found is not None and found.text == "A. Reed . On reeds"
    assert shown(found)[0] == ("author", "A. Reed")


@pytest.mark.parametrize(
    ("text", "marked", "form", "journal"),
    [
        ("J. Bog Res. 12", "J. Bog Res.", "J. Bog Res . 12", "J. Bog Res"),
        ("J. Bog Res., 12", "J. Bog Res.,", "J. Bog Res . , 12", "J. Bog Res"),
        ("Bog J. 12", "Bog J.", "Bog J . 12", "Bog J"),
        ("Bog J., 12", "Bog J.", "Bog J. , 12", "Bog J."),
        ("Bogs (A) 12", "Bogs (A)", "Bogs ( A ) 12", "Bogs ( A )"),
        ("(Bogs) 12", "(Bogs)", "( Bogs ) 12", "Bogs"),
    ],
)
def test_a_field_ends_before_its_punctuation(text, marked, form, journal):
    found = as_umass(example_of(text, {"journal": marked, "volume": "12"}))
    assert found is not None and found.text == form
    assert shown(found) == [("journal", journal), ("volume", "12")]


def test_counting_words_and_publication_status_stay():
    fields = {"journal": "Bogs", "volume": "12", "issue": "3", "edition": "2nd", "publisher": "Moor"}
    found = as_umass(example_of("Bogs, see vol. 12 (no. 3), 2nd edition, by Moor (to appear).", fields))
    assert found is not None and found.text == "Bogs , vol . 12 ( no . 3 ) , 2nd edition , Moor ( to appear ) ."


def test_some_strings_begin_with_a_full_stop_or_have_a_hyphenated_word(monkeypatch):
    example = example_of("Peatlands 12", {"journal": "Peatlands", "volume": "12"})
    number = umass_form.hash32(example.text)
    monkeypatch.setattr(umass_form, "_NUMBERED", number - 1)
    monkeypatch.setattr(umass_form, "_BROKEN", number - 2)
    found = as_umass(example)
    assert found is not None and found.text.startswith(". ") and found.text.endswith(" 12")
    (_, journal), _ = shown(found)
    assert journal != "Peatlands" and journal.replace("- ", "") == "Peatlands"


def test_small_tokens_have_the_bytes_of_letters(monkeypatch):
    monkeypatch.setattr(umass_form, "_SMALL", 1)
    found = as_umass(example_of("Bög-Journal 12", {"journal": "Bög-Journal", "volume": "12"}))
    assert found is not None and found.text == "B Ã ¶ g - Journal 12"


def test_fields_of_punctuation_alone_are_removed():
    found = convert(example_of("Bogs. -", {}), [Annotation("journal", 0, 4), Annotation("pages", 4, 5)], ())
    assert found is not None and shown(found) == [("journal", "Bogs")] and found.text == "Bogs ."


def test_and_between_persons_is_a_comma():
    text = "Reed A and Marsh B & Quill C, On reeds"
    people = {"author": "Reed A and Marsh B & Quill C", "author/person": "Reed A", "author/person#2": "Marsh B"}
    found = as_umass(example_of(text, people | {"author/person#3": "Quill C", "title": "On reeds"}))
    assert found is not None and found.text == "Reed A , Marsh B , Quill C , On reeds"


def test_a_list_that_is_not_split_is_split_by_the_persons_given():
    whole = example_of(
        "Reed A, Marsh B. On reeds", {"author": "Reed A, Marsh B", "title": "On reeds"}, frozenset({"author"})
    )
    assert as_umass(whole) is None
    found = as_umass(whole, [Annotation("author/person", 0, 6), Annotation("author/person", 8, 15)])
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
def test_strings_that_cannot_be_converted_are_left_out(text, fields):
    assert as_umass(example_of(text, fields)) is None
