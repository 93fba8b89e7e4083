"""Training data of the document types: references of eLife, entries of BibTeX collections, strings of templates."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ibidem.data import registry
from ibidem.labels.schema import UNKNOWN
from ibidem.synthesis.templates import make_from_template, templates
from ibidem.types import Example

Pairs = tuple[tuple[str, str], ...]
"""The labels and texts of the fields of a reference, without the parts of fields."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A reference of a known type: its fields, the string where there is one, and its group in cross-validation."""

    type: str
    fields: Pairs
    group: str
    text: str = ""


_ELIFE = {
    "journal": "article",
    "confproc": "paper",
    "preprint": "preprint",
    "web": "webpage",
    "software": "software",
    "data": "dataset",
    "report": "report",
    "thesis": "thesis",
    "patent": "patent",
    "other": "other",
}
_BIBTEX = {
    "article": "article",
    "book": "book",
    "proceedings": "book",
    "incollection": "chapter",
    "inbook": "chapter",
    "inproceedings": "paper",
    "conference": "paper",
    "mastersthesis": "thesis",
    "phdthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "online": "webpage",
    "software": "software",
}
_LABELS = {
    "author": "author",
    "editor": "editor",
    "title": "title",
    "journal": "journal",
    "booktitle": "book",
    "series": "series",
    "volume": "volume",
    "pages": "pages",
    "edition": "edition",
    "year": "date",
    "publisher": "publisher",
    "address": "place",
    "school": "institution",
    "institution": "institution",
    "howpublished": "note",
    "note": "note",
    "type": "type",
    "doi": "doi",
    "url": "url",
    "isbn": "isbn",
    "issn": "issn",
}
# Probability that a reference list leaves out a field that an entry has.
_LEFT_OUT = {"doi": 0.6, "url": 0.8, "isbn": 0.9, "issn": 0.95, "note": 0.7, "series": 0.4, "editor": 0.2, "place": 0.3}
_GENRES = {
    "mastersthesis": ("Master's thesis", "MA thesis", "MSc thesis"),
    "phdthesis": ("PhD thesis", "Doctoral dissertation", "Ph.D. dissertation", "Dissertation"),
    "techreport": ("Technical report", "Working paper", "Report", "Tech. rep."),
}
_TEX = re.compile(r"\\[a-zA-Z]+\s*|[{}\\$]")


def elife_type(example: Example) -> str | None:
    """Return our type of an example of eLife in its own labels; a book with a chapter title is a chapter."""
    kind = example.source.rpartition(":")[2]
    if kind == "book":
        return (
            "chapter"
            if any(annotation.label.endswith("chapter-title") for annotation in example.annotations)
            else "book"
        )
    return _ELIFE.get(kind)


def fields_of(example: Example) -> Pairs:
    """Return the unambiguous labels and texts of an example in our labels."""
    return tuple(
        (annotation.label, example.text[annotation.start : annotation.end])
        for annotation in example.annotations
        if "/" not in annotation.label and "|" not in annotation.label and annotation.label != UNKNOWN
    )


def read_elife(split: str, *, articles: int | None = None) -> Iterator[Sample]:
    """Yield the references of a split of eLife with a type that we have, at most `articles` of them articles."""
    left = articles
    for item in registry.load("elife", split):
        if not isinstance(item, Example):
            continue
        kind = elife_type(item)
        if kind is None or (kind == "article" and left == 0):
            continue
        if kind == "article" and left is not None:
            left -= 1
        paper = "".join(character for character in item.source.split(":")[1] if character.isdigit())
        yield Sample(kind, fields_of(registry.dataset("elife").map_labels(item)), f"elife {paper}", item.text)


def read_bibliographies(each: int, seed: int = 1) -> Iterator[Sample]:
    """Yield `each` entries of every type of the BibTeX collections, as if labelled in a reference list.

    Fields that reference lists often lack are left out at random; the words that styles print for theses and reports
    are added.
    """
    generator = random.Random(seed)  # noqa: S311
    by_type: dict[str, list[dict[str, str]]] = {}
    for item in registry.load_records("bibliographies"):
        if isinstance(item, dict) and item.get("entry-type") in _BIBTEX and item.get("title"):
            by_type.setdefault(_BIBTEX[item["entry-type"]], []).append(item)
    for kind, items in sorted(by_type.items()):
        generator.shuffle(items)
        for item in items[:each]:
            yield Sample(kind, tuple(_select_fields(item, generator)), f"bibliographies {item['entry-key']}")


