"""Markdown, HTML and plain text in any style of the Citation Style Language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count
from typing import BinaryIO

from ibidem.csl.items import item_of
from ibidem.csl.markers import strip_markers
from ibidem.csl.markup import RENDERERS
from ibidem.csl.style import load_style
from ibidem.records.formats.format import Capabilities, Options
from ibidem.records.formats.keys import render_adapted
from ibidem.records.formats.values import value_text
from ibidem.records.record import Record

CAPABILITIES = Capabilities(
    remarks=(
        "a style prints the fields that it has a place for, and no more",
        "private-use characters of Unicode are left out",
    )
)
_AROUND = {"html": ('<div class="csl-bib-body">\n', "</div>\n")}  # the classes that other processors use
_BLOCK = re.compile(r"(?=[+\->=] ?)|(?P<number>\d{1,9})(?=[.)](?:\s|$))")  # what begins a list or a quotation


def render(records: Iterable[Record], options: Options, form: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the line of each record in a style, as `html`, `markdown` or `text`."""
    style, show = load_style(options.style), RENDERERS[form]
    numbers = count(1)

    def render_one(adapted: Record, key: str, _: Record) -> tuple[str, str, list[str]]:
        doubts: list[str] = []
        if any(strip_markers(text := value_text(entry.value)) != text for entry in adapted.entries):
            doubts.append("private-use characters are left out")
        number = next(numbers)
        line = show(style.render(item_of(adapted, number)))
        if not line:
            doubts.append(f"the style {options.style!r} prints nothing of it")
        return key, _escape_beginning(line, number) if form == "markdown" else line, doubts

    for key, line, doubts in render_adapted(CAPABILITIES, records, options, render_one):
        for doubt in doubts:
            options.warn(key, doubt)
        yield key, line


def _escape_beginning(line: str, number: int) -> str:
    """Keep a line of Markdown from beginning a list or a quotation, but for a list with the number of the work."""
    found = _BLOCK.match(line)
    if not found or found["number"] == str(number):
        return line
    end = found.end()
    return f"{line[:end]}\\{line[end:]}"


def _write(records: Iterable[Record], stream: BinaryIO, options: Options, form: str) -> None:
    """Write one paragraph, division or line per record."""
    before, after = _AROUND.get(form, ("", ""))
    stream.write(before.encode())
    for key, line in render(records, options, form):
        if form == "html":
            text = f'<div class="csl-entry" id="{key}">{line}</div>\n'
        else:
            text = f"{line}\n\n" if form == "markdown" else f"{line}\n"
        stream.write(text.encode())
    stream.write(after.encode())


write_html = partial(_write, form="html")
write_markdown = partial(_write, form="markdown")
write_text = partial(_write, form="text")
