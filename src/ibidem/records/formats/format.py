"""What a format is: how its files are written and read, and what it can carry of a record.

Each format has one `Capabilities`. Writers report what `adapt` says is lost, the documentation shows the same, and the
laws of the round trip hold for every record that was adapted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO, TypeVar

from ibidem.errors import ConfigError, InputError, MissingExtra
from ibidem.faults import describe_fault, trip
from ibidem.records.fields import FIELDS, NAMES, cache_until_registration, names_in
from ibidem.records.formats.values import Unreadable, clean, date_text, entry_of, read_date, value_text
from ibidem.records.normalise.numbers import number_of
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record, Value
from ibidem.types import Malformed

Readable = Record | Malformed
Warn = Callable[[str, str], None]
_T = TypeVar("_T")


def ignore_warning(key: str, message: str) -> None:
    """Do nothing, for whoever does not want to know what a format cannot carry."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a writer: what to call with (key, message) for each warning, and the style of rendered text.

    `failed` gets the key of each record that could not be written.
    """

    warn: Warn = ignore_warning
    style: str = "apa"
    failed: list[str] = field(default_factory=list)

    def fail(self, key: str, reason: str) -> None:
        """Count a record that could not be written, and warn of it."""
        self.failed.append(key)
        self.warn(key, f"not written: {reason}")


Writer = Callable[[Iterable[Record], BinaryIO, Options], None]
Reader = Callable[[BinaryIO], Iterator[Readable]]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What is lost or changed on the way into a format; empty where nothing is.

    `column` is the format's column in the table of fields: a field without a name there is left out (`noun` says what
    it lacks). `several` names the fields, beside those of names, that may have more than one value, None for all but
    the `single` ones. `parts` maps the parts of values (`particle`, the `words` for et al.) that have no place to what
    becomes of them. `reshape` returns a value as it will be read back; `renamed` maps a type to a field of it that is
    read back as another where the record lacks the other.
    """

    column: str = ""
    noun: str = "element"
    several: frozenset[str] | None = None
    single: frozenset[str] = frozenset()
    parts: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    reshape: Callable[[str, Value], Value] | None = None
    renamed: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def fields(self) -> Mapping[str, str]:
        """The fields that are left out, each with the reason."""
        return _left_out(self.column, self.noun)

    def repeats(self, name: str) -> bool:
        """Whether a field may have more than one value."""
        return name in NAMES or (name not in self.single if self.several is None else name in self.several)

    def sentences(self) -> Iterator[str]:
        """Yield everything a format cannot carry, a sentence each, for people to read."""
        if self.fields:
            yield f"no {self.noun} for, and so left out: {', '.join(f'`{name}`' for name in self.fields)}"
        yield from (f"{_PARTS[part]}: {what}" for part, what in self.parts.items())
        further = "further texts are joined with semicolons, other values left out"
        if self.several is not None:
            listed = ", ".join(f"`{name}`" for name in FIELDS if name in self.several)
            besides = f" (besides names and {listed})" if listed else " (besides names)"
            yield f"a field has one value{besides}: {further}"
        elif self.single:
            listed = ", ".join(f"`{name}`" for name in FIELDS if name in self.single)
            yield f"{listed}: one value each; {further}"
        for one, other in dict.fromkeys(self.renamed.values()):
            types = ", ".join(f"`{name}`" for name, pair in self.renamed.items() if pair == (one, other))
            yield f"`{one}` is read back as `{other}` where there is no `{other}`, in the types {types}"
        yield from self.remarks


@cache_until_registration
def _left_out(column: str, noun: str) -> dict[str, str]:
    named = names_in(column) if column else FIELDS
    return {name: f"has no {noun} and is left out" for name in FIELDS if name not in named}


