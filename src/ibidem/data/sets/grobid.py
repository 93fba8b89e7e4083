"""GROBID's training corpora: references, names, dates, affiliations, reference lists and headers."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from ibidem.data.author_lines import cut_author_lines, is_symbol
from ibidem.data.readers.tei import read_tei
from ibidem.data.registry import BY_TEXT, DataFile, Dataset, Reader, map_examples
from ibidem.labels.mapping.table import (
    Context,
    LabelTable,
    identifier,
    identity_table,
    publisher_or_institution,
    remark,
    unchanged,
)
from ibidem.labels.schema import AUTHOR_SCHEMA, UNKNOWN
from ibidem.text.fold import fold
from ibidem.text.tokens import tokenise
from ibidem.types import Annotation, Example, Token

_NAME_PARTS = ("forename", "middlename", "surname", "suffix")
_AND = frozenset(", ; & and und et y e".split())


# References, of `corpus/`, which `evaluation/` is part of.
read_citations = partial(read_tei, tag="bibl", source="grobid-citation")
# Lists of names of citations or headers: forename, middlename, surname, suffix, marker.
read_names = partial(read_tei, tag="author")
read_dates = partial(read_tei, tag="date", source="grobid-date")
# Affiliations with institution, department, laboratory and address.
read_affiliations = partial(read_tei, tag="affiliation|affilliation", source="grobid-affiliation")
# Reference lists line by line: `bibl` is a reference and `bibl/label` its number.
read_reference_lists = partial(read_tei, tag="listBibl", source="grobid-refsegmenter", lines=True)
# The first pages of papers line by line.
read_headers = partial(read_tei, tag="front", source="grobid-header", under="tei/", lines=True)


def _annotate_authors(example: Example) -> Example:
    """Annotate a list of names as an author line; separators and symbols between names are found by rule."""
    parts: list[list[Annotation]] = []
    for annotation in example.annotations:
        name = annotation.label.rpartition("/")[2]
        if name == "persName":
            parts.append([])
        elif name in _NAME_PARTS and parts:
            parts[-1].append(annotation)
    annotations = [Annotation("author", min(m.start for m in each), max(m.end for m in each)) for each in parts if each]
    annotations = [_include_full_stop(annotation, example.text) for annotation in annotations]
    inside = [annotation for annotation in example.annotations if annotation.label.rpartition("/")[2] == "marker"]
    for token in tokenise(example.text):
        if not any(annotation.start <= token.start < annotation.end for annotation in annotations):
            marker = any(annotation.start <= token.start < annotation.end for annotation in inside)
            annotations += _annotate_between(token, marker)
    return Example(example.text, tuple(sorted(annotations, key=lambda annotation: annotation.start)), example.source)


def _include_full_stop(annotation: Annotation, text: str) -> Annotation:
    """Extend a name that ends with an initial to its full stop."""
    stop = text[annotation.end : annotation.end + 1] == "." and text[annotation.end - 2 : annotation.end - 1] in " ."
    return Annotation(annotation.label, annotation.start, annotation.end + stop)


def _annotate_between(token: Token, marker: bool) -> list[Annotation]:
    """Return the annotation of a token between names, if it is a separator or a symbol."""
    if fold(token.text) in _AND and not (marker and token.text.isalpha()):
        return [Annotation("separator", token.start, token.end)]
    return [Annotation("symbol", token.start, token.end)] if marker or is_symbol(token) else []


def _annotate_affiliation(example: Example) -> Example:
    """Annotate an affiliation as an author line: the marker is a symbol, the rest the affiliation."""
    markers = [annotation for annotation in example.annotations if annotation.label.rpartition("/")[2] == "marker"]
    others = [annotation for annotation in example.annotations if annotation.label.rpartition("/")[2] != "marker"]
    annotations = [
        Annotation("symbol", token.start, token.end)
        for annotation in markers
        for token in tokenise(example.text)
        if annotation.start <= token.start < annotation.end and token.text not in ",.();"
    ]
    if others:
        start, end = min(annotation.start for annotation in others), max(annotation.end for annotation in others)
        while end > start and example.text[end - 1] in " ,;.":
            end -= 1
        annotations = [annotation for annotation in annotations if annotation.end <= start or annotation.start >= end]
        annotations.append(Annotation("affiliation", start, end))
    return Example(example.text, tuple(sorted(annotations, key=lambda annotation: annotation.start)), example.source)


def _number(context: Context) -> str:
    found = identifier(context)
    return found if found != "?" else "report-number"


def _note(context: Context) -> str:
    return "?" if re.match(r"(?:hep|nucl|astro|cond|gr|math|quant)\b", context.text) else remark(context)


_LABELS = LabelTable(
    {
        **unchanged(("author", "editor", "date")),
        "authors": "author",
        "title": "title|book|journal",
        "title:a": "title",
        "title:j": "journal",
        "title:m": lambda c: "book" if c.has("title:a") else "title",
        "title:s": "series",
        **dict.fromkeys(("biblScope:volume", "volumes"), "volume"),
        "biblScope:issue": "issue",
        **dict.fromkeys(("biblScope:page", "biblScope:pages", "page"), "pages"),
        "biblScope:chapter": "chapter",
        "biblScope:date": "date",
        "year": "date/year",
        "month": "date/month",
        "publisher": publisher_or_institution,
        "publishe": "publisher",
        "pubPlace": "place",
        "orgName": "institution|publisher",
        "orgName:collaboration": "author/collaboration",
        "idno": _number,
        **{f"idno:{kind}": kind for kind in ("arxiv", "doi", "pmid", "issn", "isbn")},
        "idno:pmc": "pmcid",
        "idno:report": "report-number",
        "note": _note,
        "note:report": "type",
        "ptr:web": "url",
        **dict.fromkeys(("biblScope", "idno:pii"), UNKNOWN),
    }
)


def _corpus(
    name: str, about: str, file: str, sha256: str, *splits: tuple[str, Reader, int | None], **more: Any
) -> Dataset:
    """Return a dataset of one archive, with a reader for each split."""
    return Dataset(
        name=name,
        about=f"GROBID: {about}",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=tuple(DataFile(f"grobid/{file}.tar.gz", sha256, split, read, count) for split, read, count in splits),
        **more,
    )


CITATION = _corpus(
    "grobid-citation",
    "references in many languages",
    "citation",
    "2e559d57efb9961dde3a01f8ec5a7b75a8999fb89caf6ddc12f20e48d15ed269",
    ("", read_citations, 8_678),
    labels=_LABELS,
    split_rule=BY_TEXT,
    remark="published as about 8,700; the exact figure is our own count",
)
NAME_CITATION = _corpus(
    "grobid-name-citation",
    "lists of names in references",
    "name_citation",
    "600744722e47561439ffff96aec0ed7ac65c703d335b451be1a4a27b2f9348c6",
    ("train", partial(read_names, source="grobid-name-citation"), 448),
    ("test", partial(read_names, source="grobid-name-citation", under="evaluation/"), 33),
)
NAME_HEADER = _corpus(
    "grobid-name-header",
    "lists of names in headers",
    "name_header",
    "e925a25ba85b50ea715d949969fe6436f26ccc8966369c82e7b66618cbd2ac85",
    ("train", partial(read_names, source="grobid-name-header"), 1_423),
    ("test", partial(read_names, source="grobid-name-header", under="evaluation/"), None),
    remark="the six of evaluation/ have no published figure",
)
DATE = _corpus(
    "grobid-date",
    "dates",
    "date",
    "cb93aa0c8afaf566c9dba8feabb09cfd753933ad12efd8f77b698da1d35deaba",
    ("train", read_dates, 644),
    ("test", partial(read_dates, under="evaluation/"), 260),
)
AFFILIATION = _corpus(
    "grobid-affiliation",
    "affiliations and addresses",
    "affiliation",
    "712c04989a363303f66ad5dc2e41be9e7ea2d18cfc3d052b442564ff57829825",
    ("train", read_affiliations, 2_249),
    ("test", partial(read_affiliations, under="evaluation/"), 208),
    remark="three elements spelt <affilliation> are read too and not in the figure",
)
REFERENCE_LISTS = _corpus(
    "grobid-refsegmenter",
    "lists of references to be divided into references",
    "refsegmenter",
    "6f173d371c3445edc8bf667a4b30b4004f17cd5dcc41523bb044ea7dc5c147e4",
    ("", read_reference_lists, 5_373),
    units=lambda: lambda item: sum(annotation.label == "bibl" for annotation in item.annotations),
    remark="the figure counts references",
)
HEADER = _corpus(
    "grobid-header",
    "headers of papers",
    "header",
    "9953ecc38ce20c89a4928a35da09f186f752460a7d74232d67d679f2cbdab880",
    ("", read_headers, 746),
)

_AUTHORS: dict[str, Any] = {"labels": identity_table(AUTHOR_SCHEMA), "split_rule": BY_TEXT, "task": "authors"}
HEADER_AUTHORS = HEADER.derive(
    "grobid-authors",
    map_examples(read_headers, cut_author_lines),
    about="GROBID: author lines of headers",
    remark="lists are split into names, symbols and separators by rule",
    **_AUTHORS,
)
AUTHOR_LISTS = NAME_HEADER.derive(
    "grobid-author-lists",
    map_examples(partial(read_names, source="grobid-name-header"), _annotate_authors),
    about="GROBID: lists of authors in headers, with their markers",
    **_AUTHORS,
)
AFFILIATION_LINES = AFFILIATION.derive(
    "grobid-affiliation-lines",
    map_examples(read_affiliations, _annotate_affiliation),
    about="GROBID: affiliations, with their markers",
    **_AUTHORS,
)
