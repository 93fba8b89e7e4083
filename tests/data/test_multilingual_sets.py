"""Readers and label tables of the sets in `multilingual/`, on strings invented here in the form of each."""

from __future__ import annotations

import json

import pytest

from ibidem.data.catalogue import DATASETS
from ibidem.types import Example

SETS = "pensoft-jats afd scielo-jats-ccby text2bib czech-law-citations scielo-jats-nc bilbo2-bibl bilbo2-notes".split()


def fields(text: str, *named: tuple[str, str]) -> list[dict]:
    """Return the ranges of pieces of a text, each looked for after the begin of the one before it."""
    found, place = [], 0
    for label, piece in named:
        place = text.index(piece, place)
        found.append({"label": label, "start": place, "end": place + len(piece)})
    return found


def mapped(tmp_path, name: str, text: str, named: list[tuple[str, str]], kind: str = "") -> list[str]:
    path = tmp_path / "x.jsonl"
    line = {"text": text, "fields": fields(text, *named), "doc": "d", "kind": kind}
    path.write_text(json.dumps(line), "utf-8")
    data = DATASETS[name]
    (example,) = (one for one in data.files[0].read(path) if isinstance(one, Example))
    return [f"{one.label}={text[one.start : one.end]}" for one in data.map_labels(example).annotations]


PERSON = [("name", "Reed A"), ("surname", "Reed"), ("given-names", "A")]
PENSOFT = [("person-group[]", "Reed A"), *PERSON, ("year", "1999")]


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        (
            "Reed A (1999) On bells. Fen Studies 3(2): 4–9. https://doi.org/10.1234/b",
            [*PENSOFT, ("article-title", "On bells."), ("source", "Fen Studies"), ("volume", "3"), ("issue", "2"),
             ("fpage", "4"), ("lpage", "9"), ("ext-link[doi]", "https://doi.org/10.1234/b")],
            ["title=On bells", "journal=Fen Studies", "volume=3", "issue=2", "pages=4–9", "pages/first=4",
             "pages/last=9", "doi=10.1234/b"],
        ),
        (
            "Reed A (1999) On bells. In: Marsh B (Ed.) Fens. Sedge, London, 4–9.",
            [*PENSOFT, ("article-title", "On bells."), ("person-group[]", "Marsh B"), ("name", "Marsh B"),
             ("surname", "Marsh"), ("given-names", "B"), ("role", "Ed."), ("source", "Fens."),
             ("publisher-name", "Sedge"), ("publisher-loc", "London"), ("fpage", "4"), ("lpage", "9")],
            ["title=On bells", "editor=Marsh B", "editor/person=Marsh B", "editor/person/family=Marsh",
             "editor/person/given=B", "book=Fens", "publisher=Sedge", "place=London", "pages=4–9", "pages/first=4",
             "pages/last=9"],
        ),
        (
            "Reed A (1999) On bells. In: Marsh B. Fens. Sedge.",
            [*PENSOFT, ("article-title", "On bells."), ("person-group[]", "Marsh B"), ("name", "Marsh B"),
             ("source", "Fens"), ("publisher-name", "Sedge")],
            ["title=On bells", "author|editor=Marsh B", "book=Fens", "publisher=Sedge"],
        ),
        (
            "Reed A (1999) On bells. Sedge, London, 268 pp.",
            [*PENSOFT, ("source", "On bells."), ("publisher-name", "Sedge"), ("publisher-loc", "London"),
             ("lpage", "268")],
            ["title=On bells", "publisher=Sedge", "place=London", "?=268"],
        ),
        (
            "Reed A (1999) On bells. Fen Studies 3: 4–9.",
            [*PENSOFT, ("source", "On bells. Fen Studies 3: 4–9.")],
            ["?=On bells. Fen Studies 3: 4–9"],
        ),
        ("Reed A (1999) On bells. A thesis of the Fens.", [*PENSOFT, ("article-title", "On bells.")],
         ["title=On bells", "?=A thesis of the Fens"]),
    ],
)  # fmt: skip
def test_pensoft(tmp_path, text, named, expected):
    found = mapped(tmp_path, "pensoft-jats", text, named)
    assert found[:4] == ["author=Reed A", "author/person=Reed A", "author/person/family=Reed", "author/person/given=A"]
    assert found[6:] == expected


