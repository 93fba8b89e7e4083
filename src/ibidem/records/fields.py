"""The tables of fields and of document types: all that Ibidem knows about each, one row for one.

A row of `FIELDS` names the labels of the parser that become the field, the type of its value with the normalisers that
make it, and what each format calls it. Formats read plain fields from this table alone, so a new field is one row here,
and a normaliser where its text needs one. Fields that a format has several places for (names, dates, pages, titles)
have code in that format; their cells are for people to read. A row of `TYPES` says the same of a type of work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import ParamSpec, TypeVar

from ibidem.errors import ConfigError

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
    FieldSpec(name="title", about="the title of the work that is cited", csl="title", bibtex="title", ris="TI",
              endnote="titles/title", tei="analytic/title, monogr/title",
              jats="article-title, chapter-title, data-title, source", dc="title"),
    FieldSpec(name="container", about="the journal, book or proceedings that contain the work",
              labels=("journal", "book"), csl="container-title", bibtex="booktitle", ris="T2",
              endnote="titles/secondary-title", tei="monogr/title", jats="source", dc="source"),
    FieldSpec(name="series", about="the series of books, reports or proceedings", csl="collection-title",
              bibtex="series", ris="T3", endnote="titles/tertiary-title", tei="series/title", jats="series",
              dc="relation"),
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
    FieldSpec(name="chapter", about="the number or name of the chapter that is meant", csl="chapter-number",
              bibtex="chapter", ris="SE", endnote="section", tei='biblScope[@unit="chapter"]',
              jats='comment[@content-type="chapter"]'),
    FieldSpec(name="date", about="when it was published", type="date", csl="issued", bibtex="year", biblatex="date",
              ris="PY, DA", endnote="dates/year, dates/pub-dates/date", tei='imprint/date[@type="published"]',
              jats="year, month, day, season", dc="date"),
    FieldSpec(name="accessed", about="when it was looked at", type="date", csl="accessed", bibtex="urldate", ris="Y2",
              endnote="access-date", tei='imprint/date[@type="accessed"]',
              jats='date-in-citation[@content-type="access-date"]'),
    FieldSpec(name="publisher", about="the publisher", csl="publisher", bibtex="publisher", ris="PB",
              endnote="publisher", tei="imprint/publisher", jats="publisher-name", dc="publisher"),
    FieldSpec(name="place", about="the place of the publisher or of the meeting", csl="publisher-place",
              bibtex="address", biblatex="location", ris="CY", endnote="pub-location", tei="imprint/pubPlace",
              jats="publisher-loc"),
    FieldSpec(name="institution", about="the university or body that a thesis or report comes from", csl="authority",
              bibtex="institution", ris="AD", endnote="auth-address", tei="monogr/respStmt/orgName",
              jats="institution", dc="publisher"),
    FieldSpec(name="genre", about="words that say what the work is: PhD thesis", labels=("type",), csl="genre",
              bibtex="type", ris="M3", endnote="work-type", tei='note[@type="genre"]',
              jats='comment[@content-type="genre"]', dc="type"),
    FieldSpec(name="number", about="the number of a report, patent or standard", labels=("report-number",),
              csl="number", bibtex="reportnumber", ris="M1", endnote="call-num", tei='idno[@type="report"]',
              jats='pub-id[@pub-id-type="other"]', dc="identifier"),
    FieldSpec(name="doi", about="in lower case, from its 10. on", type="identifier", normalisers=("doi",), csl="DOI",
              bibtex="doi", ris="DO", endnote="electronic-resource-num", tei='idno[@type="DOI"]',
              jats='pub-id[@pub-id-type="doi"]', dc="identifier"),
    FieldSpec(name="arxiv", about="as 1501.00001 or hep-th/9901001, with its version where one was given",
              type="identifier", normalisers=("text", "arxiv"), bibtex="eprint", ris="AN", endnote="accession-num",
              tei='idno[@type="arXiv"]', jats='pub-id[@pub-id-type="arxiv"]', dc="identifier"),
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
    FieldSpec(name="note", about="any other remark", csl="note", bibtex="note", ris="N1", endnote="notes", tei="note",
              jats="comment", dc="description"),
    FieldSpec(name="marker", about="the number or key before the reference", normalisers=(), bibtex="marker",
              ris="LB", endnote="label", tei='note[@type="marker"]', jats="ref/label"),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class DocumentType:
    """A type of work and its name in each format; `endnote` has EndNote's number before the name."""

    name: str
    about: str
    csl: str
    bibtex: str
    biblatex: str
    ris: str
    jats: str
    endnote: str


# fmt: off
_TYPES = (
    DocumentType("article", "an article in a journal, magazine or newspaper",
                 "article-journal", "article", "article", "JOUR", "journal", "17 Journal Article"),
    DocumentType("paper", "a paper in the proceedings of a meeting",
                 "paper-conference", "inproceedings", "inproceedings", "CPAPER", "confproc", "47 Conference Paper"),
    DocumentType("book", "a whole book, or whole proceedings",
                 "book", "book", "book", "BOOK", "book", "6 Book"),
    DocumentType("chapter", "a chapter or part of a book",
                 "chapter", "incollection", "incollection", "CHAP", "chapter", "5 Book Section"),
    DocumentType("thesis", "a thesis of any degree", "thesis", "phdthesis", "thesis", "THES", "thesis", "32 Thesis"),
    DocumentType("report", "a report or working paper",
                 "report", "techreport", "report", "RPRT", "report", "27 Report"),
    DocumentType("preprint", "a paper on a preprint server",
                 "article", "misc", "online", "UNPB", "preprint", "34 Unpublished Work"),
    DocumentType("webpage", "a page or post on the net", "webpage", "misc", "online", "ELEC", "web", "12 Web Page"),
    DocumentType("dataset", "a set of data", "dataset", "misc", "dataset", "DATA", "data", "59 Dataset"),
    DocumentType("software", "a program or package",
                 "software", "misc", "software", "COMP", "software", "9 Computer Program"),
    DocumentType("standard", "a standard or a law",
                 "standard", "misc", "misc", "STAND", "standard", "58 Standard"),
    DocumentType("patent", "a patent", "patent", "misc", "patent", "PAT", "patent", "25 Patent"),
    DocumentType("other", "anything else", "document", "misc", "misc", "GEN", "other", "13 Generic"),
)
# fmt: on
TYPES: dict[str, DocumentType] = {one.name: one for one in _TYPES}
"""The types of works."""


@cache
def types_in(column: str) -> dict[str, str]:
    """Return what a format calls each type of work.

    >>> types_in("ris")["book"]
    'BOOK'
    """
    return {name: getattr(one, column) for name, one in TYPES.items()}


@cache
def types_from(column: str) -> dict[str, str]:
    """Return the type that each name of a format means; of several the last."""
    return {theirs: ours for ours, theirs in types_in(column).items()}


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
