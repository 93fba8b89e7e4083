"""From a record to what CSL styles know: its type and variables, each with the label it has in our schema."""

from __future__ import annotations

import re

from ibidem.csl.context import Item
from ibidem.csl.markers import unmarked, wrapped
from ibidem.csl.vocabulary import PUBLISHED_BY, TYPES, VARIABLES, VERSIONED
from ibidem.records.record import NAMES, Date, Entry, Name, Number, Pages, Record

_CONTAINERS = {"article": "journal", "preprint": "journal", "paper": "book", "chapter": "book", "book": "series"}
_LABELS = {"genre": "type", "number": "report-number"}  # where the label has another name than the field
_NEAREST = {"article-number": "page"}  # what CSL has no variable for stands in the nearest one
_UNPRINTED = frozenset({"author-etal", "editor-etal", "marker", "language"})
_RESOLVER = re.compile(r"(https?://(?:dx\.)?doi\.org/)(10\.\S+)\Z")


def item_of(record: Record, number: int = 0) -> Item:
    """The item of a record; `number` is the one before the reference in styles that number, 0 for none.

    Private-use characters are taken out of the values, and a full stop at the end of a title; styles bring their own.
    """
    item = Item(TYPES.get(record.type, "document"))
    for entry in record.entries:
        _enter(item, entry, record)
    if number:
        _set(item, "citation-number", "marker", str(number))
    if "collection-title" in item.values and "volume" in item.values and record.type != "article":
        item.values["collection-number"] = item.values.pop("volume")
        item.labels["collection-number"] = "volume"
    arxiv = record.first("arxiv")
    if isinstance(arxiv, str) and not item.has("DOI"):
        _set(item, "URL", "", f"https://arxiv.org/abs/{wrapped('arxiv', _arxiv(arxiv))}")
    item.open_lists = frozenset(name for name in ("author", "editor") if record.first(f"{name}-etal"))
    return item


def _enter(item: Item, entry: Entry, record: Record) -> None:
    field, value = entry.field, entry.value
    if field in NAMES:
        name = _plain_name(value) if isinstance(value, Name) else Name(literal=unmarked(str(value)))
        item.names[field] = (*item.names.get(field, ()), name)
    elif isinstance(value, Date):
        _enter_date(item, VARIABLES[field], value)
    elif isinstance(value, Pages):
        if value.first and item.pages is None:
            item.pages = Pages(unmarked(value.first), unmarked(value.last))
    elif isinstance(value, (str, Number)):
        _enter_text(item, field, unmarked(_text(field, value)), record)


def _enter_text(item: Item, field: str, text: str, record: Record) -> None:
    if field == "title":
        _set(item, "title", "title", _ended(text))
    elif field == "container" and record.type == "preprint" and not record.first("publisher"):
        _set(item, "publisher", "journal", text)  # to styles, the server of a preprint is its publisher
    elif field == "container":
        _set(item, "container-title", _CONTAINERS.get(record.type, "?"), _ended(text))
    elif field == "arxiv":
        if record.type != "article":  # there a number is that of the article
            _set(item, "number", "", f"arXiv:{wrapped('arxiv', _arxiv(text))}")
    elif field == "url" and (found := _RESOLVER.match(text)):
        _set(item, "URL", "", found[1] + wrapped("doi", found[2]))
    elif field == "language":
        item.english = text.casefold().startswith("en")
    elif field in ("publisher", "institution"):
        _set(item, _published(field, record), field, text)
    elif field == "edition" and record.type in VERSIONED:
        _set(item, "version", field, text)
    elif field == "article-number" and record.type == "preprint":
        _set(item, "number", field, text)
    elif field not in _UNPRINTED:
        _set(item, _NEAREST.get(field) or VARIABLES[field], _LABELS.get(field, field), text)


def _published(field: str, record: Record) -> str:
    """The variable of a publisher or an institution: of the two, styles print the publisher."""
    leading = "institution" if record.type in PUBLISHED_BY else "publisher"
    return "publisher" if field == leading or not record.first(leading) else "authority"


def _set(item: Item, variable: str, label: str, text: str) -> None:
    """The first value of a variable is taken."""
    if text.strip() and variable not in item.values:
        item.values[variable] = text
        item.labels[variable] = label


def _enter_date(item: Item, variable: str, date: Date) -> None:
    issued = variable == "issued"
    status = unmarked(date.status)
    if date.year is not None and variable not in item.dates:
        item.dates[variable] = date
        item.letter = unmarked(date.letter) if issued else item.letter
    if status and issued and status != "n.d.":  # styles have their own words for what has no date
        _set(item, "status", "note", status)


def _arxiv(text: str) -> str:
    return unmarked(text).removeprefix("arXiv:")


def _text(field: str, value: str | Number) -> str:
    """The text of a value; an edition is its number, which a style puts in words of its own."""
    if isinstance(value, Number):
        return str(value.value) if field == "edition" and value.value is not None else value.text
    return value


def _ended(text: str) -> str:
    """The text without a full stop at its end, unless it belongs to an abbreviation such as `Bd.` or to dots."""
    word = text.rpartition(" ")[2]
    return text[:-1] if text.endswith(".") and word.count(".") == 1 and len(word) > 5 else text


def _plain_name(name: Name) -> Name:
    return Name(*(unmarked(part) for part in (name.family, name.given, name.particle, name.suffix, name.literal)))
