"""Rendered text: ten styles of twenty records have what the works are known by, and only the style's markup."""

from __future__ import annotations

import re

import pytest
from format_cases import records, written
from hypothesis import given, settings
from hypothesis import strategies as st
from written_records import RECORDS

from ibidem.errors import ConfigError
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
    for record, line in zip(RECORDS, lines, strict=True):
        plain = line.casefold()
        assert str(record.first("title")).casefold() in plain
        date = record.first("date")
        assert isinstance(date, Date)
        # Some styles give the day on which a page was looked at in place of its date.
        years = [date.year, 2020] if record.type == "webpage" else [date.year]
        assert any((str(year) if year else date.status) in plain for year in years)
        author = record.first("author")
        if isinstance(author, Name):
            assert (author.family or author.literal).casefold() in plain
        assert "None" not in line and not re.search("[\U000f0000-\U000fffff]", line)


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
