"""What the labels of each dataset become in the schema."""

from __future__ import annotations

import pytest

from ibidem.data.catalogue import DATASETS
from ibidem.data.readers.inline import scan
from ibidem.labels.mapping.boundaries import strip, trim
from ibidem.labels.mapping.parts import date_parts, page_parts, volume_parts
from ibidem.labels.schema import SCHEMA, WITH_PARTS
from ibidem.types import Example


def mapped(set_name: str, source: str, kind: str = "journal") -> Example:
    found = scan(source, lambda tag, attributes: tag + attributes)
    return DATASETS[set_name].map_labels(Example(found.text, found.annotations, f"{set_name}:1:{kind}"))


def shown(example: Example) -> list[str]:
    return [
        f"{annotation.label}={example.text[annotation.start : annotation.end]}" for annotation in example.annotations
    ]


TABLE = [
    ("anystyle", "<volume>Vol. 9,</volume>", ["volume=9"]),
    ("anystyle", "<volume>12(3):</volume>", ["volume=12", "issue=3"]),
    ("anystyle", "<volume>vol. 71, no. 4,</volume>", ["volume=71", "issue=4"]),
    ("anystyle", "<volume>No. 4,</volume>", ["issue=4"]),
    ("anystyle", "<volume>2007;62(12):</volume>", ["?=2007;62(12)"]),
    ("anystyle", "<pages>pp. 1477-81.</pages>", ["pages=1477-81", "pages/first=1477", "pages/last=81"]),
    ("anystyle", "<pages>1012</pages>", ["pages=1012", "pages/first=1012"]),
    ("anystyle", "<pages>350 p.</pages>", ["?=350 p."]),
    ("anystyle", "<date>(1999).</date>", ["date=1999", "date/year=1999"]),
    (
        "anystyle",
        "<date>(2004, May 3rd)</date>",
        ["date=2004, May 3rd", "date/year=2004", "date/month=May", "date/day=3rd"],
    ),
    ("anystyle", "<date>1998/99.</date>", ["date=1998/99"]),
    ("anystyle", "<editor>In O. Quill and D. Ink (Eds.),</editor>", ["editor=O. Quill and D. Ink"]),
    ("anystyle", "<editor>hrsg. von K. Feder,</editor>", ["editor=K. Feder"]),
    ("anystyle", "<translator>Translated by B. Ink.</translator>", ["translator=B. Ink"]),
    ("anystyle", "<title>Pens.</title> <container-title>In Desks,</container-title>", ["title=Pens", "book=Desks"]),
    ("anystyle", "<container-title>Desks,</container-title>", ["book|title=Desks"]),
    ("anystyle", "<url>http://dx.doi.org/10.1000/xyz.</url>", ["doi=10.1000/xyz"]),
    ("anystyle", "<doi>doi: 10.1000/xyz(2).</doi>", ["doi=10.1000/xyz(2)"]),
    ("anystyle", "<citation-number>[12]</citation-number>", ["marker=[12]"]),
    ("anystyle", "<note>Retrieved from</note>", ["?=Retrieved from"]),
    ("anystyle", "<title>“On pens,”</title>", ["title=On pens"]),
    ("anystyle", '<title>On "pens".</title>', ['title=On "pens"']),
    ("anystyle", "<title>Pens (old and new),</title>", ["title=Pens (old and new)"]),
    ("grobid-citation", "<title:a>X</title:a> in <title:m>Y</title:m>", ["title=X", "book=Y"]),
    ("grobid-citation", "<title:m>Y</title:m>", ["title=Y"]),
    ("grobid-citation", "<idno>arXiv:1504.00679</idno>", ["arxiv=1504.00679"]),
    ("grobid-citation", "<idno>MR0468014</idno>", ["report-number=MR0468014"]),
    (
        "umass-flat",
        "<author>A. Q</author> and <author>B. I</author>",
        ["author=A. Q and B. I", "author/person=A. Q", "author/person=B. I"],
    ),
    (
        "umass-nested",
        (
            "<authors><person><person-first>O.</person-first> <person-middle>K. ,</person-middle> "
            "<person-last>Quill</person-last></person> et al .</authors>"
        ),
        [
            "author=O. K. , Quill et al",
            "author/person=O. K. , Quill",
            "author/person/given=O. K",
            "author/person/family=Quill",
            "author/etal=et al",
        ],
    ),
    (
        "umass-nested",
        "<editor>eds . <person><person-first>Ed</person-first> <person-last>Ink</person-last></person></editor>",
        ["editor=Ed Ink", "editor/person=Ed Ink", "editor/person/given=Ed", "editor/person/family=Ink"],
    ),
    ("umass-nested", "<venue><date><year>(2001)</year></date></venue>", ["date=2001", "date/year=2001"]),
    ("umass-nested", "<reference_id>gr-qc/0004070 ;</reference_id>", ["arxiv=gr-qc/0004070"]),
    ("umass-nested", "<unheard-of>x</unheard-of>", ["?=x"]),
    (
        "giant",
        "<author><family>Quill</family>, <given>A.</given> & <given>B.</given> <family>Ink</family></author>",
        [
            "author=Quill, A. & B. Ink",
            "author/person=Quill, A.",
            "author/person/family=Quill",
            "author/person/given=A.",
            "author/person=B. Ink",
            "author/person/given=B.",
            "author/person/family=Ink",
        ],
    ),
    ("giant", "<container-title>X</container-title> <volume>3</volume>", ["journal=X", "volume=3"]),
    ("giant", "<issued>May <year>1999</year></issued>", ["date=May 1999", "date/month=May", "date/year=1999"]),
    (
        "excite",
        (
            "<author><surname>Feder</surname>, <given-names>K.</given-names></author>; "
            "<author><surname>Kiel</surname></author>"
        ),
        [
            "author=Feder, K.; Kiel",
            "author/person=Feder, K.",
            "author/person/family=Feder",
            "author/person/given=K.",
            "author/person=Kiel",
            "author/person/family=Kiel",
        ],
    ),
    ("excite", "S. <fpage>3</fpage>-<lpage>10</lpage>", ["pages=3-10", "pages/first=3", "pages/last=10"]),
    ("excite", "<title>X</title> in <source>Y</source> <issue>3</issue>", ["title=X", "journal=Y", "issue=3"]),
    (
        "excite",
        "<author><surname>F</surname> <year>1999</year> rest",
        ["?=F", "date=1999", "date/year=1999", "?=rest"],
    ),
    ("elife", "<article-title>X</article-title>. <source>Y</source>", ["title=X", "journal=Y"]),
    (
        "elife",
        "<year>2020</year> <month>Nov</month> <day>2</day>",
        ["date=2020 Nov 2", "date/year=2020", "date/month=Nov", "date/day=2"],
    ),
    ("elife", "<year>no date</year>", ["?=no date"]),
    ("elife", "<date-in-citation>3 <month>May</month></date-in-citation>", ["accessed=3 May"]),
    (
        "elife",
        "<string-name><surname>Q</surname> <given-names>A</given-names></string-name>, <etal>et al.</etal>",
        [
            "author=Q A, et al.",
            "author/person=Q A",
            "author/person/family=Q",
            "author/person/given=A",
            "author/etal=et al.",
        ],
    ),
    ("linkedbooks", "<author>a cura di L. Penna,</author>", ["editor=L. Penna"]),
]


