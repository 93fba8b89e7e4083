"""What CSL calls our types and fields."""

from __future__ import annotations

TYPES: dict[str, str] = {
    "article": "article-journal",
    "paper": "paper-conference",
    "book": "book",
    "chapter": "chapter",
    "thesis": "thesis",
    "report": "report",
    "preprint": "article",
    "webpage": "webpage",
    "dataset": "dataset",
    "software": "software",
    "standard": "standard",
    "patent": "patent",
    "other": "document",
}
VARIABLES: dict[str, str] = {
    "title": "title",
    "container": "container-title",
    "series": "collection-title",
    "volume": "volume",
    "issue": "issue",
    "pages": "page",
    "edition": "edition",
    "chapter": "chapter-number",
    "date": "issued",
    "accessed": "accessed",
    "publisher": "publisher",
    "place": "publisher-place",
    "institution": "authority",
    "genre": "genre",
    "number": "number",
    "doi": "DOI",
    "pmid": "PMID",
    "pmcid": "PMCID",
    "isbn": "ISBN",
    "issn": "ISSN",
    "url": "URL",
    "language": "language",
    "archive": "archive",
    "note": "note",
    "author": "author",
    "editor": "editor",
    "translator": "translator",
}
PUBLISHED_BY = frozenset({"thesis", "report"})
"""The types of works whose institution is what CSL calls their publisher."""
VERSIONED = frozenset({"dataset", "software"})
"""The types of works whose edition is what CSL calls their version."""
