"""The words of a language as CSL's locales give them: terms, forms of dates, a few options."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ibidem.csl.markup import font_of
from ibidem.errors import InputError, MissingExtra

CSL = "{http://purl.org/net/xbiblio/csl}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_WEAKER = {"verb-short": "verb", "verb": "long", "symbol": "short", "short": "long"}
_LARGEST = 4_000_000  # bytes; the largest public style has a tenth of it
_LONGEST_TAG = 35  # characters of a language tag; RFC 5646, section 4.4.1


@dataclass(frozen=True, slots=True)
class DatePart:
    """One part of a date: day, month or year, how it is written and what stands around it."""

    name: str
    form: str = ""
    prefix: str = ""
    suffix: str = ""
    case: str = ""
    strip: bool = False
    font: tuple[str, str] = ("", "")  # the characters of its font, before and after it


@dataclass(slots=True)
class Locale:
    """Terms by name and form (singular, plural), dates by form, options by name."""

    tag: str = ""
    terms: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    dates: dict[str, tuple[str, tuple[DatePart, ...]]] = field(default_factory=dict)  # delimiter, parts
    options: dict[str, str] = field(default_factory=dict)

    def term(self, name: str, form: str = "long", plural: bool = False) -> str:
        """Return the words for a term in a form, else in the next weaker one; empty where there are none."""
        while (name, form) not in self.terms:
            if form not in _WEAKER:
                return ""
            form = _WEAKER[form]
        return self.terms[name, form][plural]

    def ordinal(self, number: int) -> str:
        """Return a number with its ordinal ending."""
        whole = self.terms.get((f"ordinal-{number:02d}", "whole-number"))
        for ending in (whole, self.terms.get((f"ordinal-{number % 100:02d}", "long")) if number % 100 >= 10 else None):
            if ending:
                return f"{number}{ending[0]}"
        digit = self.terms.get((f"ordinal-{number % 10:02d}", "long"))
        return f"{number}{digit[0] if digit else self.term('ordinal')}"

    def overlay(self, element: Element) -> Locale:
        """Return this locale with what a `locale` element says instead."""
        made = Locale(self.tag, dict(self.terms), dict(self.dates), dict(self.options))
        terms = element.find(f"{CSL}terms")
        found = {} if terms is None else dict(_term(one) for one in terms.findall(f"{CSL}term"))
        if any(name.startswith("ordinal") for name, _ in found):  # a language's ordinals are taken as a whole
            made.terms = {key: value for key, value in made.terms.items() if not key[0].startswith("ordinal")}
        made.terms.update(found)
        for date in element.findall(f"{CSL}date"):
            made.dates[date.get("form", "text")] = (date.get("delimiter", ""), parts_of(date))
        for options in element.findall(f"{CSL}style-options"):
            made.options.update(options.attrib)
        return made


def _term(element: Element) -> tuple[tuple[str, str], tuple[str, str]]:
    name, form = element.get("name", ""), element.get("form", "long")
    if name.startswith("ordinal-") and element.get("match") == "whole-number":
        form = "whole-number"
    single, multiple = element.find(f"{CSL}single"), element.find(f"{CSL}multiple")
    if single is None or multiple is None:
        return (name, form), (element.text or "", element.text or "")
    return (name, form), (single.text or "", multiple.text or "")


def parts_of(date: Element) -> tuple[DatePart, ...]:
    """Return the parts of a `date` element in their order."""
    return tuple(
        DatePart(
            part.get("name", ""),
            part.get("form", ""),
            part.get("prefix", ""),
            part.get("suffix", ""),
            part.get("text-case", ""),
            part.get("strip-periods") == "true",
            font_of(part.attrib),
        )
        for part in date.findall(f"{CSL}date-part")
    )


def read_xml(path: Path) -> Element:
    """Read the root of a style or locale file; one that declares a document type (entities) is refused."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the style {path}: {error.strerror or error}") from error
    if len(content) > _LARGEST or b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise InputError(f"{path} is no CSL style: it is too large or declares a document type; give a plain .csl file")
    try:
        return ElementTree.fromstring(content)  # noqa: S314  (no document type, hence no entities)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InputError(f"{path} is no CSL style: {error}; give a .csl file") from error


def package_folder(package: str) -> Path:
    """Return the folder of an installed package that brings styles or locales; none of its code is run."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise MissingExtra("CSL styles and their locales are not installed; pip install 'ibidem[styles]'")
    return Path(found.origin).parent


def folder() -> Path:
    """Return the folder of the locales that come with citeproc-py."""
    return package_folder("citeproc") / "data" / "locales"


@lru_cache(1)
def primary_dialects() -> dict[str, str]:
    """Return the dialect that stands for each language: de-DE for de."""
    found = json.loads((folder() / "locales.json").read_text(encoding="utf-8"))["primary-dialects"]
    return {str(language): str(tag) for language, tag in found.items()}


@lru_cache(1)
def locale_tags() -> tuple[str, ...]:
    """Return the tags of all locales, sorted."""
    return tuple(sorted(path.stem.removeprefix("locales-") for path in folder().glob("locales-*.xml")))


@lru_cache(128)
def load_locale(tag: str) -> Locale:
    """Load a locale by its tag, over that of its language and, last, American English."""
    if tag == "en-US" or len(tag) > _LONGEST_TAG or not all(part.isalnum() for part in tag.split("-")):
        return Locale("en-US").overlay(read_xml(folder() / "locales-en-US.xml"))
    path = folder() / f"locales-{tag}.xml"
    main = primary_dialects().get(tag.split("-", maxsplit=1)[0], "en-US")
    base = load_locale(main if main != tag else "en-US")
    made = base.overlay(read_xml(path)) if path.is_file() else base
    return Locale(tag, made.terms, made.dates, made.options)