def invent(each: int, seed: int = 1) -> Iterator[Sample]:
    """Yield invented standards, laws and patents, of which the open sets hold only a few."""
    generator = random.Random(seed)  # noqa: S311
    things = "valves bearings signals vessels cables mortar timber paints lamps bells reeds ropes sensors pumps".split()
    acts = "testing sampling marking safety measurement storage requirements vocabulary".split()
    bodies = {
        "ISO": "International Organization for Standardization",
        "ASTM": "ASTM International",
        "DIN": "Deutsches Institut für Normung",
        "IEEE": "IEEE Standards Association",
        "ANSI": "American National Standards Institute",
        "BS EN": "British Standards Institution",
        "IEC": "International Electrotechnical Commission",
    }
    for number in range(each):
        year = str(generator.randint(1960, 2024))
        short = generator.choice(list(bodies))
        name = f"{short} {generator.randint(100, 30000)}:{year}"
        title = f"{generator.choice(acts).capitalize()} of {generator.choice(things)} – {generator.choice(acts)}"
        standard = [("title", title), ("date", year), ("report-number", name)]
        standard += [("publisher", bodies[short])] * (generator.random() < 0.6)
        standard += [("place", "Geneva")] * (generator.random() < 0.2) + [("type", "Standard")] * (
            generator.random() < 0.3
        )
        law = [
            ("title", f"{generator.choice(things).capitalize()} ({generator.choice(acts).capitalize()}) Act"),
            ("date", year),
        ]
        yield Sample("standard", tuple(law if number % 10 == 0 else standard), f"invented standard {number}")
        office = generator.choice(("US", "U.S.", "European", "EP", "WO", "JP", "German", "Chinese"))
        patent = [("author", "Doe, J."), ("title", title), ("date", year)]
        patent += [("type", f"{office} Patent")] * (generator.random() < 0.7)
        patent += [("report-number", f"{office} Patent {generator.randint(10**6, 10**7)}")] * (generator.random() < 0.6)
        patent += [("url", "https://patents.google.com/patent")] * (generator.random() < 0.3)
        yield Sample("patent", tuple(patent), f"invented patent {number}")


def from_templates(count: int, seed: int = 1) -> Iterator[Sample]:
    """Yield references made from templates that are for one type of works, of kinds and languages that others lack.

    Their titles are of few words, which would be taken for words of a type: they are left out.
    """
    generator = random.Random(seed)  # noqa: S311
    known = templates()
    types = {one.where: one.types for those in known.values() for one in those}
    kinds = [(kind, math.sqrt(len(those))) for kind, those in known.items()]
    for number in range(count):
        example = make_from_template(kinds, [], generator, "template")
        kind = types[example.source.partition(":")[2]]
        if len(kind) == 1 and example.annotations:
            yield Sample(kind[0], without_titles(fields_of(example)), f"template {number}", example.text)


def without_titles(fields: Pairs) -> Pairs:
    """Return the fields with no words in titles."""
    return tuple((label, "" if label == "title" else text) for label, text in fields)


def _select_fields(item: dict[str, str], generator: random.Random) -> Iterator[tuple[str, str]]:
    """Yield the fields of an entry that a style would print."""
    kind = item["entry-type"]
    for name, label in _LABELS.items():
        value = _TEX.sub("", item.get(name, "")).strip()
        if value and generator.random() >= _LEFT_OUT.get(label, 0.05):
            yield label, value
    number = _TEX.sub("", item.get("number", "")).strip()
    if number:
        yield ("report-number" if kind == "techreport" else "issue"), number
    if kind in _GENRES and not item.get("type") and generator.random() < 0.85:
        yield "type", generator.choice(_GENRES[kind])


def parse(samples: list[Sample]) -> list[Sample]:
    """Return the same references with the fields that the default model finds in their strings."""
    from ibidem.models.shipped import parser

    found = parser(None).parse_many(sample.text for sample in samples)
    return [
        replace(sample, fields=tuple((f.label, f.text) for f in result.fields if "/" not in f.label))
        for sample, result in zip(samples, found, strict=True)
    ]
