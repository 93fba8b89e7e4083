"""A CSL style made ready to render the entries of a bibliography."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element

from ibidem.csl import locales
from ibidem.csl.context import Context, Item
from ibidem.csl.locales import CSL, LANGUAGE, Locale
from ibidem.csl.markers import glue, joined
from ibidem.csl.markup import look_of
from ibidem.csl.text_formatting import Writer
from ibidem.csl.writers import Compiler
from ibidem.errors import InputError

_AFTER_QUOTE = re.compile(r"([.,!?]?)([\ue000-\uf8ff]*)([”’»\"])([\ue000-\uf8ff]*)([.,])")


class NoBibliography(InputError):
    """A style that has no bibliography of its own: a dependent one, or one of notes alone."""


@dataclass(slots=True)
class Style:
    """A compiled style; `render` gives the entry of an item, labels and looks in it as private-use characters."""

    name: str
    default_locale: str
    writers: tuple[Writer, ...]
    prefix: str
    suffix: str
    delimiter: str
    page_format: str
    letters: str  # where the letter of a year stands: in the `year`, `apart` from it, or nowhere
    aligned: bool  # the first field stands in a column of its own
    prints_status: bool  # it has words of its own for what is not yet out
    look: tuple[str, str]
    overlays: dict[str, Element]
    ready: dict[str, Locale] = field(default_factory=dict)

    def locale(self, tag: str) -> Locale:
        """The locale of a language with what the style says instead."""
        if tag not in self.ready:
            made = locales.locale(tag)
            for key in ("", tag.split("-", maxsplit=1)[0], tag):
                if key in self.overlays:
                    made = made.overlaid(self.overlays[key])
            self.ready[tag] = made
        return self.ready[tag]

    def render(self, item: Item, tag: str = "") -> str:
        """The entry of an item in a bibliography, in the style's own language or that of `tag`."""
        if "status" in item.values and not self.prints_status and not item.has("issued"):
            item = _dated_by_status(item)
        locale = self.locale(tag or self.default_locale or "en-US")
        context = Context(item, locale, self.page_format, self.letters == "year")
        try:
            pieces = [write(context) for write in self.writers]
        except RecursionError as error:
            raise InputError(f"the style {self.name} is nested too deeply to be a style") from error
        if self.aligned and len(pieces) > 1 and pieces[0]:
            pieces[0] = glue(pieces[0], " ")
        text = glue(glue(self.prefix, joined(pieces, self.delimiter)), self.suffix)
        if locale.options.get("punctuation-in-quote") == "true":
            text = _AFTER_QUOTE.sub(_inside, text)
        before, after = self.look
        return before + text + after


def _dated_by_status(item: Item) -> Item:
    """The item with its status (in press) where its date would stand."""
    values, labels = item.values, item.labels
    return replace(item, values={**values, "issued": values["status"]}, labels={**labels, "issued": labels["status"]})


def _inside(found: re.Match[str]) -> str:
    """A full stop or comma after a closing quote moved before it; dropped where another stands there."""
    before, one, quote, other, stop = found.groups()
    return f"{before}{one}{quote}{other}" if before else f"{one}{stop}{quote}{other}"


@lru_cache(1024)
def style(path: Path) -> Style:
    """The compiled style of a file; it has a bibliography of its own."""
    root = locales.read_xml(path)
    bibliography = root.find(f"{CSL}bibliography")
    layout = None if bibliography is None else bibliography.find(f"{CSL}layout")
    if bibliography is None or layout is None:
        raise NoBibliography(f"the style {path.stem} has no bibliography of its own; choose another")
    try:
        return _compiled(path.stem, root, bibliography, layout)
    except RecursionError as error:
        raise InputError(f"{path.name} is nested too deeply to be a style") from error


def _compiled(name: str, root: Element, bibliography: Element, layout: Element) -> Style:
    macros = {macro.get("name", ""): macro for macro in root.findall(f"{CSL}macro")}
    compiler = Compiler(macros, {**root.attrib, **bibliography.attrib})
    citation = root.find(f"{CSL}citation")
    explicit = any(element.get("variable") == "year-suffix" for element in root.iter(f"{CSL}text"))
    added = citation is not None and citation.get("disambiguate-add-year-suffix") == "true"
    return Style(
        name,
        root.get("default-locale", ""),
        tuple(compiler.writer(child, layout.get("delimiter", "")) for child in layout),
        layout.get("prefix", ""),
        layout.get("suffix", ""),
        layout.get("delimiter", ""),
        root.get("page-range-format", ""),
        "apart" if explicit else "year" if added else "",
        "second-field-align" in bibliography.attrib,
        any(element.get("variable") == "status" for element in root.iter(f"{CSL}text")),
        look_of(layout.attrib),
        {one.get(LANGUAGE, ""): one for one in root.findall(f"{CSL}locale")},
    )
