"""Tables of `docs/formats.md`: the formats, the name of each type and field in them, and their limits."""

from __future__ import annotations

from collections.abc import Callable

from ibidem.records.fields import FIELDS, names_in
from ibidem.records.formats import FORMATS, bibtex
from ibidem.records.types import TYPES
from tools.docs.markdown import table


def formats() -> str:
    """Return a table of every format: name, description, file endings, and whether it can be read."""
    rows = [
        (
            f"`{one.name}`",
            one.summary,
            ", ".join(f"`{ending}`" for ending in one.suffixes),
            "yes" if one.read else "no",
            f"`{one.extra}`" if one.extra else "–",
        )
        for one in FORMATS.values()
    ]
    return table(("name", "what it is", "endings", "can be read", "extra"), rows)


def limits() -> str:
    """Return a table of what each format cannot represent, or represents in another form."""
    rows = [(f"`{one.name}`", sentence) for one in FORMATS.values() for sentence in one.capabilities.sentences()]
    return table(("format", "what it cannot carry or changes"), rows)


def types() -> str:
    """Return a table of the name of each type in every format that has types."""
    header = ("type", "meaning", "CSL-JSON", "BibTeX", "BibLaTeX", "RIS", "JATS", "EndNote", "Dublin Core")
    rows = [
        (
            f"`{kind}`",
            one.about,
            f"`{one.csl}`",
            f"`@{one.bibtex}`",
            f"`@{one.biblatex}`",
            f"`{one.ris}`",
            f"`{one.jats}`",
            one.endnote.partition(" ")[2],
            f"`{one.dc}`",
        )
        for kind, one in TYPES.items()
    ]
    return table(header, rows)


def fields() -> str:
    """Return a table of the name of each field in every format."""
    header = ("field", "CSL-JSON", "BibTeX", "BibLaTeX", "RIS", "TEI", "JATS", "EndNote", "Dublin Core")
    rows = []
    for field in FIELDS:
        places = [names_in("csl").get(field, "custom"), _tex(field, False), _tex(field, True)]
        places += [names_in(column).get(field, "") for column in ("ris", "tei", "jats", "endnote", "dc")]
        rows.append((f"`{field}`", *(f"`{place}`" if place else "–" for place in places)))
    return table(header, rows)


def _tex(field: str, biblatex: bool) -> str:
    """Return the names of a field in the entries of all types."""
    if field.endswith("-etal"):
        return "and others"
    if field == "date":
        return "date, yearsuffix, pubstate" if biblatex else "year, month, day, date, yearsuffix, pubstate"
    pairs = ((kind, in_series) for in_series in (False, True) for kind in TYPES)
    return ", ".join(dict.fromkeys(bibtex.field_name(field, kind, biblatex, series) for kind, series in pairs))


FORMAT_TABLES: dict[str, Callable[[], str]] = {
    "formats": formats,
    "format-limits": limits,
    "format-types": types,
    "format-fields": fields,
}
