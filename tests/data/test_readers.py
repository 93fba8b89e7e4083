"""Every reader on a small piece, invented here, in the format of its set."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import tarfile
from pathlib import Path

import pytest

from ibidem.data.readers import papers, records
from ibidem.data.readers.inline import collapse, naming, scan
from ibidem.data.readers.labelled import read_anystyle
from ibidem.data.sets import citation_matching, elife, excite, giant, grobid, linkedbooks, metadata, parscit, umass
from ibidem.types import Example, Malformed


def shown(example: Example) -> list[tuple[str, str]]:
    return [(annotation.label, example.text[annotation.start : annotation.end]) for annotation in example.annotations]


def separate(items) -> tuple[list, list[Malformed]]:
    items = list(items)
    for item in items:
        if isinstance(item, Example):
            assert all(item.text[token.start : token.end] == token.text for token in item.tokens)
            assert all(0 <= annotation.start < annotation.end <= len(item.text) for annotation in item.annotations)
            assert list(item.annotations) == sorted(
                item.annotations, key=lambda m: (m.start, -m.end, m.label.count("/"))
            )
    return [i for i in items if not isinstance(i, Malformed)], [i for i in items if isinstance(i, Malformed)]


def write(path: Path, text: str | bytes) -> Path:
    data = text.encode() if isinstance(text, str) else text
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "wb") as file:
        file.write(data)
    return path


def archive(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo("./" + name)
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    return path


@pytest.mark.parametrize(
    ("source", "text", "annotations", "problems"),
    [
        ("plain", "plain", [], 0),
        ("<a>x</a>", "x", [("a", "x")], 0),
        ("<a>R&amp;D &#233; <b>&lt;y&gt;</b></a>", "R&D é <y>", [("a", "R&D é <y>"), ("a/b", "<y>")], 0),
        ("<a>x <b>y</a> z</b>", "x y z", [("a", "x y"), ("a/b", "y")], 2),
        ("<a>never", "never", [("a", "never")], 1),
        ("x</a>", "x", [], 1),
        ("<unknown>x</unknown>", "<unknown>x</unknown>", [], 0),
        ("a < b & c", "a < b & c", [], 0),
        ("<a/>x<a></a>", "x", [], 0),
        ("<!-- no --><a>x</a>", "x", [("a", "x")], 0),
        ("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>", None, [("a", "&e;")], 0),
    ],
)
def test_the_scanner_keeps_the_text_and_repairs_the_nesting(source, text, annotations, problems):
    found = scan(source, naming(frozenset("ab")))
    assert text is None or found.text == text
    assert [(m.label, found.text[m.start : m.end]) for m in found.annotations] == annotations
    assert len(found.problems) == problems


def test_collapsing_whitespace_moves_the_annotations_along():
    found = collapse(scan("  <a>  x \n y </a>  z ", naming(frozenset("a"))))
    assert found.text == "x y z"
    assert [(m.start, m.end) for m in found.annotations] == [(0, 3)]
    kept = collapse(scan("<a> x \n  y </a> \n z", naming(frozenset("a"))), lines=True)
    assert kept.text == "x\ny\nz"


def test_umass_nested(tmp_path):
    line = (
        "<ref-marker> [7] </ref-marker> <authors> <person> <person-first> O. </person-first> <person-last> Quill , "
        "</person-last> </person> </authors> <venue> <date> <year> (1987) </year> </date> </venue> \n"
    )
    broken = "<authors> <person> <person-last> Inkwell </<person-last> </person> </authors> <venue> x\n"
    good, bad = separate(umass.read_nested(write(tmp_path / "dev.docs", line + broken)))
    assert good[0].text == "[7] O. Quill , (1987)"
    assert [token.text for token in good[0].tokens] == ["[7]", "O.", "Quill", ",", "(1987)"]
    assert shown(good[0])[1:3] == [("authors", "O. Quill ,"), ("authors/person", "O. Quill ,")]
    assert ("venue/date/year", "(1987)") in shown(good[0])
    assert good[0].source == "umass-nested:dev:1"
    assert len(good) == 2 and len(bad) == 2
    assert {report.source for report in bad} == {"umass-nested:dev:2"}


def test_sets_with_a_token_per_line(tmp_path):
    flat = "A. B-author\nQuill I-author\n, O\nB. B-author\nInk I-author\n\nOn O\nPens B-title\n"
    good, bad = separate(umass.read_flat(write(tmp_path / "test.txt", flat)))
    assert [shown(e) for e in good] == [[("author", "A. Quill"), ("author", "B. Ink")], [("title", "Pens")]]
    assert not bad

    wide = "Quill, x 1 author\n1987. y 2 date\n\nInk z 3 notes\nonly\n\nPen a 4 notes\n"
    good, bad = separate(parscit.read_parscit(write(tmp_path / "train.data.gz", wide)))
    assert [shown(e) for e in good] == [[("author", "Quill,"), ("date", "1987.")], [("note", "Pen")]]
    assert len(bad) == 1

    good, bad = separate(parscit.read_hosemicrf(write(tmp_path / "ref.test", b"Caf\xe9 author\n")))
    assert good[0].source == "hosemicrf:test:1" and len(bad) == 1


def test_linkedbooks_runs_from_b_r_to_e_r_and_lines_end_in_a_bare_return(tmp_path):
    rows = [
        "-DOCSTART- -X- -X- o",
        "",
        "Penna author b-secondary b-r",
        "A author i-secondary i-r",
        "., author i-secondary i-r",
        "Carte title i-secondary i-r",
        "( title i-secondary i-r",
        "nuove title i-secondary i-r",
        ") title e-secondary e-r",
        "pause o o o",
        "lost title i-secondary i-r",
        "pause o o o",
        "Inchiostri title b-primary b-r",
        "Altri title b-primary b-r",
        "three columns only",
    ]
    good, bad = separate(linkedbooks.read_linkedbooks(write(tmp_path / "clean.txt.gz", "\r".join(rows))))
    assert [e.text for e in good] == ["Penna A., Carte (nuove)", "Inchiostri", "Altri"]
    assert shown(good[0]) == [("author", "Penna A.,"), ("title", "Carte (nuove)")]
    assert good[0].source.endswith(":secondary") and not good[0].tokens
    assert len(bad) == 4  # never began, two without end, three columns


def test_tagged_lines(tmp_path):
    text = "<author> Quill, A. & Ink </author> <title> On pens. </title> <br>\n\n<author> Broken\n"
    good, bad = separate(parscit.read_parscit_tagged(write(tmp_path / "pens.tagged.txt", text)))
    assert shown(good[0]) == [("author", "Quill, A. & Ink"), ("title", "On pens.")]
    assert good[0].source == "parscit-tagged:pens:1" and len(good) == 2 and len(bad) == 1

    folder = tmp_path / "de"
    folder.mkdir()
    line = (
        "<author><surname>Feder</surname>, <given-names>K.</given-names></author> &Co <www.feder.de>. <year>1999</year>"
    )
    write(folder / "7.xml", line + "\n<year>2000</year></author>\n")
    good, bad = separate(excite.read_excite(folder))
    assert good[0].text == "Feder, K. &Co <www.feder.de>. 1999"
    assert shown(good[0])[0] == ("author", "Feder, K.") and len(bad) == 1


def test_giant_undoes_the_quoting(tmp_path):
    text = (
        '"<author><family>Quill</family>, <given>A.</given></author>. <title>""Pens""</title>"\n'
        "<editor translator>X</editor translator>\n"
    )
    good, bad = separate(giant.read_giant(write(tmp_path / "sample.txt.gz", text)))
    assert good[0].text == 'Quill, A.. "Pens"'
    assert shown(good[1]) == [("editor translator", "X")] and not bad


def test_elife(tmp_path):
    xml = (
        '<mixed-citation publication-type="journal"><person-group person-group-type="author"><string-name>'
        "<surname>Quill</surname> <given-names>A</given-names></string-name></person-group>.  <year>2001</year>. "
        '<article-title>On <italic>pens</italic> &amp; ink</article-title>. <pub-id pub-id-type="doi">10.1/x</pub-id>'
        "</mixed-citation>"
    )
    table = "doc\tref\ttype\tdoi\tpmid\txml\np12\tc3\tjournal\t\t\t" + xml + "\nshort\trow\n"
    good, bad = separate(elife.read_references(write(tmp_path / "references.tsv.xz", table)))
    assert good[0].text == "Quill A.  2001. On pens & ink. 10.1/x"  # two spaces stay two spaces
    assert good[0].source == "elife:p12:c3:journal" and len(bad) == 1
    assert shown(good[0])[0] == ("person-group:author", "Quill A")
    assert shown(good[0])[-2:] == [("article-title", "On pens & ink"), ("pub-id:doi", "10.1/x")]
    rows = list(records.read_table(write(tmp_path / "s.tsv.gz", "doc\ttitle\np1\tResults\nx\n"), "s"))
    assert rows[0] == {"doc": "p1", "title": "Results"} and isinstance(rows[1], Malformed)
    front = list(elife.read_front(write(tmp_path / "f.jsonl.gz", '{"doc": "p1"}\n{oops\n')))
    assert front[0] == {"doc": "p1"} and isinstance(front[1], Malformed)


def test_anystyle_joins_the_elements_by_a_space(tmp_path):
    text = (
        "<dataset>\n <sequence>\n  <author>Quill, A.</author>\n  <title>Pens &amp; Ink.</title>\n </sequence>\n"
        " <sequence>\n </sequence></dataset>"
    )
    good, bad = separate(read_anystyle(write(tmp_path / "core.xml", text)))
    assert good[0].text == "Quill, A. Pens & Ink." and len(good) == 1
    assert shown(good[0]) == [("author", "Quill, A."), ("title", "Pens & Ink.")] and len(bad) == 1


def test_grobid_corpora(tmp_path):
    path = archive(
        tmp_path / "c.tar.gz",
        {
            "corpus/a.xml": '<tei><listBibl>\n <bibl><author>A.<lb/>Quill</author>.\n <title level="j">Pens</title> '
            '<biblScope type="vol">3</biblScope></bibl><bibl>open <bibl>next</bibl></listBibl></tei>',
            "corpus/none.xml": "<tei/>",
            "evaluation/b.xml": "<bibl>elsewhere</bibl>",
        },
    )
    good, bad = separate(grobid.read_citations(path))
    assert [e.text for e in good] == ["A. Quill. Pens 3", "open", "next"]
    assert shown(good[0]) == [("author", "A. Quill"), ("title:j", "Pens"), ("biblScope:volume", "3")]
    assert len(bad) == 2  # one not closed, one file without any
    lists, _ = separate(grobid.read_reference_lists(path))
    assert [label for label, _ in shown(lists[0])].count("bibl") == 2

    names = archive(
        tmp_path / "n.tar.gz", {"corpus/a.xml": "<author><lastname>Quill</lastname> <forename>A</forename></author>"}
    )
    assert shown(separate(grobid.read_names(names, source="names"))[0][0]) == [("surname", "Quill"), ("forename", "A")]
    dates = archive(
        tmp_path / "d.tar.gz", {"evaluation/a.xml": "<date><day>3</day> <month>May</month> <year>1999</year></date>"}
    )
    assert [label for label, _ in shown(separate(grobid.read_dates(dates, under="evaluation/"))[0][0])] == [
        "day",
        "month",
        "year",
    ]
    places = archive(
        tmp_path / "a.tar.gz",
        {
            "corpus/a.xml": '<affiliation><orgName type="departement">Ink</orgName>, '
            '<address><country key="X">Pen</country></address></affiliation>'
        },
    )
    assert shown(separate(grobid.read_affiliations(places))[0][0])[0] == ("orgName:department", "Ink")
    heads = archive(
        tmp_path / "h.tar.gz",
        {"tei/a.xml": "<front><docTitle>On<lb/> pens</docTitle> <note type='docType'>x</note></front>"},
    )
    assert separate(grobid.read_headers(heads))[0][0].text == "On\npens x"


def test_papers(tmp_path):
    text = "<abstract> ABSTRACT +L+ </abstract> <method> PENS +L+ INKS +L+ </method>\n"
    good, bad = separate(papers.read_generic_sections(write(tmp_path / "g.txt", text)))
    assert shown(good[0]) == [("abstract", "ABSTRACT"), ("method", "PENS"), ("method", "INKS")] and not bad
    assert [token.text for token in good[0].tokens] == ["ABSTRACT", "PENS", "INKS"]
    text = (
        "<SectLabel_title> On pens +L+ </SectLabel_title> "
        "<SectLabel_bodyText> a < b +L+ c +L+ </SectLabel_bodyText> loose +L+\n"
    )
    good, bad = separate(papers.read_section_lines(write(tmp_path / "s.txt.gz", text)))
    assert good[0].labels == ("title", "bodyText", "bodyText") and len(bad) == 1
    text = "<title> On +L+ pens +L+ </title> <author> A. Quill +L+ </author> </sep>\n"
    good, bad = separate(papers.read_headers(write(tmp_path / "h.txt", text)))
    assert shown(good[0]) == [("title", "On\npens"), ("author", "A. Quill")] and len(bad) == 1


def test_clusters(tmp_path):
    record = {
        "id": 4,
        "cluster": 9,
        "segments": [["author", "A. Quill,"], ["title", "absent"]],
        "text": "A. Quill, Pens.",
    }
    good, bad = separate(citation_matching.read_cora(write(tmp_path / "c.jsonl", json.dumps(record) + "\n{}\n")))
    assert (
        shown(good[0]) == [("author", "A. Quill,")] and citation_matching.cluster_of(good[0]) == "9" and len(bad) == 2
    )
    record = {
        "id": "b1",
        "section": "face",
        "tokens": ["quill", "pens"],
        "labels": ["author", "title"],
        "silver_cluster": "face-0",
    }
    good, bad = separate(citation_matching.read_citeseer(write(tmp_path / "t.jsonl", json.dumps(record) + "\n{\n")))
    assert shown(good[0]) == [("author", "quill"), ("title", "pens")] and len(bad) == 1


def test_records(tmp_path):
    pairs = "COL title VAL pens COL year VAL \tCOL title VAL pens & ink COL year VAL 1999\t1\nbroken\n"
    good, bad = separate(records.read_matching(write(tmp_path / "test.txt", pairs)))
    assert good[0].left == {"title": "pens", "year": ""} and good[0].right["year"] == "1999" and good[0].same
    assert len(bad) == 1
    bib = (
        '% remark\n@string{p = "x"}\n@Article{key:1,\n Title = {On {P}ens}, year = 1999,\n % note = {no},\n'
        ' author = "A. {"}Quill{"} and " # other,\n}\n\n@book{b, title = {never closed }\n'
    )
    good, bad = separate(records.read_bibtex(write(tmp_path / "b.bib.gz", bib)))
    assert good == [
        {
            "entry-type": "article",
            "entry-key": "key:1",
            "title": "On {P}ens",
            "year": "1999",
            "author": 'A. {"}Quill{"} and other',
        }
    ]
    assert len(bad) == 1
    assert list(metadata.read_dblp(write(tmp_path / "d.tsv.gz", "key\tyear\nk\t1999\n"))) == [
        {"key": "k", "year": "1999"}
    ]
    assert len(list(metadata.read_medline(write(tmp_path / "m.tsv.xz", "pmid\n1\n")))) == 1
