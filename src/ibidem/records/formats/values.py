"""Values as plain text and as JSON, and back.

`read_date` reads what `date_text` writes, and so for pages and names. They are not the normalisers, which make sense of
what people write. What a reader cannot understand stays text, as the contract of a record asks; `entry_of` adds the
warning. JSON is what our own JSON Lines holds, and what CSL-JSON keeps under `custom`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ibidem.errors import InputError
from ibidem.records.fields import FIELDS
from ibidem.records.normalise.numbers import number_of
from ibidem.records.record import SEASONS, Date, Entry, Name, Number, Pages, Value

STATUSES = frozenset(
    "in press|forthcoming|submitted|accepted|in preparation|under review|unpublished|n.d.|s.a.".split("|")
)
NAME_PARTS = ("family", "given", "particle", "suffix", "literal")
_DATE_PARTS = ("year", "month", "day", "season", "letter", "approximate", "status")
_KINDS = {"name": Name, "date": Date, "pages": Pages, "number": Number, "text": str, "etal": str, "identifier": str}
_ONE = r"(-?\d{4})(?:-(\d\d)(?:-(\d\d))?)?(~?)"
_DATE = re.compile(rf"{_ONE}(?:/{_ONE})?([a-z]?)(?: \(([^()]+)\))?")
LAST_YEAR = 9999  # what four digits can say
LARGEST = 2**53  # whole numbers that every program reads alike
_LIMITS = {"year": (-LAST_YEAR, LAST_YEAR), "month": (1, 12), "day": (1, 31), "value": (-LARGEST, LARGEST)}
_UNSAFE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_BLANK = re.compile(r"[\t\n\v\f\r \x85\u2028\u2029]+")


class Unreadable(InputError, ValueError):
    """An entry of a file that cannot be read."""


def read_json(data: bytes) -> Any:
    """Return what JSON says; an `Unreadable` says where it is not valid."""
    import orjson

    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Unreadable(f"not valid JSON: {error}") from None


def show(found: object, size: int) -> str:
    """Return the beginning of what JSON holds, to be quoted in a message."""
    try:
        return str(found)[:size]
    except RecursionError:
        return "what is nested too deeply"


def number_within(text: str, least: int, most: int) -> int | None:
    """Return the number that digits make, None where they are none or it is out of range.

    >>> number_within("12", 1, 12), number_within("13", 1, 12), number_within("May", 1, 12)
    (12, None, None)
    """
    number = int(text) if text.isdecimal() and len(text) < 20 else None
    return number if number is not None and least <= number <= most else None


def clean(text: str) -> str:
    """Return a text on one line, without control characters and lone surrogates.

    >>> clean(" two\\n lines\\x00 ")
    'two lines'
    """
    if text.isprintable() and "  " not in text:  # the usual case, at a tenth of the cost
        return text.strip(" ")
    return _BLANK.sub(" ", _UNSAFE.sub("", text)).strip(" ")


def date_text(date: Date) -> str:
    """Write all of a date as text: EDTF, then its letter, then its status in brackets; or the status alone.

    >>> date_text(Date(2019, 3, letter="a", status="in press")), date_text(Date(status="n.d."))
    ('2019-03a (in press)', 'n.d.')
    """
    if date.year is None:
        return date.status
    return date.edtf + date.letter + (f" ({date.status})" if date.status else "")


def read_date(text: str) -> Date | str:
    """Read a date in the form of `date_text`; any other text is returned as it is.

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
    return replace(first, end=last)


