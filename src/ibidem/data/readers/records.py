"""Records: tab-separated tables, BibTeX, CSL-JSON, and pairs of records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ibidem.data.readers.files import lines_of
from ibidem.types import Malformed

_COLUMN = re.compile(r"COL (\S+) VAL ?(.*?)(?= COL \S+ VAL|\Z)", re.DOTALL)
_ENTRY = re.compile(r"^\s*@(\w+)\s*([{(])", re.MULTILINE)
_SKIP = r"(?:[\s,]|%[^\n]*(?:\n|\Z))*"  # commas and commented-out lines
_FIELD = re.compile(rf"{_SKIP}([^\s=,{{}}\"%#]+)\s*=\s*")
_END = re.compile(rf"{_SKIP}[}})]")
_HASH = re.compile(r"\s*#\s*")
_BARE = re.compile(r"[^\s,{}\"#]*")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two records and whether they are of the same work."""

    left: dict[str, str]
    right: dict[str, str]
    same: bool
    source: str


def read_table(path: Path, source: str) -> Iterator[dict[str, str] | Malformed]:
    """Yield the rows of a tab-separated file by column name; a row of the wrong length is reported."""
    lines = lines_of(path)
    header = next(lines, "").split("\t")
    for number, line in enumerate(lines, 2):
        values = line.split("\t")
        if len(values) != len(header):
            yield Malformed(f"{source}:{number}", f"{len(values)} columns instead of {len(header)}")
        else:
            yield dict(zip(header, values, strict=True))


def read_items(path: Path, source: str) -> Iterator[dict[str, Any] | Malformed]:
    """Yield the CSL-JSON items of a file with one on each line; a line that holds none is reported."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            found = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            yield Malformed(f"{source}:{number}", f"it is not JSON: {error}")
            continue
        if isinstance(found, dict) and isinstance(found.get("type"), str):
            yield found
        else:
            yield Malformed(f"{source}:{number}", "expected an object with a type")


def read_matching(path: Path) -> Iterator[Pair | Malformed]:
    """Read labelled pairs of DBLP and Google Scholar records in Ditto's format (`COL name VAL value`)."""
    for number, line in enumerate(lines_of(path), 1):
        parts = line.split("\t")
        source = f"matching:{path.name.partition('.')[0]}:{number}"
        if len(parts) != 3 or parts[2].strip() not in ("0", "1"):
            yield Malformed(source, "not two records and a 0 or 1")
            continue
        left, right = ({name: value.strip() for name, value in _COLUMN.findall(part)} for part in parts[:2])
        yield Pair(left, right, parts[2].strip() == "1", source)


def _entries(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each BibTeX entry as text with the number of its first line; text between entries is skipped."""
    kept: list[str] = []
    first = 0
    for number, line in enumerate(lines_of(path, "replace"), 1):
        if _ENTRY.match(line):
            if kept:
                yield first, "\n".join(kept)
            kept, first = [line], number
        elif kept:
            kept.append(line)
    if kept:
        yield first, "\n".join(kept)


def _skip_braces(text: str, place: int) -> int:
    """Return the offset after the brace that closes the one at `place`, or -1."""
    depth = 0
    while place < len(text):
        character = text[place]
        if character == "\\":
            place += 1
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return place + 1
        place += 1
    return -1


def _skip_quotes(text: str, place: int) -> int:
    """Return the offset after the quote that closes the one at `place`, or -1; quotes in braces do not count."""
    place += 1
    while place < len(text):
        if text[place] == '"':
            return place + 1
        place = _skip_braces(text, place) if text[place] == "{" else place + 1 + (text[place] == "\\")
        if place < 0:
            return -1
    return -1


def _parse_value(text: str, place: int) -> tuple[str, int]:
    """Return a value (pieces joined by `#`) without braces or quotes, and the offset after it, -1 if it has no end."""
    pieces = []
    while True:
        if text[place : place + 1] in ("{", '"'):
            end = _skip_braces(text, place) if text[place] == "{" else _skip_quotes(text, place)
            if end < 0:
                return "", -1
            pieces.append(text[place + 1 : end - 1])
        else:
            bare = _BARE.match(text, place)
            assert bare is not None
            pieces.append(bare.group())
            end = bare.end()
        more = _HASH.match(text, end)
        if not more:
            return re.sub(r"\s+", " ", "".join(pieces)).strip(), end
        place = more.end()


def read_bibtex(path: Path) -> Iterator[dict[str, str] | Malformed]:
    """Read a BibTeX file: fields by lower-case name, `entry-type` and `entry-key`; TeX is left as it is.

    `@comment`, `@preamble` and `@string` are skipped. An entry that breaks off is reported and skipped.
    """
    for number, text in _entries(path):
        head = re.compile(r"\s*@(\w+)\s*[{(]\s*").match(text)
        assert head is not None
        kind = head[1].casefold()
        if kind in ("comment", "preamble", "string"):
            continue
        key = re.compile(r"[^,\s}]*").match(text, head.end())
        assert key is not None
        record, problem = {"entry-type": kind, "entry-key": key.group()}, ""
        place = key.end()
        while name := _FIELD.match(text, place):
            value, place = _parse_value(text, name.end())
            if place < 0:
                problem = f"the value of {name[1]} has no end"
                break
            record[name[1].casefold()] = value
        if not problem and not _END.match(text, place):
            problem = f"neither a field nor the end after {text[max(0, place - 20) : place]!r}"
        yield Malformed(f"bibliographies:{number}", problem) if problem else record
