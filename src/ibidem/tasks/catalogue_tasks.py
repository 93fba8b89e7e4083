"""The sets of the other tasks, sections and authors: other readings of files that `PARTS` and `REFERENCES` have too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ibidem.tasks.catalogue_parts import PARTS
from ibidem.tasks.readers import outlines, papers
from ibidem.tasks.registry import Chooser, Dataset

_GIVEN = {one.name: one for one in PARTS}


def _marks() -> Callable[[Any], int]:
    return lambda item: len(item.marks)


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


def _read(
    name: str, origin: str, read: Callable[[Path], Iterator[Any]], expected: int | None = None, **changes: Any
) -> Dataset:
    """The set of that name: the files of another, read by `read` as strings of a task."""
    given = _GIVEN[origin]
    same = name == origin
    files = tuple(replace(file, read=read, expected=file.expected if same else expected) for file in given.files)
    return replace(given, name=name, files=files, strings=True, **{"remark": "", **changes})
