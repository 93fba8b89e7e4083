"""Dates as a style writes them, with the labels of their parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from xml.etree.ElementTree import Element

from ibidem.records.record import Date
from ibidem.records.synthesis.csl.cases import CASES
from ibidem.records.synthesis.csl.context import Context
from ibidem.records.synthesis.csl.locales import DatePart, parts_of
from ibidem.records.synthesis.markers import glue, joined, wrapped

_SEASONS = {"spring": "season-01", "summer": "season-02", "autumn": "season-03", "winter": "season-04"}
_KEPT = {"year": ("year",), "year-month": ("year", "month"), "year-month-day": ("year", "month", "day")}


def date_writer(element: Element) -> Callable[[Context], str]:
    """The function that renders a `date` element."""
    variable, form = element.get("variable", ""), element.get("form", "")
    kept = _KEPT.get(element.get("date-parts", ""), _KEPT["year-month-day"])
    own, delimiter = parts_of(element), element.get("delimiter", "")
    changes = {part.name: part for part in own}

    def parts(context: Context) -> tuple[str, tuple[DatePart, ...]]:
        if not form:
            return delimiter, own
        between, given = context.locale.dates.get(form, ("", (DatePart("year"),)))
        return between, tuple(_changed(part, changes.get(part.name)) for part in given if part.name in kept)

    def write(context: Context) -> str:
        if not context.ask(variable):
            return ""
        date = context.item.dates.get(variable)
        if date is None:  # given as words, which stand among the texts
            return wrapped(context.item.labels.get(variable, ""), context.item.values[variable])
        between, chosen = parts(context)
        label = "date" if variable == "issued" else "accessed" if variable == "accessed" else "?"
        return _ranged(date, context, chosen, between, label)

    return write


def _changed(part: DatePart, change: DatePart | None) -> DatePart:
    if change is None:
        return part
    return replace(part, form=change.form or part.form, case=change.case or part.case, strip=change.strip)


def _ranged(date: Date, context: Context, parts: tuple[DatePart, ...], between: str, label: str) -> str:
    written = _one(date, context, parts, between, label)
    if date.end is None or not written:
        return written
    end = _one(date.end, context, parts, between, label)
    return f"{written}–{end}" if end and end != written else written


def _one(date: Date, context: Context, parts: tuple[DatePart, ...], between: str, label: str) -> str:
    found = [(part, text) for part in parts if (text := _part(part, date, context, label))]
    if not found:
        return ""
    first, last = found[0][0], found[-1][0]
    pieces = [
        glue(glue("" if part is first else part.prefix, text), "" if part is last else part.suffix)
        for part, text in found
    ]
    return glue(glue(first.prefix, wrapped(label, joined(pieces, between))), last.suffix)


def _part(part: DatePart, date: Date, context: Context, label: str) -> str:
    """One part of a date, labelled where it belongs to the date of publication."""
    write = _PARTS.get(part.name)
    text = write(part, date, context) if write else ""
    if part.strip:
        text = text.replace(".", "")
    if part.case in CASES:
        text = CASES[part.case](text)
    return wrapped(f"date/{part.name}", text) if label == "date" else text


def _year(part: DatePart, date: Date, context: Context) -> str:
    if date.year is None:
        return ""
    text = f"{date.year % 100:02d}" if part.form == "short" else str(date.year)
    return text + context.item.letter if context.item.dates.get("issued") is date else text


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
