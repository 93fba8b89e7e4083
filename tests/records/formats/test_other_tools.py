"""Records as other tools expect them: where each value stands in CSL-JSON, BibTeX, BibLaTeX and RIS, by tables."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from format_cases import content, read_back, written
from hypothesis import given
from hypothesis import strategies as st

from ibidem.records.fields import DATES, NAMES, names_in
from ibidem.records.formats import read
from ibidem.records.formats.latex import protect_capitals
from ibidem.records.formats.values import entry_of
from ibidem.records.record import Date, Entry, Name, Pages, Record
from ibidem.records.types import IN_PERIODICALS, TYPES, types_in


def made(kind: str, *pairs: tuple[str, object]) -> Record:
    """A record of texts and values."""
    entries = (entry_of(f, v) if isinstance(v, str) and f not in NAMES else Entry(f, v) for f, v in pairs)
    return Record(kind, tuple(entries), key="k")


def item_of(record: Record) -> dict[str, object]:
    """The only item of the CSL-JSON of a record."""
    (item,) = json.loads(written([record], "csl-json")[0])
    assert content(read_back(written([record], "csl-json")[0], "csl-json")[0]) == content(record)
    return item


def bib(record: Record, form: str = "bibtex") -> str:
    """The BibTeX of a record, which is read back as the same."""
    data, warned = written([record], form)
    assert not warned
    assert content(read_back(data, form)[0]) == content(record)
    return data.decode()


def only(data: str, form: str) -> Record:
    """The only record of a file."""
    (found,) = read(BytesIO(data.encode()), form)
    assert isinstance(found, Record), found
    return found


PUBLISHERS = {("thesis", "institution"), ("report", "institution"), ("preprint", "container")}


@pytest.mark.parametrize("field", sorted(names_in("csl")))
@pytest.mark.parametrize("kind", sorted(TYPES))
def test_every_field_that_csl_has_a_variable_for_stands_in_it(kind, field):
    value: object = Name("Reed", "A.") if field in NAMES else Date(2019, 3) if field in DATES else "7"
    item = item_of(made(kind, (field, Pages("7") if field == "pages" else value)))
    variable = "publisher" if (kind, field) in PUBLISHERS else names_in("csl")[field]
    expected: object = "7"
    if field in NAMES | DATES:
        expected = [{"family": "Reed", "given": "A."}] if field in NAMES else {"date-parts": [[2019, 3]]}
    assert item[variable] == expected
    assert set(item.get("custom", {})) <= {"publisher-is", "number-is"}


def test_an_identifier_of_arxiv_stands_where_zotero_and_citeproc_look():
    preprint = item_of(made("preprint", ("title", "T"), ("container", "arXiv"), ("arxiv", "2101.00001")))
    assert (preprint["type"], preprint["number"], preprint["publisher"]) == ("article", "arXiv:2101.00001", "arXiv")
    assert (preprint["archive"], preprint["archive_location"]) == ("arXiv", "2101.00001")
    article = item_of(made("article", ("title", "T"), ("article-number", "e7"), ("arxiv", "2101.00001")))
    assert (article["number"], article["archive_location"]) == ("e7", "2101.00001")
    zotero = '[{"id":"a","type":"article","number":"arXiv:2101.00001 [cs.CL]","publisher":"arXiv","title":"T"}]'
    found = only(zotero, "csl-json")
    assert (found.type, found.first("arxiv"), found.first("arxiv-class")) == ("preprint", "2101.00001", "cs.CL")
    assert found.first("container") == "arXiv" and found.first("number") is None
    tex = bib(made("preprint", ("arxiv", "2101.00001"), ("arxiv-class", "cs.CL")))
    assert "eprint = {2101.00001}" in tex and "archiveprefix = {arXiv}" in tex and "primaryclass = {cs.CL}" in tex
    tex = bib(made("preprint", ("arxiv", "2101.00001"), ("arxiv-class", "cs.CL")), "biblatex")
    assert "@online" in tex and "eprinttype = {arxiv}" in tex and "eprintclass = {cs.CL}" in tex
    ris = written([made("preprint", ("arxiv", "2101.00001"))], "ris")[0].decode()
    assert "AN  - arXiv:2101.00001\r\nUR  - https://arxiv.org/abs/2101.00001\r\n" in ris


@pytest.mark.parametrize(
    ("date", "part"),
    [
        (Date(status="in press"), {"status": "in press"}),
        (Date(status="forthcoming"), {"status": "forthcoming"}),
        (Date(status="n.d."), {"issued": {"literal": "n.d."}}),
        (Date(2020, status="in press"), {"issued": {"date-parts": [[2020]]}, "status": "in press"}),
    ],
)
def test_a_state_is_one_and_no_date_is_a_literal(date, part):
    item = item_of(made("book", ("date", date)))
    assert {key: item[key] for key in item if key not in ("id", "type")} == part


@pytest.mark.parametrize(("written_as", "number"), [("15th ed.", "15"), ("zweite Auflage", "2"), ("3", "3")])
def test_an_edition_is_its_number_to_csl(written_as, number):
    assert item_of(made("book", ("edition", written_as)))["edition"] == number


def test_a_status_without_a_date_is_read():
    assert only('[{"type":"book","id":"a","status":"draft"}]', "csl-json").first("date") == Date(status="draft")


@pytest.mark.parametrize("words", [["a", "b"], ["a, b", "c"], ["a; b"], ["a, b"], ["a; b", "c, d"], ["a"]])
@pytest.mark.parametrize("form", ["csl-json", "bibtex", "biblatex", "ris", "tei", "jats", "jsonl"])
def test_keywords_are_an_entry_each(words, form):
    record = made("book", *(("keyword", word) for word in words))
    assert read_back(written([record], form)[0], form)[0].all("keyword") == words


@pytest.mark.parametrize("form", ["csl-json", "bibtex", "biblatex", "ris", "tei", "jats", "jsonl"])
@pytest.mark.parametrize("kind", sorted(TYPES))
def test_abstract_keywords_notes_and_files_go_through_every_format(form, kind):
    texts = {"abstract": "Long {x} & 50 %", "note": "N", "annotation": "Mine", "file": "/a b/c_d.pdf"}
    record = made(kind, ("title", "T"), *texts.items(), ("keyword", "x"), ("keyword", "y z"))
    expected = {**texts, "file": "/a b/c_d.pdf"}
    (found,) = read_back(written([record], form)[0], form)
    assert {field: found.first(field) for field in texts} == expected and found.all("keyword") == ["x", "y z"]
    assert found.type == kind


@pytest.mark.parametrize(
    ("record", "bibtex", "biblatex"),
    [
        (made("thesis", ("genre", "Master's thesis"), ("institution", "U")), ["@mastersthesis", "school"], ["@thesis"]),
        (made("thesis", ("genre", "Diplomarbeit")), ["@mastersthesis", "type = {Diplomarbeit}"], ["@thesis"]),
        (made("thesis", ("genre", "硕士学位论文")), ["@mastersthesis"], ["@thesis"]),
        (made("thesis", ("genre", "PhD thesis"), ("institution", "U")), ["@phdthesis", "school"], ["@thesis"]),
        (made("thesis", ("genre", "Habilitationsschrift")), ["@phdthesis", "type"], ["@thesis"]),
        (made("report", ("institution", "N"), ("number", "7")), ["@techreport", "institution", "number"], ["@report"]),
        (made("chapter", ("title", "C"), ("container", "B")), ["@incollection", "booktitle"], ["@incollection"]),
        (made("chapter", ("title", "B"), ("chapter", "3")), ["@inbook", "chapter = {3}"], ["@inbook"]),
        (made("webpage", ("title", "W"), ("container", "Site")), ["@misc", "howpublished = {Site}"], ["@online"]),
        (made("dataset", ("title", "D"), ("version", "2")), ["@misc", "version = {2}"], ["@dataset"]),
        (made("software", ("title", "D")), ["@misc", "entrysubtype = {software}"], ["@software"]),
        (made("patent", ("number", "US1"), ("institution", "A")), ["@misc", "number = {US1}"], ["@patent", "holder"]),
        (made("legal-case", ("title", "A v. B")), ["@misc", "entrysubtype = {legal-case}"], ["@jurisdiction"]),
        (made("legislation", ("title", "Act")), ["@misc"], ["@legislation"]),
        (made("standard", ("number", "ISO 1")), ["@misc", "number = {ISO 1}"], ["@standard"]),
        (made("film", ("title", "F")), ["@misc"], ["@movie"]),
        (made("encyclopedia-entry", ("container", "E")), ["@incollection", "booktitle"], ["@inreference"]),
        (made("manuscript", ("title", "M")), ["@unpublished"], ["@unpublished"]),
        (made("newspaper-article", ("container", "N")), ["@article", "journal"], ["entrysubtype = {newspaper}"]),
        (made("book", ("series", "LNCS"), ("series-number", "12")), ["@book", "number = {12}"], ["number = {12}"]),
        (made("paper", ("series", "L"), ("series-number", "12"), ("issue", "3")), ["number = {12}", "issue = {3}"], []),
        (made("article", ("issue", "3")), ["number = {3}"], ["number = {3}"]),
    ],
)  # fmt: skip
def test_an_entry_of_tex_is_of_the_type_that_people_expect(record, bibtex, biblatex):
    for form, pieces in (("bibtex", bibtex), ("biblatex", biblatex)):
        source = bib(record, form)
        assert all(piece in source for piece in pieces), source


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_only_what_stands_in_a_periodical_has_a_journal_in_bibtex(kind):
    source = bib(made(kind, ("title", "T"), ("container", "C")))
    assert ("journal = " in source) == (kind in IN_PERIODICALS)
    assert source.startswith("@article") == (kind in IN_PERIODICALS)


@pytest.mark.parametrize("title", ["乡土中国[M]", "Bells [A] (B) C", "The {M} [x", "A) B] C", "[[A]]", "DNA (mRNA)."])
def test_braces_around_capitals_hold_whole_brackets(title):
    source = protect_capitals(title)
    depth = 0
    for character in source:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0 and only(f"@book{{a, title = {{{source}}}}}", "bibtex").first("title") == title
    assert "[M}" not in source and "(mRNA}" not in source


CROSSREF = """
@inproceedings{a, author = {Reed, A.}, title = {Bells}, crossref = {PROC}, pages = {1--9}}
@incollection{c, author = {Reed, A.}, title = {Part}, crossref = {coll}}
@inbook{b, title = {Chapter}, crossref = {whole}, year = 2001}
@article{j, title = {Piece}, crossref = {per}}
@book{v, title = {Second volume}, volume = {2}, crossref = {mv}}
@book{x, title = {With data}, xdata = {common}}
@proceedings{proc, title = {Proc. of Bells}, subtitle = {Fourth Meeting}, year = 1990, editor = {Marsh, B.},
  publisher = {Sedge}, doi = {10.1/x}, abstract = {of the whole}, pages = {500}}
