"""EXCITE: references of the social sciences, German and English."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ibidem.data.readers.inline import naming, read_tagged
from ibidem.data.registry import Dataset, files_of
from ibidem.labels.mapping.table import Context, LabelTable, identifier, unchanged
from ibidem.types import Example, Malformed

_TAGS = frozenset(
    """author surname given-names editor year title source other publisher volume issue fpage lpage url identifier
    """.split()
)


def read_excite(folder: Path) -> Iterator[Example | Malformed]:
    """Read a folder of EXCITE files; the source names language, paper and line."""
    for path in sorted(folder.glob("*.xml")):
        yield from read_tagged(path, naming(_TAGS, frozenset({"ref"})), f"excite:{folder.name}:{path.stem}")


def _source(context: Context) -> str:
    if not context.has("title"):
        return "journal|book|title"
    if context.has("editor", "publisher"):
        return "book"
    return "journal" if context.has("issue") else "journal|book"


_LABELS = LabelTable(
    {
        **unchanged("title volume issue publisher url".split()),
        "author": "author/person",
        "editor": "editor/person",
        "surname": "~/person/family",
        "given-names": "~/person/given",
        "year": "date/year",
        "source": _source,
        "fpage": "pages/first",
        "lpage": "pages/last",
        "identifier": identifier,
        "other": "?",
    }
)


def _count_papers() -> Callable[[Any], int]:
    seen: set[str] = set()

    def count(item: Any) -> int:
        paper = item.source.rpartition(":")[0]
        new = paper not in seen
        seen.add(paper)
        return new

    return count


EXCITE = Dataset(
    name="excite",
    about="EXCITE: social science references, German and English",
    home="https://github.com/exciteproject/EXgoldstandard",
    licence="not stated",
    use="benchmark",
    files=files_of(
        "excite",
        read_excite,
        ("de", "de", 176, "377b0177dd63f0213bad05a19b3b157a3ad2dedd6ecb6e881775fe53040592c3"),
        ("en", "en", 81, "102132f24615f103c39216496c80fced511307e58cfb6d72272cc2a3c0f54418"),
    ),
    labels=_LABELS,
    units=_count_papers,
    remark="the figure counts papers; the German 176 includes a Thumbs.db, so that 175 are right",
)
