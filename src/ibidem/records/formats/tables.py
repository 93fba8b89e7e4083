"""CSV, Parquet, Arrow and DuckDB: records as tables for whoever counts and joins; written only."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from io import RawIOBase, StringIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from ibidem.faults import describe_fault
from ibidem.records.fields import FIELDS, IDENTIFIERS, NAMES
from ibidem.records.formats.format import Capabilities, Options, missing_extra
from ibidem.records.formats.keys import render_adapted
from ibidem.records.formats.values import NAME_PARTS, clean, value_text
from ibidem.records.record import Date, Name, Record

CSV_CAPABILITIES = Capabilities(
    remarks=(
        "names are written as `Family, Given`, several values of a field are joined with semicolons",
        "a cell that begins with `=`, `+`, `-` or `@` gets an apostrophe before it, lest it be run as a formula",
    ),
)
CAPABILITIES = Capabilities(
    remarks=("the columns of a field hold its values joined with semicolons; the entries keep each of them",)
)
# Full-width forms are formulas to some spreadsheets.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
_BATCH = 10_000  # records held at once


def write_csv(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write a header and one row per record, several values of a field joined."""
    columns = ("key", "type", *FIELDS)
    stream.write(_csv_row(columns))

    def render(record: Record, key: str, _: Record) -> bytes:
        cells: dict[str, list[str]] = {"key": [key], "type": [record.type]}
        for entry in record.entries:
            cells.setdefault(entry.field, []).append(value_text(entry.value))
        return _csv_row([escape_formula("; ".join(cells.get(column, ()))) for column in columns])

    for row in render_adapted(CSV_CAPABILITIES, records, options, render):
        stream.write(row)


def escape_formula(cell: str) -> str:
    """Return a cell, with an apostrophe before it where it would be a formula.

    >>> escape_formula("=1+1"), escape_formula("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _csv_row(cells: Iterable[str]) -> bytes:
    line = StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().encode()


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise missing_extra("pyarrow", "tables", "writing tables") from error
    return pyarrow


def rows(records: Iterable[Record], options: Options) -> Iterator[dict[str, Any]]:
    """Yield a row for every record: key, type, a column for each field, names by their parts, and all entries."""
    for number, row in enumerate(render_adapted(CAPABILITIES, records, options, _row), 1):
        yield {"id": number, **row}


def _row(carried: Record, key: str, record: Record) -> dict[str, Any]:
    row: dict[str, Any] = {"key": key, "type": record.type, "type_confidence": record.confidence}
    for field in _text_fields():
        texts = [value_text(value) for value in carried.all(field)]
        row[_column(field)] = "; ".join(texts) if texts else None
    date = carried.first("date")
    row["year"] = date.year if isinstance(date, Date) else None
    for field in sorted(NAMES):
        row[_list_column(field)] = [_parts(value) for value in carried.all(field)]
    row["entries"] = [
        {
            "field": entry.field,
            "value": value_text(entry.value),
            "raw": clean(entry.raw),
            "start": entry.start,
            "end": entry.end,
            "confidence": entry.confidence,
        }
        for entry in carried.entries
    ]
    row["warnings"] = [clean(warning) for warning in record.every_warning()]
    return row


def _parts(value: Any) -> dict[str, str]:
    if isinstance(value, Name):
        return {part: getattr(value, part) for part in NAME_PARTS}
    return {"literal": value_text(value)}


def _text_fields() -> list[str]:
    return [field for field in FIELDS if field not in NAMES]


def _column(field: str) -> str:
    return field.replace("-", "_")


def _list_column(field: str) -> str:
    return f"{_column(field)}s"


def schema() -> Any:
    """Return the columns of the table of works."""
    arrow = _pyarrow()
    text = arrow.string()
    name = arrow.struct([(part, text) for part in NAME_PARTS])
    whole, real = arrow.int64(), arrow.float64()
    parts = [("field", text), ("value", text), ("raw", text), ("start", whole), ("end", whole), ("confidence", real)]
    entry = arrow.struct(parts)
    columns = [("id", whole), ("key", text), ("type", text), ("type_confidence", real)]
    columns += [*((_column(field), text) for field in _text_fields()), ("year", whole)]
    columns += [(_list_column(field), arrow.list_(name)) for field in sorted(NAMES)]
    return arrow.schema([*columns, ("entries", arrow.list_(entry)), ("warnings", arrow.list_(text))])


def _batches(records: Iterable[Record], options: Options) -> Iterator[Any]:
    arrow = _pyarrow()
    made, columns = rows(records, options), schema()

    def tables_of(some: list[dict[str, Any]]) -> Iterator[Any]:
        """Yield the rows as one table, or as several without the rows that Arrow cannot hold."""
        try:
            table = arrow.Table.from_pylist(some, schema=columns)
        except Exception as error:
            if len(some) == 1:
                options.fail(str(some[0]["key"]), describe_fault(error, "writing it"))
                return
            middle = len(some) // 2
            yield from tables_of(some[:middle])
            yield from tables_of(some[middle:])
        else:
            yield table

    while some := list(islice(made, _BATCH)):
        yield from tables_of(some)


def write_parquet(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write a Parquet file of works, names and entries in lists."""
    with _pyarrow().parquet.ParquetWriter(_WriteOnly(stream), schema()) as writer:
        for table in _batches(records, options):
            writer.write_table(table)


