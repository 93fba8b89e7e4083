"""Rendered text: ten styles of twenty records have what the works are known by, and only the style's markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from format_cases import records, written
from hypothesis import given, settings
from hypothesis import strategies as st
from written_records import RECORDS, record

from ibidem.errors import ConfigError
from ibidem.records.formats.styled import _escape_beginning
from ibidem.records.record import Date, Entry, Name, Number, Record

STYLES = (
    "apa", "ieee", "nature", "american-medical-association", "chicago-author-date-17th-edition", "elsevier-harvard",
    "modern-language-association", "springer-basic-author-date", "nlm-citation-sequence", "american-chemical-society",
)  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_every_record_is_rendered_with_title_author_and_year(style):
    data, warned = written(RECORDS, "text", style)
    lines = data.decode().splitlines()
    assert not warned and len(lines) == len(RECORDS)
    for one, line in zip(RECORDS, lines, strict=True):
        plain = line.casefold()
        assert str(one.first("title")).casefold() in plain
        date = one.first("date")
        assert isinstance(date, Date)
        # Some styles give the day on which a page was looked at in place of its date.
        years = [date.year, 2020] if one.type == "webpage" else [date.year]
        assert any((str(year) if year else date.status) in plain for year in years)
        author = one.first("author")
        if isinstance(author, Name):
            assert (author.family or author.literal).casefold() in plain
        assert "None" not in line and not re.search("[\U000f0000-\U000fffff]", line)


def _expected() -> dict[str, list[str]]:
    """The lines that each style must give, read by eye against its manual."""
    found: dict[str, list[str]] = {}
    for line in (Path(__file__).parent / "rendered.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            found[line[3:]] = []
        elif line and found:
            found[list(found)[-1]].append(line)
    return found


KNOWN = ("pellworth2019", "marchbanks1999", "vanderberg2004", "range2001", "group2017")
REED = ("author", "Reed, Ada")
FERRIES = (("title", "Ferries"), ("publisher", "Sedge Press"), ("place", "London"), ("date", "1950"))
RENDERED = [
    *(one for one in RECORDS if one.key in KNOWN),
    record(
        "question", "article", ("title", "Why do bells drift?"), ("container", "Tide Notes"), ("date", "2004"),
        ("volume", "3"), ("pages", "7-9"),
    ),
    record(
        "anonymous", "book", ("title", "Bells of the Wash"), ("publisher", "Sedge Press"), ("place", "London"),
        ("date", "1950"),
    ),
    record(
        "quoted", "article", REED, ("title", "The “drift” of bells"), ("container", "Tide Notes"),
        ("date", "1991-09-09/1991-09-12"), ("volume", "3"), ("pages", "7-9"),
    ),
    record("both", "book", REED, ("editor", "Marsh, Beatrix"), ("translator", "Marsh, Beatrix"), *FERRIES),
    record("translated", "book", REED, ("translator", "Marsh, Beatrix"), *FERRIES),
]  # fmt: skip


@pytest.mark.parametrize(("style", "lines"), _expected().items())
def test_a_style_reads_as_its_manual_says(style, lines):
    assert written(RENDERED, "markdown", style)[0].decode().split("\n\n")[:-1] == lines


@pytest.mark.parametrize("style", STYLES)
def test_no_part_of_a_work_is_rendered_twice(style):
    """A title in place of an author, and editors in place of authors, are not shown a second time."""
    lines = written([*RECORDS, *RENDERED], "text", style)[0].decode().splitlines()
    for one, line in zip([*RECORDS, *RENDERED], lines, strict=True):
        title, address = str(one.first("title")).casefold(), str(one.first("url")).casefold()
        # Quotation marks in a title change where it stands between some itself.
        found = line.casefold().replace(address, "").replace("‘", "“").replace("’", "”")
        assert found.count(title) == 1
        for name in one.all("editor"):
            assert isinstance(name, Name) and line.count(name.family) <= 1


def test_html_has_the_classes_of_other_processors_and_the_keys():
    html = written(RENDERED[:1], "html")[0].decode()
    assert html.startswith(
        '<div class="csl-bib-body">\n<div class="csl-entry" id="pellworth2019">Pellworth, J. S., &amp; '
    )
    assert "<i>Annals of Coastal Medicine</i>, <i>14</i>(3)" in html


@pytest.mark.parametrize(
    ("line", "begun"),
    [("3. A", "3. A"), ("4. A", "4\\. A"), ("- A", "\\- A"), ("> A", "\\> A"), ("+A", "\\+A"), ("1999 A", "1999 A")],
)
def test_a_line_of_markdown_begins_no_list_but_its_own(line, begun):
    assert _escape_beginning(line, 3) == begun


def test_private_use_characters_are_told_of():
    _, warned = written([Record("book", (Entry("title", "a\ue000b"),), key="a")], "text")
    assert ("a", "private-use characters are left out") in warned


def test_apa_reads_as_apa():
    lines = written(RECORDS, "text", "apa")[0].decode().splitlines()
    assert lines[0] == (
        "Pellworth, J. S., & Adeyomi, O. T. (2019). Salivary markers of shift work. Annals of Coastal Medicine, 14(3), "
        "153–160. https://doi.org/10.5555/acm.2019.143"
    )
    assert lines[1] == "Marchbanks, T. (1999). The grammar of bell signals (2nd ed.). Harrowgate University Press."
    assert lines[15] == "王小明. (2018). 钟声研究. 声学学报, 43, 201–209."
    assert lines[16].startswith("Reed, A. et al. (in press).")


def test_numbers_of_a_numeric_style_go_up():
    lines = written(RECORDS, "text", "ieee")[0].decode().splitlines()
    assert [line.partition(" ")[0] for line in lines] == [f"[{number}]" for number in range(1, len(RECORDS) + 1)]


def test_markup_is_the_styles_alone():
    title = "Rivers & reeds: a <b> test"
    html = written(RECORDS[16:17], "html")[0].decode()
    assert (
        title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in html and "<i>River Letters</i>" in html
    )
    markdown = written(RECORDS[16:17], "markdown")[0].decode()
    assert "*River Letters*" in markdown and "Rivers & reeds: a \\<b> test" in markdown


@given(st.lists(records(several=True), max_size=2), st.sampled_from(["apa", "ieee"]))
@settings(max_examples=25)
def test_whatever_a_record_holds_it_is_rendered_or_told_of(given_records, style):
    data, warned = written(given_records, "text", style)
    lines = data.decode().split("\n")[:-1]
    assert len(lines) == len(given_records)
    assert lines.count("") == sum("prints nothing" in message for _, message in warned)


def test_a_style_that_is_not_there_is_refused_by_name():
    with pytest.raises(ConfigError, match="no style 'no-such-style'"):
        written([Record("book", (Entry("title", "T"),))], "text", "no-such-style")


def test_a_range_of_days_is_rendered_with_its_years_at_least():
    days = Date(1991, 9, 9, end=Date(1991, 9, 12))
    record = Record("paper", (Entry("title", "Bells"), Entry("date", days), Entry("container", "Meeting")))
    for style in STYLES:
        data, warned = written([record], "text", style)
        assert "1991" in data.decode() and not warned


def test_an_edition_is_a_number_to_the_style():
    record = Record("book", (Entry("title", "Bells"), Entry("edition", Number("second edition", 2))))
    assert "2nd ed." in written([record], "text")[0].decode()
