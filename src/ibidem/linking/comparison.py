"""What linking looks at in a reference: its words and its fields, folded so that writing habits do not count.

A `View` is one reading of one reference. A reference that is read in several ways has several views; what compares two
views does not know how many there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from ibidem.records.record import Date, Name, Number, Pages, Record, Value
from ibidem.text.fold import fold

_PIECES = re.compile(r"[^\W\d_]+|\d+")
_ASCII_PIECES = re.compile(r"[a-z]+|[0-9]+")  # the same of lower-case ASCII, found sooner
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_BROKEN = re.compile(r"-(?<=[^\W\d_]-)\s+(?=[^\W\d_])")  # a word that a line's end had divided
_IDENTIFIERS = re.compile(
    r"(?:https?|ftp)://\S+|\bwww\.\S+|\b(?:doi\s*:?\s*)?10\.\d{4,9}/\S+|\bdoi\b|\bpmid\s*:?\s*\d+|\bpmc\s*:?\s*\d+",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_NAMED = frozenset({"doi", "arxiv", "pmid", "pmcid", "isbn"})
_KEPT = 1 << 16  # names of persons and of venues that are remembered: the same ones come again and again
_BEGINNING = 60  # characters that mostly have words enough
_FEWEST_WORDS = 3  # with fewer, nothing can be said of what a reference means

Person = tuple[str, str]
"""The folded family name and the first letter of the given names, empty where there is none."""


@dataclass(frozen=True, slots=True)
class View:
    """One reading of a reference; what is not there is empty, a year that is not there is 0."""

    text: str
    title: str = ""
    venue: str = ""
    people: tuple[Person, ...] = ()
    more_people: bool = False  # et al.
    year: int = 0
    volume: str = ""
    issue: str = ""
    first: str = ""  # page
    last: str = ""
    number: str = ""
    kind: str = ""
    identifiers: tuple[str, ...] = ()

    @property
    def bare(self) -> bool:
        """Whether there is too little to tell which work is meant."""
        return not self.identifiers and not (_says_enough(self.text[:_BEGINNING]) or _says_enough(self.text))


def _says_enough(text: str) -> bool:
    words = (word for word in text.split() if len(word) > 1 and not word.isdigit())
    return len(list(islice(words, _FEWEST_WORDS))) == _FEWEST_WORDS


def plain(text: str) -> str:
    """The words and numbers of a text, folded, with one blank between them.

    >>> plain("Müller, J.: The algo- rithm, 2nd ed.")
    'muller j the algorithm 2 nd ed'
    """
    if text.isalnum() and text.isascii() and (text.isalpha() or text.isdigit()):
        return text.lower()
    folded = (_BROKEN.sub("", text) if "-" in text else text).lower()
    if not folded.isascii():  # few characters are to be folded, and those again and again
        folded = _FOREIGN.sub(_folded, folded)
    return " ".join((_ASCII_PIECES if folded.isascii() else _PIECES).findall(folded))


def _folded(found: re.Match[str]) -> str:
    return fold(found.group())


def without_identifiers(text: str) -> str:
    """The text without DOIs, addresses and the numbers of PubMed.

    >>> without_identifiers("Reed A. Drift. 2019. doi: 10.1234/x.5 PMID: 123")
    'Reed A. Drift. 2019.  '
    """
    return _IDENTIFIERS.sub("", text) if _may_have_identifiers(text.lower()) else text


def _may_have_identifiers(low: str) -> bool:
    return "://" in low or "doi" in low or "pm" in low or "www." in low or ("10." in low and "/" in low)


def view_of_text(text: str) -> View:
    """The view of a string of which nothing but its words is known.

    The first word stands for the first author and the first number that can be a year for the year.
    """
    words = plain(without_identifiers(text))
    years = YEAR.findall(words)
    return View(words, year=int(years[0]) if years else 0)


def view_of(record: Record) -> View:
    """The view of a record, its text being the string that it was parsed from, or its values."""
    whole = record.origin.text if record.origin else " ".join(written_of(entry.value) for entry in record.entries)
    held: dict[str, Value] = {}
    people, identifiers = [], []
    for entry in record.entries:
        field, value = entry.field, entry.value
        if field not in held:
            held[field] = value
        if field == "author" and isinstance(value, Name):
            people.append(_person(value.family or value.literal, value.given))
        elif field in _NAMED:
            identifiers.append(f"{field}:{written_of(value).strip().lower()}")
    date, pages = held.get("date"), held.get("pages")
    first, last = (pages.first, pages.last) if isinstance(pages, Pages) else (written_of(pages), "")
    venues = [held.get(field) for field in ("container", "series", "institution", "publisher")]
    return View(
        plain(without_identifiers(whole)),
        plain(written_of(held.get("title"))),
        next((_venue(written_of(venue)) for venue in venues if venue), ""),
        tuple(people),
        "author-etal" in held,
        (date.year or 0) if isinstance(date, Date) else 0,
        _count(held.get("volume")),
        _count(held.get("issue")),
        plain(first) or plain(written_of(held.get("article-number"))),
        plain(last),
        plain(written_of(held.get("number"))),
        record.type,
        tuple(identifiers),
    )


def written_of(value: Value | None) -> str:
    """The text of a value."""
    match value:
        case None:
            return ""
        case str():
            return value
        case Name():
            return " ".join((value.given, value.particle, value.family, value.suffix, value.literal))
        case Pages():
            return f"{value.first} {value.last}"
        case Number():
            return value.text
        case Date():
            return value.edtf


def _count(value: Value | None) -> str:
    """A number as digits where its value is known."""
    if isinstance(value, Number) and value.value is not None:
        return str(value.value)
    return plain(written_of(value))


@lru_cache(_KEPT)
def _person(family: str, given: str) -> Person:
    letter = given[:1]
    known = letter.isascii() and letter.isalpha()
    return plain(family), letter.lower() if known else plain(given)[:1]


@lru_cache(_KEPT)
def _venue(name: str) -> str:
    return plain(name)
