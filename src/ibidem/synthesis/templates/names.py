"""Lists of names in the styles of templates; each name is written by the same function as in CSL styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal
from xml.etree.ElementTree import Element, SubElement

from ibidem.csl.locales import CSL
from ibidem.csl.markers import glue, join, wrap
from ibidem.csl.names import DIVIDED, NameForm, write_person
from ibidem.records.record import Name


@dataclass(frozen=True, slots=True)
class NameStyle:
    """How a list of names is written: a table of `names.toml`."""

    order: Literal["given-first", "family-first", "first-inverted"] = "given-first"
    initials: str | None = None  # what stands after every initial; without it names are in full
    separator: str = ", "  # between the family name and the given names after it
    family_only: bool = False
    capitals: bool = False  # family names in capitals
    delimiter: str = ", "
    last: tuple[str, ...] = ()  # before the last name, drawn at random; else the delimiter
    etal: tuple[str, ...] = ()  # words for further names, with what stands before them
    etal_from: int = 4  # the number of names from which they are used
    etal_shown: int = 1  # how many names stand before them

    def form(self) -> NameForm:
        """Return the form of one name in the attributes of CSL."""
        names = Element("names")
        name = SubElement(names, f"{CSL}name", {"sort-separator": self.separator})
        order = {"family-first": "all", "first-inverted": "first"}.get(self.order)
        options = {
            "name-as-sort-order": order,
            "initialize-with": self.initials,
            "form": "short" if self.family_only else None,
            "demote-non-dropping-particle": "never",
        }
        name.attrib.update({key: value for key, value in options.items() if value is not None})
        if self.capitals:
            SubElement(name, f"{CSL}name-part", {"name": "family", "text-case": "uppercase"})
        return NameForm(names, {})


def write_names(names: Sequence[Name], role: str, style: NameStyle, going_on: bool, random: Random) -> str:
    """Write a list of names; `role` is its label, `going_on` says that there are more names than we know."""
    form = style.form()
    cut = bool(style.etal) and (going_on or len(names) >= style.etal_from)
    shown = names[: style.etal_shown] if cut else names
    written = [write_person(name, place, form, role) for place, name in enumerate(shown)]
    if cut:
        words = random.choice(style.etal)
        bare = words.lstrip(" ,")
        before = words[: len(words) - len(bare)]
        labelled = wrap(f"{role}/etal", bare) if role in DIVIDED else bare
        return wrap(role, glue(join(written, style.delimiter), before) + labelled)
    if len(written) > 1 and style.last:
        last = random.choice(style.last)
        last = last.lstrip(",") if len(written) == 2 and style.order == "given-first" else last
        return wrap(role, glue(glue(join(written[:-1], style.delimiter), last), written[-1]))
    return wrap(role, join(written, style.delimiter))
