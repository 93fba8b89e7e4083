"""One labelled string from a template: a kind, a template, a record, and the record in the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from ibidem.csl.markers import glue, read_example, wrap
from ibidem.records.record import Record
from ibidem.synthesis.templates.collection import templates
from ibidem.synthesis.templates.invent import invent, select_fitting
from ibidem.synthesis.templates.language import Template
from ibidem.synthesis.templates.lexicon import lexicons
from ibidem.synthesis.templates.render import render, translate_digits
from ibidem.types import Example

_REAL = 0.7  # share of the strings made of a record of the collection, where one fits the template
_LEFT_OUT = 0.2  # share of the fields that a template can do without that are left out
_NUMBERED = 0.12  # share of the strings with a number before them
_MARKERS = ("[#1-150#] ", "#1-150#. ", "(#1-60#) ", "#1-300# ", "[#1-150#]")
_FILLED = ("[#1-150#] ", "［#1-99#］", "[#1-150#]")
_DIGITS = {"fa": ("۰۱۲۳۴۵۶۷۸۹", 0.7), "ar": ("٠١٢٣٤٥٦٧٨٩", 0.35), "hi": ("०१२३४५६७८९", 0.3)}


def make_from_template(
    kinds: Sequence[tuple[str, float]], pool: Sequence[Record], random: Random, source: str
) -> Example:
    """Make one labelled string of a kind drawn by weight, of a record of the pool or of an invented one."""
    known = templates()
    kind = random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
    chosen = random.choice(known[kind])
    records = select_fitting(chosen, pool)
    lexicon = lexicons()[chosen.language]
    suited = bool(records) and random.random() < _REAL
    record = random.choice(records) if suited else invent(chosen, lexicon, pool, random)
    rendered = render(chosen, _thin(record, chosen, random), lexicon, random)
    if suited and not rendered:  # a field is there but cannot be written in this form, as the month of a year
        rendered = render(chosen, invent(chosen, lexicon, pool, random), lexicon, random)
    return _finish(rendered, chosen, random, source)


def _thin(record: Record, template: Template, random: Random) -> Record:
    """Leave out some of the fields that stand in groups only."""
    spare = sorted(template.fields() - template.required())
    gone = {field for field in spare if random.random() < _LEFT_OUT}
    return replace(record, entries=tuple(entry for entry in record.entries if entry.field not in gone))


def _finish(rendered: str, template: Template, random: Random, source: str) -> Example:
    """Put a number before some, write digits as the language does, and read the labels."""
    if random.random() < _NUMBERED:
        form = random.choice(_FILLED if template.language in ("zh", "ja") else _MARKERS)
        marker = lexicons()[template.language].fill(form, random)
        rendered = glue(wrap("marker", marker.rstrip()) + marker[len(marker.rstrip()) :], rendered)
    digits, share = _DIGITS.get(template.language, ("", 0.0))
    if digits and random.random() < share:
        rendered = translate_digits(rendered, digits)
    return read_example(rendered, f"{source}:{template.where}")
