"""What a record is: a type, and entries that keep what was written beside what it means.

A value is what a field means after normalisation; `raw`, `start` and `end` say which characters it came from. A
normaliser that cannot make sense of a field leaves its text as the value and adds a warning, so nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ibidem.types import Parsed

SEASONS = ("spring", "summer", "autumn", "winter")


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
            text += f"-{SEASONS.index(self.season) + 21}"
        elif self.month is not None:
            text += f"-{self.month:02d}" + ("" if self.day is None else f"-{self.day:02d}")
        text += "~" if self.approximate else ""
        return text if self.end is None else f"{text}/{self.end.edtf}"


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


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A cited work: its type and its entries, several of one field standing in their order.

    `origin` is the parsed reference it was made of, None where it was read from a file of records. `warnings` are
    about the record as a whole; each entry has its own. `ibidem.records.fields` lists the fields.

    >>> record = Record("book", (Entry("title", "On things"), Entry("author", Name("Doe", "J."))))
    >>> record.first("title"), record.all("author"), record.first("doi")
    ('On things', [Name(family='Doe', given='J.', particle='', suffix='', literal='')], None)
    >>> record
    <Record book: Doe, 'On things', 2 entries>
    """

    type: str = "other"
    entries: tuple[Entry, ...] = ()
    confidence: float = 1.0  # the probability of the type
    key: str = ""  # what its file calls it
    origin: Parsed | None = None
    warnings: tuple[str, ...] = ()

    def all(self, field: str) -> list[Value]:
        """Return the values of a field, in their order."""
        return [entry.value for entry in self.entries if entry.field == field]

    def first(self, field: str) -> Value | None:
        """Return the first value of a field, None where it has none."""
        return next((entry.value for entry in self.entries if entry.field == field), None)

    def every_warning(self) -> Iterator[str]:
        """Yield the warnings about the record and about each entry, the field named."""
        yield from self.warnings
        for entry in self.entries:
            yield from (f"{entry.field}: {warning}" for warning in entry.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as Ibidem's own JSON object, with everything it holds.

        >>> Record("book", (Entry("title", "On things"),)).to_dict()["entries"][0]["value"]
        'On things'
        """
        from ibidem.records import formats

        return formats.as_object(self)

    def to_csl(self) -> dict[str, Any]:
        """Return the CSL-JSON item of the record, for citation processors.

        >>> Record("book", (Entry("title", "On things"),), key="doe").to_csl()
        {'id': 'doe', 'type': 'book', 'title': 'On things'}
        """
        from ibidem.records import formats

        return formats.as_csl_item(self)

    def to_bibtex(self) -> str:
        """Return the BibTeX entry of the record; what BibTeX cannot carry is left out.

        >>> print(Record("book", (Entry("title", "On things"),), key="doe").to_bibtex())
        @book{doe,
          title = {On things}
        }
        """
        from ibidem.records import formats

        return formats.as_bibtex(self)

    def __repr__(self) -> str:
        name, date, title = self.first("author") or self.first("editor"), self.first("date"), self.first("title")
        family = (name.family or name.literal) if isinstance(name, Name) else name
        year = str(date.year) if isinstance(date, Date) and date.year is not None else ""
        shown = title if not isinstance(title, str) or len(title) <= _SHOWN else f"{title[:_SHOWN].rstrip()}…"
        parts = [str(family or ""), year, repr(shown) if shown else ""]
        count = f"{len(self.entries)} entr{'y' if len(self.entries) == 1 else 'ies'}"
        return f"<Record {self.type}: {', '.join([*filter(None, parts), count])}>"


_SHOWN = 40  # characters of a title in a `repr`
