"""Tables: every record is a row, names and identifiers can be asked for, nothing of an entry is lost."""

from __future__ import annotations

import csv
import io

import pytest
from format_cases import records, written
from hypothesis import given, settings
from hypothesis import strategies as st
from written_records import RECORDS

from ibidem.records.fields import FIELDS
from ibidem.records.formats.values import value_text


@pytest.mark.parametrize("form", ["parquet", "arrow"])
@given(given_records=st.lists(records(several=True), max_size=4))
@settings(max_examples=20)
def test_a_table_has_a_row_for_every_record_and_every_entry_in_it(form, given_records):
    import pyarrow as pa
    import pyarrow.parquet

    data = pa.BufferReader(written(given_records, form)[0])
    table = pyarrow.parquet.read_table(data) if form == "parquet" else pa.ipc.open_file(data).read_all()
    rows = table.to_pylist()
    assert [row["type"] for row in rows] == [one.type for one in given_records]
    for row, one in zip(rows, given_records, strict=True):
        assert [entry["field"] for entry in row["entries"]] == [entry.field for entry in one.entries]
        assert len(row["authors"]) == len(one.all("author"))


def test_a_database_answers_the_questions_people_ask(tmp_path):
    import duckdb

    path = tmp_path / "refs.duckdb"
    path.write_bytes(written(RECORDS, "duckdb")[0])
    with duckdb.connect(str(path), read_only=True) as database:
        ask = lambda question: database.execute(question).fetchall()  # noqa: E731
        assert ask("SELECT count(*) FROM works") == [(len(RECORDS),)]
        assert ask("SELECT title FROM works WHERE year = 1999") == [
            ("The grammar of bell signals",),
            ("Collected papers on bogs",),
        ]
        people = ask(
            "SELECT family, position FROM names JOIN works ON work = works.id WHERE key = 'zhao2021' ORDER BY position"
        )
        assert people == [("Zhao", 1), ("Müller", 2), ("Ortega", 3)]
        assert ("pmid", "12345678") in ask("SELECT kind, value FROM identifiers")
        assert ask("SELECT count(*) FROM entries") == [(sum(len(one.entries) for one in RECORDS),)]
        assert ask("SELECT DISTINCT role FROM names ORDER BY role") == [("author",), ("editor",)]


def test_an_empty_list_makes_empty_tables(tmp_path):
    import duckdb

    path = tmp_path / "none.duckdb"
    path.write_bytes(written([], "duckdb")[0])
    with duckdb.connect(str(path), read_only=True) as database:
        assert database.execute("SELECT count(*) FROM works").fetchall() == [(0,)]


def test_a_spreadsheet_has_a_column_for_every_field():
    header, *rows = csv.reader(io.StringIO(written(RECORDS, "csv")[0].decode()))
    assert header == ["key", "type", *FIELDS]
    assert len(rows) == len(RECORDS)
    first = dict(zip(header, rows[0], strict=True))
    assert first["author"] == "Pellworth, Jane S.; Adeyomi, Oluwaseun T."
    assert (first["date"], first["pages"], first["volume"]) == ("2019-03", "153-160", "14")


@given(st.lists(records(several=True), max_size=3))
def test_every_value_stands_in_its_cell(given_records):
    _, *rows = csv.reader(io.StringIO(written(given_records, "csv")[0].decode()))
    for row, one in zip(rows, given_records, strict=True):
        cells = dict(zip(["key", "type", *FIELDS], row, strict=True))
        for field in FIELDS:
            expected = "; ".join(value_text(value) for value in one.all(field))
            assert cells[field].removeprefix("'") == expected.removeprefix("'")