@collection{coll, title = {Collected}, editor = {Marsh, B.}, year = 1991}
@book{whole, title = {The whole}, author = {Poe, E.}, year = 2000, address = {Oslo}}
@periodical{per, title = {Review of Bells}, year = 1992, volume = 7}
@mvbook{mv, title = {All of it}, author = {Poe, E.}, publisher = {Sedge}}
@xdata{common, publisher = {Common Press}, location = {Leiden}}
@misc{gone, title = {Gone}, crossref = {nowhere}}
@misc{loop1, title = {Loop}, crossref = {loop2}}
@misc{loop2, note = {of two}, crossref = {loop1}}
"""


def test_entries_inherit_from_those_that_they_refer_to():
    found = {one.key: one for one in read(BytesIO(CROSSREF.encode()), "bibtex") if isinstance(one, Record)}
    assert "common" not in found
    paper = found["a"]
    assert paper.first("container") == "Proc. of Bells: Fourth Meeting" and paper.first("date") == Date(1990)
    assert paper.first("editor") == Name("Marsh", "B.") and paper.first("publisher") == "Sedge"
    assert (paper.first("doi"), paper.first("abstract"), paper.first("pages")) == (None, None, Pages("1", "9"))
    assert found["c"].first("container") == "Collected"
    inside = found["b"]
    assert (inside.first("container"), inside.first("date"), inside.first("place")) == ("The whole", Date(2001), "Oslo")
    assert inside.first("author") == inside.first("book-author") == Name("Poe", "E.")
    assert (found["j"].first("container"), found["j"].first("volume").text) == ("Review of Bells", "7")
    assert (found["v"].first("title"), found["v"].first("container")) == ("Second volume", "All of it")
    assert (found["x"].first("publisher"), found["x"].first("place")) == ("Common Press", "Leiden")
    assert any("'nowhere', which is not in the file" in warning for warning in found["gone"].warnings)
    assert found["loop1"].first("note") == "of two"


def test_a_file_cannot_inherit_without_end():
    many = "".join(f"@misc{{k{n}, crossref = {{p}}}}\n" for n in range(3000))
    parent = "@misc{p, note = {" + "x" * 50_000 + "}}\n"
    found = list(read(BytesIO((parent + many).encode()), "bibtex"))
    assert len(found) == 3001
    assert any("inherits too much" in warning for warning in found[-1].warnings)


@pytest.mark.parametrize(
    ("source", "field", "value"),
    [
        ("@book{a, title = {A}, subtitle = {B}}", "title", "A: B"),
        ("@book{a, title = {A?}, subtitle = {B}}", "title", "A? B"),
        ("@misc{a, howpublished = {\\url{https://a.org/x_y}}}", "url", "https://a.org/x_y"),
        ("@misc{a, howpublished = {By hand}}", "note", "By hand"),
        ("@online{a, organization = {Org}}", "institution", "Org"),
        ("@article{a, entrysubtype = {newspaper}, journaltitle = {N}}", "container", "N"),
        ("@misc{a, eprint = {123}, eprinttype = {pubmed}}", "pmid", "123"),
        ("@article{a, journal = {arXiv preprint arXiv:1706.03762}}", "arxiv", "1706.03762"),
        ("@article{a, journal = {arXiv preprint arXiv:1706.03762}}", "container", "arXiv preprint arXiv:1706.03762"),
        ("@book{a, origyear = {1900}}", "original-date", Date(1900)),
        ("@inproceedings{a, eventtitle = {Meeting}, venue = {Oslo}}", "event-place", "Oslo"),
        ("@phdthesis{a, school = {U}}", "genre", "PhD thesis"),
        ("@book{a, pagetotal = {250}}", "extent", entry_of("extent", "250").value),
    ],
)
def test_fields_of_others_are_read(source, field, value):
    assert only(source, "bibtex").first(field) == value


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("legal-case", "CASE"), ("legislation", "STAT"), ("regulation", "LEGAL"), ("bill", "BILL"), ("hearing", "HEAR"),
        ("patent", "PAT"), ("standard", "STAND"), ("dataset", "DATA"), ("software", "COMP"), ("map", "MAP"),
        ("newspaper-article", "NEWS"), ("magazine-article", "MGZN"), ("encyclopedia-entry", "ENCYC"),
        ("dictionary-entry", "DICT"), ("manuscript", "MANSCPT"), ("film", "MPCT"), ("speech", "SLIDE"),
        ("blog-post", "BLOG"), ("personal-communication", "PCOMM"), ("song", "SOUND"), ("pamphlet", "PAMP"),
    ],
)  # fmt: skip
def test_a_type_has_its_code_of_ris(kind, code):
    data = written([made(kind, ("title", "T"))], "ris")[0].decode()
    assert data.startswith(f"TY  - {code}\r\n") and read_back(data.encode(), "ris")[0].type == kind
    assert only(f"TY  - {code}\r\nTI  - T\r\nER  - \r\n", "ris").type == kind


@pytest.mark.parametrize("column", ["csl", "jats"])
def test_no_two_types_share_a_name_where_there_is_no_other_place_for_them(column):
    assert len(set(types_in(column).values())) == len(TYPES)


OLD = (
    '{"type":"software","confidence":0.9,"key":"k","entries":[{"field":"edition","value":{"text":"2.1"},"raw":"2.1",'
    '"start":0,"end":3,"confidence":1.0,"warnings":[]},{"field":"arxiv","value":"1501.00001"}],"text":"2.1","warnings":[]}\n'
    '{"type":"standard","entries":[{"field":"title","value":"Bells Act"},'
    '{"field":"date","value":{"edtf":"","status":"n.d."}}]}\n'
)


def test_records_of_earlier_versions_are_read():
    software, law = (one for one in read(BytesIO(OLD.encode()), "jsonl") if isinstance(one, Record))
    assert software.first("edition").text == "2.1" and software.first("arxiv") == "1501.00001"
    assert (law.type, law.first("date")) == ("standard", Date(status="n.d."))


def test_csl_json_of_earlier_versions_is_read():
    old = '[{"id":"a","type":"article-journal","title":"T","custom":{"arxiv":["1501.00001"],"marker":["1"]}},'
    old += '{"id":"b","type":"report","publisher":"P","custom":{"publisher-is":["publisher"]}}]'
    first, second = (one for one in read(BytesIO(old.encode()), "csl-json") if isinstance(one, Record))
    assert (first.first("arxiv"), first.first("marker"), second.first("publisher")) == ("1501.00001", "1", "P")


FORMS = ["csl-json", "bibtex", "biblatex", "ris", "tei", "jats", "jsonl"]


@given(st.sampled_from(FORMS), st.sampled_from(FORMS), st.sampled_from(sorted(TYPES)))
def test_a_type_survives_any_two_formats(first, second, kind):
    record = made(kind, ("title", "T"), ("author", Name("Reed", "A.")), ("date", Date(1990)))
    once = read_back(written([record], first)[0], first)
    twice = read_back(written(once, second)[0], second)
    assert [one.type for one in (*once, *twice)] == [kind, kind]
