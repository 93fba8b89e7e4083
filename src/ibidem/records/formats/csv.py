"""A table for spreadsheets: one row per record, several values of a field joined; written only."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from typing import BinaryIO

from ibidem.records.formats.keys import carried_by
from ibidem.records.formats.limits import Capabilities
from ibidem.records.formats.shape import Options
from ibidem.records.formats.values import value_text
from ibidem.records.record import FIELDS, Record

COLUMNS = ("key", "type", *FIELDS)
LIMITS = Capabilities(
    remarks=(
        "names are written as `Family, Given`, several values of a field are joined with semicolons",
        "a cell that begins with `=`, `+`, `-` or `@` gets an apostrophe before it, lest it be run as a formula",
    ),
)
# Full-width forms are formulas to some spreadsheets.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Nothing: writes a header and one row per record."""
    stream.write(_row(COLUMNS))
    for key, carried, record in carried_by(LIMITS, records, options):
        cells: dict[str, str] = {"key": key, "type": record.type}
        for entry in carried.entries:
            text = value_text(entry.value)
            cells[entry.field] = f"{cells[entry.field]}; {text}" if entry.field in cells else text
        stream.write(_row([safe(cells.get(column, "")) for column in COLUMNS]))


def safe(cell: str) -> str:
    """The cell, with an apostrophe before it where it would be a formula.

    >>> safe("=1+1"), safe("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _row(cells: Iterable[str]) -> bytes:
    line = StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().encode()
