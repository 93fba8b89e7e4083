"""Files of other programs: what is read of them, and that a bad entry costs one entry."""

from __future__ import annotations

from io import BytesIO

import pytest

from ibidem.errors import ConfigError
from ibidem.records.formats import format_named, format_of, read
from ibidem.records.record import Date, Name, Pages, Record
from ibidem.types import Malformed

ONE_BAD = {
    "jsonl": b'{"type":"book","entries":[]}\n{"type":"novel"}\nnot json\n{"type":"book","entries":[]}\n',
    "csl-json": b'[{"id":"a","type":"book"}, 7, {"id":"b","type":"book","author":"x"}, {"id":"c","type":"book"}]',
    "bibtex": b"@book{a, title={A}}\n@book{b, title={B\n@book{c, title = {C}, title = {D}}\n@book{d, title={D}}\n",
    "ris": b"TY  - BOOK\nTI  - A\nER  - \nnonsense\nTY  - BOOK\nTI  - B\nTY  - BOOK\nTI  - C\nER  - \n",
    "jats": b"<back><ref><element-citation/></ref><ref><note/></ref><ref/><ref><element-citation/></ref></back>",
}


@pytest.mark.parametrize("form", sorted(ONE_BAD))
def test_a_bad_entry_costs_one_entry(form):
    found = list(read(BytesIO(ONE_BAD[form]), form))
    bad = [isinstance(one, Malformed) for one in found]
    assert bad == [False, True, True, False]
    assert all(one.reason and one.source for one in found if isinstance(one, Malformed))


@pytest.mark.parametrize("form", ["tei", "jats"])
def test_what_stands_before_a_fault_in_xml_is_read(form):
    whole = {
        "tei": b"<TEI><biblStruct type='book'><monogr><title level='m'>A</title></monogr></biblStruct>",
        "jats": b"<ref-list><ref><element-citation publication-type='book'><source>A</source></element-citation></ref>",
    }[form]
    first, second = read(BytesIO(whole + b"<oops></ref-list>"), form)
    assert first.first("title") == "A"
    assert isinstance(second, Malformed) and "well-formed" in second.reason


@pytest.mark.parametrize("form", ["jsonl", "csl-json", "bibtex", "ris"])
def test_an_empty_file_holds_nothing(form):
    assert [one for one in read(BytesIO(b""), form) if isinstance(one, Record)] == []


def only(data: str, form: str) -> Record:
    (found,) = read(BytesIO(data.encode()), form)
    assert isinstance(found, Record), found
    return found


def test_bibtex_as_people_write_it():
    found = only(
        r"""@string{jrl = "Journal of Reeds"}
        @ARTICLE{key+1,
          Author = "Ludwig van Beethoven and G{\"o}del, Kurt and {The Bell Group} and de la Cruz, Jr, Juan and others",
          TITLE = {The {DNA} of caf{\'e}s --- a \emph{study} of $x^2$},
          journal = jrl, year = 1999, month = "March", volume = 12, number = 3, pages = {12--19},
          url = {https://a.org/x\_y}, keywords = {bells}, file = {a.pdf}, timestamp = {2020}
        }""",
        "bibtex",
    )
    assert found.type == "article" and found.key == "key+1"
    assert found.all("author") == [
        Name("Beethoven", "Ludwig", "van"),
        Name("Gödel", "Kurt"),
        Name(literal="The Bell Group"),
        Name("Cruz", "Juan", "de la", "Jr"),
    ]
    assert found.first("author-etal") == "et al."
    assert found.first("title") == "The DNA of cafés — a study of $x^2$"
    assert found.first("container") == "Journal of Reeds"
    assert found.first("date") == Date(1999, 3)
    assert found.first("pages") == Pages("12", "19")
    assert found.first("url") == "https://a.org/x_y"
    assert (found.first("keyword"), found.first("file")) == ("bells", "a.pdf")
    assert found.warnings == ("no field for 'timestamp': 2020",)


@pytest.mark.parametrize(
    ("source", "kind", "field", "value"),
    [
        ("@mastersthesis{a, school={U}}", "thesis", "genre", "Master's thesis"),
        ("@phdthesis{a, school={U}}", "thesis", "institution", "U"),
        ("@techreport{a, institution={I}, number={7}}", "report", "number", "7"),
        ("@misc{a, eprint={1501.00001}, archiveprefix={arXiv}}", "preprint", "arxiv", "1501.00001"),
        ("@online{a, urldate={2020-01-02}}", "webpage", "accessed", Date(2020, 1, 2)),
        ("@inbook{a, booktitle={B}}", "chapter", "container", "B"),
        ("@article{a, date={2019-03/2020}}", "article", "date", Date(2019, 3, end=Date(2020))),
        ("@article{a, year={in press}}", "article", "date", Date(status="in press")),
        ("@article{a, year={sometime}}", "article", "date", "sometime"),
        ("@zine{a, title={T}}", "other", "title", "T"),
    ],
)
def test_entries_of_bibtex(source, kind, field, value):
    found = only(source, "bibtex")
    assert (found.type, found.first(field)) == (kind, value)


