"""Dates: year, month, day or season, ranges of them, and statuses such as "in press".

Words around a date ("Published online", "Thursday") are passed over; numbers that fit nowhere make it no date.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from ibidem.records.record import Date
from ibidem.text.months import MONTHS

Outcome = tuple[Date | str, tuple[str, ...]]

_SEASONS = {
    "spring": "spring printemps primavera frühling frühjahr fruehjahr lente весна",
    "summer": "summer été verano sommer estate verão zomer лето",
    "autumn": "autumn fall automne otoño herbst autunno outono herfst осень",
    "winter": "winter hiver invierno inverno зима",
}
SEASONS: dict[str, str] = {word: season for season, words in _SEASONS.items() for word in words.split()}
"""The season by its name; `été` and `estate` are only looked for beside a year."""

_STATUSES = {
    "in press": "in press|in print|im druck|im erscheinen|sous presse|en prensa|in stampa|no prelo|в печати|accepted|"
    "i trykk|under tryckning|w druku|v tisku|baskıda|ter perse|印刷中|인쇄 중|인쇄중",
    "forthcoming": "forthcoming|to appear|to be published|à paraître|erscheint|待刊|待发表|出版予定",
    "in preparation": "in preparation|in prep",
    "submitted": "submitted|under review|in review",
    "unpublished": "unpublished",
    "n.d.": "n d|nd|no date|o j|s d|s a|sine anno|sin fecha|s f|undated|ohne jahr|sans date|sem data|senza data|z j|"
    "zonder jaar|u å|б г|без года|t y|tarihsiz|b r|bez roku|无日期|日付なし",
}
STATUSES: dict[str, str] = {word: status for status, words in _STATUSES.items() for word in words.split("|")}
"""What is written instead of a date, words parted by one space, and its normal form."""

_PIECE = re.compile(
    r"(?P<clock>(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d))"
    r"|(?P<numeric>(?<!\d)\d{4}\s?[-/.年년]\s?\d{1,2}\s?[-/.月월]\s?\d{1,2}(?!\d)"
    r"|(?<!\d)\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{4}(?!\d)"
    r"|(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?!\d))"
    r"|(?P<partly>(?<!\d)(?:\d{4}(?:-(?:0[1-9]|1[0-2])|\s?[.年]\s?(?:0?[1-9]|1[0-2]))(?![\d-])"
    r"|(?:0?[1-9]|1[0-2])\s?[/.]\s?\d{4}))(?!\d)"
    r"|(?P<year>(?<!\d)\d{4}(?!\d))(?P<letter>[a-z](?![^\W\d_]))?"
    r"|(?P<small>(?<!\d)\d{1,2}(?!\d))\s?(?:st|nd|rd|th|er|º|ª|°)?(?![^\W\d_])"
    r"|(?P<word>[^\W\d_]+(?:[\u0900-\u0903\u093a-\u094f]+[^\W\d_]*)*)"  # with vowel signs of Devanagari
    r"|(?P<other>\d+)"
    r"|(?P<dash>[-–—−/]|\bto\b)",
    re.IGNORECASE,
)
_ROUGHLY = re.compile(r"\b(?:ca?|circa|um|vers|approx)\b\.?\s*\[?\d|\d{4}\s?\?|\[\d{4}\?\]", re.IGNORECASE)
_LETTER = re.compile(r"(?<=\d{4})[-–]?\s?([a-z])(?![^\W\d_])")
_SPACED = re.compile(r"(?<!\d)(1\s?[4-9]\s?\d\s?\d|2\s?0\s?\d\s?\d)(?!\d|\s\d)")
AMBIGUOUS = "may be day, month, year: the month was taken first"
"""The warning about a date such as 04/06/2019."""
_JOINING = frozenset("to bis à al a и".split())
_LONGEST = 200


def _numeric(text: str) -> Date | None:
    """Read a date of digits alone: 2009-04-29, 31.08.2011; with slashes the month comes first where it can."""
    mark = next(character for character in text if character in "-/.年년")
    one, two, three = (int(part) for part in re.findall(r"\d+", text))
    if text[:4].isdigit():
        year, month, day = one, two, three
    else:
        year, month, day = three, two, one
        if mark == "/" and one <= 12:
            month, day = one, two
        elif month > 12:
            month, day = day, month
    if year < 100:
        year += 1900 if year > 30 else 2000
    return Date(year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


class _Pieces:
    """The pieces of a date read so far; a second value of a kind begins the end of a range."""

    def __init__(self) -> None:
        self.years: list[int] = []
        self.months: list[int] = []
        self.days: list[int] = []
        self.season = self.letter = ""
        self.whole: list[Date] = []
        self.dashed = False
        self.strange = False
        self.short = ""  # the 20 of 2019/20

    def take(self, piece: re.Match[str]) -> None:
        kind = piece.lastgroup if piece.lastgroup != "letter" else "year"
        text = piece[kind] if kind else ""
        if kind == "year":
            self.years.append(int(text))
            self.letter = piece["letter"] or self.letter
        elif kind == "small":
            self._small(text)
        elif kind == "word" and text.lower() in MONTHS:
            self.months.append(MONTHS[text.lower()])
        elif kind == "word":
            self.season = self.season or SEASONS.get(text.lower(), "")
        elif kind == "numeric":
            date = _numeric(text)
            self.whole += [date] if date else []
            self.strange |= date is None
        elif kind == "partly":  # 2009-04, 06/2010
            one, two = (int(part) for part in re.findall(r"\d+", text))
            self.whole.append(Date(one, two) if text[:4].isdigit() else Date(two, one))
        elif kind == "other":
            self.strange = True
        self.dashed = kind == "dash" or (kind == "word" and text.lower() in _JOINING)

    def _small(self, text: str) -> None:
        if self.dashed and self.years and not self.months and not self.short:
            self.short = text
        elif 1 <= int(text) <= 31:
            self.days.append(int(text))
        elif int(text) > 31 and not self.years:  # Nov 94
            self.years.append(1900 + int(text))
        else:
            self.strange = True


def _assemble(found: _Pieces) -> Date | None:
    """Return the date that the pieces make, None where they make none or several."""
    if found.whole:
        first, *others = found.whole
        return replace(first, end=others[0]) if others and others[0] != first else first
    years, months, days = found.years, found.months, found.days
    if found.strange or len(years) > 2 or len(months) > 2 or len(days) > 2 or not (years or months or found.season):
        return None
    if days and not months:
        return None if not years else Date(years[0], letter=found.letter)
    year = years[0] if years else None
    date = Date(year, months[0] if months else None, days[0] if days else None, found.season, found.letter)
    return replace(date, end=_end(found, date))


def _end(found: _Pieces, date: Date) -> Date | None:
    years, months, days = found.years, found.months, found.days
    if found.short and date.year is not None:
        last = date.year // 100 * 100 + int(found.short)
        return Date(last) if last > date.year else None
    last_year = years[-1] if years else None
    if len(months) > 1:
        return Date(last_year, months[1], days[1] if len(days) > 1 else None)
    if len(days) > 1:
        return Date(last_year, date.month, days[1])
    return Date(last_year, date.month if months else None) if len(years) > 1 and last_year != date.year else None


def _join_digits(text: str) -> str:
    """Join the digits of a year that spaces part, where there is no other year."""
    if re.search(r"(?<!\d)\d{4}(?!\d)", text):
        return text
    last = max(_SPACED.finditer(text), key=re.Match.start, default=None)
    return f"{text[: last.start()]} {''.join(last.group().split())}{text[last.end() :]}" if last else text


def status_of(text: str) -> str:
    """Return the status that a text gives instead of a date, empty where it gives none.

    >>> status_of("In Press"), status_of("(n.d.)"), status_of("2019")
    ('in press', 'n.d.', '')
    """
    return STATUSES.get(" ".join(re.findall(r"[^\W\d_]+", text.lower())), "")


def _state_beside(text: str) -> str:
    """Return the state that stands beside a year: 2020, in press; a letter such as the d of n.d. is none."""
    if text.isascii() and not any(character.isalpha() for character in text):
        return ""
    words = [word for word in re.findall(r"[^\W\d_]+", text.lower()) if word not in MONTHS]
    state = STATUSES.get(" ".join(words), "")
    return state if state != "n.d." else ""


@lru_cache(1 << 13)
def date_of(text: str) -> Outcome:
    """Return the date of a text, or the text and a warning where it has none.

    >>> date_of("2019a")[0].letter, date_of("29 April 2009")[0].edtf, date_of("Spring 2020")[0].edtf
    ('a', '2009-04-29', '2020-21')
    >>> date_of("the day after")
    ('the day after', ('not understood as a date',))
    """
    if len(text) == 4 and text.isascii() and text.isdigit():
        return Date(int(text)), ()
    if len(text) > _LONGEST:
        return text, ("too long for a date",)
    found = _Pieces()
    for piece in _PIECE.finditer(_join_digits(text)):
        found.take(piece)
    date = _assemble(found)
    if date is not None and date.year is not None and (state := _state_beside(text)):
        date = replace(date, status=state)
    if date is None:
        status = status_of(text)
        return (Date(status=status), ()) if status else (text, ("not understood as a date",))
    if _ROUGHLY.search(text):
        date = replace(date, approximate=True)
    if not date.letter and (letter := _LETTER.search(text)):
        date = replace(date, letter=letter[1])
    return date, _doubts(date, found, text)


def _doubts(date: Date, found: _Pieces, text: str) -> tuple[str, ...]:
    if date.year is None:
        return ("no year",)
    if found.days and not date.day:
        return (f"not all of {text!r} is understood",)
    numeric = re.search(r"(?<!\d)(\d{1,2})/(\d{1,2})/\d{2,4}(?!\d)", text)
    if numeric and int(numeric[1]) <= 12 and int(numeric[2]) <= 12 and numeric[1] != numeric[2]:
        return (AMBIGUOUS,)
    return ()
