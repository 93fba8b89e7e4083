"""Author lines as examples: split by rule, cut out of headers, rendered from records."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.data.author_lines import cut_author_lines, split_affiliations, split_authors
from ibidem.labels.schema import AUTHOR_SCHEMA
from ibidem.types import Annotation, Example
from tools.weights.author_headers import affiliation_text, render


def shown(text, annotations):
    return [f"{annotation.label[:2]} {text[annotation.start : annotation.end]}" for annotation in annotations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Reed, Bo Marsh", ["au Ann Reed", "se ,", "au Bo Marsh"]),
        ("Ann Reed1,2 and Bo Marsh2", ["au Ann Reed", "sy 1", "se ,", "sy 2", "se and", "au Bo Marsh", "sy 2"]),
        ("A. B. Reed *", ["au A. B. Reed", "sy *"]),
        ("Ann Reed**, Bo Marsh a", ["au Ann Reed", "sy **", "se ,", "au Bo Marsh", "sy a"]),
        ("Ann Reed\nBo Marsh", ["au Ann Reed", "au Bo Marsh"]),
        (
            "Ann Reed, Bo Marsh, C.\nQuill, D. Sedge",
            ["au Ann Reed", "se ,", "au Bo Marsh", "se ,", "au C.\nQuill", "se ,", "au D. Sedge"],
        ),
        ("Ann Reed, Member, IEEE", ["au Ann Reed", "se ,", "se ,"]),
        ("by Ann Reed", ["au Ann Reed"]),
        (
            "José Ortega y Gasset, Ana e Silva",
            ["au José Ortega", "se y", "au Gasset", "se ,", "au Ana", "se e", "au Silva"],
        ),
        ("", []),
        (", 1 *", ["se ,", "sy 1", "sy *"]),
    ],
)
def test_lists_of_authors_are_split(text, expected):
    assert shown(text, split_authors(text, 0, len(text))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("University of Fenland, UK", ["af University of Fenland, UK"]),
        ("1 University of Fenland,", ["sy 1", "af University of Fenland", "se ,"]),
        ("(2) Bog Institute;", ["sy 2", "af Bog Institute", "se ;"]),
        ("a Bog Institute\nb Fen College", ["sy a", "af Bog Institute", "sy b", "af Fen College"]),
        ("Bog Institute\n12 Mill Lane", ["af Bog Institute", "sy 12", "af Mill Lane"]),  # cannot be told from a symbol
        ("† Fen College.", ["sy †", "af Fen College"]),
        ("Fen College, U.S.A.", ["af Fen College, U.S.A."]),
        ("", []),
    ],
)
def test_affiliations_are_split(text, expected):
    assert shown(text, split_affiliations(text, 0, len(text))) == expected


@given(st.text(st.sampled_from("Ab 1,*;.\n(&é"), max_size=40))
def test_parts_do_not_overlap_and_have_no_whitespace_at_their_ends(text):
    for split in (split_authors, split_affiliations):
        annotations = sorted(split(text, 0, len(text)), key=lambda annotation: annotation.start)
        assert all(before.end <= after.start for before, after in itertools.pairwise(annotations))
        assert all(
            text[annotation.start : annotation.end].strip() == text[annotation.start : annotation.end] != ""
            for annotation in annotations
        )


def test_only_author_lines_are_cut_out_of_a_header():
    text = "On pens\nAnn Reed\nFen College,\nWisbech, UK\nann@fen.example\nAbstract"
    places = [("title", "On pens"), ("author", "Ann Reed"), ("affiliation", "Fen College,"), ("address", "Wisbech, UK")]
    annotations = [Annotation(label, text.index(part), text.index(part) + len(part)) for label, part in places]
    annotations.append(Annotation("byline/email", text.index("ann@"), text.index("\nAbstract")))
    found = cut_author_lines(Example(text, tuple(annotations), "made"))
    assert found is not None
    assert found.text == "Ann Reed\nFen College,\nWisbech, UK\nann@fen.example"
    assert shown(found.text, found.annotations) == ["au Ann Reed", "af Fen College,\nWisbech, UK", "em ann@fen.example"]


def test_a_header_without_authors_gives_nothing():
    assert cut_author_lines(Example("Fen College", (Annotation("affiliation", 0, 11),), "made")) is None


RECORD = {
    "authors": [["Ann B", "Reed", ["x1"]], ["Bo", "Marsh", ["x1", "x2"]], ["Cy", "Quill", []], ["", "Sedge", ["x9"]]],
    "affs": [
        ["x1", "<institution>Fen College</institution><country>UK</country>"],
        ["x2", "<label>2</label>Bog Institute"],
        ["", "<institution>Elsewhere</institution>"],
    ],
}


@given(st.text(max_size=8))
def test_a_rendered_header_has_the_links_of_its_record(name):
    header = render(RECORD, name)
    assert header is not None
    example = header.example
    texts = [example.text[annotation.start : annotation.end] for annotation in example.annotations]
    assert {annotation.label for annotation in example.annotations} <= set(AUTHOR_SCHEMA)
    assert all(
        before.end <= after.start for before, after in zip(example.annotations, example.annotations[1:], strict=False)
    )
    assert all(text == text.strip() != "" for text in texts)
    assert len(header.links) == 3
    labels = {(annotation.start, annotation.end): annotation.label for annotation in example.annotations}
    assert all((labels[author], labels[home]) == ("author", "affiliation") for author, home in header.links)
    assert render(RECORD, name) == header


def test_a_record_without_linked_authors_gives_nothing():
    assert render({"authors": [["Ann", "Reed", []]], "affs": []}, "made") is None


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("<institution>Fen &amp; Bog</institution>, <country>UK</country>", "Fen & Bog, UK"),
        ("<institution-wrap> <institution>Fen</institution> </institution-wrap> <city>Ely</city>", "Fen, Ely"),
        ("<label>1</label> Fen, ", "Fen"),
        ("", ""),
    ],
)
def test_the_text_of_an_affiliation(xml, text):
    assert affiliation_text(xml) == text
