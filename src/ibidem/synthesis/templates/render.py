"""Rendering of a record in a template: the same markers as in CSL styles say where each field begins and ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from ibidem.csl.items import drop_full_stop, label_of, plain_name
from ibidem.csl.markers import glue, strip_markers, wrap
from ibidem.csl.names import DIVIDED
from ibidem.csl.numbers import last_page, roman
from ibidem.labels.schema import parent
from ibidem.records.fields import NAMES
from ibidem.records.record import Date, Name, Number, Pages, Record
from ibidem.synthesis.templates.brackets import draw
from ibidem.synthesis.templates.collection import name_styles
from ibidem.synthesis.templates.language import DATE_PART, Field, Group, Part, Template, Words
from ibidem.synthesis.templates.lexicon import Lexicon
from ibidem.synthesis.templates.names import NameStyle, write_names

_DASHES = ("-", "–", "-", "–", "—")
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_PARTS = {"Y": "year", "M": "month", "D": "day"}
_TITLES = frozenset({"title", "container"})
_DEFAULT = NameStyle()


def render(template: Template, record: Record, lexicon: Lexicon, random: Random) -> str:
    """Return the record in the form of the template, with markers; "" if it lacks a field outside the groups."""
    return _Rendering(record, lexicon, random).parts(template.parts) or ""


class _Rendering:
    def __init__(self, record: Record, lexicon: Lexicon, random: Random) -> None:
        self.record, self.lexicon, self.random = record, lexicon, random
        self.open = ""  # the brackets and quotes that are open

    def parts(self, parts: Sequence[Part]) -> str | None:
        """Write the parts one after another; None if a field among them has no value."""
        text, after_value = "", False
        for part in parts:
            if isinstance(part, Group):
                before, written = self.open, self.parts(part.parts)
                self.open = before if written is None else self.open
                text = glue(text, written or "")
            elif isinstance(part, Field):
                written = self.field(part)
                if not written:
                    return None
                text = glue(text, written)
            else:
                words, self.open = draw(part.alternatives, self.open, self.random, after_value)
                text = glue(text, _wrap_path(part.label, self.lexicon.fill(words, self.random)))
            after_value = not isinstance(part, Words) or bool(part.label)
        return text

    def field(self, part: Field) -> str:
        """Write a field in one of its forms, with its label."""
        form = self.random.choice(part.forms) if part.forms else ""
        if part.name in NAMES:
            return self.names(part.name, name_styles().get(form, _DEFAULT))
        value = self.record.first(part.name)
        label = label_of(part.name, self.record.type)
        if isinstance(value, Date):
            return _write_date(value, label, form or "YYYY", self.lexicon)
        if isinstance(value, Pages):
            return self.pages(value, form)
        if isinstance(value, Number):
            return wrap(label, _write_number(value, form, part.name))
        if not isinstance(value, str):
            return ""
        text = strip_markers(value).strip()
        text = drop_full_stop(text) if part.name in _TITLES else text
        return wrap(label, text.upper() if form == "upper" else text)

    def names(self, field: str, style: NameStyle) -> str:
        """Write the names of a field; those that are no author, editor or translator have no label of their own."""
        names = [plain_name(value) for value in self.record.all(field) if isinstance(value, Name)]
        role = label_of(field, self.record.type)
        going_on = role in DIVIDED and self.record.first(f"{role}-etal") is not None
        return write_names(names, role, style, going_on, self.random) if names else ""

    def pages(self, pages: Pages, form: str) -> str:
        """Write the pages; nothing where a range is asked for and there is one page, or the other way round."""
        first, last = strip_markers(pages.first), strip_markers(pages.last)
        if not first or (form == "range" and not last) or (form == "single" and last):
            return ""
        if form == "first" or not last:
            return wrap("pages", wrap("pages/first", first))
        dash = form if form and not form.isalpha() else self.random.choice(_DASHES[:4])
        last = last_page(first, last, "minimal-two" if form == "short" else "")
        return wrap("pages", wrap("pages/first", first) + dash + wrap("pages/last", last))


def _wrap_path(label: str, text: str) -> str:
    """Wrap words in a label and in those that it is part of: a group of authors alone is the list of authors."""
    while label:
        text = wrap(label, text)
        label = parent(label)
    return text


def _write_number(number: Number, form: str, field: str) -> str:
    """Write a number, an edition always as its value; "" where it has none that the form could write."""
    value = number.value
    if form == "ordinal" and value is not None:
        ending = "th" if value % 100 in (11, 12, 13) else _ENDINGS.get(value % 10, "th")
        return f"{value}{ending}"
    if form in ("roman", "ROMAN") and value is not None and 0 < value < 4000:
        return roman(value).upper() if form == "ROMAN" else roman(value)
    if form:
        return ""
    if field == "edition":
        return "" if value is None else str(value)
    return strip_markers(number.text).strip()


def _write_date(date: Date, label: str, form: str, lexicon: Lexicon) -> str:
    """Write a date in a pattern; "" where the pattern needs what the date does not have.

    Words and full stops after it, as the `г.` of a Russian year, are outside the field.
    """
    pieces, place = [], 0
    for found in DATE_PART.finditer(form):
        text = _date_part(date, found[0], lexicon)
        text += strip_markers(date.letter) if text and form == "YYYY" else ""
        if not text:
            return ""
        part = _PARTS[found[0][0]]
        pieces += [form[place : found.start()], wrap(f"date/{part}", text) if label == "date" else text]
        place = found.end()
    rest = form[place:]
    inside = "" if rest.startswith((" ", ".")) else rest
    return wrap(label, "".join([*pieces, inside])) + rest[len(inside) :]


def _date_part(date: Date, part: str, lexicon: Lexicon) -> str:
    """Write a year, month or day as a part of a pattern says."""
    if part[0] == "Y":
        if date.year is None or date.year < 1:
            return ""
        return str(date.year)[-2:] if part == "YY" else str(date.year)
    number = date.month if part[0] == "M" else date.day
    if number is None:
        return ""
    if part in ("MONTH", "MON"):
        return lexicon.lists["month" if part == "MONTH" else "month-short"][number - 1]
    return f"{number:02d}" if part in ("MM", "DD") else str(number)


def translate_digits(rendered: str, digits: str) -> str:
    """Write the digits of a text as its language does; addresses and identifiers keep theirs.

    >>> translate_digits("۵, 12", "۰۱۲۳۴۵۶۷۸۹"), translate_digits("10.1000/1", "۰۱۲۳۴۵۶۷۸۹")
    ('۵, ۱۲', '10.1000/1')
    """
    if re.search(r"https?:|www\.|\b10\.\d{4}|\d-\d+-\d", strip_markers(rendered)):
        return rendered
    return rendered.translate(str.maketrans("0123456789", digits))