@pytest.mark.parametrize(("set_name", "source", "expected"), TABLE)
def test_labels_become_those_of_the_schema(set_name, source, expected):
    assert shown(mapped(set_name, source)) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("journal", ["title=X", "journal=Y"]),
        ("preprint", ["title=X", "journal=Y"]),
        ("book", ["title=X", "book=Y"]),
        ("data", ["title=X", "archive=Y"]),
        ("web", ["title=X", "journal|book|archive=Y"]),
        ("report", ["title=X", "?=Y"]),
    ],
)
def test_what_a_source_is_depends_on_the_kind_of_work(kind, expected):
    assert shown(mapped("elife", "<chapter-title>X</chapter-title>. <source>Y</source>", kind)) == expected
    if kind == "book":
        assert shown(mapped("elife", "<source>Y</source>", kind)) == ["title=Y"]


def test_linkedbooks_tells_container_from_title_only_in_meta_annotations():
    text = "<title>Penne, “Archivio Nuovo”,</title>"
    assert shown(mapped("linkedbooks", text, "meta-annotation")) == ["title=Penne", "journal|book=Archivio Nuovo"]
    assert shown(mapped("linkedbooks", text, "secondary")) == ["title=Penne, “Archivio Nuovo”"]
    assert shown(mapped("linkedbooks", "<title>Penne</title>", "meta-annotation")) == ["?=Penne"]
    two = "<title>A,</title> in <title>B</title>"
    assert shown(mapped("linkedbooks", two, "meta-annotation")) == ["title=A", "journal|book|series=B"]


