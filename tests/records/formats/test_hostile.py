"""Hostile input: what is written is safe, what is read is refused or harmless."""

from __future__ import annotations

import csv
import io
from io import BytesIO
from xml.etree import ElementTree

import pytest
from format_cases import content, read_back, written

from ibidem.csl.style import load_style
from ibidem.errors import ConfigError, InputError
from ibidem.records.formats import FORMATS, read
from ibidem.records.record import Entry, Name, Record
from ibidem.types import Malformed

TEX = r"\input{/etc/passwd}\write18{rm -rf x} $x^2$ % & # _ { } ~ ^ \\ \end{document}"
HTML = "<script>alert(1)</script> <img src=x onerror=y> & \"q\" 'r' ]]> <!-- --> &lt;"
CONTROL = "a\x00b\x07c\x1bd\x1b[31me\x7ff\x85g\u2028h\ufffei"
ODD_BREAKS = "first\r\nER  - \r\nTY  - JOUR\nline"
TEXTUAL = [
    "jsonl",
    "csl-json",
    "bibtex",
    "biblatex",
    "ris",
    "endnote",
    "tei",
    "jats",
    "dc",
    "csv",
    "markdown",
    "html",
    "text",
]


def book(title: str) -> Record:
    return Record("book", (Entry("title", title), Entry("author", Name(title, title))), key="k")


@pytest.mark.parametrize("form", [name for name, one in FORMATS.items() if one.read])
@pytest.mark.parametrize(
    "title", [TEX, HTML, "]]>", "@book{x, title={y}}", "= 1", '"', "\\", "{", "}", "{{}", "%", "--"]
)
def test_markup_in_a_title_comes_back_as_text(form, title):
    (found,) = read_back(written([Record("book", (Entry("title", title),), key="k")], form)[0], form)
    assert found.first("title") == title


def test_no_command_of_tex_survives_in_bibtex():
    data = written([book(TEX)], "bibtex")[0].decode()
    assert "\\input" not in data and "\\write" not in data and "\\end{" not in data
    assert data.count("{") == data.count("}")


@pytest.mark.parametrize("form", TEXTUAL)
def test_control_characters_do_not_reach_a_file(form):
    data, _ = written([book(CONTROL), book("next")], form)
    text = data.decode("utf-8")
    assert not set(text) & set("\x00\x07\x1b")
    if form in ("csl-json", "jsonl"):  # JSON writes them as escapes and gives them back
        assert [one.first("title") for one in read_back(data, form)] == [CONTROL, "next"]
    else:
        assert not set(text) & set("\x7f\x85\u2028\ufffe")
        assert "abcd" in text.lower().replace(" ", "")


@pytest.mark.parametrize("form", TEXTUAL)
def test_a_lone_surrogate_is_left_out_or_told_of(form):
    data, warned = written([book("x\ud800y"), book("next")], form)
    data.decode("utf-8")
    assert "next" in data.decode("utf-8").lower()
    assert warned or "xy" in data.decode("utf-8").lower()


@pytest.mark.parametrize("form", ["ris", "bibtex", "tei", "jats", "csl-json"])
def test_a_line_break_in_a_title_begins_no_entry(form):
    found = read_back(written([book(ODD_BREAKS), book("next")], form)[0], form)
    assert len(found) == 2
    assert found[1].first("title") == "next"


@pytest.mark.parametrize("form", ["html", "endnote", "dc"])
def test_html_in_a_title_is_no_markup(form):
    data = written([book(HTML)], form)[0].decode()
    assert "<script" not in data and "<img" not in data
    ElementTree.fromstring(data)


def test_html_in_a_title_is_no_markup_in_markdown():
    data = written([book(HTML + " [a](javascript:x) *b* `c`")], "markdown")[0].decode()
    assert "\\<script>" in data.lower() and "\\[a\\](javascript:x)" in data.lower() and "\\*b\\*" in data.lower()


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "=cmd|' /C calc'!A0", " =1"])
def test_no_cell_of_a_table_is_a_formula(formula):
    record = Record("book", (Entry("title", formula), Entry("author", Name(literal=formula)), Entry("note", "a\n=1")))
    (_, row) = csv.reader(io.StringIO(written([record], "csv")[0].decode()))
    assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "＝", "\t", "\r", "\n"))]
    assert f"'{formula.strip()}" in row


@pytest.mark.parametrize("form", [*TEXTUAL, "parquet", "arrow", "duckdb"])
def test_a_title_of_a_million_characters_is_written(form):
    title = ("long {DNA} words & more " * 43_000).strip()
    data, _ = written([Record("article", (Entry("title", title),), key="k")], form)
    assert data
    if FORMATS[form].read:
        found = list(read(BytesIO(data), form))
        assert len(found) == 1
        # A parser may refuse what is so long, in words; it may not lose it silently.
        assert isinstance(found[0], Malformed) or found[0].first("title") == title


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE ref-list [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12))
    + ']><ref-list><ref id="x"><element-citation><source>&m;</source></element-citation></ref></ref-list>'
)
EXTERNAL = (
    '<?xml version="1.0"?><!DOCTYPE ref-list [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    "<ref-list><ref><element-citation><source>&a;</source></element-citation></ref></ref-list>"
)
PARAMETER = '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><TEI><biblStruct/></TEI>'


@pytest.mark.parametrize("attack", [LAUGHS, EXTERNAL, PARAMETER], ids=["laughs", "external", "parameter"])
@pytest.mark.parametrize("form", ["tei", "jats"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-16"])
def test_entities_of_a_file_are_refused(form, attack, coding):
    found = list(read(BytesIO(attack.replace('<?xml version="1.0"?>', "").encode(coding)), form))
    assert len(found) == 1
    assert isinstance(found[0], Malformed) and "entities" in found[0].reason


def test_entities_hidden_by_an_odd_coding_are_not_expanded():
    hidden = LAUGHS.replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-7"?>').replace("<!E", "+ADw-!E")
    for one in read(BytesIO(hidden.encode()), "jats"):
        assert isinstance(one, Malformed) or "haha" not in str(one)


def test_deep_nesting_is_refused_or_read_but_never_kills():
    deep = b"<ref-list>" + b"<ref>" * 5_000 + b"</ref>" * 5_000 + b"</ref-list>"
    assert all(isinstance(one, Malformed) for one in read(BytesIO(deep), "jats"))
    braces = b"@book{x, title = {" + b"{" * 3_000 + b"a" + b"}" * 3_000 + b"}}\n@book{y, title = {fine}}"
    found = list(read(BytesIO(braces), "bibtex"))
    assert found[-1].first("title") == "fine"
    arrays = b"[" * 3_000 + b"]" * 3_000
    assert all(isinstance(one, Malformed) for one in read(BytesIO(arrays), "csl-json"))


@pytest.mark.parametrize("name", ["../../etc/passwd", "http://example.org/x.csl", "no such", "/etc/passwd", ""])
def test_a_style_is_a_name_or_a_file_of_csl(name):
    with pytest.raises(ConfigError, match="style"):
        load_style(name)


def test_a_style_with_entities_is_refused(tmp_path):
    path = tmp_path / "bad.csl"
    path.write_text('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><style>&x;</style>')
    with pytest.raises(InputError, match="document type"):
        load_style(str(path))


def test_keys_from_a_file_cannot_break_another():
    record = Record("book", (Entry("title", "Reeds"),), key='a}, title = {x"><script>')
    for form in ("bibtex", "html", "tei", "jats"):
        data = written([record], form)[0].decode()
        assert "script" not in data
    assert content(read_back(written([record], "bibtex")[0], "bibtex")[0])[1]["title"] == ["Reeds"]
