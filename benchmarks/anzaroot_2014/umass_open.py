"""Strings of open sets and rendered records in the labels and the format of flat UMass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from benchmarks.anzaroot_2014.umass_form import PERSONS, convert
from benchmarks.anzaroot_2014.umass_records import STYLES, recast
from benchmarks.parsing.synthesis import render, render_records
from benchmarks.support.timing import say
from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.models.parser import Parser
from ibidem.models.penalties import references_of
from ibidem.models.shipped import DEFAULT
from ibidem.models.storage import load
from ibidem.types import Annotation, Example, Labelling, Reference

SETS: dict[str, int | None] = {"grobid-citation": None, "anystyle": None, "elife": 15_000}
RENDERED = (
    ("bibliographies", 20_000, ("all",)),
    ("bibliographies", 30_000, STYLES),
    ("dblp", 10_000, STYLES),
    ("medline", 8_000, STYLES),
)
RECAST = 80_000
_INSTITUTION = "institution|organization|school"
_LABELS = {
    "author/person": "author",
    "author/collaboration": "author",
    "editor/person": "editor",
    "editor/collaboration": "editor",
    "title": "title",
    "journal": "journal",
    "book": "booktitle",
    "series": "series",
    "volume": "volume",
    "issue": "number",
    "report-number": "number",
    "pages": "pages",
    "article-number": "pages",
    "edition": "edition",
    "chapter": "chapter",
    "date/year": "year",
    "date/month": "month",
    "publisher": "publisher",
    "place": "address",
    "institution": _INSTITUTION,
    "institution|publisher": f"{_INSTITUTION}|publisher",
    "publisher|institution": f"{_INSTITUTION}|publisher",
    "journal|book|archive": "journal|booktitle",
    "title|book|journal": "title|booktitle|journal",
    "book|title": "title|booktitle",
    "type": "type",
    "note": "note",
    "?": "?",
}
_LEFT_OUT = frozenset(
    "doi url arxiv pmid pmcid isbn issn accessed marker archive author/etal editor/etal date/day".split()
)
_YEAR = re.compile(r"\d{4}")


def open_data(blocked: Blocklist) -> list[Example]:
    """Return strings of the open sets and of rendered records in UMass's format, without those that are blocked."""
    splitter = Parser(load(DEFAULT))
    found: list[Example] = []
    for name, strings in _strings():
        examples = [one for one in strings if not blocked.contains(one.text)]
        found += _convert_all(examples, splitter)
        say(f"{len(found):,} strings with {name}")
    return found


def _strings() -> Iterator[tuple[str, Iterable[Example]]]:
    for name, limit in SETS.items():
        yield name, islice((item for item in registry.load_unified(name) if isinstance(item, Example)), limit)
    for name, count, styles in RENDERED:
        yield f"rendered records of {name}", render(name, count, styles)
    yield "recast records", render_records(recast(RECAST), RECAST, STYLES)


def _convert_all(examples: Sequence[Example], splitter: Parser) -> Iterator[Example]:
    """Yield the examples that can be converted; lists of persons that a set does not split are split by the parser."""
    whole = [number for number, example in enumerate(examples) if PERSONS & example.partially_annotated]
    references = references_of([examples[number] for number in whole])
    labellings = splitter.label(references)
    persons = dict(zip(whole, map(_persons, references, labellings), strict=True))
    for number, example in enumerate(examples):
        shown = as_umass(example, persons.get(number, ()))
        if shown is not None:
            yield shown


def _persons(reference: Reference, labelling: Labelling) -> list[Annotation]:
    tokens = reference.tokens
    return [
        Annotation(span.label, tokens[span.start].start, tokens[span.end - 1].end)
        for span in labelling.spans
        if span.label in ("author/person", "editor/person")
    ]


def as_umass(example: Example, persons: Sequence[Annotation] = ()) -> Example | None:
    """Return the example in UMass's labels and format, or None where that is not possible.

    `persons` are those of the lists that the example does not split. An example with such a list and no person in it
    gives None.
    """
    return convert(
        example,
        _fields(example, persons),
        [annotation for annotation in example.annotations if annotation.label in _LEFT_OUT],
    )


def _fields(example: Example, persons: Sequence[Annotation]) -> list[Annotation]:
    """Return the fields in UMass's labels, in order; none where a list of persons is not split or a label unknown."""
    found: list[Annotation] = []
    for annotation in example.annotations:
        inside: list[Annotation] = []
        if annotation.label in PERSONS and annotation.label in example.partially_annotated:
            inside = [
                Annotation(annotation.label, p.start, p.end)
                for p in persons
                if annotation.start <= p.start and p.end <= annotation.end
            ]
            if not inside:
                return []
        elif annotation.label == "date" and "date" in example.partially_annotated:
            year = _YEAR.search(example.text, annotation.start, annotation.end)
            inside = [Annotation("year", *year.span())] if year else []
        elif annotation.label in _LABELS:
            inside = [Annotation(_LABELS[annotation.label], annotation.start, annotation.end)]
        elif annotation.label not in _LEFT_OUT | PERSONS | {"date"} and "/" not in annotation.label:
            return []
        found += inside
    return sorted(found, key=lambda annotation: annotation.start)
