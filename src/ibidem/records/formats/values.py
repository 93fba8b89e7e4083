"""Values as plain text and back: dates, pages, numbers and names for formats that have no parts for them.

`read_date` reads what `date_text` writes, and so for pages and names. They are not the normalisers, which make sense of
what people write. What a reader cannot understand stays text, as the contract of a record asks; `entry_of` adds the
warning.
"""

from __future__ import annotations

import re

from ibidem.records.normalise.numbers import number_of
from ibidem.records.record import DATES, NAMES, NUMBERS, Date, Entry, Name, Number, Pages, Value

SEASONS = ("spring", "summer", "autumn", "winter")
STATUSES = frozenset(
    {
        "in press",
        "forthcoming",
        "submitted",
        "accepted",
        "in preparation",
        "under review",
        "unpublished",
        "n.d.",
        "s.a.",
    }
)
IDENTIFIERS = frozenset({"doi", "arxiv", "pmid", "pmcid", "isbn", "issn", "url"})
_ONE = r"(-?\d{4})(?:-(\d\d)(?:-(\d\d))?)?(~?)"
_DATE = re.compile(rf"{_ONE}(?:/{_ONE})?([a-z]?)(?: \(([^()]+)\))?")
_UNSAFE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_BLANK = re.compile(r"[\t\n\v\f\r \x85\u2028\u2029]+")


def clean(text: str) -> str:
    """The text without control characters and lone surrogates, on one line.

    >>> clean(" two\\n lines\\x00 ")
    'two lines'
    """
    if text.isprintable() and "  " not in text:  # the usual case, at a tenth of the cost
        return text.strip(" ")
    return _BLANK.sub(" ", _UNSAFE.sub("", text)).strip(" ")


def date_text(date: Date) -> str:
    """The whole of a date as text: EDTF, then its letter, then its status in brackets; or the status alone.

    >>> date_text(Date(2019, 3, letter="a", status="in press")), date_text(Date(status="n.d."))
    ('2019-03a (in press)', 'n.d.')
    """
    if date.year is None:
        return date.status
    return date.edtf + date.letter + (f" ({date.status})" if date.status else "")


def read_date(text: str) -> Date | str:
    """The date that a text in the form of `date_text` means; any other text as it is.

    >>> read_date("2019/2021").end.year, read_date("In press").status, read_date("last Tuesday")
    (2021, 'in press', 'last Tuesday')
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        status = text.strip().lower()
        return Date(status=status) if status in STATUSES else text
    year, month, day, about, last_year, last_month, last_day, last_about, letter, status = found.groups()
    first = _simple(year, month, day, about, letter, status or "")
    last = _simple(last_year, last_month, last_day, last_about) if last_year else None
    if first is None or (last_year and last is None):
        return text
    return Date(
        first.year, first.month, first.day, first.season, first.letter, first.approximate, first.status, last
    )  # fmt: skip


def _simple(
    year: str, month: str | None, day: str | None, about: str, letter: str = "", status: str = ""
) -> Date | None:
    """The date of its parts, None where a month or a day cannot be."""
    number = int(month) if month else None
    approximate = bool(about)
    if number is not None and 21 <= number <= 24 and day is None:
        return Date(int(year), season=SEASONS[number - 21], letter=letter, approximate=approximate, status=status)
    if (number is not None and not 1 <= number <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return Date(int(year), number, int(day) if day else None, "", letter, approximate, status)


def pages_text(pages: Pages, dash: str = "-") -> str:
    """First and last page with a dash between them: an en dash where a page has a hyphen of its own."""
    if not pages.last:
        return pages.first
    return pages.first + (dash if "-" not in pages.first + pages.last else "–") + pages.last


def read_pages(text: str) -> Pages:
    """The pages that a text means.

    >>> read_pages("153-160"), read_pages("S-1–S-9"), read_pages("A-12-14").first
    (Pages(first='153', last='160'), Pages(first='S-1', last='S-9'), 'A-12-14')
    """
    text = text.strip()
    dash = "–" if "–" in text else "--" if "--" in text else "-"
    first, found, last = text.partition(dash)
    if not found or not first.strip() or not last.strip() or dash in last:
        return Pages(text)
    return Pages(first.strip(), last.strip())


def name_text(name: Name) -> str:
    """A name as one reads it in an index: van der Berg, Jan, Jr."""
    if name.literal:
        return name.literal
    family = f"{name.particle} {name.family}".strip()
    parts = (family, name.given, name.suffix) if name.suffix else (family, name.given) if name.given else (family,)
    return ", ".join(parts)


def read_name(text: str) -> Name:
    """The name of a text such as `Family, Given, Suffix`; a literal where there is no comma."""
    parts = [part.strip() for part in text.split(",")]
    if not 2 <= len(parts) <= 3 or not parts[0] or not any(parts[1:]):
        return Name(literal=text.strip())
    return Name(parts[0], parts[1], suffix=parts[2] if len(parts) == 3 else "")


def value_text(value: Value) -> str:
    """Any value as text."""
    match value:
        case str():
            return value
        case Name():
            return name_text(value)
        case Date():
            return date_text(value)
        case Pages():
            return pages_text(value)
        case Number():
            return value.text


def entry_of(field: str, text: str, *warnings: str) -> Entry:
    """The entry of a field that a file gives as text; what cannot be understood stays text, with a warning."""
    value: Value = text
    if field in NAMES:
        value = read_name(text)
    elif field in DATES:
        value = read_date(text)
        if isinstance(value, str):
            warnings += (f"{text[:40]!r} is no date that is understood; kept as text",)
    elif field in NUMBERS:
        value = number_of(text)
    elif field == "pages":
        value = read_pages(text)
    return Entry(field, value, warnings=warnings)