def test_csl_json_as_zotero_writes_it():
    found = only(
        """[{"id": "http://zotero.org/1", "type": "article-magazine", "title": "T", "container-title": "C", "page": 7,
        "author": [{"family": "Berg", "given": "J", "dropping-particle": "van", "non-dropping-particle": "der"},
                   {"literal": "Group"}],
        "issued": {"date-parts": [["2019", 3], ["2020"]]}, "abstract": "long", "part-title": "P", "DOI": "10.1/x",
        "accessed": {"raw": "last week"}}]""",
        "csl-json",
    )
    assert found.type == "magazine-article" and found.first("abstract") == "long"
    assert found.all("author") == [Name("Berg", "J", "van der"), Name(literal="Group")]
    assert found.first("date") == Date(2019, 3, end=Date(2020))
    assert found.first("pages") == Pages("7")
    assert found.first("accessed") == "last week"
    assert [warning.partition(":")[0] for warning in found.warnings] == ["no field for 'part-title'"]


def test_ris_as_managers_write_it():
    found = only(
        "\ufeffTY  - CONF\r\nA1  - Reed, A. B.\r\nAU  - Group of Bells\r\nT1  - A title\r\n  that goes on\r\n"
        "JO  - Jo\r\nJA  - J\r\nY1  - 2019/03//\r\nSP  - 12-19\r\nSN  - 1234-567X\r\nSN  - 9780306406157\r\n"
        "KW  - reeds\r\nER  -\r\n",
        "ris",
    )
    assert found.type == "paper"
    assert found.all("author") == [Name("Reed", "A. B."), Name(literal="Group of Bells")]
    assert found.first("title") == "A title that goes on"
    assert found.all("container") == ["Jo"]
    assert found.first("date") == Date(2019, 3)
    assert found.first("pages") == Pages("12", "19")
    assert (found.first("issn"), found.first("isbn")) == ("1234-567X", "9780306406157")
    assert (found.first("keyword"), found.first("short-container")) == ("reeds", "J")
    assert not found.warnings


def test_tei_as_grobid_writes_it():
    found = only(
        """<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><back><listBibl><biblStruct xml:id="b0"><analytic>
        <title level="a" type="main">A title</title><author><persName><forename type="first">Jane</forename>
        <forename type="middle">S</forename><surname>Reed</surname></persName></author>
        <idno type="DOI">10.1/x</idno></analytic><monogr><title level="j">Journal</title><imprint>
        <biblScope unit="volume">3</biblScope><biblScope unit="page" from="12" to="19"/>
        <biblScope unit="issue">2</biblScope><date type="published" when="2019-03-05">March 5, 2019</date></imprint>
        </monogr><note type="raw_reference">Reed JS. A title.</note></biblStruct></listBibl></back></text></TEI>""",
        "tei",
    )
    assert found.type == "article" and found.key == "b0"
    assert found.first("author") == Name("Reed", "Jane S")
    assert (found.first("title"), found.first("container"), found.first("doi")) == ("A title", "Journal", "10.1/x")
    assert (found.first("date"), found.first("pages")) == (Date(2019, 3, 5), Pages("12", "19"))
    assert found.first("note") == "Reed JS. A title."


def test_jats_as_journals_write_it():
    found = only(
        """<article xmlns:xlink="http://www.w3.org/1999/xlink"><back><ref-list><ref id="b1"><label>1</label>
        <element-citation publication-type="book"><person-group person-group-type="author"><name>
        <surname>Reed</surname><given-names>A</given-names></name><collab>Group</collab><etal/></person-group>
        <year iso-8601-date="2014">2014</year><chapter-title>A <italic>chapter</italic></chapter-title>
        <source>Book</source><fpage>1</fpage><lpage>9</lpage><pub-id pub-id-type="pmid">77</pub-id>
        <ext-link xlink:href="http://a.org">link</ext-link><role>x</role></element-citation></ref></ref-list></back>
        </article>""",
        "jats",
    )
    assert found.type == "chapter" and found.first("marker") == "1"
    assert found.all("author") == [Name("Reed", "A"), Name(literal="Group")]
    assert found.first("author-etal") == "et al."
    assert (found.first("title"), found.first("container")) == ("A chapter", "Book")
    assert (found.first("date"), found.first("pages")) == (Date(2014), Pages("1", "9"))
    assert (found.first("pmid"), found.first("url")) == ("77", "http://a.org")
    assert found.warnings == ("no field for 'role': x",)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.bib", "bibtex"), ("A.JSON", "csl-json"), ("x.jsonl", "jsonl"), ("x.tei.xml", "tei"), ("x.nxml", "jats"),
        ("x.ris.gz", "ris"), ("x.parquet", "parquet"), ("x.md", "markdown"), ("x.endnote.xml", "endnote"),
    ],
)  # fmt: skip
def test_a_name_means_a_format(name, form):
    assert format_of(name).name == form


def test_an_unknown_name_or_format_is_refused_in_words():
    with pytest.raises(ConfigError, match=r"'refs\.docx' has no ending of a known format"):
        format_of("refs.docx")
    with pytest.raises(ConfigError, match="no format 'word'"):
        format_named("word")
    with pytest.raises(ConfigError, match="can be written only"):
        read(BytesIO(), "csv")


@pytest.mark.parametrize(("source", "number"), [("Second", "2"), ("13th", "13"), ("2", "2"), ("Third, revised", None)])
def test_an_edition_in_letters_is_a_number(source, number):
    (found,) = read(BytesIO(f"@book{{a, edition = {{{source}}}}}".encode()), "bibtex")
    assert isinstance(found, Record)
    assert found.first("edition").text == (number or source)
    assert found.entries[0].raw == ("" if number in (None, source) else source)
