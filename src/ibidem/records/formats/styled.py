"""Markdown, HTML and plain text in any style of the Citation Style Language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import BinaryIO

from ibidem.csl.items import item_of
from ibidem.csl.markers import unmarked
from ibidem.csl.markup import READ_OUT
from ibidem.csl.styles import style_called
from ibidem.records.formats.keys import carried_by
from ibidem.records.formats.limits import Capabilities
from ibidem.records.formats.shape import Options
from ibidem.records.formats.values import value_text
from ibidem.records.record import Record

LIMITS = Capabilities(
    remarks=(
        "a style prints the fields that it has a place for, and no more",
        "private-use characters of Unicode are left out",
    )
)
_AROUND = {"html": ('<div class="csl-bib-body">\n', "</div>\n")}  # the classes that other processors use
_BLOCK = re.compile(r"(?=[+\->=] ?)|(?P<number>\d{1,9})(?=[.)](?:\s|$))")  # what begins a list or a quotation


def rendered(records: Iterable[Record], options: Options, form: str) -> Iterator[tuple[str, str]]:
    """Key and line of every record in turn, in the style asked for, as `html`, `markdown` or `text`."""
    style, read_out = style_called(options.style), READ_OUT[form]
    for number, (key, carried, _) in enumerate(carried_by(LIMITS, records, options), 1):
        if any(unmarked(text := value_text(entry.value)) != text for entry in carried.entries):
            options.warn(key, "private-use characters are left out")
        line = read_out(style.render(item_of(carried, number)))
        if not line:
            options.warn(key, f"the style {options.style!r} prints nothing of it")
        yield key, _begun(line, number) if form == "markdown" else line


def _begun(line: str, number: int) -> str:
    """A line of Markdown that begins no list or quotation, unless it is a list with the number of the work."""
    found = _BLOCK.match(line)
    if not found or found["number"] == str(number):
        return line
    end = found.end()
    return f"{line[:end]}\\{line[end:]}"


def _write(records: Iterable[Record], stream: BinaryIO, options: Options, form: str) -> None:
    """Nothing: writes one paragraph, division or line per record."""
    before, after = _AROUND.get(form, ("", ""))
    stream.write(before.encode())
    for key, line in rendered(records, options, form):
        if form == "html":
            text = f'<div class="csl-entry" id="{key}">{line}</div>\n'
        else:
            text = f"{line}\n\n" if form == "markdown" else f"{line}\n"
        stream.write(text.encode())
    stream.write(after.encode())


write_html = partial(_write, form="html")
write_markdown = partial(_write, form="markdown")
write_text = partial(_write, form="text")
