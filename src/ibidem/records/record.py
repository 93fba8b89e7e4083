"""What a record is: a type, and entries that keep what was written beside what it means.

A value is what a field means after normalisation; `raw`, `start` and `end` say which characters it came from. A
normaliser that cannot make sense of a field leaves its text as the value and adds a warning, so nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ibidem.types import Parsed

TYPES: dict[str, str] = {
    "article": "an article in a journal, magazine or newspaper",
    "paper": "a paper in the proceedings of a meeting",
    "book": "a whole book, or whole proceedings",
    "chapter": "a chapter or part of a book",
    "thesis": "a thesis of any degree",
    "report": "a report or working paper",
    "preprint": "a paper on a preprint server",
    "webpage": "a page or post on the net",
    "dataset": "a set of data",
    "software": "a program or package",
    "standard": "a standard or a law",
    "patent": "a patent",
    "other": "anything else",
}
"""The types of works, with one line of meaning each."""

FIELDS: dict[str, str] = {
    "author": "a name each, in order",
    "author-etal": "the words that say that the list of authors goes on",
    "editor": "a name each, in order",
    "editor-etal": "the words that say that the list of editors goes on",
    "translator": "a name each, in order",
    "title": "the title of the work that is cited",
    "container": "the journal, book or proceedings that contain the work",
    "series": "the series of books, reports or proceedings",
    "volume": "a number",
    "issue": "a number",
    "pages": "first and last page",
    "article-number": "the number of an article in a journal without pages",
    "edition": "a number",
    "chapter": "the number or name of the chapter that is meant",
    "date": "when it was published",
    "accessed": "when it was looked at",
    "publisher": "the publisher",
    "place": "the place of the publisher or of the meeting",
    "institution": "the university or body that a thesis or report comes from",
    "genre": "words that say what the work is: PhD thesis",
    "number": "the number of a report, patent or standard",
    "doi": "in lower case, from its 10. on",
    "arxiv": "as 1501.00001 or hep-th/9901001, with its version where one was given",
    "pmid": "digits",
    "pmcid": "PMC and digits",
    "isbn": "13 digits, or 10 where that is what was given",
    "issn": "as 1234-567X",
    "url": "an address on the net",
    "language": "a code of BCP 47",
    "archive": "who keeps the work",
    "note": "any other remark",
    "marker": "the number or key before the reference",
}
"""The fields of a record, with one line each about their value."""

NAMES: frozenset[str] = frozenset({"author", "editor", "translator"})
DATES: frozenset[str] = frozenset({"date", "accessed"})
NUMBERS: frozenset[str] = frozenset({"volume", "issue", "edition"})
"""The fields whose values are a `Name`, a `Date`, a `Number`; `pages` has `Pages`; all others are strings."""


@dataclass(frozen=True, slots=True)
class Name:
    """A person by parts, or a group (or a name nobody could divide) as a `literal` alone."""

    family: str = ""
    given: str = ""
    particle: str = ""  # van der, de la: what stands before the family name and is not sorted under
    suffix: str = ""  # Jr., III
    literal: str = ""


@dataclass(frozen=True, slots=True)
class Date:
    """A day, month, season or year, a range of them, or a status such as "in press"; `edtf` writes it down.

    >>> Date(2019, 3).edtf, Date(2019, end=Date(2021)).edtf, Date(2020, season="spring").edtf
    ('2019-03', '2019/2021', '2020-21')
    """

    year: int | None = None
    month: int | None = None  # 1 to 12
    day: int | None = None
    season: str = ""  # spring, summer, autumn, winter
    letter: str = ""  # the a of 2019a, which tells two works apart
    approximate: bool = False  # ca. 1850, [1850?]
    status: str = ""  # in press, forthcoming, submitted, n.d.
    end: Date | None = None  # where it is a range

    @property
    def edtf(self) -> str:
        """The date in the Extended Date/Time Format, empty where there is only a status."""
        if self.year is None:
            return ""
        text = f"{self.year:04d}" if self.year >= 0 else f"-{-self.year:04d}"
        if self.season:
            text += f"-{_SEASONS.index(self.season) + 21}"
        elif self.month is not None:
            text += f"-{self.month:02d}" + ("" if self.day is None else f"-{self.day:02d}")
        text += "~" if self.approximate else ""
        return text if self.end is None else f"{text}/{self.end.edtf}"


_SEASONS = ("spring", "summer", "autumn", "winter")


@dataclass(frozen=True, slots=True)
class Pages:
    """From the first page to the last, written out in full; `last` is empty where there is one page only."""

    first: str
    last: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written, and its value where it is one (third, 3rd and III are 3)."""

    text: str
    value: int | None = None


Value = str | Name | Date | Pages | Number


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of a record; `start` and `end` are -1 where it was not parsed from a string."""

    field: str
    value: Value
    raw: str = ""
    start: int = -1
    end: int = -1
    confidence: float = 1.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A cited work: its type and its entries, several of one field standing in their order.

    `origin` is the parsed reference it was made of, None where it was read from a file of records. `warnings` are
    about the record as a whole; each entry has its own.

    >>> record = Record("book", (Entry("title", "On things"), Entry("author", Name("Doe", "J."))))
    >>> record.first("title"), record.all("author"), record.first("doi")
    ('On things', [Name(family='Doe', given='J.', particle='', suffix='', literal='')], None)
    """

    type: str = "other"
    entries: tuple[Entry, ...] = ()
    confidence: float = 1.0  # the probability of the type
    key: str = ""  # what its file calls it
    origin: Parsed | None = None
    warnings: tuple[str, ...] = ()

    def all(self, field: str) -> list[Value]:
        """The values of a field, in their order."""
        return [entry.value for entry in self.entries if entry.field == field]

    def first(self, field: str) -> Value | None:
        """The first value of a field, None where it has none."""
        return next((entry.value for entry in self.entries if entry.field == field), None)

    def every_warning(self) -> Iterator[str]:
        """The warnings about the record and about each entry, the field named."""
        yield from self.warnings
        for entry in self.entries:
            yield from (f"{entry.field}: {warning}" for warning in entry.warnings)
