"""What must hold for every answer: of a parser, of the making of records, and of every writer and its reader."""

from __future__ import annotations

import csv
import json
import math
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ibidem.records.formats import FORMATS, read, write
from ibidem.records.record import Record
from ibidem.types import Malformed, Parsed

FORESEEN = re.compile(r"a fault in Ibidem while ([^;]*)")  # what a guard makes of an exception that nobody foresaw
_NOT_WRITTEN = "not written"
_KEEP_PLACE = frozenset({"jsonl"})  # a record that cannot be written has a line that says so


def check_parsed(text: str, parsed: Parsed) -> Iterator[str]:
    """Yield the laws that the answer for a string breaks."""
    if parsed.text != text:
        yield "law: the answer is that of another string"
    if parsed.error is not None:
        yield from (f"guarded: {found}" for found in FORESEEN.findall(parsed.error))
        if parsed.fields:
            yield "law: an answer has both an error and fields"
        return
    above: list[Any] = []
    for one in parsed.fields:
        if not (0 <= one.start < one.end <= len(text)) or text[one.start : one.end] != one.text:
            yield "law: the text of a field is not that of its offsets"
        if not 0 <= one.confidence <= 1:
            yield "law: a confidence is not between 0 and 1"
        while above and one.start >= above[-1].end:
            above.pop()
        if above and (one.end > above[-1].end or not one.label.startswith(above[-1].label + "/")):
            yield "law: two fields overlap without one being part of the other"
        above.append(one)
    if not 0 <= parsed.confidence <= 1 or math.isnan(parsed.confidence):
        yield "law: the confidence of an answer is not between 0 and 1"
    if json.loads(json.dumps(parsed.to_dict(), ensure_ascii=False)) != parsed.to_dict():  # escapes join surrogates
        yield "law: an answer is not the same after JSON"


def check_record(parsed: Parsed, record: Record) -> Iterator[str]:
    """Yield the laws that the record of a parsed string breaks."""
    yield from (f"guarded: {found}" for warning in record.every_warning() for found in FORESEEN.findall(warning))
    if record.origin is not parsed:
        yield "law: a record has lost the string it was made of"
    for entry in record.entries:
        if not 0 <= entry.start <= entry.end <= len(parsed.text):
            yield f"law: the offsets of {entry.field} are outside of the string"
        if not 0 <= entry.confidence <= 1:
            yield f"law: the confidence of {entry.field} is not between 0 and 1"


def check_format(name: str, records: Sequence[Record]) -> Iterator[str]:
    """Write records in a format, read them back, and yield the laws that are broken."""
    warnings: list[str] = []
    out = BytesIO()
    write(records, out, name, warn=lambda _key, message: warnings.append(message))
    yield from (f"guarded: {found}" for warning in warnings for found in FORESEEN.findall(warning))
    reported = sum(warning.startswith(_NOT_WRITTEN) for warning in warnings)
    wanted = len(records) - (0 if name in _KEEP_PLACE else reported)
    count = COUNTERS[name](out.getvalue())
    if count != wanted:
        yield f"law: {name} has {'fewer' if count < wanted else 'more'} records than were written"
    if FORMATS[name].read is None:
        return
    found = list(read(BytesIO(out.getvalue()), name))
    for one in found:
        if isinstance(one, Malformed):
            yield f"law: {name} cannot read what it wrote: {re.sub('[0-9]+', 'N', one.reason)[:60]!a}"
    if len(found) != wanted:
        yield f"law: reading {name} back gives {'fewer' if len(found) < wanted else 'more'} records than were written"


def _json_lines(data: bytes) -> int:
    return sum(isinstance(json.loads(line), dict) for line in data.splitlines())


def _xml(*tags: str) -> Callable[[bytes], int]:
    def count(data: bytes) -> int:
        return sum(one.tag.rpartition("}")[2] in tags for one in ElementTree.fromstring(data).iter())

    return count


def _csv(data: bytes) -> int:
    rows = list(csv.reader(StringIO(data.decode("utf-8"), newline="")))
    if len({len(row) for row in rows}) > 1:
        raise ValueError("rows of a table differ in length")
    return len(rows) - 1


def _parquet(data: bytes) -> int:
    import pyarrow.parquet

    return int(pyarrow.parquet.read_table(BytesIO(data)).num_rows)


def _arrow(data: bytes) -> int:
    import pyarrow

    return int(pyarrow.ipc.open_file(BytesIO(data)).read_all().num_rows)


def _duckdb(data: bytes) -> int:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "records.duckdb")
        path.write_bytes(data)
        with duckdb.connect(str(path), read_only=True) as database:
            return int(database.execute("SELECT count(*) FROM works").fetchall()[0][0])


class _Items(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count += tag == "div" and ("class", "csl-entry") in attrs


def _html(data: bytes) -> int:
    items = _Items()
    items.feed(data.decode("utf-8"))
    return items.count


def _bibtex(data: bytes) -> int:
    return sum(line.startswith("@") for line in data.decode("utf-8").split("\n"))


COUNTERS: dict[str, Callable[[bytes], int]] = {
    "jsonl": _json_lines,
    "csl-json": lambda data: len(json.loads(data)),
    "bibtex": _bibtex,
    "biblatex": _bibtex,
    "ris": lambda data: sum(line.startswith("ER  -") for line in data.decode("utf-8").split("\n")),
    "endnote": _xml("record"),
    "tei": _xml("biblStruct"),
    "jats": _xml("ref"),
    "dc": _xml("dc", "record"),
    "csv": _csv,
    "parquet": _parquet,
    "arrow": _arrow,
    "duckdb": _duckdb,
    "markdown": lambda data: data.decode("utf-8").count("\n") // 2,
    "html": _html,
    "text": lambda data: data.decode("utf-8").count("\n"),
}
"""How to count the records of a file by other means than our own readers; fails where the file is not well-formed."""
