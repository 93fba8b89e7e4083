"""The table of fields: all that Ibidem knows about each, one row for one. The types of works are in `types.py`.

A row of `FIELDS` names the labels of the parser that become the field, the type of its value with the normalisers that
make it, and what each format calls it. Formats read plain fields from this table alone, so a new field is one row here,
and a normaliser where its text needs one. Fields that a format has several places for (names, dates, pages, titles)
have code in that format; their cells are for people to read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ParamSpec, TypeVar

from ibidem.errors import ConfigError
from ibidem.records.types import TYPES as TYPES  # noqa: PLC0414 - the other table, for whoever looks for it here
from ibidem.records.types import types_from as types_from  # noqa: PLC0414
from ibidem.records.types import types_in as types_in  # noqa: PLC0414

_P = ParamSpec("_P")
_R = TypeVar("_R")

NORMALISERS_BY_TYPE: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "name": ("name",),
    "etal": ("text",),  # the words that say that a list of names goes on
    "date": ("text", "date"),
    "pages": ("text", "pages"),
    "number": ("text", "number"),
    "identifier": ("text",),  # and one that the row names
}
"""The types of values, each with the normalisers that a text goes through where its row names no others."""

_OF_TYPE = ("those of the type",)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """A row of the table: a field, the type of its value, and its name in each format (empty where it has none).

    `tei` and `jats` are elements with at most one attribute: `note[@type="genre"]`. In TEI a plain field is an `idno`,
    a `biblScope`, a `note` or an element of the `imprint`; in JATS any element of the citation. `endnote` is a path.
    """

    name: str
    about: str
    type: str = "text"
    labels: tuple[str, ...] = ()  # by default the name
    normalisers: tuple[str, ...] = _OF_TYPE  # by default those of the type
    csl: str = ""  # a variable; without one a value stands under `custom`
    bibtex: str = ""
    biblatex: str = ""  # by default as in BibTeX
    ris: str = ""
    endnote: str = ""
    tei: str = ""
    jats: str = ""
    dc: str = ""

    def __post_init__(self) -> None:
        if self.type not in NORMALISERS_BY_TYPE:
            known = ", ".join(NORMALISERS_BY_TYPE)
            raise ConfigError(f"the field {self.name!r} has the unknown type {self.type!r}; known are {known}")
        object.__setattr__(self, "labels", self.labels or (self.name,))
        object.__setattr__(self, "biblatex", self.biblatex or self.bibtex)
        if self.normalisers is _OF_TYPE:
            object.__setattr__(self, "normalisers", NORMALISERS_BY_TYPE[self.type])


def _role(name: str, does: str, csl: str, bibtex: str, *, ris: str = "", endnote: str = "") -> FieldSpec:
    """Return the row of a list of persons with some part in the work; its places in XML have the name of the field."""
    tei, jats = f'editor[@role="{name}"]', f'person-group[@person-group-type="{name}"]'
    about = f"who {does}, a name each"
    return FieldSpec(name=name, about=about, type="name", csl=csl, bibtex=bibtex, ris=ris, endnote=endnote, tei=tei,
                     jats=jats, dc="contributor")  # fmt: skip


def _plain(name: str, about: str, csl: str, bibtex: str, *, tei: str = "", jats: str = "", **others: Any) -> FieldSpec:
    """Return the row of a field that is a note with its name in XML where nothing else is said."""
    tei, jats = tei or f'note[@type="{name}"]', jats or f'comment[@content-type="{name}"]'
    return FieldSpec(name=name, about=about, csl=csl, bibtex=bibtex, tei=tei, jats=jats, **others)


# fmt: off
_ROWS = (
    FieldSpec(name="author", about="a name each, in order", type="name", csl="author", bibtex="author", ris="AU",
              endnote="contributors/authors", tei="author", jats='person-group[@person-group-type="author"]',
              dc="creator"),
    FieldSpec(name="author-etal", about="the words that say that the list of authors goes on", type="etal",
              labels=("author/etal",), bibtex="and others", tei="respStmt/resp", jats="person-group/etal"),
    FieldSpec(name="editor", about="a name each, in order", type="name", csl="editor", bibtex="editor", ris="A2",
              endnote="contributors/secondary-authors", tei="monogr/editor",
              jats='person-group[@person-group-type="editor"]', dc="contributor"),
    FieldSpec(name="editor-etal", about="the words that say that the list of editors goes on", type="etal",
              labels=("editor/etal",), bibtex="and others", tei="monogr/respStmt/resp", jats="person-group/etal"),
    FieldSpec(name="translator", about="a name each, in order", type="name", csl="translator", bibtex="translator",
              ris="A4", endnote="contributors/subsidiary-authors", tei='editor[@role="translator"]',
              jats='person-group[@person-group-type="translator"]', dc="contributor"),
    _role("book-author", "wrote the book that contains it", "container-author", "bookauthor"),
    _role("series-editor", "edited the series", "collection-editor", "serieseditor", ris="A3",
          endnote="contributors/tertiary-authors"),
    _role("compiler", "compiled it", "compiler", "compiler"),
    _role("contributor", "contributed to it", "contributor", "contributor"),
    _role("illustrator", "illustrated it", "illustrator", "illustrator"),
    _role("composer", "composed the music", "composer", "composer"),
    _role("performer", "performed it", "performer", "performer"),
    _role("director", "directed the film or play", "director", "director"),
    _role("interviewer", "asked the questions", "interviewer", "interviewer"),
    _role("recipient", "was the letter sent to", "recipient", "recipient"),
    _role("original-author", "wrote the original", "original-author", "origauthor"),
    _role("reviewed-author", "wrote the work that is reviewed", "reviewed-author", "reviewedauthor"),
    FieldSpec(name="title", about="the title of the work that is cited", csl="title", bibtex="title", ris="TI",
              endnote="titles/title", tei="analytic/title, monogr/title",
              jats="article-title, chapter-title, data-title, source", dc="title"),
    _plain("short-title", "a short form of the title", "title-short", "shorttitle", ris="ST",
           endnote="titles/short-title"),
    _plain("original-title", "the title of the original of a translation or reprint", "original-title", "origtitle"),
    _plain("reviewed-title", "the title of the work that is reviewed", "reviewed-title", "reviewedtitle", ris="RI",
           endnote="reviewed-item"),
    FieldSpec(name="container", about="the journal, book or proceedings that contain the work",
              labels=("journal", "book"), csl="container-title", bibtex="booktitle", ris="T2",
              endnote="titles/secondary-title", tei="monogr/title", jats="source", dc="source"),
    _plain("short-container", "a short form of the container", "container-title-short", "shortjournal", ris="J2",
           endnote="titles/alt-title"),
    _plain("event", "the meeting or other event at which it was presented", "event-title", "eventtitle", ris="C4"),
    _plain("event-place", "where that was", "event-place", "venue", ris="C5"),
    FieldSpec(name="series", about="the series of books, reports or proceedings", csl="collection-title",
              bibtex="series", ris="T3", endnote="titles/tertiary-title", tei="series/title", jats="series",
              dc="relation"),
    _plain("series-number", "its number in the series", "collection-number", "number", type="number", ris="U4",
           endnote="volume", tei='biblScope[@unit="series"]'),
    _plain("part", "the number of the part", "part-number", "part", type="number", ris="C8",
           tei='biblScope[@unit="part"]'),
    _plain("volumes", "how many volumes it has", "number-of-volumes", "volumes", type="number", ris="NV",
           endnote="num-vols"),
    FieldSpec(name="volume", about="a number", type="number", csl="volume", bibtex="volume", ris="VL",
              endnote="volume", tei='biblScope[@unit="volume"]', jats="volume", dc="source"),
    FieldSpec(name="issue", about="a number", type="number", csl="issue", bibtex="number", ris="IS",
              endnote="number", tei='biblScope[@unit="issue"]', jats="issue", dc="source"),
    FieldSpec(name="pages", about="first and last page", type="pages", csl="page", bibtex="pages", ris="SP, EP",
              endnote="pages", tei='biblScope[@unit="page"]', jats="fpage, lpage", dc="source"),
    FieldSpec(name="article-number", about="the number of an article in a journal without pages", bibtex="eid",
              ris="C7", endnote="custom7", tei='biblScope[@unit="article"]', jats="elocation-id", dc="source"),
    FieldSpec(name="edition", about="a number", type="number", csl="edition", bibtex="edition", ris="ET",
              endnote="edition", tei="monogr/edition", jats="edition", dc="description"),
    _plain("extent", "how many pages it has as a whole: 2391 pp.", "number-of-pages", "pagetotal", type="number",
           normalisers=("text", "extent"), ris="U3", endnote="pages",
           jats='size[@units="page"]', dc="format"),
    _plain("version", "the version of a program or a set of data", "version", "version",
           normalisers=("text", "version"), ris="U2", endnote="edition",
           jats="version", dc="description"),
    _plain("section", "the section, article or paragraph that is meant", "section", "section", ris="C6",
           endnote="section", tei='biblScope[@unit="section"]'),
    FieldSpec(name="chapter", about="the number or name of the chapter that is meant", csl="chapter-number",
              bibtex="chapter", ris="SE", endnote="section", tei='biblScope[@unit="chapter"]',
              jats='comment[@content-type="chapter"]'),
    FieldSpec(name="date", about="when it was published", type="date", csl="issued", bibtex="year", biblatex="date",
              ris="PY, DA", endnote="dates/year, dates/pub-dates/date", tei='imprint/date[@type="published"]',
              jats="year, month, day, season", dc="date"),
    FieldSpec(name="accessed", about="when it was looked at", type="date", csl="accessed", bibtex="urldate", ris="Y2",
              endnote="access-date", tei='imprint/date[@type="accessed"]',
              jats='date-in-citation[@content-type="access-date"]'),
    _plain("original-date", "when the original was published", "original-date", "origdate", type="date", ris="OP",
           endnote="orig-pub", tei='imprint/date[@type="original"]'),
    _plain("event-date", "when the meeting was", "event-date", "eventdate", type="date", ris="C1",
           tei='imprint/date[@type="event"]'),
    FieldSpec(name="publisher", about="the publisher", csl="publisher", bibtex="publisher", ris="PB",
              endnote="publisher", tei="imprint/publisher", jats="publisher-name", dc="publisher"),
    FieldSpec(name="place", about="the place of the publisher or of the meeting", csl="publisher-place",
              bibtex="address", biblatex="location", ris="CY", endnote="pub-location", tei="imprint/pubPlace",
              jats="publisher-loc"),
    FieldSpec(name="institution", about="the university, court or other body that the work comes from", csl="authority",
              bibtex="institution", ris="AD", endnote="auth-address", tei="monogr/respStmt/orgName",
              jats="institution", dc="publisher"),
    _plain("original-publisher", "the publisher of the original", "original-publisher", "origpublisher"),
    _plain("original-place", "the place of that publisher", "original-publisher-place", "origlocation"),
    _plain("jurisdiction", "where a law or decision is in force", "jurisdiction", "jurisdiction", ris="U1"),
    FieldSpec(name="genre", about="words that say what the work is: PhD thesis", labels=("type",), csl="genre",
              bibtex="type", ris="M3", endnote="work-type", tei='note[@type="genre"]',
              jats='comment[@content-type="genre"]', dc="type"),
    FieldSpec(name="number", about="the number of a report, patent, standard or docket", labels=("report-number",),
              csl="number", bibtex="reportnumber", ris="M1", endnote="number", tei='idno[@type="report"]',
              jats='pub-id[@pub-id-type="other"]', dc="identifier"),
    FieldSpec(name="doi", about="in lower case, from its 10. on", type="identifier", normalisers=("doi",), csl="DOI",
              bibtex="doi", ris="DO", endnote="electronic-resource-num", tei='idno[@type="DOI"]',
              jats='pub-id[@pub-id-type="doi"]', dc="identifier"),
    FieldSpec(name="arxiv", about="as 1501.00001 or hep-th/9901001, with its version where one was given",
              type="identifier", normalisers=("text", "arxiv"), bibtex="eprint", ris="AN", endnote="accession-num",
              tei='idno[@type="arXiv"]', jats='pub-id[@pub-id-type="arxiv"]', dc="identifier"),
    _plain("arxiv-class", "the primary class at arXiv: cs.CL", "", "primaryclass", biblatex="eprintclass"),
    FieldSpec(name="pmid", about="digits", type="identifier", normalisers=("text", "pmid"), csl="PMID", bibtex="pmid",
              ris="AN", endnote="accession-num", tei='idno[@type="PMID"]', jats='pub-id[@pub-id-type="pmid"]',
              dc="identifier"),
    FieldSpec(name="pmcid", about="PMC and digits", type="identifier", normalisers=("text", "pmcid"), csl="PMCID",
              bibtex="pmcid", ris="AN", endnote="custom2", tei='idno[@type="PMCID"]',
              jats='pub-id[@pub-id-type="pmcid"]', dc="identifier"),
    FieldSpec(name="isbn", about="13 digits, or 10 where that is what was given", type="identifier",
              normalisers=("text", "isbn"), csl="ISBN", bibtex="isbn", ris="SN", endnote="isbn",
              tei='idno[@type="ISBN"]', jats="isbn", dc="identifier"),
    FieldSpec(name="issn", about="as 1234-567X", type="identifier", normalisers=("text", "issn"), csl="ISSN",
              bibtex="issn", ris="SN", endnote="isbn", tei='idno[@type="ISSN"]', jats="issn", dc="identifier"),
    FieldSpec(name="url", about="an address on the net", type="identifier", normalisers=("url",), csl="URL",
              bibtex="url", ris="UR", endnote="urls/related-urls/url", tei="ptr/@target", jats="uri",
              dc="identifier"),
    FieldSpec(name="language", about="a code of BCP 47", csl="language", bibtex="language", ris="LA",
              endnote="language", tei="monogr/textLang/@mainLang", jats="@xml:lang", dc="language"),
    FieldSpec(name="archive", about="who keeps the work", csl="archive", bibtex="library", ris="DB",
              endnote="remote-database-name", tei='note[@type="archive"]', jats='comment[@content-type="archive"]'),
    _plain("archive-location", "where in the archive: its shelf mark there", "archive_location", "archivelocation",
           ris="AV"),
    _plain("archive-place", "where the archive is", "archive-place", "archiveplace"),
    _plain("archive-collection", "the collection in the archive", "archive_collection", "archivecollection"),
    _plain("call-number", "its number in a library", "call-number", "callnumber", ris="CN", endnote="call-num"),
    _plain("source", "the database or catalogue that says so", "source", "source", ris="DP",
           endnote="remote-database-provider"),
    _plain("medium", "what it is published on: DVD, microfilm", "medium", "medium"),
    _plain("dimensions", "its size or running time", "dimensions", "dimensions", dc="format"),
    _plain("scale", "the scale of a map", "scale", "scale"),
    _plain("license", "under which licence it may be used", "license", "license", dc="rights"),
    _plain("abstract", "a summary of what it says", "abstract", "abstract", ris="AB", endnote="abstract",
           dc="description"),
    _plain("keyword", "a keyword or subject, each an entry", "keyword", "keywords", ris="KW",
           endnote="keywords/keyword", dc="subject"),
    _plain("annotation", "what its owner remarks on it", "annote", "annote", biblatex="annotation", ris="RN",
           endnote="research-notes"),
    _plain("file", "where a copy of it lies", "", "file", ris="L1", endnote="urls/pdf-urls/url"),
    FieldSpec(name="note", about="any other remark", csl="note", bibtex="note", ris="N1", endnote="notes", tei="note",
              jats="comment", dc="description"),
    FieldSpec(name="marker", about="the number or key before the reference", normalisers=(), bibtex="marker",
              ris="LB", endnote="label", tei='note[@type="marker"]', jats="ref/label"),
)
# fmt: on


FIELDS: dict[str, FieldSpec] = {}
"""The table, in the order of its rows; `register_field` adds to it."""

NAMES: set[str] = set()
DATES: set[str] = set()
NUMBERS: set[str] = set()
IDENTIFIERS: set[str] = set()
"""The fields whose values are a `Name`, a `Date`, a `Number` or an identifier, kept up to date by `register_field`."""

_SETS = {"name": NAMES, "date": DATES, "number": NUMBERS, "identifier": IDENTIFIERS}
_CACHES: list[Callable[[], None]] = []


def register_field(field: FieldSpec) -> None:
    """Add a row to the table: from now on records may have the field, and every format writes and reads it."""
    if field.name in FIELDS:
        raise ConfigError(f"there is a field {field.name!r} already; give another name")
    FIELDS[field.name] = field
    _SETS.get(field.type, set()).add(field.name)
    for clear in _CACHES:
        clear()


def unregister_field(name: str) -> None:
    """Take a row out of the table again."""
    field = FIELDS.pop(name)
    _SETS.get(field.type, set()).discard(name)
    for clear in _CACHES:
        clear()


def cache_until_registration(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function that computes something from the table, to do so once for every state of the table."""
    cached = cache(function)
    _CACHES.append(cached.cache_clear)
    return cached  # type: ignore[return-value]


@cache_until_registration
def names_in(column: str) -> dict[str, str]:
    """Return what a format calls each field, those left out that it has no name for.

    >>> names_in("ris")["title"], "author-etal" in names_in("ris")
    ('TI', False)
    """
    return {field.name: name for field in FIELDS.values() if (name := getattr(field, column))}


@cache_until_registration
def fields_by_label() -> dict[str, str]:
    """Return the field that each label of the parser becomes; the name of a field is a label too.

    >>> fields_by_label()["journal"], fields_by_label()["title"]
    ('container', 'title')
    """
    by_label = {label: field.name for field in FIELDS.values() for label in field.labels}
    return {name: name for name in FIELDS} | by_label


for _row in _ROWS:
    register_field(_row)
