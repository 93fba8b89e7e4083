"""The sets of the other tasks, sections and authors: other readings of files that `PARTS` and `REFERENCES` have too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ibidem.data.catalogue_parts import PARTS
from ibidem.data.readers import author_headers as bylines
from ibidem.data.readers import outlines, papers
from ibidem.data.registry import Chooser, Dataset

_GIVEN = {one.name: one for one in PARTS}


def _strings() -> Callable[[Any], int]:
    return lambda _item: 1


def _marks() -> Callable[[Any], int]:
    return lambda item: len(item.annotations)


def of_tasks(elife: Chooser, texts: Chooser) -> Iterator[Dataset]:
    """The sets; `elife` divides by the number of the paper, `texts` by the letters of the text."""
    yield _read(
        "sections-generic",
        "sections-generic",
        papers.read_generic_sections,
        task="sections",
        table="sections-generic",
        units=_marks,
        choose=texts,
        remark="the figure counts headings",
    )
    yield _read(
        "elife-sections",
        "elife-sections",
        outlines.read_elife_headings,
        task="sections",
        table="elife-sections",
        units=_marks,
        choose=elife,
        about="eLife: section headings of papers, of the first level, some with their type",
        remark="the figure counts headings; eLife's types are mapped, untyped headings only where they say their role",
    )
    yield _read(
        "elife-outlines",
        "elife-sections",
        outlines.read_elife_outlines,
        task="sections",
        table="sections",
        choose=elife,
        about="eLife: outlines of papers in many dresses, with subsections, numbers, front and back matter",
        remark="the headings that eLife does not have are of our own writing",
    )
    yield from _of_authors(elife, texts)


def _of_authors(elife: Chooser, texts: Chooser) -> Iterator[Dataset]:
    for name, origin, read, about in (
        ("headers-authors", "headers", bylines.read_header_bylines, "Headers of papers: their author lines"),
        ("grobid-authors", "grobid-header", bylines.read_grobid_bylines, "GROBID: author lines of headers"),
    ):
        remark = "lists are divided into names, symbols and separators by rule"
        yield _read(name, origin, read, task="authors", table="authors", choose=texts, about=about, remark=remark)
    yield _read(
        "grobid-author-lists",
        "grobid-name-header",
        bylines.read_grobid_author_lists,
        task="authors",
        table="authors",
        choose=texts,
        about="GROBID: lists of authors in headers, with their markers",
    )
    yield _read(
        "grobid-affiliation-lines",
        "grobid-affiliation",
        bylines.read_grobid_affiliation_lines,
        task="authors",
        table="authors",
        choose=texts,
        about="GROBID: affiliations, with their markers",
    )
    yield _read(
        "elife-authors",
        "elife-front",
        bylines.read_elife_bylines,
        task="authors",
        table="authors",
        choose=elife,
        about="eLife: authors and affiliations of papers, rendered as journals print them",
        remark="how they are printed is drawn by the number of the paper",
    )


def _read(
    name: str, origin: str, read: Callable[[Path], Iterator[Any]], expected: int | None = None, **changes: Any
) -> Dataset:
    """The set of that name: the files of another, read by `read` as strings of a task."""
    given = _GIVEN[origin]
    same = name == origin
    kept = {file.path: file for file in reversed(given.files)}.values()  # one reading of a file that is given twice
    files = tuple(replace(file, read=read, split="", expected=file.expected if same else expected) for file in kept)
    return replace(given, name=name, files=files, strings=True, **{"remark": "", "units": _strings, **changes})
