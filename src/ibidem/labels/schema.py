"""The label schema of each task: a line per label, with its meaning.

The fields of a reference form a tree of label paths. Punctuation at the ends of a field and the words that introduce it
("vol.", "pp.", "In:", "doi:", "Available from") are outside the field. A new field of references is a line in `SCHEMA`
here and one in the table of fields in `ibidem.records`.
"""

from __future__ import annotations

_PERSON_PARTS = {
    "person": "one person of the list",
    "person/family": "the family name, with its particles",
    "person/given": "given names or initials, all of them",
    "person/suffix": "what follows a name: Jr., III",
    "collaboration": "a group or organisation in the list",
    "etal": "the words for further names: et al., and others",
}

SCHEMA: dict[str, str] = {
    "author": "the list of authors, from the first name to the last",
    **{f"author/{part}": meaning for part, meaning in _PERSON_PARTS.items()},
    "editor": "the list of editors, without words such as eds.",
    **{f"editor/{part}": meaning for part, meaning in _PERSON_PARTS.items()},
    "translator": "the translators, without parts",
    "title": "the title of the work that is cited",
    "journal": "the journal, magazine or newspaper",
    "book": "the book or proceedings that contain the cited chapter or paper",
    "series": "the series of books, reports or proceedings",
    "volume": "the number of the volume",
    "issue": "the number of the issue",
    "pages": "the pages, from first to last",
    "pages/first": "the first page, or the only one",
    "pages/last": "the last page",
    "article-number": "the number of an article in a journal without pages",
    "edition": "which edition or version",
    "chapter": "the number or name of the cited chapter",
    "date": "when it was published",
    "date/year": "the year, with a letter that distinguishes works of one year: 1999a",
    "date/month": "the month",
    "date/day": "the day",
    "accessed": "when a web page was accessed",
    "publisher": "the publisher",
    "place": "the place of the publisher or of the meeting",
    "institution": "the university, laboratory or body that a thesis or report comes from",
    "type": "the type of work as printed: PhD thesis, Technical report",
    "report-number": "the number of a report, patent or standard",
    "doi": "the DOI, from its 10. on",
    "arxiv": "the arXiv identifier",
    "pmid": "the PubMed identifier",
    "pmcid": "the PubMed Central identifier",
    "isbn": "the ISBN",
    "issn": "the ISSN",
    "url": "a web address that is not a DOI",
    "note": "any other remark: in press, in Russian",
    "archive": "the archive, library or repository that keeps the work",
    "marker": "the number or key before a reference: [12], 3.",
}

SECTION_SCHEMA: dict[str, str] = {
    "abstract": "the abstract or summary before the text",
    "keywords": "keywords and index terms",
    "categories": "categories and subject descriptors of a classification",
    "general-terms": "the general terms of the same classification",
    "introduction": "introduction, motivation, the problem in brief",
    "background": "preliminaries: definitions, notation, setting",
    "related-work": "previous work of others",
    "method": "the approach: model, system, materials, theory, implementation",
    "evaluation": "results: experiments and their evaluation, also with a discussion in the same section",
    "discussion": "interpretation of the results, limitations, future work",
    "conclusions": "conclusions, also with future work, or a summary at the end",
    "acknowledgements": "thanks",
    "declarations": "statements: data availability, funding, contributions, competing interests, ethics",
    "references": "the list of references",
    "supplement": "appendices and supporting information",
}
"""Roles of sections; most are those of Luong et al. 2010."""

AUTHOR_SCHEMA: dict[str, str] = {
    "author": "the name of one author",
    "affiliation": "an organisation with its address, as one piece of text",
    "symbol": "a symbol that ties an author to an affiliation or a note: 1, a, *, †",
    "separator": "what separates names, symbols or affiliations: a comma, a semicolon, and",
    "email": "an e-mail address",
}
"""Segments of the author and affiliation lines of a header (Cuong et al. 2015); other text has no label."""

UNKNOWN = "?"
"""The label of text whose label is not known."""


def parent(label: str) -> str:
    """Return the label one level up, "" for a top-level label."""
    return label.rpartition("/")[0]


def children(label: str) -> tuple[str, ...]:
    """Return the labels one level below `label`, in schema order."""
    return tuple(other for other in SCHEMA if parent(other) == label)


WITH_PARTS: frozenset[str] = frozenset(label for label in SCHEMA if children(label))
"""Labels with labels below them."""
