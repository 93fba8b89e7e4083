"""The tables of the sets that come with tags and of LinkedBooks: eLife, GIANT, EXCITE, LinkedBooks."""

from __future__ import annotations

import re

from ibidem.labels.mapping.tables import TABLES, Context, _identifier, _remark

_TITLES = ("article-title", "chapter-title", "data-title")


def _source(context: Context) -> str:
    """eLife's `source`: what it is depends on what kind of work is cited."""
    kind, titled = context.kind, context.has(*_TITLES)
    if kind in ("journal", "preprint", "prepriont"):
        return "journal"
    if not titled:
        return "?" if kind in ("other", "data", "patent") else "title"
    return {
        "book": "book",
        "confproc": "book",
        "data": "archive",
        "software": "archive",
        "web": "journal|book|archive",
        "website": "journal|book|archive",
    }.get(kind, "?")


def _year(context: Context) -> str:
    return "date/year" if re.search(r"\d", context.text) else "?"


def _container(context: Context) -> str:
    if context.has("volume", "issue"):
        return "journal"
    return "journal|book" if context.has("title") else "journal|book|title"


def _excite_source(context: Context) -> str:
    if not context.has("title"):
        return "journal|book|title"
    if context.has("editor", "publisher"):
        return "book"
    return "journal" if context.has("issue") else "journal|book"


TABLES["elife"] = {
    "person-group": "author",
    "person-group:author": "author",
    "person-group:editor": "editor",
    "person-group:collab": "author",
    "person-group:translator": "translator",
    "string-name": "~/person",
    "name": "~/person",
    "surname": "~/person/family",
    "given-names": "~/person/given",
    "suffix": "~/person/suffix",
    "prefix": "?",
    "collab": "~/collaboration",
    "collab-name": "~/collaboration",
    "etal": "~/etal",
    "role": "?",
    "article-title": "title",
    "chapter-title": "title",
    "data-title": "title",
    "source": _source,
    "conf-name": "book",
    "conf-loc": "place",
    "conf-date": "?",
    "conf-sponsor": "?",
    "series": "series",
    "volume": "volume",
    "issue": "issue",
    "supplement": "issue",
    "fpage": "pages/first",
    "lpage": "pages/last",
    "page-range": "pages",
    "elocation-id": "article-number",
    "edition": "edition",
    "version": "edition",
    "year": _year,
    "month": "date/month",
    "day": "date/day",
    "date-in-citation": "accessed",
    "publisher-name": lambda c: "institution" if c.kind == "thesis" else "publisher",
    "publisher-loc": "place",
    "institution": "institution",
    "pub-id:doi": "doi",
    "pub-id:pmid": "pmid",
    "pub-id:pmcid": "pmcid",
    "pub-id:arxiv": "arxiv",
    "pub-id:accession": "?",
    "pub-id": _identifier,
    "issn": "issn",
    "isbn": "isbn",
    "patent": "report-number",
    "ext-link": "url",
    "uri": "url",
    "comment": _remark,
    "otherinfo": "note",
}
TABLES["giant"] = {
    "author": "author",
    "author interviewer": "author",
    "editor": "editor",
    "editor translator": "editor",
    "translator": "translator",
    "translator editor": "editor",
    "editor collection-editor editorial-director director translator": "editor",
    "container-author": "?",
    "container-author editor": "editor",
    "family": "~/person/family",
    "given": "~/person/given",
    "issued": "date",
    "year": "date/year",
    "month": "date/month",
    "day": "date/day",
    "title": "title",
    "container-title": _container,
    "container-title-short": _container,
    "volume": "volume",
    "issue": "issue",
    "page": "pages",
    "page-first": "pages",
    "publisher": "publisher",
    "URL": "url",
    "DOI": "doi",
    "ISSN": "issn",
    "ISBN": "isbn",
    "event": "?",
    "source": "?",
    "citation-label": "marker",
}
TABLES["excite"] = {
    "author": "author/person",
    "editor": "editor/person",
    "surname": "~/person/family",
    "given-names": "~/person/given",
    "year": "date/year",
    "title": "title",
    "source": _excite_source,
    "volume": "volume",
    "issue": "issue",
    "fpage": "pages/first",
    "lpage": "pages/last",
    "publisher": "publisher",
    "url": "url",
    "identifier": _identifier,
    "other": "?",
}
TABLES["linkedbooks"] = {
    "author": lambda c: (
        "editor" if re.match(r"\W*(?:a cura|a c ?\.|cur\b|hrsg|edited|ed\.)", c.text, re.I) else "author"
    ),
    "title": "title",  # a second title, or the second half of one, is the container: see unify
    "publicationplace": "place",
    "publisher": "publisher",
    "year": "date",
    "date": "date",
    "pagination": "pages",
    "volume": "volume",
    "tomo": "volume",
    "series": "series",
    "archive_lib": "archive",
    "numbered_ref": "?",
    "publicationnumber-year": "?",
    "publicationspecifications": "?",
    "abbreviation": "?",
    "archivalreference": "?",
    "cartulation": "?",
    "foliation": "?",
    "box": "?",
    "registry": "?",
    "folder": "?",
    "filza": "?",
    "attachment": "?",
    "ref": "?",
    "conjunction": "",
    "column": "?",
}
