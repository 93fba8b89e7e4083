"""Parquet, Arrow and DuckDB: records as tables for whoever counts and joins; written only."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from ibidem.records.formats.keys import carried_by
from ibidem.records.formats.limits import Capabilities
from ibidem.records.formats.shape import Options, missing
from ibidem.records.formats.values import IDENTIFIERS, clean, value_text
from ibidem.records.record import FIELDS, NAMES, Date, Name, Record

LIMITS = Capabilities(
    remarks=("the columns of a field hold its values joined with semicolons; the entries keep each of them",)
)
_TEXT_COLUMNS = tuple(field for field in FIELDS if field not in NAMES)
_PARTS = ("family", "given", "particle", "suffix", "literal")
_BATCH = 10_000  # records held at once


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise missing("pyarrow", "tables", "writing tables") from error
    return pyarrow


def rows(records: Iterable[Record], options: Options) -> Iterator[dict[str, Any]]:
    """A row for every record: key, type, a column for each field, names by their parts, and all entries."""
    for number, (key, carried, record) in enumerate(carried_by(LIMITS, records, options), 1):
        row: dict[str, Any] = {"id": number, "key": key, "type": record.type, "type_confidence": record.confidence}
        for field in _TEXT_COLUMNS:
            texts = [value_text(value) for value in carried.all(field)]
            row[_column(field)] = "; ".join(texts) if texts else None
        date = carried.first("date")
        row["year"] = date.year if isinstance(date, Date) else None
        for field in sorted(NAMES):
            row[f"{field}s"] = [_parts(value) for value in carried.all(field)]
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
        yield row


def _parts(value: Any) -> dict[str, str]:
    return (
        {part: getattr(value, part) for part in _PARTS} if isinstance(value, Name) else {"literal": value_text(value)}
    )


def _column(field: str) -> str:
    return field.replace("-", "_")


def schema() -> Any:
    """The columns of the table of works."""
    arrow = _pyarrow()
    text = arrow.string()
    name = arrow.struct([(part, text) for part in _PARTS])
    whole, real = arrow.int64(), arrow.float64()
    parts = [("field", text), ("value", text), ("raw", text), ("start", whole), ("end", whole), ("confidence", real)]
    entry = arrow.struct(parts)
    columns = [("id", arrow.int64()), ("key", text), ("type", text), ("type_confidence", arrow.float64())]
    columns += [(_column(field), text) for field in _TEXT_COLUMNS]
    columns += [("year", arrow.int64())]
    columns += [(f"{field}s", arrow.list_(name)) for field in sorted(NAMES)]
    return arrow.schema([*columns, ("entries", arrow.list_(entry)), ("warnings", arrow.list_(text))])


def _batches(records: Iterable[Record], options: Options) -> Iterator[Any]:
    arrow = _pyarrow()
    made, columns = rows(records, options), schema()
    while some := list(islice(made, _BATCH)):
        yield arrow.Table.from_pylist(some, schema=columns)


def write_parquet(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Nothing: writes a Parquet file of works, names and entries in lists."""
    with _pyarrow().parquet.ParquetWriter(_Kept(stream), schema()) as writer:
        for table in _batches(records, options):
            writer.write_table(table)


def write_arrow(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Nothing: writes an Arrow file of works, names and entries in lists."""
    with _pyarrow().ipc.new_file(_Kept(stream), schema()) as writer:
        for table in _batches(records, options):
            writer.write_table(table)


class _Kept:
    """A stream that is only written to and stays open: standard output cannot say where it is."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._place = stream, 0
        self.closed = False

    def write(self, data: Any) -> int:
        """How many bytes were written."""
        piece = bytes(data)
        self._stream.write(piece)
        self._place += len(piece)
        return len(piece)

    def tell(self) -> int:
        """How many bytes were written so far."""
        return self._place

    def flush(self) -> None:
        """Nothing: what is written has been handed on."""

    def close(self) -> None:
        """Nothing: the stream is closed by whoever opened it."""
        self.closed = True

    def writable(self) -> bool:
        """That it can be written to."""
        return True

    def readable(self) -> bool:
        """That it cannot be read."""
        return False

    seekable = readable


def write_duckdb(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Nothing: writes a DuckDB database with the tables works, names, identifiers and entries."""
    try:
        import duckdb
    except ImportError as error:
        raise missing("duckdb", "tables", "writing a DuckDB database") from error
    # DuckDB writes to a path of its own choosing of blocks, so the whole file is copied once it is done.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.duckdb"
        with duckdb.connect(str(path)) as database:
            columns = schema()
            database.register("batch", columns.empty_table())
            for statement in _CREATE:
                database.execute(statement)
            for table in _batches(records, options):
                database.unregister("batch")
                database.register("batch", table)
                for statement in _INSERT:
                    database.execute(statement)
            database.unregister("batch")
        with path.open("rb") as made:
            shutil.copyfileobj(made, stream)


_WORKS = "SELECT * EXCLUDE (authors, editors, translators, entries) FROM batch"
_NAMES = " UNION ALL ".join(
    f"SELECT id AS work, '{field}' AS role, position, unnest(people) FROM "  # noqa: S608 - our own field names
    f"(SELECT id, unnest({field}s) AS people, generate_subscripts({field}s, 1) AS position FROM batch)"
    for field in sorted(NAMES)
)
_ENTRIES = (
    "SELECT id AS work, position, unnest(entry) FROM "
    "(SELECT id, unnest(entries) AS entry, generate_subscripts(entries, 1) AS position FROM batch)"
)
_KINDS = ", ".join(f"'{field}'" for field in sorted(IDENTIFIERS))
_IDENTIFIERS = f"SELECT work, field AS kind, value FROM ({_ENTRIES}) WHERE field IN ({_KINDS})"  # noqa: S608
_TABLES = {"works": _WORKS, "names": _NAMES, "identifiers": _IDENTIFIERS, "entries": _ENTRIES}
_CREATE = [f"CREATE TABLE {name} AS {query} LIMIT 0" for name, query in _TABLES.items()]
_INSERT = [f"INSERT INTO {name} {query}" for name, query in _TABLES.items()]
