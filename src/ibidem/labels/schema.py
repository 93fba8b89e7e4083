"""The labels of every task, as Ibidem names them, with one line of meaning each.

The fields of a reference are a tree of label paths. Punctuation at the edges of a field and the words that introduce
it ("vol.", "pp.", "In:", "doi:", "Available from") stand outside the field.
"""

from __future__ import annotations

_PERSON_PARTS = {
    "person": "one person of the list",
    "person/family": "the family name, with its particles",
    "person/given": "given names or initials, all of them",
    "person/suffix": "what follows a name: Jr., III",
    "collaboration": "a group or organisation that stands in the list",
    "etal": "the words that say that the list goes on: et al., and others",
}

SCHEMA: dict[str, str] = {
    "author": "the list of authors, from the first name to the last",
    **{f"author/{part}": meaning for part, meaning in _PERSON_PARTS.items()},
    "editor": "the list of editors, without the word that calls them so",
    **{f"editor/{part}": meaning for part, meaning in _PERSON_PARTS.items()},
    "translator": "the translators, names not divided",
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
    "chapter": "the number or name of the chapter that is meant",
    "date": "when it was published",
    "date/year": "the year, with the letter that tells two works apart",
    "date/month": "the month",
    "date/day": "the day",
    "accessed": "when a page was looked at",
    "publisher": "the publisher",
    "place": "the place of the publisher or of the meeting",
    "institution": "the university, laboratory or body that a thesis or report comes from",
    "type": "words that say what the work is: PhD thesis, Technical report",
    "report-number": "the number of a report, patent or standard",
    "doi": "the DOI, from its 10. on",
    "arxiv": "the arXiv identifier",
    "pmid": "the PubMed identifier",
    "pmcid": "the PubMed Central identifier",
    "isbn": "the ISBN",
    "issn": "the ISSN",
    "url": "an address on the net that is not a DOI",
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
    "background": "what must be known first: definitions, preliminaries, setting",
    "related-work": "what others did",
    "method": "what was done and how: model, approach, system, materials, theory, implementation",
    "evaluation": "what came out: experiments, evaluation, results, also with a discussion in the same section",
    "discussion": "what it means: discussion, limitations, future work",
    "conclusions": "conclusions, also with future work, or a summary at the end",
    "acknowledgements": "thanks",
    "declarations": "statements: data availability, funding, contributions, competing interests, ethics",
    "references": "the list of references",
    "supplement": "appendices and supporting information",
}
"""The roles of sections; most are those of Luong et al. 2010."""

AUTHOR_SCHEMA: dict[str, str] = {
    "author": "the name of one author",
    "affiliation": "an organisation with its address, as far as it is written in one piece",
    "symbol": "one mark that ties an author to an affiliation or a note: 1, a, *, †",
    "separator": "what stands between two names, marks or affiliations: a comma, a semicolon, and",
    "email": "an address for electronic mail",
}
"""The segments of the author and affiliation lines of a header (Cuong et al. 2015); what is none of them stays text."""

UNKNOWN = "?"
"""The label of characters about which a dataset says nothing that can be used."""


def parent(label: str) -> str:
    """The label one level up, empty for a label at the top."""
    return label.rpartition("/")[0]


def children(label: str) -> tuple[str, ...]:
    """The labels one level below `label`, in the order of the schema."""
    return tuple(other for other in SCHEMA if parent(other) == label)


WITH_PARTS: frozenset[str] = frozenset(label for label in SCHEMA if children(label))
"""The labels that have labels below them."""
