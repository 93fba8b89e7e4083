"""Dates as a style writes them, with the labels of their parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ibidem.csl.cases import CASES
from ibidem.csl.items import Context
from ibidem.csl.locales import DatePart, parts_of
from ibidem.csl.markers import glue, join, wrap
from ibidem.records.record import Date

_SEASONS = {"spring": "season-01", "summer": "season-02", "autumn": "season-03", "winter": "season-04"}
_KEPT = {"year": ("year",), "year-month": ("year", "month"), "year-month-day": ("year", "month", "day")}


def date_writer(element: Element) -> Callable[[Context], str]:
    """Return the function that renders a `date` element."""
    variable, form = element.get("variable", ""), element.get("form", "")
    kept = _KEPT.get(element.get("date-parts", ""), _KEPT["year-month-day"])
    own, delimiter = parts_of(element), element.get("delimiter", "")
    changes = {part.name: part for part in own}

    def write(context: Context) -> str:
        if not context.ask(variable):
            return ""
        date = context.item.dates.get(variable)
        if date is None:  # given as words, which stand among the texts
            return wrap(context.item.labels.get(variable, ""), context.item.values[variable])
        between, parts = delimiter, own
        if form:
            between, given = context.locale.dates.get(form, ("", (DatePart("year"),)))
            parts = tuple(_override(part, changes.get(part.name)) for part in given if part.name in kept)
        label = "date" if variable == "issued" else "accessed" if variable == "accessed" else "?"
        return _write_range(date, context, parts, between, label)

    return write


def _override(part: DatePart, change: DatePart | None) -> DatePart:
    if change is None:
        return part
    form, case = change.form or part.form, change.case or part.case
    return replace(part, form=form, case=case, strip=change.strip, font=change.font)


def _write_range(date: Date, context: Context, parts: tuple[DatePart, ...], between: str, label: str) -> str:
    """Write a date or a range of dates; what the two ends of a range share is written once: 9–12 September 1991."""
    pieces = _pieces(date, context, parts, label)
    if not pieces:
        return ""
    if date.end is not None:
        apart = _differing_parts(date, date.end)
        ends = _inside([one for one in _pieces(date.end, context, parts, label) if one.name in apart], between)
        places = [place for place, one in enumerate(pieces) if one.name in apart]
        if ends and places:
            first, last = places[0], places[-1]
            block = pieces[first : last + 1]
            both = f"{_inside(block, between)}–{ends}"
            pieces[first : last + 1] = [_Piece("", block[0].prefix, both, block[-1].suffix)]
    text = wrap(label, _inside(pieces, between))
    return glue(glue(pieces[0].prefix, text), pieces[-1].suffix)


def _differing_parts(start: Date, end: Date) -> tuple[str, ...]:
    """Return the parts that two dates do not share: the largest in which they differ, and all smaller ones."""
    if start.year != end.year:
        return ("year", "month", "day")
    return ("month", "day") if (start.month, start.season) != (end.month, end.season) else ("day",)


class _Piece(NamedTuple):
    """A written part of a date, or a range of parts, between what stands around it."""

    name: str
    prefix: str
    text: str
    suffix: str


def _pieces(date: Date, context: Context, parts: tuple[DatePart, ...], label: str) -> list[_Piece]:
    written = ((part, _part(part, date, context, label)) for part in parts)
    return [_Piece(part.name, part.prefix, text, part.suffix) for part, text in written if text]


def _inside(pieces: list[_Piece], between: str) -> str:
    """Join the pieces to one text, without what stands before the first and after the last."""
    final = len(pieces) - 1
    texts = [
        glue(glue(one.prefix if place else "", one.text), one.suffix if place < final else "")
        for place, one in enumerate(pieces)
    ]
    return join(texts, between)


def _part(part: DatePart, date: Date, context: Context, label: str) -> str:
    """Write one part of a date, labelled where it belongs to the date of publication."""
    write = _PARTS.get(part.name)
    text = write(part, date, context) if write else ""
    if part.strip:
        text = text.replace(".", "")
    if part.case in CASES:
        text = CASES[part.case](text)
    if not text:
        return ""
    before, after = part.font
    return before + (wrap(f"date/{part.name}", text) if label == "date" else text) + after


def _year(part: DatePart, date: Date, context: Context) -> str:
    if date.year is None:
        return ""
    if date.year < 0:
        return f"{-date.year}{context.locale.term('bc')}"
    text = f"{date.year % 100:02d}" if part.form == "short" else str(date.year)
    return text + context.item.letter if context.letters_in_years and context.item.dates.get("issued") is date else text


def _month(part: DatePart, date: Date, context: Context) -> str:
    if date.season:
        return context.locale.term(_SEASONS.get(date.season, ""))
    if not date.month:
        return ""
    if part.form == "numeric":
        return str(date.month)
    if part.form == "numeric-leading-zeros":
        return f"{date.month:02d}"
    return context.locale.term(f"month-{date.month:02d}", part.form or "long")


def _day(part: DatePart, date: Date, context: Context) -> str:
    if not date.day or not date.month:
        return ""
    if part.form == "numeric-leading-zeros":
        return f"{date.day:02d}"
    if part.form == "ordinal":
        only_first = context.locale.options.get("limit-day-ordinals-to-day-1") == "true"
        return str(date.day) if only_first and date.day > 1 else context.locale.ordinal(date.day)
    return str(date.day)


_PARTS = {"year": _year, "month": _month, "day": _day}
