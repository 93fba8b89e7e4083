"""Records in files: every format that Ibidem writes or reads, in one visible list.

>>> from io import BytesIO
>>> from ibidem.records import Entry, Record
>>> out = BytesIO()
>>> write([Record("book", (Entry("title", "Reeds & rivers"),), key="reed")], out, "bibtex")
>>> print(out.getvalue().decode().strip())
@book{reed,
  title = {Reeds \\& rivers}
}
>>> [record.first("title") for record in read(BytesIO(out.getvalue()), "bibtex")]
['Reeds & rivers']
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ibidem.errors import ConfigError, InputError
from ibidem.records.formats import (
    bibtex,
    bibtex_reader,
    csl,
    csv,
    dublincore,
    endnote,
    jats,
    jsonl,
    ris,
    styled,
    tables,
    tei,
)
from ibidem.records.formats.limits import Capabilities
from ibidem.records.formats.shape import Format, Options, Readable, Warn, silent
from ibidem.records.record import Record

__all__ = [
    "FORMATS",
    "Capabilities",
    "Format",
    "Options",
    "Readable",
    "format_named",
    "format_of",
    "opened",
    "read",
    "write",
]

_F, _T, _S = "formats", "tables", "styles"  # the parts of the installation
_LISTED = (
    Format("jsonl", "Ibidem's own JSON Lines: everything", (".jsonl", ".ndjson"), jsonl.write, jsonl.read),
    Format(
        "csl-json", "CSL-JSON: Zotero, pandoc, citation processors", (".json",), csl.write, csl.read, "", csl.LIMITS
    ),
    Format("bibtex", "BibTeX", (".bib",), bibtex.write, bibtex_reader.read, _F, bibtex.LIMITS),
    Format("biblatex", "BibLaTeX", (".biblatex",), bibtex.write_biblatex, bibtex_reader.read, _F, bibtex.LIMITS),
    Format("ris", "RIS: every reference manager", (".ris",), ris.write, ris.read, "", ris.LIMITS),
    Format("endnote", "EndNote XML", (".enl.xml", ".endnote.xml"), endnote.write, None, _F, endnote.LIMITS),
    Format("tei", "TEI biblStruct, as GROBID writes it", (".tei.xml", ".tei"), tei.write, tei.read, _F, tei.LIMITS),
    Format("jats", "JATS element-citation", (".jats.xml", ".jats", ".nxml"), jats.write, jats.read, _F, jats.LIMITS),
    Format("dc", "simple Dublin Core", (".dc.xml",), dublincore.write, None, _F, dublincore.LIMITS),
    Format("csv", "a table for spreadsheets", (".csv",), csv.write, None, "", csv.LIMITS),
    Format(
        "parquet", "Parquet, names and entries in lists", (".parquet",), tables.write_parquet, None, _T, tables.LIMITS
    ),
    Format("arrow", "Arrow, the same table", (".arrow", ".feather"), tables.write_arrow, None, _T, tables.LIMITS),
    Format("duckdb", "a DuckDB database of four tables", (".duckdb",), tables.write_duckdb, None, _T, tables.LIMITS),
    Format("markdown", "Markdown in a CSL style", (".md", ".markdown"), styled.write_markdown, None, _S, styled.LIMITS),
    Format("html", "HTML in a CSL style", (".html", ".htm"), styled.write_html, None, _S, styled.LIMITS),
    Format("text", "plain text in a CSL style", (".txt",), styled.write_text, None, _S, styled.LIMITS),
)
FORMATS: dict[str, Format] = {one.name: one for one in _LISTED}
"""Every format by its name, in the order in which they are shown."""


def format_of(path: str | Path) -> Format:
    """The format that a file's name means, the ending `.gz` aside.

    >>> format_of("refs.tei.xml").name, format_of("a/b.BIB.gz").name
    ('tei', 'bibtex')
    """
    name = Path(path).name.lower().removesuffix(".gz")
    found = next((one for one in FORMATS.values() if name.endswith(one.suffixes)), None)
    if found is None:
        endings = ", ".join(ending for one in FORMATS.values() for ending in one.suffixes)
        raise ConfigError(f"the name {str(path)!r} means no format; the endings that do are {endings}")
    return found


def format_named(name: str) -> Format:
    """The format of a name."""
    if name not in FORMATS:
        raise ConfigError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked where its name ends in .gz."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file of records")
    try:
        with cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb") as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile) as error:
        raise InputError(f"cannot read on in {path}: {error}") from error
    except (FileNotFoundError, PermissionError) as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def write(
    records: Iterable[Record],
    stream: BinaryIO,
    format: str,  # noqa: A002
    *,
    warn: Warn = silent,
    style: str = "apa",
) -> None:
    """Nothing: writes records to a stream as they come.

    `warn` is told, with the record's key, of whatever the format cannot carry. `style` is that of rendered text: a name
    such as `apa`, or a file of CSL.
    """
    format_named(format).write(records, stream, Options(warn, style))


def read(stream: BinaryIO, format: str) -> Iterator[Readable]:  # noqa: A002
    """The records of a stream in their order; what cannot be read is a `Malformed` that says why."""
    chosen = format_named(format)
    if chosen.read is None:
        readable = ", ".join(name for name, one in FORMATS.items() if one.read)
        raise ConfigError(f"{format} can be written only; formats that can be read: {readable}")
    return chosen.read(stream)