def _simple(
    year: str, month: str | None, day: str | None, about: str, letter: str = "", status: str = ""
) -> Date | None:
    """Return the date of its parts, None where a month or a day cannot be."""
    number = int(month) if month else None
    approximate = bool(about)
    if number is not None and 21 <= number <= 24 and day is None:
        return Date(int(year), season=SEASONS[number - 21], letter=letter, approximate=approximate, status=status)
    if (number is not None and not 1 <= number <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return Date(int(year), number, int(day) if day else None, "", letter, approximate, status)


def pages_text(pages: Pages, dash: str = "-") -> str:
    """Write first and last page with a dash between them: an en dash where a page has a hyphen of its own."""
    if not pages.last:
        return pages.first
    return pages.first + (dash if "-" not in pages.first + pages.last else "–") + pages.last


def read_pages(text: str) -> Pages:
    """Read pages in the form of `pages_text`.

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
    """Write a name as in an index: van der Berg, Jan, Jr."""
    if name.literal:
        return name.literal
    family = f"{name.particle} {name.family}".strip()
    parts = (family, name.given, name.suffix) if name.suffix else (family, name.given) if name.given else (family,)
    return ", ".join(parts)


def read_name(text: str) -> Name:
    """Read a name such as `Family, Given, Suffix`; a literal where there is no comma."""
    parts = [part.strip() for part in text.split(",")]
    if not 2 <= len(parts) <= 3 or not parts[0] or not any(parts[1:]):
        return Name(literal=text.strip())
    return Name(parts[0], parts[1], suffix=parts[2] if len(parts) == 3 else "")


def value_text(value: Value) -> str:
    """Write any value as text."""
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
    raise InputError(f"no value of a record: {value!r:.100}")


def entry_of(field: str, text: str, *warnings: str) -> Entry:
    """Make the entry of a field that a file gives as text; what cannot be understood stays text, with a warning."""
    value: Value = text
    match FIELDS[field].type if field in FIELDS else "text":
        case "name":
            value = read_name(text)
        case "date":
            value = read_date(text)
            if isinstance(value, str):
                warnings += (f"{text[:40]!r} is no date that is understood; kept as text",)
        case "number":
            value = number_of(text)
        case "pages":
            value = read_pages(text)
    return Entry(field, value, warnings=warnings)


def value_object(value: Value) -> str | dict[str, Any]:
    """Return the JSON of a value: a string, or an object of its parts that are not empty.

    >>> value_object(Date(2019, end=Date(2021)))
    {'edtf': '2019/2021', 'year': 2019, 'end': {'edtf': '2021', 'year': 2021}}
    """
    match value:
        case str():
            return value
        case Name():
            return {part: text for part in NAME_PARTS if (text := getattr(value, part))} or {"literal": ""}
        case Pages():
            return {"first": value.first, "last": value.last} if value.last else {"first": value.first}
        case Number():
            return {"text": value.text} if value.value is None else {"text": value.text, "value": value.value}
        case Date():
            found: dict[str, Any] = {"edtf": value.edtf}
            found |= {part: kept for part in _DATE_PARTS if (kept := getattr(value, part)) not in (None, "", False)}
            if value.end is not None:
                found["end"] = value_object(value.end)
            return found
    raise InputError(f"no value of a record: {value!r:.100}")


def value_of_object(found: object) -> Value:
    """Return the value of its JSON; an `Unreadable` says what is wrong with it."""
    if isinstance(found, str):
        return found
    if not isinstance(found, dict) or not found:
        raise Unreadable(f"a value is a string or an object with parts, not {show(found, 60)!r}")
    if "text" in found:
        return Number(text_in(found, "text"), _whole(found, "value"))
    if "first" in found:
        return Pages(text_in(found, "first"), text_in(found, "last"))
    if any(part in found for part in NAME_PARTS):
        _only(found, NAME_PARTS)
        return Name(**{part: text_in(found, part) for part in NAME_PARTS})
    _only(found, (*_DATE_PARTS, "edtf", "end"))
    end = value_of_object(found["end"]) if "end" in found else None
    if end is not None and (not isinstance(end, Date) or end.end is not None):
        raise Unreadable("the end of a date must be a date without an end of its own")
    season = text_in(found, "season")
    if season not in ("", *SEASONS):
        raise Unreadable(f"no season {season[:40]!r}; there are spring, summer, autumn and winter")
    return Date(
        _whole(found, "year"), _whole(found, "month"), _whole(found, "day"), season,
        text_in(found, "letter"), found.get("approximate") is True, text_in(found, "status"), end,
    )  # fmt: skip


def check_kind(field: str, value: Value) -> None:
    """Raise an `Unreadable` where a field cannot have a value of this kind; any may have text."""
    expected = _KINDS[FIELDS[field].type]
    if not isinstance(value, (str, expected)):
        kind, wanted = type(value).__name__.lower(), expected.__name__.lower().replace("str", "string")
        raise Unreadable(f"the value of {field!r} must be a {wanted}, and is a {kind}")


def _only(found: dict[str, Any], known: tuple[str, ...]) -> None:
    strange = [key for key in found if key not in known]
    if strange:
        raise Unreadable(f"a value has the unknown part {strange[0][:40]!r}; known are {', '.join(known)}")


def text_in(found: dict[str, Any], part: str) -> str:
    """Return a text of a JSON object, empty where it has none; an `Unreadable` says that it is no text."""
    text = found.get(part, "")
    if not isinstance(text, str):
        raise Unreadable(f"{part!r} must be a string, not {show(text, 40)!r}")
    return text


def check_limits(value: object) -> None:
    """Raise an `Unreadable` where a number in a value is out of the range that JSON Lines can hold."""
    for part in _LIMITS:
        _check_limits(part, getattr(value, part, None))


def _check_limits(part: str, number: int | None) -> None:
    least, most = _LIMITS[part]
    if number is not None and not least <= number <= most:
        shown = number if number.bit_length() <= 100 else f"a number of {number.bit_length():,} bits"
        raise Unreadable(f"{part!r} must be between {least} and {most}, not {shown}")


def _whole(found: dict[str, Any], part: str) -> int | None:
    number = found.get(part)
    if number is None:
        return None
    if not isinstance(number, int) or isinstance(number, bool):
        raise Unreadable(f"{part!r} must be a whole number, not {show(number, 40)!r}")
    _check_limits(part, number)
    return number
