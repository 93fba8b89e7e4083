"""From a record to what CSL styles know: its type and variables, each with the label it has in our schema."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ibidem.csl.locales import Locale
from ibidem.csl.markers import strip_markers, wrap
from ibidem.labels.schema import UNKNOWN
from ibidem.records.fields import FIELDS, NAMES, names_in
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record, Value
from ibidem.records.types import IN_BOOKS, IN_PERIODICALS, LEGAL, types_in

PUBLISHED_BY = frozenset({"thesis", "report"})
"""The types of works whose institution is what CSL calls their publisher."""
VERSIONED = frozenset({"dataset", "software"})
"""The types of works whose edition is what CSL calls their version."""

_CONTAINERS = {
    **dict.fromkeys((*IN_PERIODICALS, "preprint"), "journal"),
    **dict.fromkeys(LEGAL, "journal"),  # laws and decisions stand in gazettes and reporters
    **dict.fromkeys((*IN_BOOKS, "speech", "song", "performance"), "book"),
    **dict.fromkeys(("book", "report", "standard"), "series"),
    **dict.fromkeys(("dataset", "software"), "archive"),
}
_NEAREST_LABELS = {
    "short-title": "title",
    "event": "book",
    "event-place": "place",
    "series-number": "volume",
    "version": "edition",
    **dict.fromkeys(("source", "archive-location", "archive-collection", "archive-place"), "archive"),
    "annotation": "note",
}
"""The labels of fields that the parser does not know and that references print where another field has its place."""
_ROLES = {"author": "author", "editor": "editor", "translator": "translator"}
_FIRST_ROLES = {"director": "author", "composer": "author", "performer": "author", "compiler": "editor"}
"""The lists that stand where the authors or editors would, in a record that has none of those."""
_OLDER = {"event-title": "event"}  # what most styles still call a variable
_NEAREST = {"article-number": "page"}  # what CSL has no variable for stands in the nearest one
_RESOLVER = re.compile(r"(https?://(?:dx\.)?doi\.org/)(10\.\S+)\Z")


@dataclass(slots=True)
class Item:
    """A work in the variables of CSL, with the label of each.

    `open_lists` are the lists of names that go on after the last name we know; `letter` tells two works of a year
    apart.
    """

    type: str
    values: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[Name, ...]] = field(default_factory=dict)
    dates: dict[str, Date] = field(default_factory=dict)
    pages: Pages | None = None
    roles: dict[str, str] = field(default_factory=lambda: dict(_ROLES))  # the label of each list of names
    open_lists: frozenset[str] = frozenset()
    english: bool | None = None  # None: as the language of the style
    letter: str = ""

    def role(self, variable: str) -> str:
        """Return the label of a list of names."""
        return self.roles.get(variable, UNKNOWN)

    def has(self, variable: str) -> bool:
        """Whether there is something to render for a variable."""
        if variable in ("page", "page-first") and self.pages:
            return True
        if variable == "year-suffix":
            return bool(self.letter)
        return bool(self.values.get(variable) or self.names.get(variable)) or variable in self.dates

    def plain(self, variable: str) -> str:
        """Return the value of a variable without labels."""
        if variable == "page" and self.pages:
            return f"{self.pages.first}-{self.pages.last}" if self.pages.last else self.pages.first
        return self.values.get(variable, "")


@dataclass(slots=True)
class Context:
    """The state of rendering one item.

    `called` and `filled` count the variables asked for and those that gave something: a group of which all variables
    are empty is not shown. `gone` are the variables that were shown in place of names and are not shown again.
    """

    item: Item
    locale: Locale
    page_format: str = ""
    letters_in_years: bool = False  # the letter that tells two works of a year apart is written after the year
    called: int = 0
    filled: int = 0
    gone: set[str] = field(default_factory=set)
    shown: list[str] | None = None  # filled while something is tried as a substitute

    def ask(self, variable: str) -> bool:
        """Whether a variable can be shown now; count it either way."""
        self.called += 1
        if variable in self.gone or not self.item.has(variable):
            return False
        self.filled += 1
        if self.shown is not None:
            self.shown.append(variable)
        return True


def item_of(record: Record, number: int = 0) -> Item:
    """Return the item of a record; `number` is the one before the reference in styles that number, 0 for none.

    Private-use characters are taken out of the values, and a full stop at the end of a title; styles bring their own.
    """
    item = Item(types_in("csl").get(record.type, "document"))
    names: dict[str, list[Name]] = {}
    for entry in record.entries:
        if entry.field in NAMES:
            names.setdefault(names_in("csl").get(entry.field, entry.field), []).append(plain_name(entry.value))
        else:
            _enter(item, entry, record)
    item.names = {variable: tuple(found) for variable, found in names.items()}
    for variable, role in _FIRST_ROLES.items():
        if variable in names and role not in names and role not in {item.roles.get(one) for one in names}:
            item.roles[variable] = role
    for variable, older in _OLDER.items():
        if variable in item.values:
            _set(item, older, item.labels[variable], item.values[variable])
    if number:
        _set(item, "citation-number", "marker", str(number))
    in_series = "collection-title" in item.values and "collection-number" not in item.values
    if in_series and "volume" in item.values and record.type not in IN_PERIODICALS:
        item.values["collection-number"] = item.values.pop("volume")
        item.labels["collection-number"] = "volume"
    arxiv = record.first("arxiv")
    if isinstance(arxiv, str) and not item.has("DOI"):
        _set(item, "URL", "", f"https://arxiv.org/abs/{wrap('arxiv', _arxiv(arxiv))}")
    item.open_lists = frozenset(name for name in ("author", "editor") if record.first(f"{name}-etal"))
    return item


def _enter(item: Item, entry: Entry, record: Record) -> None:
    field, value = entry.field, entry.value
    if isinstance(value, Date):
        _enter_date(item, names_in("csl").get(field, field), value)
    elif isinstance(value, Pages):
        if value.first and item.pages is None:
            item.pages = Pages(strip_markers(value.first), strip_markers(value.last))
    elif isinstance(value, (str, Number)):
        _enter_text(item, field, strip_markers(_text(field, value)), record)


def _enter_text(item: Item, field: str, text: str, record: Record) -> None:
    if field == "title":
        _set(item, "title", "title", drop_full_stop(text))
    elif field == "container" and record.type == "preprint" and not record.first("publisher"):
        _set(item, "publisher", "journal", text)  # to styles, the server of a preprint is its publisher
    elif field == "container":
        _set(item, "container-title", _CONTAINERS.get(record.type, UNKNOWN), drop_full_stop(text))
    elif field == "arxiv":
        if record.type not in IN_PERIODICALS:  # there a number is that of the article
            _set(item, "number", "", f"arXiv:{wrap('arxiv', _arxiv(text))}")
    elif field == "url" and (found := _RESOLVER.match(text)):
        _set(item, "URL", "", found[1] + wrap("doi", found[2]))
    elif field == "short-container":
        _set(item, "container-title-short", _CONTAINERS.get(record.type, UNKNOWN), text)
    elif field == "language":
        item.english = None if text.casefold() in ("und", "mul", "zxx") else text.casefold().startswith("en")
    elif field in ("publisher", "institution"):
        _set(item, _publisher_variable(field, record), field, text)
    elif field == "edition" and record.type in VERSIONED:
        _set(item, "version", field, text)
    elif field == "article-number" and record.type == "preprint":
        _set(item, "number", field, text)
    elif variable := _NEAREST.get(field) or names_in("csl").get(field):
        _set(item, variable, _NEAREST_LABELS.get(field) or FIELDS[field].labels[0], text)


def _publisher_variable(field: str, record: Record) -> str:
    """Return the variable of a publisher or an institution: of the two, styles print the publisher, but not of laws."""
    if field == "institution" and record.type in LEGAL:
        return "authority"
    leading = "institution" if record.type in PUBLISHED_BY else "publisher"
    return "publisher" if field == leading or not record.first(leading) else "authority"


def label_of(field: str, document_type: str) -> str:
    """Return the label that a field has in references to works of a type.

    >>> label_of("container", "chapter"), label_of("version", "software"), label_of("section", "legislation")
    ('book', 'edition', 'section')
    """
    if field == "container":
        return _CONTAINERS.get(document_type, UNKNOWN)
    return _NEAREST_LABELS.get(field) or _FIRST_ROLES.get(field) or FIELDS[field].labels[0]


def _set(item: Item, variable: str, label: str, text: str) -> None:
    """Set a variable, unless it has a value already."""
    if text.strip() and variable not in item.values:
        item.values[variable] = text
        item.labels[variable] = label


def _enter_date(item: Item, variable: str, date: Date) -> None:
    issued = variable == "issued"
    status = strip_markers(date.status)
    if date.year is not None and variable not in item.dates:
        item.dates[variable] = date
        item.letter = strip_markers(date.letter) if issued else item.letter
    if status and issued and status != "n.d.":  # styles have their own words for what has no date
        _set(item, "status", "note", status)


def _arxiv(text: str) -> str:
    return strip_markers(text).removeprefix("arXiv:")


def _text(field: str, value: str | Number) -> str:
    """Return the text of a value; an edition is its number, which a style puts in words of its own."""
    if isinstance(value, Number):
        return str(value.value) if field == "edition" and value.value is not None else value.text
    return value


def drop_full_stop(text: str) -> str:
    """Drop the full stop at the end of a text, unless it belongs to an abbreviation such as `Bd.` or to dots."""
    word = text.rpartition(" ")[2]
    return text[:-1] if text.endswith(".") and word.count(".") == 1 and len(word) > 5 else text


def plain_name(name: Value) -> Name:
    """Return a name without private-use characters."""
    if not isinstance(name, Name):
        return Name(literal=strip_markers(str(name)))
    return Name(*(strip_markers(part) for part in (name.family, name.given, name.particle, name.suffix, name.literal)))
