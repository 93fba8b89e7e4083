"""The references of the benchmark `kinds` and the values that their records should have."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.records.records import Pairs, write_value
from ibidem.metrics.scoring import normalise
from ibidem.records.fields import DATES, FIELDS, NAMES, NUMBERS, types_from
from ibidem.records.normalise import normalise_field
from ibidem.records.record import SEASONS, Date, Name, Pages, Value

FOLDER = Path(__file__).parent
SPLITS = ("development", "untouched")

SCRIPTS: dict[str, str] = {
    "ru": "Cyrillic",
    "uk": "Cyrillic",
    "bg": "Cyrillic",
    "el": "Greek",
    "ar": "Arabic",
    "fa": "Arabic",
    "he": "Hebrew",
    "zh-Hans": "Han",
    "zh-Hant": "Han",
    "ja": "Japanese",
    "ko": "Hangul",
    "hi": "Devanagari",
}
"""The script of a language; all others are written in Latin letters."""

MORE_GENERAL = {
    "article-magazine": "article-journal",
    "article-newspaper": "article-journal",
    "collection": "manuscript",
    "entry-dictionary": "entry-encyclopedia",
    "entry-encyclopedia": "chapter",
    "legislation": "standard",
    "post-weblog": "webpage",
    "regulation": "legislation",
}
"""What a type of CSL is for a table of types without it; `document` is the most general."""

_OPTIONAL = "-"
_NAME = re.compile(r"(?:(?P<particle>[^/,]+) / )?(?P<family>[^,]+)(?:, (?P<given>[^,]*))?(?:, (?P<suffix>[^,]+))?")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A value that a record should have in one of the fields; an optional one may be missing."""

    fields: tuple[str, ...]
    value: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference string with what is known of it; `types` are those of CSL that are right."""

    text: str
    kind: str
    language: str
    style: str
    split: str
    types: tuple[str, ...]
    wanted: tuple[Wanted, ...]

    @property
    def script(self) -> str:
        """The script that its language is written in."""
        return SCRIPTS.get(self.language, "Latin")

    @property
    def cell(self) -> tuple[str, str, str]:
        """Kind, language and style."""
        return self.kind, self.language, self.style


def read_references(split: str) -> list[Reference]:
    """Read the references of a half, kind by kind.

    >>> {reference.split for reference in read_references("development")}
    {'development'}
    """
    return [reference for path in sorted((FOLDER / split).glob("*.toml")) for reference in _read(path, split)]


def _read(path: Path, split: str) -> Iterator[Reference]:
    for item in tomllib.loads(path.read_text("utf-8"))["reference"]:
        types, *wanted = _listed(item["record"].pop("type", [])), *_wanted(item["record"])
        yield Reference(item["text"], path.stem, item["language"], item["style"], split, tuple(types), tuple(wanted))


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _wanted(record: dict[str, Any]) -> Iterator[Wanted]:
    for key, values in record.items():
        options = key.split("|")
        fields = tuple(option for option in options if option != _OPTIONAL)
        yield from (Wanted(fields, value, _OPTIONAL in options) for value in _listed(values))


def types_of(reference: Reference) -> set[str]:
    """Return the types of Ibidem that are right, every one where none is asked."""
    known = types_from("csl")
    return {known[_known(one, known)] for one in reference.types} or set(known.values())


def _known(csl: str, known: dict[str, str]) -> str:
    while csl not in known:
        csl = MORE_GENERAL.get(csl, "document")
    return csl


def choose_pairs(reference: Reference, found: Pairs) -> Pairs:
    """Return the fields and values that the record should have; where several are right, those of `found` if they are.

    >>> reference = Reference("n.d.", "web", "en", "APA", "development", (), (Wanted(("note", "genre"), "Map", True),))
    >>> choose_pairs(reference, [("genre", "Map")]), choose_pairs(reference, [])
    ([('genre', 'Map')], [])
    """
    left = Counter((field, normalise(value)) for field, value in found)
    pairs: Pairs = []
    for wanted in sorted(reference.wanted, key=lambda one: (one.optional, len(one.fields))):
        options = [(field, write_as(field, wanted.value)) for field in wanted.fields if field in FIELDS]
        hit = next(((field, text) for field, text in options if left[field, normalise(text)]), None)
        if hit:
            left[hit[0], normalise(hit[1])] -= 1
            pairs.append(hit)
        elif options and not wanted.optional:
            pairs.append(options[0])
    return pairs


def write_as(field: str, text: str) -> str:
    """Return the text of a value as `write_value` writes that of a record.

    >>> write_as("author", "van den / Bogaard, O."), write_as("date", "2019-03"), write_as("edition", "XIV")
    ('van den | Bogaard | O. |  | ', '2019-03  ', '14')
    """
    return write_value(_value(field, text))


def _value(field: str, text: str) -> Value:
    if field in NAMES:
        return name_of(text)
    plain = text.removeprefix("{").removesuffix("}")  # a group in the place of another field
    if field in DATES:
        return date_of(plain)
    if field in NUMBERS:
        return normalise_field(field, plain)[0]  # numbers are compared by what they mean, not as they are written
    if FIELDS[field].type == "pages" and not re.search(r"[,\s]", plain):
        first, _, last = plain.partition("–")
        return Pages(first, last)
    return plain


def name_of(text: str) -> Name:
    """Return the name that a collection's file writes.

    >>> name_of("{World Ferry Safety Council}").literal, name_of("Hallowell, R., Jr.").suffix
    ('World Ferry Safety Council', 'Jr.')
    """
    if text.startswith("{"):
        return Name(literal=text[1:-1])
    found = _NAME.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is no name; write it as `particle / Family, Given, Suffix` or `{{Group}}`")
    parts = found.groupdict(default="")
    return Name(parts["family"], parts["given"], parts["particle"], parts["suffix"])


def date_of(text: str) -> Date:
    """Return the date that a collection's file writes: in EDTF, with a letter, or a status.

    >>> date_of("2016-21").season, date_of("1978/1984").end.year, date_of("2021a").letter, date_of("n.d.").status
    ('spring', 1984, 'a', 'n.d.')
    """
    if not text[:1].isdigit():
        return Date(status=text)
    first, _, last = text.partition("/")
    return replace(_day(first), end=_day(last)) if last else _day(first)


def _day(text: str) -> Date:
    letter = text[-1] if text[-1].isalpha() else ""
    year, *rest = (int(part) for part in text.removesuffix(letter).split("-"))
    month, day = (*rest, None, None)[:2]
    if month is not None and month > 20:
        return Date(year, season=SEASONS[month - 21])
    return Date(year, month, day, letter=letter)
