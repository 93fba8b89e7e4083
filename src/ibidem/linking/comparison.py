"""The fields that references are compared by: words and record fields, folded so that style does not count.

A reference with n-best labellings has one `ComparisonFields` for each labelling; code that compares two of them need
not know how many there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from ibidem.faults import describe_fault, trip
from ibidem.linking.checks import with_error
from ibidem.records.record import Date, Name, Number, Pages, Record, Value
from ibidem.text.fold import fold

_PIECES = re.compile(r"[^\W\d_]+|\d+")
_ASCII_PIECES = re.compile(r"[a-z]+|[0-9]+")  # the same of lower-case ASCII, but faster
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_BROKEN = re.compile(r"-(?<=[^\W\d_]-)\s+(?=[^\W\d_])")  # a word hyphenated at a line end
_IDENTIFIERS = re.compile(
    r"(?:https?|ftp)://\S+|\bwww\.\S+|\b(?:doi\s*(?::\s*)?)?10\.\d{4,9}/\S+|\bdoi\b|\bpmid\s*(?::\s*)?\d+"
    r"|\bpmc\s*(?::\s*)?\d+",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_IDENTIFIER_FIELDS = frozenset({"doi", "arxiv", "pmid", "pmcid", "isbn"})
_CACHED = 1 << 16  # folded names of persons and venues: the same ones recur
_BEGINNING = 60  # characters that mostly contain enough words
_LAST_YEAR = (1 << 31) - 1  # that columns can hold
_FEWEST_WORDS = 3  # with fewer, a reference cannot be told from others

Person = tuple[str, str]
"""The folded family name and the initial of the given names, empty where unknown."""


@dataclass(frozen=True, slots=True)
class ComparisonFields:
    """What two references are compared by; a missing field is empty, a missing year 0."""

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
        """Whether there is too little to identify a work."""
        return not self.identifiers and not (_has_enough_words(self.text[:_BEGINNING]) or _has_enough_words(self.text))


def _has_enough_words(text: str) -> bool:
    words = (word for word in text.split() if len(word) > 1 and not word.isdigit())
    return len(list(islice(words, _FEWEST_WORDS))) == _FEWEST_WORDS


def plain(text: str) -> str:
    """Return the words and numbers of a text, folded, separated by single spaces.

    >>> plain("Müller, J.: The algo- rithm, 2nd ed.")
    'muller j the algorithm 2 nd ed'
    """
    if text.isalnum() and text.isascii() and (text.isalpha() or text.isdigit()):
        return text.lower()
    folded = (_BROKEN.sub("", text) if "-" in text else text).lower()
    if not folded.isascii():  # few characters need folding, and the same ones recur
        folded = _FOREIGN.sub(_fold_match, folded)
    return " ".join((_ASCII_PIECES if folded.isascii() else _PIECES).findall(folded))


def _fold_match(found: re.Match[str]) -> str:
    return fold(found.group())


def strip_identifiers(text: str) -> str:
    """Return the text without DOIs, URLs and PubMed numbers.

    >>> strip_identifiers("Reed A. Drift. 2019. doi: 10.1234/x.5 PMID: 123")
    'Reed A. Drift. 2019.  '
    """
    return _IDENTIFIERS.sub("", text) if _may_have_identifiers(text.lower()) else text


def _may_have_identifiers(low: str) -> bool:
    return "://" in low or "doi" in low or "pm" in low or "www." in low or ("10." in low and "/" in low)


def comparison_fields_of_text(text: str) -> ComparisonFields:
    """Return the comparison fields of an unlabelled string: its words, and the first number that can be a year."""
    words = plain(strip_identifiers(text))
    years = YEAR.findall(words)
    return ComparisonFields(words, year=int(years[0]) if years else 0)


def extract_fields(record: Record) -> tuple[Record, ComparisonFields]:
    """Return a record with its comparison fields; where these cannot be had, there are none and the record says why."""
    if record.origin and record.origin.error is not None:
        return record, ComparisonFields("")
    try:
        trip("compare", record.origin.text if record.origin else "")
        return record, comparison_fields(record)
    except Exception as error:
        return with_error(record, describe_fault(error, "comparing it")), ComparisonFields("")


def comparison_fields(record: Record) -> ComparisonFields:
    """Return the comparison fields of a record; the text is the string it was parsed from, or else its values."""
    whole = record.origin.text if record.origin else " ".join(text_of(entry.value) for entry in record.entries)
    held: dict[str, Value] = {}
    people, identifiers = [], []
    for entry in record.entries:
        field, value = entry.field, entry.value
        if field not in held:
            held[field] = value
        if field == "author" and isinstance(value, Name):
            people.append(_person(value.family or value.literal, value.given))
        elif field in _IDENTIFIER_FIELDS:
            identifiers.append(f"{field}:{text_of(value).strip().lower()}")
    date, pages = held.get("date"), held.get("pages")
    first, last = (pages.first, pages.last) if isinstance(pages, Pages) else (text_of(pages), "")
    venues = [held.get(field) for field in ("container", "series", "institution", "publisher")]
    return ComparisonFields(
        plain(strip_identifiers(whole)),
        plain(text_of(held.get("title"))),
        next((_venue(text_of(venue)) for venue in venues if venue), ""),
        tuple(people),
        "author-etal" in held,
        year_of(date) or 0,
        _digits_of(held.get("volume")),
        _digits_of(held.get("issue")),
        plain(first) or plain(text_of(held.get("article-number"))),
        plain(last),
        plain(text_of(held.get("number"))),
        record.type,
        tuple(identifiers),
    )


def text_of(value: Value | None) -> str:
    """Return the text of a value."""
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


def year_of(value: Value | None) -> int | None:
    """Return the year of a date, None where it is unknown or of more digits than any year has."""
    year = value.year if isinstance(value, Date) else None
    return year if year is not None and -_LAST_YEAR <= year <= _LAST_YEAR else None


def _digits_of(value: Value | None) -> str:
    """Return a number as digits where its value is known."""
    if isinstance(value, Number) and value.value is not None:
        return str(value.value)
    return plain(text_of(value))


@lru_cache(_CACHED)
def _person(family: str, given: str) -> Person:
    letter = given[:1]
    known = letter.isascii() and letter.isalpha()
    return plain(family), letter.lower() if known else plain(given)[:1]


_venue = lru_cache(_CACHED)(plain)
