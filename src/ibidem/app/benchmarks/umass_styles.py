"""Records written as papers in physics, astronomy, mathematics and economics write them, in UMass's labels.

These are the styles of BibTeX and of journals in the years of UMass, which few styles of CSL are like. A form is text
with fields in braces; what is in brackets stands only where the record has all of its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ibidem.app.benchmarks.umass_form import PERSONS
from ibidem.records.record import Date, Name, Number, Pages, Record
from ibidem.types import Example, Mark

_LABELS = {
    "title": "title",
    "series": "series",
    "volume": "volume",
    "issue": "number",
    "number": "number",
    "pages": "pages",
    "edition": "edition",
    "publisher": "publisher",
    "place": "address",
    "genre": "type",
}
_MONTHS = "January February March April May June July August September October November December".split()
_SOCIETIES = frozenset({"ACM", "IEEE", "SIAM", "IEEE Computer Society", "IEEE Press", "ACM Press"})
_EDITIONS = {2: ("2nd", "Second", "second"), 3: ("3rd", "Third", "third"), 4: ("4th", "Fourth", "fourth")}
_ENDS = (".", ".", ".", ".", "", "", ";")


@dataclass(frozen=True, slots=True)
class _Style:
    """How some journals write references: names, and forms of kinds of works."""

    share: int
    names: str  # how A. B. Reed is written
    forms: Mapping[str, tuple[str, ...]]


_THESIS = ("{author}, {title}, {type}, {school}[, {address}], {year}.", "{author}, {title}, {type}, {school} ({year}).")
_REPORT = ("{author}, {title}, {type}[ {number}], {institution}[, {address}], [{month} ]{year}.",)
_PREPRINT = ("{author}, {title}, {type}.", "{author}, {title}, {type} ({year}).", "{author}, {title}, {type}, {year}.")
_IN_PROCEEDINGS = (
    "{author}. {title}. In [{editor}, editors, ]{booktitle}[, volume {volume} of {series}][, pages {pages}]"
)
_PROCEEDINGS = (
    _IN_PROCEEDINGS + "[, {address}], [{month} ]{year}[. {publisher}].",
    _IN_PROCEEDINGS + ". {publisher}[, {address}], {year}.",
)
_PLAIN = {
    "article": ("{author}. {title}. {journal}, {volume}[({number})]:{pages}, [{month} ]{year}.",),
    "paper": _PROCEEDINGS,
    "chapter": _PROCEEDINGS,
    "book": (
        "{author}. {title}[, volume {volume} of {series}]. {publisher}[, {address}][, {edition} edition], {year}.",
        "{author}. {title}. [{series}. ]{publisher}, {year}.",
    ),
    "thesis": ("{author}. {title}. {type}, {school}[, {address}], [{month} ]{year}.",),
    "report": ("{author}. {title}. {type}[ {number}], {institution}[, {address}], [{month} ]{year}.",),
    "preprint": ("{author}. {title}. {type}, {year}.", "{author}. {title}. {type}."),
}
_IN_PARTS = (
    "{author}, {title}, {booktitle}[ ({editor}, eds.)][, {series}][, vol. {volume}], {publisher}, {year}, pp. {pages}.",
    "{author}, {title}, {booktitle}[ ({editor}, eds.)], {publisher}[, {address}], {year}, pp. {pages}.",
    "{author}, {title}, in {booktitle}[, {series}][ {volume}], {publisher}, [{address}, ]{year}, {pages}.",
    "{author}, {title}, in: {booktitle}[, eds. {editor}], {publisher}[, {address}] ({year}), pp. {pages}.",
)
_AMS = {
    "article": ("{author}, {title}, {journal} {volume} ({year})[, no. {number}], {pages}.",),
    "paper": _IN_PARTS,
    "chapter": _IN_PARTS,
    "book": (
        "{author}, {title}[, {edition} ed.][, {series}][, vol. {volume}], {publisher}[, {address}], {year}.",
        "{author}, {title}, {publisher}, {year}.",
    ),
    "thesis": _THESIS,
    "report": _REPORT,
    "preprint": _PREPRINT,
}
_IN_BOOK = (
    "{author}, in {booktitle}[, edited by {editor}] ({publisher}, {address}, {year})[, p. {pages}].",
    "{author}, in: {booktitle}[, ed. {editor}] ({publisher}, {year}).",
    "{author}, in {booktitle}[, {series}][ Vol. {volume}][, eds. {editor}] ({publisher}, {address}, {year}) {pages}.",
)
_PHYSICS = {
    "paper": _IN_BOOK,
    "chapter": _IN_BOOK,
    "book": ("{author}, {title} ({publisher}, {address}, {year}).", "{author}, {title} ({publisher}, {year})."),
    "thesis": ("{author}, {type}, {school} ({year}).", "{author}, {type}, {school}, {year}."),
    "report": ("{author}, {institution} {type} ({year}).", "{author}, {type} {number} ({year})."),
    "preprint": ("{author}, {type} ({year}).", "{author}, {type}."),
}
_ASTRO = {
    "article": ("{author} {year}, {journal}, {volume}, {pages}", "{author}, {year}, {journal}, {volume}, {pages}"),
    "paper": (
        "{author} {year}, in {booktitle}[, ed. {editor}] ({address}: {publisher}), {pages}",
        "{author}, {year}, in {editor}, eds, {booktitle}. {publisher}, {address}, p. {pages}",
        "{author} {year}, in {series} {volume}, {booktitle}, ed. {editor} ({address}: {publisher}), {pages}",
    ),
    "chapter": ("{author} {year}, in {booktitle}, ed. {editor} ({address}: {publisher}), {pages}",),
    "book": (
        "{author} {year}, {title} ({address}: {publisher})",
        "{author}, {year}, {title}. {publisher}, {address}",
    ),
    "thesis": ("{author} {year}, {type}, {school}", "{author}, {year}, {type}, {school}"),
    "report": ("{author} {year}, {type}, {institution}",),
    "preprint": ("{author} {year}, {type}", "{author}, {year}, {type}"),
}
_DATED = {
    "article": ("{author} ({year}). {title}. {journal} {volume} {pages}.",),
    "paper": (
        "{author} ({year}). {title}. In {booktitle}[ ({editor}, eds.)] {pages}. {publisher}[, {address}].",
        "{author} ({year}). {title}. In {editor} (Eds.), {booktitle}, pp. {pages}. [{address}: ]{publisher}.",
    ),
    "chapter": ("{author} ({year}). {title}. In {booktitle}[ ({editor}, eds.)] {pages}. {publisher}, {address}.",),
    "book": (
        "{author} ({year}). {title}[, {edition} ed]. {publisher}, {address}.",
        "{author} ({year}). {title}. {publisher}.",
        "{author} ({year}). {title}. {address}: {publisher}.",
    ),
    "thesis": ("{author} ({year}). {title}. {type}, {school}.",),
    "report": ("{author} ({year}). {title}. {type}[ {number}], {institution}.",),
    "preprint": ("{author} ({year}). {title}. {type}.",),
}
_ECONOMICS = {
    "article": (
        "{author} ({year}), ‘{title}’, {journal} {volume}[({number})], {pages}.",
        "{author} ({year}), “{title}”, {journal}, {volume}[({number})], {pages}.",
        "{author} ({year}), “{title},” {journal}, {volume}, {pages}.",
        "{author}, {year}. {title}. {journal} {volume}, {pages}.",
    ),
    "paper": ("{author} ({year}), {title}, in ‘{booktitle}’, {publisher}, pp. {pages}.",),
    "chapter": ("{author} ({year}), {title}, in {editor}, eds, ‘{booktitle}’, {publisher}, [{address}, ]pp. {pages}.",),
    "book": ("{author} ({year}), {title}, {publisher}, {address}.", "{author} ({year}), {title}, {publisher}."),
    "thesis": ("{author} ({year}), {title}, {type}, {school}.",),
    "report": ("{author} ({year}), {title}, {type}[ {number}], {institution}.",),
    "preprint": ("{author} ({year}), ‘{title}’, {type}.",),
}
_QUOTED = {
    "article": (
        "{author}, “{title},” {journal}, vol. {volume}[, no. {number}], pp. {pages}, [{month} ]{year}.",
        "{author}, “{title}”, {journal} {volume} ({year}) {pages}.",
        "{author}, “{title},” {journal} {volume}, {pages} ({year}).",
    ),
    "paper": (
        "{author}, “{title},” in {booktitle}[. {publisher}], {year}, pp. {pages}.",
        "{author}, “{title},” in {booktitle}[, {address}], [{month} ]{year}, pp. {pages}.",
    ),
    "chapter": ("{author}, “{title},” in {booktitle}[, {editor}, Eds.]. {address}: {publisher}, {year}, pp. {pages}.",),
    "book": ("{author}, {title}. [{address}: ]{publisher}, {year}.",),
    "thesis": ("{author}, “{title},” {type}, {school}[, {address}], {year}.",),
    "report": ("{author}, “{title},” {institution}, {type}[ {number}], {year}.",),
    "preprint": ("{author}, “{title},” {type}.", "{author}, “{title}”, {type} ({year})."),
}
_COLON = {
    "article": (
        "{author}: {title}. {journal} {volume}[({number})], {pages} ({year})",
        "{author}: {title}, {journal} {volume} ({year}), {pages}.",
        "{author}: {title}. {journal}, {volume} ({year}), {pages}.",
    ),
    "paper": (
        "{author}: {title}. In: {booktitle}[. {series}, vol. {volume}], pp. {pages}. {publisher}, {address} ({year})",
    ),
    "chapter": ("{author}: {title}. In: [{editor} (eds.) ]{booktitle}, pp. {pages}. {publisher}, {address} ({year})",),
    "book": ("{author}: {title}. {publisher}, {address} ({year})", "{author}: {title}, {publisher}, {year}."),
    "thesis": ("{author}: {title}. {type}, {school} ({year})",),
    "report": ("{author}: {title}. {type}[ {number}], {institution}, {year}.",),
    "preprint": ("{author}: {title}, {type}.", "{author}: {title}. {type} ({year})."),
}


def _styled(forms: Mapping[str, tuple[str, ...]], *articles: str) -> Mapping[str, tuple[str, ...]]:
    return {**forms, "article": articles}


_APS = _styled(
    _PHYSICS, "{author}, {journal} {volume}, {pages} ({year})%", "{author}, {journal} {volume}, {pages}, ({year})%"
)
_NUCLEAR = _styled(
    _PHYSICS,
    "{author}, {journal} {volume} ({year}) {pages}%",
    "{author}, {journal} {volume} ({year}) {pages}%",
    "{author}, {journal}, {volume} ({year}) {pages}%",
)
_TITLED = _styled(
    _AMS,
    "{author}, {title}, {journal} {volume} ({year}) {pages}.",
    "{author}, {title}, {journal} {volume}, {pages} ({year}).",
    "{author}, {title}, {journal}, {volume} ({year}), pp. {pages}.",
    "{author}, {title}, {journal}, {volume}[({number})]:{pages}, {year}.",
    "{author}, {title}, {journal}, {volume}, {year}, {pages}.",
    "{author}. {title}. {journal} {volume} ({year})[, no. {number}], {pages}.",
    "{author}. {title}. {journal}, {volume}, {pages} ({year}).",
)
_STYLES = (
    _Style(12, "A. B. Reed", _APS),
    _Style(13, "A. B. Reed", _NUCLEAR),
    _Style(3, "Reed A. B.", _NUCLEAR),
    _Style(10, "Reed, A. B.", _ASTRO),
    _Style(4, "Reed A. B.", _ASTRO),
    _Style(12, "A. B. Reed", _AMS),
    _Style(3, "Reed, A. B.", _AMS),
    _Style(10, "A. B. Reed", _PLAIN),
    _Style(7, "A. B. Reed", _TITLED),
    _Style(2, "Reed, A. B.", _TITLED),
    _Style(10, "Reed, A. B.", _DATED),
    _Style(5, "Reed, A. B.", _ECONOMICS),
    _Style(5, "A. B. Reed", _QUOTED),
    _Style(5, "Reed, A. B.", _COLON),
    _Style(1, "Reed A B", _COLON),
    _Style(1, "Reed A B", _DATED),
)
_SHARES = [style.share for style in _STYLES]
_PART, _NAMED = re.compile(r"\[([^\]]*)\]"), re.compile(r"\{(\w+)\}")
_MOST = 12  # persons that are written of a list
_WITH_MONTH = 0.15
_INITIALS = 0.85  # share of strings that give no names in full
_GIVEN = re.compile(r"([^\W\d_])[^\W\d_]+\.?")


@dataclass(frozen=True, slots=True)
class _Field:
    """What a record has of a field: a text, or one for each person."""

    label: str
    texts: Sequence[str]


def written(records: Sequence[Record], seed: int = 1) -> Iterator[Example]:
    """Each record that has what a style needs, in a style that is drawn; its marks have UMass's labels."""
    chance = Random(f"written:{seed}")  # noqa: S311
    for record in records:
        style = chance.choices(_STYLES, _SHARES)[0]
        fields = _fields(record, style.names, chance)
        forms = [form for form in style.forms[record.type] if _has_all(fields, _PART.sub("", form))]
        if forms:
            text, marks = _filled(chance.choice(forms).replace("%", chance.choice(_ENDS)), fields)
            yield Example(text, tuple(marks), f"written:{record.key}")