def test_fields_without_parts_are_partially_annotated():
    example = mapped(
        "grobid-citation", "<author>A. Quill</author> <date>1998/99</date> <biblScope:page>3-4</biblScope:page>"
    )
    assert example.partially_annotated == {"author", "date"}
    assert mapped("umass-flat", "<author>A. Quill</author>").partially_annotated == {"author/person"}


@pytest.mark.parametrize(("set_name", "source", "_expected"), TABLE)
def test_every_part_has_its_parents(set_name, source, _expected):
    example = mapped(set_name, source)
    for annotation in example.annotations:
        assert all(label in SCHEMA or label == "?" for label in annotation.label.split("|"))
        above = annotation.label.rpartition("/")[0]
        assert not above or any(
            m.label == above and m.start <= annotation.start and annotation.end <= m.end for m in example.annotations
        )
    assert example.partially_annotated <= WITH_PARTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1999).", "1999"),
        ("«Penne»", "Penne"),
        ("[a] b [c]", "[a] b [c]"),
        ("J. Phys. (C),", "J. Phys. (C)"),
        ("---", ""),
        ("a)", "a"),
    ],
)
def test_boundaries(text, expected):
    start, end = strip(text, 0, len(text))
    assert text[start:end] == expected


def test_a_word_that_is_all_there_is_stays():
    assert trim("pages", 0, 5, "pages") == (0, 5)


@pytest.mark.parametrize(
    ("function", "text", "expected"),
    [
        (date_parts, "1999a", ["1999a"]),
        (date_parts, "12 März 2001", ["12", "März", "2001"]),
        (date_parts, "12.05.2001", []),
        (date_parts, "spring 2001", []),
        (page_parts, "e12–e34", ["e12", "e34"]),
        (page_parts, "124ff", ["124"]),
        (page_parts, "xii-xv", ["xii", "xv"]),
        (page_parts, "1-5, 9-12", []),
        (volume_parts, "D43", ["D43"]),
        (volume_parts, "45/2", ["45", "2"]),
        (volume_parts, "12 (1999)", []),
    ],
)
def test_parts(function, text, expected):
    assert [text[annotation.start : annotation.end] for annotation in function(text, 0, len(text))] == expected


def test_an_et_al_after_a_list_belongs_to_it():
    person = "<person-group:author><string-name><surname>Q</surname></string-name></person-group:author>"
    assert shown(mapped("elife", person + ", <etal>et al.</etal>"))[0] == "author=Q, et al."
    assert shown(mapped("elife", person + ", <etal>…</etal>"))[-1] == "author/etal=…"
    assert shown(mapped("elife", "<etal>et al.</etal>")) == ["author=et al.", "author/etal=et al."]


def test_a_collaboration_does_not_split_the_list_before_it():
    example = mapped("grobid-citation", "<author>A. Quill</author>, <orgName:collaboration>PEN</orgName:collaboration>")
    assert shown(example) == ["author=A. Quill", "author=PEN", "author/collaboration=PEN"]
    assert example.partially_annotated == {"author"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://doi.org/10.1000/x", "doi=10.1000/x"),
        ("https://pens.org/doi/10.1000/x", "url=https://pens.org/doi/10.1000/x"),
        ("https://pens.org/a/", "url=https://pens.org/a/"),
    ],
)
def test_an_address_is_a_doi_only_behind_a_resolver(text, expected):
    assert shown(mapped("elife", f"<ext-link>{text}</ext-link>")) == [expected]
    assert shown(mapped("elife", f"<pub-id:doi>{text}</pub-id:doi>")) == [expected] or "pens.org/a" in text
