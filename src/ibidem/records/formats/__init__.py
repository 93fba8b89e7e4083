"""Records in files: every format that Ibidem writes or reads, in one visible list.

>>> from io import BytesIO
>>> from ibidem.records import Entry, Record
>>> out = BytesIO()
>>> _ = write([Record("book", (Entry("title", "Reeds & rivers"),), key="reed")], out, "bibtex")
>>> print(out.getvalue().decode().strip())
@book{reed,
  title = {Reeds \\& rivers}
}
>>> [record.first("title") for record in read(BytesIO(out.getvalue()), "bibtex")]
['Reeds & rivers']
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from ibidem.errors import ConfigError, InputError, MissingExtra
from ibidem.faults import describe_fault
from ibidem.records.formats import (
    bibtex,
    bibtex_reader,
    csl,
    dublincore,
    endnote,
    jats,
    jsonl,
    ris,
    styled,
    tables,
    tei,
)
from ibidem.records.formats.format import Capabilities, Format, Options, Readable, Warn, ignore_warning
from ibidem.records.formats.jsonl import as_object
from ibidem.records.formats.keys import Keys
from ibidem.records.record import Record
from ibidem.types import Malformed

__all__ = [
    "FORMATS",
    "Capabilities",
    "Format",
    "Options",
    "Readable",
    "as_bibtex",
    "as_csl_item",
    "as_object",
    "format_named",
    "format_of",
    "read",
    "register_format",
    "write",
]

_OF_STREAMS = (ConfigError, MissingExtra, OSError, EOFError, UnicodeDecodeError, lzma.LZMAError, zlib.error)
_T, _S = "tables", "styles"  # optional parts of the installation
_TEX, _STYLED, _TABLES = bibtex.CAPABILITIES, styled.CAPABILITIES, tables.CAPABILITIES
_LISTED = (
    Format("jsonl", "Ibidem's own JSON Lines: everything", (".jsonl", ".ndjson"), jsonl.write, jsonl.read),
    Format(
        "csl-json", "CSL-JSON: Zotero, pandoc, citation processors", (".json",), csl.write, csl.read, "",
        csl.CAPABILITIES,
    ),
    Format("bibtex", "BibTeX", (".bib",), bibtex.write, bibtex_reader.read, "", _TEX),
    Format("biblatex", "BibLaTeX", (".biblatex",), bibtex.write_biblatex, bibtex_reader.read, "", _TEX),
    Format("ris", "RIS: every reference manager", (".ris",), ris.write, ris.read, "", ris.CAPABILITIES),
    Format("endnote", "EndNote XML", (".enl.xml", ".endnote.xml"), endnote.write, None, "", endnote.CAPABILITIES),
    Format(
        "tei", "TEI biblStruct, as GROBID writes it", (".tei.xml", ".tei"), tei.write, tei.read, "", tei.CAPABILITIES
    ),
    Format(
        "jats", "JATS element-citation", (".jats.xml", ".jats", ".nxml"), jats.write, jats.read, "", jats.CAPABILITIES
    ),
    Format("dc", "simple Dublin Core", (".dc.xml",), dublincore.write, None, "", dublincore.CAPABILITIES),
    Format("csv", "a table for spreadsheets", (".csv",), tables.write_csv, None, "", tables.CSV_CAPABILITIES),
    Format("parquet", "Parquet, names and entries in lists", (".parquet",), tables.write_parquet, None, _T, _TABLES),
    Format("arrow", "Arrow, the same table", (".arrow", ".feather"), tables.write_arrow, None, _T, _TABLES),
    Format("duckdb", "a DuckDB database of four tables", (".duckdb",), tables.write_duckdb, None, _T, _TABLES),
    Format("markdown", "Markdown in a CSL style", (".md", ".markdown"), styled.write_markdown, None, _S, _STYLED),
    Format("html", "HTML in a CSL style", (".html", ".htm"), styled.write_html, None, _S, _STYLED),
    Format("text", "plain text in a CSL style", (".txt",), styled.write_text, None, _S, _STYLED),
)  # fmt: skip
FORMATS: dict[str, Format] = {one.name: one for one in _LISTED}
"""Every format by its name, in the order in which they are shown; `register_format` adds to it."""


def register_format(format: Format) -> None:  # noqa: A002
    """Add a format: from now on files of it can be written, and read where it has a reader."""
    endings = {ending for one in FORMATS.values() for ending in one.suffixes}
    taken = [f"name {format.name!r}"] if format.name in FORMATS else []
    taken += [f"ending {ending!r}" for ending in format.suffixes if ending in endings]
    if taken:
        raise ConfigError(f"the {taken[0]} belongs to another format already; give another")
    FORMATS[format.name] = format


def format_of(path: str | Path) -> Format:
    """Return the format of a file by the ending of its name, `.gz` and `.xz` aside.

    >>> format_of("refs.tei.xml").name, format_of("a/b.BIB.gz").name, format_of("b.ris.xz").name
    ('tei', 'bibtex', 'ris')
    """
    name = Path(path).name.lower().removesuffix(".gz").removesuffix(".xz")
    found = next((one for one in FORMATS.values() if name.endswith(one.suffixes)), None)
    if found is None:
        endings = ", ".join(ending for one in FORMATS.values() for ending in one.suffixes)
        raise ConfigError(f"{str(path)!r} has no ending of a known format; the endings are {endings}")
    return found


def format_named(name: str) -> Format:
    """Return the format of a name."""
    if name not in FORMATS:
        raise ConfigError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def write(
    records: Iterable[Record],
    stream: BinaryIO,
    format: str,  # noqa: A002
    *,
    warn: Warn = ignore_warning,
    style: str = "apa",
) -> int:
    """Write records to a stream as they come; return how many were written.

    `warn` is called with the record's key and a message for whatever the format cannot carry, and for a record that
    cannot be written at all. `style` is the CSL style of rendered text: a name such as `apa`, or a .csl file.
    """
    options, given = Options(warn, style), count()
    format_named(format).write((record for record, _ in zip(records, given, strict=False)), stream, options)
    return next(given) - len(options.failed)


def read(stream: BinaryIO, format: str) -> Iterator[Readable]:  # noqa: A002
    """Yield the records of a stream in their order; what cannot be read is a `Malformed` that says why."""
    chosen = format_named(format)
    if chosen.read is None:
        readable = ", ".join(name for name, one in FORMATS.items() if one.read)
        raise ConfigError(f"{format} can be written only; formats that can be read: {readable}")
    return _guard(chosen.read(stream), format)


def _guard(found: Iterator[Readable], name: str) -> Iterator[Readable]:
    """Yield what a reader yields; where it gives up, a last `Malformed` says why."""
    try:
        yield from found
    except _OF_STREAMS:
        raise
    except Exception as error:
        yield Malformed("the file", describe_fault(error, f"reading it as {name}"))


def as_csl_item(record: Record) -> dict[str, Any]:
    """Return the CSL-JSON item of one record."""
    return csl.as_item(record, Keys().of(record))


def as_bibtex(record: Record) -> str:
    """Return the BibTeX entry of one record."""
    out, said = BytesIO(), [""]
    if not write([record], out, "bibtex", warn=lambda _, message: said.append(message)):
        raise InputError(f"the record cannot be written as BibTeX: {said[-1].removeprefix('not written: ')}")
    return out.getvalue().decode().rstrip("\n")