def test_pensoft_leaves_a_list_undivided_that_may_hold_the_name_of_a_body(tmp_path):
    named = [("person-group[]", "FENS"), ("name", "FENS"), ("surname", "FENS"), ("year", "in press")]
    assert mapped(tmp_path, "pensoft-jats", "FENS (in press) Bells", named) == [
        "author=FENS", "?=in press", "?=Bells"]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "text", "named", "expected"),
    [
        ("Article in Journal", "Reed, A. 1868. Über Glocken. Archiv 3(2): 4-9 pl. 2",
         [("PUB_PARENT_JOURNAL_TITLE", "Archiv"), ("VOLUME(strong)", "3"), ("PUB_PAGES", "4-9 pl. 2")],
         ["journal=Archiv", "volume=3", "issue=2", "?=4-9 pl. 2"]),
        ("Chapter in Book", "Reed, A. 1868. Über Glocken. pp. 4-9 in Marsh, B. & Fenn, C. (eds). Moor. Bonn : Sedge 4",
         [("PUB_PAGES", "4-9"), ("PUB_PARENT_BOOK_TITLE", "Moor")],
         ["pages=4-9", "pages/first=4", "pages/last=9", "editor=Marsh, B. & Fenn, C.", "book=Moor",
          "?=Bonn : Sedge 4"]),
        ("Book", "Reed, A. 1868. Über Glocken. Bonn : Sedge 116 pp.",
         [("PUB_PUBLISHER", "Sedge"), ("PUB_PAGES", "116 pp")], ["place=Bonn", "publisher=Sedge", "?=116 pp"]),
    ],
)  # fmt: skip
def test_afd(tmp_path, kind, text, named, expected):
    named = [("PUB_AUTHOR", "Reed, A."), ("PUB_YEAR", "1868"), ("PUB_TITLE", "Über Glocken"), *named]
    found = mapped(tmp_path, "afd", text, named, kind)
    assert found == ["author=Reed, A.", "date=1868", "date/year=1868", "title=Über Glocken", *expected]


@pytest.mark.parametrize(
    ("kind", "text", "named", "expected"),
    [
        ("journal", "4. Reed A, Marsh B, et al. Sinos. Rev Fens. 2011 Jul;3:e1234.",
         [("surname", "Reed"), ("given-names", "A"), ("surname", "Marsh"), ("given-names", "B"),
          ("article-title", "Sinos"), ("source", "Rev Fens"), ("year", "2011"), ("volume", "3"), ("fpage", "e1234")],
         ["title=Sinos", "journal=Rev Fens", "date=2011 Jul", "date/year=2011", "date/month=Jul", "volume=3",
          "article-number=e1234"]),
        ("book", "Reed A. Sinos. In: Marsh B, organizador. Fens. Lisboa: Sedge; 2011.",
         [("surname", "Reed"), ("given-names", "A"), ("chapter-title", "Sinos"), ("compiler/surname", "Marsh"),
          ("compiler/given-names", "B"), ("source", "Fens"), ("publisher-loc", "Lisboa"), ("publisher-name", "Sedge"),
          ("year", "2011")],
         ["title=Sinos", "author|editor=Marsh B", "book=Fens", "place=Lisboa", "publisher=Sedge",
          "date=2011", "date/year=2011"]),
        ("book", "Reed A. Sinos. In: Marsh B, Fenn C. Fens. Lisboa: Sedge; 2011.",
         [("surname", "Reed"), ("given-names", "A"), ("chapter-title", "Sinos"), ("surname", "Marsh"),
          ("given-names", "B"), ("surname", "Fenn"), ("given-names", "C"), ("source", "Fens"),
          ("publisher-loc", "Lisboa"), ("publisher-name", "Sedge"), ("year", "2011")],
         ["title=Sinos", "author|editor=Marsh B, Fenn C", "book=Fens", "place=Lisboa", "publisher=Sedge", "date=2011",
          "date/year=2011"]),
        ("book", "Reed A. Sinos. Lisboa; 2011.",
         [("surname", "Reed"), ("given-names", "A"), ("source", "Sinos"), ("year", "2011")],
         ["title=Sinos", "?=Lisboa", "date=2011", "date/year=2011"]),
        ("journal", "Sedge C, Reed A. Sinos. Rev Fens. 2011.",
         [("surname", "Reed"), ("given-names", "A"), ("article-title", "Sinos"), ("source", "Rev Fens"),
          ("year", "2011")],
         ["title=Sinos", "journal=Rev Fens", "date=2011", "date/year=2011"]),
    ],
)  # fmt: skip
def test_scielo(tmp_path, kind, text, named, expected):
    found = mapped(tmp_path, "scielo-jats-ccby", text, named, kind)
    assert found[-len(expected) :] == expected
    assert text[0] != "4" or found[:1] + found[8:9] == ["marker=4", "author/etal=et al"]
    assert text[0] != "S" or found[0] == "?=Sedge C, Reed A"