def _has_all(fields: Mapping[str, _Field], form: str) -> bool:
    return all(name in fields for name in _NAMED.findall(form))


def _fields(record: Record, names: str, chance: Random) -> dict[str, _Field]:
    """What the record has, by the name it has in forms."""
    found: dict[str, _Field] = {}
    short = chance.random() < _INITIALS
    for role in PERSONS:
        people = [name for entry in record.entries if entry.field == role and isinstance(name := entry.value, Name)]
        if people:
            found[role] = _Field(role, [_person(name, names, short) for name in people[:_MOST]])
    for entry in record.entries:
        value = entry.value
        match value:
            case Date():
                found["year"] = _Field("year", [str(value.year)])
                if chance.random() < _WITH_MONTH:
                    found["month"] = _Field("month", [chance.choice(_MONTHS)])
            case Pages():
                dash = chance.choice("-–")
                found["pages"] = _Field("pages", [value.first + (dash + value.last if value.last else "")])
            case Number() if entry.field == "edition":
                found["edition"] = _Field("edition", [chance.choice(_EDITIONS.get(value.value or 0, (value.text,)))])
            case Number():
                found[_LABELS[entry.field]] = _Field(_LABELS[entry.field], [value.text])
            case str():
                name = _label(record.type, entry.field)
                label = (
                    "organization" if name == "publisher" and record.type == "paper" and value in _SOCIETIES else name
                )
                found[name] = _Field(label, [value])
            case _:
                pass
    return found


