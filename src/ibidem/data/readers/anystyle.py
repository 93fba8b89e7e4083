"""AnyStyle's training strings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.files import text_of
from ibidem.data.readers.inline import collapse, scan
from ibidem.data.readers.tagged import examples_of
from ibidem.types import Example, Malformed

_SEQUENCE = re.compile(r"<sequence>(.*?)(</sequence>|(?=<sequence>)|\Z)", re.DOTALL)


def _name(tag: str, _attributes: str) -> str | None:
    return tag


def read_anystyle(path: Path) -> Iterator[Example | Malformed]:
    """The strings of an AnyStyle file: the children of each sequence joined by one blank, punctuation inside them."""
    for number, piece in enumerate(_SEQUENCE.finditer(text_of(path)), 1):
        source = f"anystyle:{path.stem}:{number}"
        if not piece[2]:
            yield Malformed(source, "the sequence is never closed")
        found = collapse(scan(piece[1], _name))
        if not found.text:
            yield Malformed(source, "the sequence is empty")
        yield from examples_of(found, source)