@pytest.mark.parametrize(
    ("kind", "text", "named", "expected"),
    [
        ("article", "Reed, A., Marsh, B.: Bells: a study. Fen Studies, 3(2), 2011",
         [("author", "Reed, A., Marsh, B."), ("author.family", "Reed"), ("author.given", "A."),
          ("author.family", "Marsh"), ("author.given", "B."), ("title", "Bells"), ("subtitle", "a study"),
          ("journal", "Fen Studies"), ("volume", "3"), ("number", "2"), ("year", "2011")],
         ["author=Reed, A., Marsh, B.", "author/person=Reed, A.", "author/person/family=Reed", "author/person/given=A.",
          "author/person=Marsh, B.", "author/person/family=Marsh", "author/person/given=B.", "title=Bells: a study",
          "journal=Fen Studies", "volume=3", "issue=2", "date=2011", "date/year=2011"]),
        ("techreport", "Reed A., Marsh B. Bells, 17",
         [("author", "Reed A., Marsh B."), ("author.family", "Reed"), ("author.given", "A."), ("author.given", "B."),
          ("title", "Bells"), ("number", "17")],
         ["author=Reed A., Marsh B.", "title=Bells", "report-number=17"]),
        ("book", "Reed, A. Bells", [("author", "Reed, A."), ("editor", "Reed, A."), ("title", "Bells")],
         ["author|editor=Reed, A.", "title=Bells"]),
    ],
)  # fmt: skip
def test_text2bib(tmp_path, kind, text, named, expected):
    assert mapped(tmp_path, "text2bib", text, named, kind) == expected


def test_czech_laws(tmp_path):
    def law(kind):
        named = [("kind_and_body", kind), ("official_code", "7/1999 Sb."), ("subject", "o zvonech")]
        return mapped(tmp_path, "czech-law-citations", f"{kind} č. 7/1999 Sb., o zvonech", named)

    assert law("Zákon") == ["type=Zákon", "report-number=7/1999 Sb.", "title=o zvonech"]
    assert law("Vyhláška Ministerstva zvonů")[0] == "type|institution=Vyhláška Ministerstva zvonů"


def test_footnotes_keep_the_prose_around_references_outside(tmp_path):
    text = "Voir A. Reed, « Cloches », dans B. Marsh (dir.), Marais, Paris, 1999, p. 4."
    whole = text.removeprefix("Voir ")
    named = [("bibl[article]", whole), ("author", "A. Reed"), ("forename", "A."), ("surname", "Reed"),
             ("title[a]", "Cloches"), ("bibl[book]", "B. Marsh (dir.), Marais, Paris, 1999"), ("author", "B. Marsh"),
             ("forename", "B."), ("surname", "Marsh"), ("abbr", "dir."), ("title[m]", "Marais"), ("pubPlace", "Paris"),
             ("edition", "1999"), ("date", "1999"), ("abbr", "p."), ("biblScope[pp]", "4")]  # fmt: skip
    assert mapped(tmp_path, "bilbo2-notes", text, named) == [
        "author=A. Reed", "author/person=A. Reed", "author/person/given=A.", "author/person/family=Reed",
        "title=Cloches", "author|editor=B. Marsh", "book=Marais", "place=Paris", "date=1999", "date/year=1999",
        "pages=4", "pages/first=4",
    ]  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_open_sets_are_split_and_the_others_are_for_measuring_alone(name):
    data = DATASETS[name]
    assert data.splits == (("train", "dev", "test") if data.use == "open" else ("test",))