@dataclass(frozen=True, slots=True)
class Format:
    """A format by its name: the endings of its files, how it is written and read, and what it can carry.

    `extra` names the optional part of the installation that it needs, empty where none.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    write: Writer
    read: Reader | None = None
    extra: str = ""
    capabilities: Capabilities = Capabilities()


def missing_extra(package: str, extra: str, what: str) -> MissingExtra:
    """Return the error to raise where an optional package is not installed."""
    return MissingExtra(f"{what} needs {package}, which is not installed; pip install 'ibidem[{extra}]'")


def render_each(
    records: Iterable[Record],
    options: Options,
    render: Callable[[Record], _T],
    instead: Callable[[Record, str], _T] | None = None,
) -> Iterator[_T]:
    """Yield what `render` returns for each record; where it raises, what `instead` returns of it and the reason.

    Every writer goes through here and writes what comes out, so that one record that fails costs itself alone.
    """
    for record in records:
        try:
            if not isinstance(record, Record):
                raise InputError(f"not a record: {record!r:.100}")
            trip("write", f"{record.key} {record.first('title')}")
            rendered = render(record)
        except (ConfigError, MissingExtra):  # not the fault of the record
            raise
        except Exception as error:
            reason = describe_fault(error, "writing it")
            key = getattr(record, "key", "")
            options.fail(key if isinstance(key, str) else "", reason)
            if instead is None:
                continue
            rendered = instead(record, reason)
        yield rendered


def read_one(read: Callable[[], Record], where: str) -> Readable:
    """Return the record that `read` returns; where it raises, a `Malformed` with the reason. Every reader uses it."""
    try:
        record = read()
        trip("read", f"{record.key} {record.first('title')}")
    except (ConfigError, MissingExtra):
        raise
    except Exception as error:
        return Malformed(where, describe_fault(error, "reading it"))
    return record


def read_whole(stream: BinaryIO, largest: int) -> bytes:
    """Return all bytes of a stream; an `Unreadable` says that it has more than a reader can hold in memory."""
    data = stream.read(largest + 1)
    if len(data) > largest:
        raise Unreadable(f"unpacked it has more than {largest:,} bytes, too many to be read at once; split it")
    return data


LONGEST_LINE = 1 << 26
"""Bytes of a line, or of the lines of one entry, beyond which it is not read."""


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; of one that is too long to be held in memory, its beginning alone."""
    while line := stream.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE + 1)


_PARTS = {"particle": "the particle of a name", "words": "the words for et al."}
_UNSAFE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def adapt(record: Record, capabilities: Capabilities) -> tuple[Record, list[str]]:
    """Return the record as a format can carry it, and what is lost or changed on the way, field by field."""
    left_out = capabilities.fields
    kept: list[Entry] = []
    seen: dict[str, int] = {}
    lost: list[str] = []
    before, after = capabilities.renamed.get(record.type, ("", ""))
    if before and record.first(before) and not record.first(after):
        lost.append(f"{before}: is written as {after}")
        entries = tuple(replace(one, field=after) if one.field == before else one for one in record.entries)
        record = replace(record, entries=entries)
    further: dict[int, list[str]] = {}
    for entry in record.entries:
        if entry.field in left_out or (entry.field not in FIELDS and capabilities.column):
            lost.append(f"{entry.field}: {left_out.get(entry.field, 'is not in the table of fields and is left out')}")
            continue
        value, changes = _shape(entry.field, entry.value, capabilities)
        lost += (f"{entry.field}: {change}" for change in changes)
        if value in _EMPTY:
            continue
        if entry.field not in seen or capabilities.repeats(entry.field):
            seen.setdefault(entry.field, len(kept))
            kept.append(entry if value == entry.value else replace(entry, value=value))
        elif FIELDS[entry.field].type in ("text", "etal") and isinstance(value, str):
            further.setdefault(seen[entry.field], []).append(value)
        else:
            lost.append(f"{entry.field}: a second value is left out: {value_text(value)[:60]!r}")
    for place, texts in further.items():
        kept[place] = replace(kept[place], value="; ".join([value_text(kept[place].value), *texts]))
    return replace(record, entries=tuple(kept)), lost


_EMPTY = ("", Name(), Date(), Pages(""), Number(""))


def _shape(name: str, value: Value, capabilities: Capabilities) -> tuple[Value, list[str]]:
    """Return a value as it can be carried, and in words what changed."""
    changes: list[str] = []
    tidy = _tidy(value)
    if isinstance(value, str) and isinstance(tidy, str):
        if len(tidy) < len(value.strip()) and _UNSAFE.search(value):
            changes.append("control characters are left out")
        tidy = entry_of(name, tidy).value if tidy else tidy
    match tidy:
        case Name():
            if tidy.particle and "particle" in capabilities.parts:
                changes.append(f"its particle {capabilities.parts['particle']}")
                tidy = replace(tidy, particle="", family=f"{tidy.particle} {tidy.family}")
        case Date():
            tidy = read_date(date_text(tidy))
        case Number():
            tidy = number_of(tidy.text)
        case str() if name.endswith("-etal") and "words" in capabilities.parts:
            tidy = "et al."
    if capabilities.reshape is not None and tidy not in _EMPTY:
        read = capabilities.reshape(name, tidy)
        if read != tidy:
            changes.append(f"{value_text(tidy)[:60]!r} will be read back in another form")
        tidy = read
    return tidy, changes


def _tidy(value: Value) -> Value:
    """Put every text of a value on one line, without control characters."""
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
        case Date() if value.status or value.letter:
            return replace(value, status=clean(value.status), letter=clean(value.letter))
    return value
