"""Tables of `docs/formats.md`: the formats, the name of each type and field in them, and their limits."""

from __future__ import annotations

from collections.abc import Callable

from ibidem.csl.vocabulary import TYPES as CSL_TYPES
from ibidem.csl.vocabulary import VARIABLES
from ibidem.records.formats import FORMATS, bibtex, dublincore, endnote, jats, ris, tei
from ibidem.records.record import FIELDS, TYPES
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
    rows = [(f"`{one.name}`", sentence) for one in FORMATS.values() for sentence in one.limits.sentences()]
    return table(("format", "what it cannot carry or changes"), rows)


def types() -> str:
    """Return a table of the name of each type in every format that has types."""
    header = ("type", "meaning", "CSL-JSON", "BibTeX", "BibLaTeX", "RIS", "JATS", "EndNote")
    rows = [
        (
            f"`{kind}`",
            meaning,
            f"`{CSL_TYPES[kind]}`",
            f"`@{bibtex.BIBTEX_TYPES[kind]}`",
            f"`@{bibtex.BIBLATEX_TYPES[kind]}`",
            f"`{ris.TYPES[kind]}`",
            f"`{jats.TYPES[kind]}`",
            endnote.TYPES[kind][1],
        )
        for kind, meaning in TYPES.items()
    ]
    return table(header, rows)


def fields() -> str:
    """Return a table of the name of each field in every format."""
    header = ("field", "CSL-JSON", "BibTeX", "BibLaTeX", "RIS", "TEI", "JATS", "EndNote", "Dublin Core")
    rows = []
    for field in FIELDS:
        places = [
            VARIABLES.get(field, "custom"),
            _tex(field, False),
            _tex(field, True),
            ris.TAGS.get(field, ""),
        ]
        places += [where.get(field, "") for where in (tei.PLACES, jats.PLACES, endnote.PLACES, dublincore.PLACES)]
        rows.append((f"`{field}`", *(f"`{place}`" if place else "–" for place in places)))
    return table(header, rows)


def _tex(field: str, biblatex: bool) -> str:
    """Return the names of a field in the entries of all types."""
    if field.endswith("-etal"):
        return "and others"
    if field == "date":
        return "date, yearsuffix, pubstate" if biblatex else "year, month, day, date, yearsuffix, pubstate"
    return ", ".join(dict.fromkeys(bibtex.field_name(field, kind, biblatex) for kind in TYPES))


FORMAT_TABLES: dict[str, Callable[[], str]] = {
    "formats": formats,
    "format-limits": limits,
    "format-types": types,
    "format-fields": fields,
}