def _label(kind: str, field: str) -> str:
    if field == "container":
        return "journal" if kind == "article" else "booktitle"
    if field == "institution":
        return "school" if kind == "thesis" else "institution"
    return _LABELS[field]


def _person(name: Name, how: str, short: bool) -> str:
    """The name in the way of A. B. Reed, with the first letters of given names where it is to be short."""
    given = _GIVEN.sub(r"\1.", name.given) if short else name.given
    family = " ".join(filter(None, (name.particle, name.family or name.literal)))
    if how == "Reed A B":
        given = given.replace(".", "")
    given = " ".join(filter(None, (given, name.suffix)))
    comma = "," if "," in how else ""
    parts = (given, family) if how.startswith("A") else (family + comma * bool(given), given)
    return " ".join(filter(None, parts))


def _filled(form: str, fields: Mapping[str, _Field]) -> tuple[str, list[Mark]]:
    """The form with the fields in their places, of parts those that have all of their fields."""
    form = _PART.sub(lambda match: match[1] if _has_all(fields, match[1]) else "", form)
    text, marks = "", list[Mark]()
    for number, part in enumerate(_NAMED.split(form)):
        if number % 2 == 0:
            text += part
            continue
        field = fields[part]
        for place, value in enumerate(field.texts):
            text += ", " * (0 < place < len(field.texts) - 1) + " and " * (0 < place == len(field.texts) - 1)
            marks.append(Mark(field.label, len(text), len(text) + len(value)))
            text += value
    return text, marks
