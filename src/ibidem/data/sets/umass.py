"""UMass citation field extraction: nested labels (Anzaroot & McCallum 2013), and flattened (Thai et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.columns import read_columns
from ibidem.data.readers.files import lines_of
from ibidem.data.readers.inline import collapse, examples_of, naming, scan, split_on_spaces
from ibidem.data.registry import DataFile, Dataset
from ibidem.labels.mapping.table import LabelTable, Targets, book_or_title, identifier
from ibidem.types import Example, Malformed

_TAGS = frozenset(
    """authors person person-first person-middle person-last person-affix editor title subtitle venue date year month
    journal booktitle series volume number pages edition chapter publisher address institution school department
    organization thesis tech reference_id web status note language length category ref-marker""".split()
)


def read_nested(path: Path) -> Iterator[Example | Malformed]:
    """Read a `.docs` file: nested tags around tokens that are already split."""
    for number, line in enumerate(lines_of(path), 1):
        source = f"umass-nested:{path.stem}:{number}"
        if "</<" in line:
            yield Malformed(source, "a tag begins with </<")
        if line.strip():
            for item in examples_of(collapse(scan(line.replace("</<", "</"), naming(_TAGS))), source):
                yield split_on_spaces(item) if isinstance(item, Example) else item


def read_flat(path: Path) -> Iterator[Example | Malformed]:
    """Read a file of the flattened dataset (`token label`, BIO)."""
    yield from read_columns(path, f"umass-flat:{path.stem}")


_FIELDS: Targets = {
    "title": "title",
    "journal": "journal",
    "booktitle": book_or_title,
    "series": "series",
    "volume": "volume",
    "number": "issue",
    "pages": "pages",
    "edition": "edition",
    "chapter": "chapter",
    "publisher": "publisher",
    "address": "place",
    "institution": "institution",
    "school": "institution",
    "organization": "institution|publisher",
    "note": "note",
}
_NESTED_LABELS = LabelTable(
    {
        **_FIELDS,
        "authors": "author",
        "editor": "editor",
        "person": "~/person",
        "person-last": "~/person/family",
        "person-first": "~/person/given",
        "person-middle": "~/person/given",
        "person-affix": "~/person/suffix",
        "institution": lambda c: "~/collaboration" if c.parent == "authors" else "institution",
        "organization": lambda c: "~/collaboration" if c.parent == "authors" else "institution|publisher",
        "department": "institution",
        "subtitle": "title|book",
        "venue": "",
        "date": "date",
        "year": "date/year",
        "month": "date/month",
        "thesis": "type",
        "tech": "?",
        "reference_id": identifier,
        "web": "url",
        "status": "note",
        "language": "note",
        "length": "?",
        "category": "?",
        "ref-marker": "marker",
    },
    uncertain_boundaries=True,
)
_FLAT_LABELS = LabelTable(
    {
        **_FIELDS,
        "author": "author/person",
        "editor": "editor/person",
        "year": "date/year",
        "month": "date/month",
        "type": "type|journal|archive",
    }
)


def _nested(name: str, split: str, expected: int, sha256: str) -> DataFile:
    return DataFile(f"umass/{name}.docs", sha256, split, read_nested, expected)


def _flat(split: str, expected: int, sha256: str) -> DataFile:
    return DataFile(f"umass/flat/{split}.txt", sha256, split, read_flat, expected)


NESTED = Dataset(
    name="umass-nested",
    about="UMass citation field extraction, nested labels (Anzaroot 2014)",
    home="http://www.iesl.cs.umass.edu/data/data-umasscitationfield",
    licence="not stated",
    use="benchmark",
    files=(
        _nested("training", "train", 1_457, "6b90765624fbc8d68d0b21a4d8a51508be71baafd8f621fb5c1a6a7d0cbef8d7"),
        _nested("dev", "dev", 660, "359def2eba2947b49c138fa6c9c2fb747e9ccb8ff9d5cb559eaf4dbaf8d4df9e"),
        _nested("testing", "test", 367, "c1a19f5a9fd95c79ec5bcf7db9d408c057336f72c8b8552c1ff767167c509ff9"),
    ),
    labels=_NESTED_LABELS,
)
FLAT = Dataset(
    name="umass-flat",
    about="UMass citation field extraction, flattened as in Thai et al. 2020",
    home="http://www.iesl.cs.umass.edu/data/data-umasscitationfield (flattened by Thai et al. 2020)",
    licence="not stated",
    use="benchmark",
    files=(
        _flat("train", 1_454, "7b010a6171ad2ad30a09e72fb49fcda1b853c8d340ce9713a650a1cb992b9305"),
        _flat("dev", 651, "05eabd9fb3268b3300c69af7c7eeb71e82ae2938931bd42b402f090fc6e41ecb"),
        _flat("test", 367, "bc4fc320ac43dcb885de747c9c5dd6b26462ab33a3310c525659a7ef33ef1ade"),
    ),
    labels=_FLAT_LABELS,
)
