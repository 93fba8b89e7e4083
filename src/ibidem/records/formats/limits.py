"""What a format cannot carry, and a record made to fit it: the writers report what `fitted` says.

Each format has one `Capabilities`; the documentation shows the same ones, and the laws of the round trip hold for
every record that was fitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ibidem.records.formats.values import IDENTIFIERS, clean, date_text, entry_of, read_date, value_text
from ibidem.records.normalise.numbers import number_of
from ibidem.records.record import DATES, FIELDS, NAMES, NUMBERS, Date, Entry, Name, Number, Pages, Record, Value

JOINED = frozenset(FIELDS) - NAMES - DATES - NUMBERS - IDENTIFIERS - {"pages"}
"""Text fields whose further values are joined to the first where a format takes one value only."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What is lost or changed on the way into a format; empty where nothing is.

    `fields` maps a field to what becomes of it. `several` names the fields, beside those of names, that may have more
    than one value; None means all. `parts` maps the parts of values (particle, suffix, letter, approximate, status,
    season, range, words, accessed) that have no place to what becomes of them. `reshape` gives a value of a field as it
    will be read back; `renamed` maps a type to a field of it that is read back as another where it has not the other.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    several: frozenset[str] | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    reshape: Callable[[str, Value], Value] | None = None
    renamed: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def sentences(self) -> Iterator[str]:
        """Everything a format cannot carry, a sentence each, for people to read."""
        yield from (f"`{name}`: {what}" for name, what in self.fields.items())
        yield from (f"{_PARTS[part]}: {what}" for part, what in self.parts.items())
        if self.several is not None:
            listed = ", ".join(f"`{name}`" for name in FIELDS if name in self.several)
            besides = f" (besides names and {listed})" if listed else " (besides names)"
            yield f"a field has one value{besides}: further texts are joined with semicolons, other values left out"
        for kind, (one, other) in self.renamed.items():
            yield f"`{one}` of a {kind} without `{other}`: is read back as `{other}`"
        yield from self.remarks


_PARTS = {
    "particle": "the particle of a name",
    "suffix": "the suffix of a name",
    "letter": "the letter of a year",
    "approximate": "that a date is approximate",
    "status": "a status beside a year",
    "season": "a season",
    "range": "the end of a range of dates",
    "words": "the words for et al.",
    "accessed": "more of a date of access than year, month and day",
}
_UNSAFE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
NOTHING = Capabilities()


def fitted(record: Record, limits: Capabilities) -> tuple[Record, list[str]]:
    """The record as the format can carry it, and what was lost or changed on the way, field by field."""
    kept: list[Entry] = []
    seen: dict[str, int] = {}
    lost: list[str] = []
    before, after = limits.renamed.get(record.type, ("", ""))
    if before and record.first(before) and not record.first(after):
        lost.append(f"{before}: is written as {after}")
        entries = tuple(replace(one, field=after) if one.field == before else one for one in record.entries)
        record = replace(record, entries=entries)
    for entry in record.entries:
        if entry.field in limits.fields:
            lost.append(f"{entry.field}: {limits.fields[entry.field]}")
            continue
        value, changes = _shaped(entry.field, entry.value, limits)
        lost += (f"{entry.field}: {change}" for change in changes)
        if _is_empty(value):
            continue
        repeats = limits.several is None or entry.field in NAMES or entry.field in limits.several
        if repeats or entry.field not in seen:
            seen.setdefault(entry.field, len(kept))
            kept.append(entry if value == entry.value else replace(entry, value=value))
        elif entry.field in JOINED and isinstance(value, str):
            first = kept[seen[entry.field]]
            kept[seen[entry.field]] = replace(first, value=f"{value_text(first.value)}; {value}")
        else:
            lost.append(f"{entry.field}: a second value is left out: {value_text(value)[:60]!r}")
    return replace(record, entries=tuple(kept)), lost


def _is_empty(value: Value) -> bool:
    return value in _EMPTY


_EMPTY = ("", Name(), Date(), Pages(""), Number(""))


def _shaped(name: str, value: Value, limits: Capabilities) -> tuple[Value, list[str]]:
    """A value as it can be carried, and in words what changed."""
    changes: list[str] = []
    tidy = _tidied(value)
    if isinstance(value, str) and isinstance(tidy, str):
        if len(tidy) < len(value.strip()) and _UNSAFE.search(value):
            changes.append("control characters are left out")
        tidy = entry_of(name, tidy).value if tidy else tidy
    match tidy:
        case Name():
            tidy = _person(tidy, limits, changes)
        case Date():
            tidy = read_date(date_text(_dated(name, tidy, limits, changes)))
        case Number():
            tidy = number_of(tidy.text)
        case str() if name.endswith("-etal") and "words" in limits.parts:
            tidy = "et al."
    if limits.reshape is not None and not _is_empty(tidy):
        read = limits.reshape(name, tidy)
        if read != tidy:
            changes.append(f"{value_text(tidy)[:60]!r} will be read back in another form")
        tidy = read
    return tidy, changes


def _tidied(value: Value) -> Value:
    """The value with every text in it on one line and without control characters."""
    match value:
        case str():
            return clean(value)
        case Name():
            if value.literal:
                return Name(literal=clean(value.literal))
            parts = Name(clean(value.family), clean(value.given), clean(value.particle), clean(value.suffix))
            # Without a family name there is nothing to sort under: formats take such a name whole.
            return parts if parts.family else Name(literal=clean(f"{parts.given} {parts.particle} {parts.suffix}"))
        case Pages():
            return Pages(clean(value.first), clean(value.last)) if value.first else Pages(clean(value.last))
        case Number():
            return Number(clean(value.text), value.value)
        case Date():
            return (
                replace(value, status=clean(value.status), letter=clean(value.letter))
                if value.status or value.letter
                else value
            )


def _person(name: Name, limits: Capabilities, changes: list[str]) -> Name:
    if name.particle and "particle" in limits.parts:
        changes.append(f"its particle {limits.parts['particle']}")
        name = replace(name, particle="", family=f"{name.particle} {name.family}")
    if name.suffix and "suffix" in limits.parts:
        changes.append(f"its suffix {limits.parts['suffix']}")
        name = replace(name, suffix="")
    return name


def _dated(field_name: str, date: Date, limits: Capabilities, changes: list[str]) -> Date:
    """The date less the parts that have no place."""
    if field_name == "accessed" and "accessed" in limits.parts:
        plain = Date(date.year, date.month, date.day)
        if plain != date:
            changes.append("only year, month and day are kept")
        return plain
    present = {
        "letter": date.letter,
        "approximate": date.approximate or (date.end is not None and date.end.approximate),
        "status": date.status and date.year is not None,
        "season": date.season or (date.end is not None and date.end.season),
        "range": date.end,
    }
    empty: dict[str, dict[str, object]] = {
        "letter": {"letter": ""},
        "approximate": {"approximate": False},
        "status": {"status": ""},
        "season": {"season": ""},
        "range": {"end": None},
    }
    for part, there in present.items():
        if there and part in limits.parts:
            changes.append(f"{_PARTS[part]} {limits.parts[part]}")
            date = replace(date, **empty[part])  # type: ignore[arg-type]
    if date.end is not None and date.end.approximate and "approximate" in limits.parts:
        date = replace(date, end=replace(date.end, approximate=False))
    return date