def write_arrow(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write an Arrow file of works, names and entries in lists."""
    with _pyarrow().ipc.new_file(_WriteOnly(stream), schema()) as writer:
        for table in _batches(records, options):
            writer.write_table(table)


class _WriteOnly(RawIOBase):
    """A stream that is only written to and stays open: standard output cannot say where it is."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._place = stream, 0

    def write(self, data: Any) -> int:
        """Write some bytes and return their number."""
        piece = bytes(data)
        self._stream.write(piece)
        self._place += len(piece)
        return len(piece)

    def tell(self) -> int:
        """Return the number of bytes written so far."""
        return self._place

    def writable(self) -> bool:
        """Return True."""
        return True


def write_duckdb(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write a DuckDB database with the tables works, names, identifiers and entries."""
    try:
        import duckdb
    except ImportError as error:
        raise missing_extra("duckdb", "tables", "writing a DuckDB database") from error
    # DuckDB writes its blocks in any order, so the file is copied once it is complete.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.duckdb"
        with duckdb.connect(str(path)) as database:
            columns, tables = schema(), _queries()
            database.register("batch", columns.empty_table())
            for name, query in tables.items():
                database.execute(f"CREATE TABLE {name} AS {query} LIMIT 0")
            for table in _batches(records, options):
                database.unregister("batch")
                database.register("batch", table)
                for name, query in tables.items():
                    database.execute(f"INSERT INTO {name} {query}")
            database.unregister("batch")
        with path.open("rb") as made:
            shutil.copyfileobj(made, stream)


def _queries() -> dict[str, str]:
    """Return the query for each table of the database over a batch of works; all names in them are our own."""
    lists = ", ".join(_list_column(field) for field in FIELDS if field in NAMES)
    names = " UNION ALL ".join(
        f"SELECT id AS work, '{field}' AS role, position, unnest(people) FROM "  # noqa: S608
        f"(SELECT id, unnest({_list_column(field)}) AS people, "
        f"generate_subscripts({_list_column(field)}, 1) AS position FROM batch)"
        for field in sorted(NAMES)
    )
    entries = (
        "SELECT id AS work, position, unnest(entry) FROM "
        "(SELECT id, unnest(entries) AS entry, generate_subscripts(entries, 1) AS position FROM batch)"
    )
    kinds = ", ".join(f"'{field}'" for field in sorted(IDENTIFIERS))
    return {
        "works": f"SELECT * EXCLUDE ({lists}, entries) FROM batch",  # noqa: S608
        "names": names,
        "identifiers": f"SELECT work, field AS kind, value FROM ({entries}) WHERE field IN ({kinds})",  # noqa: S608
        "entries": entries,
    }
