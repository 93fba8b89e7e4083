"""Sets for measuring only: references and footnotes of the humanities (bilbo2, DVjs), and pybico's Russian ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from ibidem.data.readers.ranges import read_ranges
from ibidem.data.registry import Dataset, files_of, map_examples
from ibidem.labels.mapping.gaps import fill_gaps
from ibidem.labels.mapping.table import Context, LabelTable
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example

_ORDER = {label: rank for rank, label in enumerate("bibl[article] bibl[book] bibl author editor edition".split())}
_BODIES = ("orgName", "sponsor", "name")
_PARTICLE_GAP = re.compile(r"[\s’']{0,2}\Z")


def _arrange(example: Example) -> Example:
    """Add to the labels what the reference around them says, in a footnote with several of them.

    An edition that only wraps a date is dropped, particles belong to the surname, a book beside an article is the one
    that contains it, and of the persons of such a book nobody knows whether they are its authors or editors.
    """
    found: list[Annotation] = []
    for one in example.annotations:
        own = one.label.rpartition("/")[2]
        inner = [other.label.rpartition("/")[2] for other in _inside(one, example.annotations)]
        last = found[-1] if found else None
        if own == "edition" and any(label == "date" for label in inner):
            continue
        if own.startswith(("surname", "nameLink")):
            own = "surname"
            if last and _own(last) == own and _PARTICLE_GAP.match(example.text[last.end : one.start]):
                found[-1] = replace(last, end=one.end)
                continue
        if own == "author" and any(label.startswith(_BODIES) for label in inner):
            own = "author:body"
        elif own in ("author", "editor") and "bibl[book]/" in one.label and _beside_article(one, example.annotations):
            own = "author:book"
        elif own == "title[m]" and _beside_article(one, example.annotations):
            own = "title[m]:book"
        found.append(replace(one, label=f"{one.label.rpartition('/')[0]}/{own}".removeprefix("/")))
    return replace(example, annotations=tuple(found))


def _own(annotation: Annotation) -> str:
    return annotation.label.rpartition("/")[2]


def _inside(one: Annotation, annotations: Iterable[Annotation]) -> list[Annotation]:
    """Return the annotations below one."""
    return [
        other
        for other in annotations
        if other.label.startswith(one.label + "/") and one.start <= other.start and other.end <= one.end
    ]


def _beside_article(one: Annotation, annotations: Iterable[Annotation]) -> bool:
    """Return whether the reference that an annotation is in has the title of an article as well."""
    around = [w for w in annotations if _own(w) in ("bibl", "bibl[article]") and w.start <= one.start < w.end]
    start, end = (around[0].start, around[0].end) if around else (0, one.end + 10_000)
    return any(_own(other) == "title[a]" and start <= other.start < end for other in annotations)


def _title(label: str, context: Context) -> str:
    """Return the label of a title, "" within another title."""
    return "" if context.parent.startswith("title") else label


def _edition(context: Context) -> str:
    return "edition" if re.search(r"\b[eé]d|aufl", context.text, re.IGNORECASE) else "edition|note"


_BILBO = LabelTable(
    {
        **dict.fromkeys("bibl bibl[article] bibl[book] bibl[journal] bibl[articles] bibl[citation]".split(), ""),
        **dict.fromkeys("abbr abbr[contraction] abbr[conrtaction] abbr[contractino] abbr[conraction]".split(), ""),
        "abbr[contarction]": "",
        "author": "author/person",
        "author:body": "author/collaboration",
        "author:book": "author|editor",
        "editor": "editor/person",
        "surname": "~/person/family",
        "forename": "~/person/given",
        "genName": "~/person/suffix",
        "title[a]": partial(_title, "title"),
        "title[m]": partial(_title, "title"),
        "title[m]:book": partial(_title, "book"),
        "title[j]": partial(_title, "journal"),
        "title[s]": partial(_title, "series"),
        "title[u]": partial(_title, "title|type"),
        "title[main]": partial(_title, "title"),
        "title[sub]": partial(_title, UNKNOWN),
        "title": partial(_title, UNKNOWN),
        "title[translated_title]": partial(_title, "note"),
        "meeting": "book",
        "date": "date",
        "biblScope[publicationDate]": "date",
        "edition": _edition,
        **dict.fromkeys(("pubPlace", "settlement[town]", "country", "region"), "place"),
        "publisher": "publisher",
        "distributor": "institution|publisher",
        "orgName": lambda c: "" if c.parent.startswith("author") else "institution|publisher",
        "sponsor": lambda c: "" if c.parent.startswith("author") else "institution|publisher",
        "biblScope[pp]": "pages",
        "biblScope[vol]": "volume",
        "biblScope[issue]": "issue",
        "biblScope[part]": "chapter",
        "biblScope[chap]": "chapter",
        "name[director_thesis]": "note",
        "name[thesis_director]": "note",
        "w": "note",
        **dict.fromkeys(("ref", "ptr"), lambda c: "url" if re.search(r"https?:|www\.", c.text) else ""),
    }
)
_DVJS = LabelTable(
    {
        "author:surname": "author/person/family",
        "author:forename": "author/person/given",
        "author:orgName": "author/collaboration",
        "title[a]": "title",
        "title[m]": lambda c: "book" if c.has("title[a]") else "title",
        "title[j]": "journal",
        "date": "date",
        "biblScope[page]": "pages",
        "biblScope[volume]": lambda c: "volume" if len(c.text) <= 4 else UNKNOWN,
        "biblScope[issue]": "issue",
        "pubPlace": "place",
        "addrLine": "place",
        "publisher": "publisher",
    },
    revise=fill_gaps,
)
_PYBICO = LabelTable(
    {
        "T_AUTHOR": "author",
        "T_TITLE": "title",
        "T_JOURNAL": "journal|book",
        "T_YEAR": "date",
        "T_VOLUME": "volume",
        "T_PAGES": "pages",
        "T_LOCATION": "place",
        "T_PUBLISHER": "publisher",
    },
    uncertain_boundaries=True,
)


def _benchmark(name: str, count: int, sha256: str, arranged: bool = False, **about: Any) -> Dataset:
    """Return a dataset for measuring only: all of it is test data."""
    read = partial(read_ranges, name=name, outermost=_ORDER)
    return Dataset(
        name=name,
        use="benchmark",
        files=files_of(
            "multilingual/benchmark/labelled",
            map_examples(read, _arrange) if arranged else read,
            (f"{name}.jsonl.gz", "test", count, sha256),
        ),
        **about,
    )


_bilbo = partial(
    _benchmark,
    arranged=True,
    home="https://github.com/OpenEdition/bilbo2 (resources/corpus)",
    licence="AGPL-3.0; data not separate",
    labels=_BILBO,
)
BILBO_LISTS = _bilbo(
    name="bilbo2-bibl",
    count=643,
    sha256="5f3a74cddb7bd05582ff95d69d788a4e11f2b2832b4021196f243b5dafb59398",
    about="OpenEdition: references of the humanities in lists, mostly French",
)
BILBO_NOTES = _bilbo(
    name="bilbo2-notes",
    count=981,
    sha256="f75c675993c7eccb98ed44cb1d64bd4f15a6959d4128aae0ca6eca6c20dda5a8",
    about="OpenEdition: footnotes with references in running text, mostly French",
    remark="text around the references is prose; a note may have several references",
)
DVJS = _benchmark(
    name="dvjs-footnotes",
    count=199,
    sha256="670569a96adf13b602d4b0606c128c3eba1c92c4827c6a59cc65817566869684",
    about="DVjs: footnotes of German literary studies",
    home="https://github.com/LeKonArD/bibl_parser",
    licence="not stated",
    labels=_DVJS,
    remark="aligned by a program; up to 15 % of the values may be missing",
)
PYBICO = _benchmark(
    name="pybico-ru",
    count=74,
    sha256="94010a48a7eee2de7c328d829f73d83ec4b6cf53ee7e9dc407efc395a913c40b",
    about="pybico: references in Russian",
    home="https://github.com/fiddenmar/pybico_crf",
    licence="not stated",
    labels=_PYBICO,
)
