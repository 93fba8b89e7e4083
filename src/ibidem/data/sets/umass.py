"""UMass citation field extraction: nested labels (Anzaroot & McCallum 2013), and flattened (Thai et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.columns import read_columns
from ibidem.data.readers.files import lines_of
from ibidem.data.readers.inline import collapse, examples_of, naming, scan, split_on_spaces
from ibidem.data.registry import Dataset, files_of
from ibidem.labels.mapping.table import LabelTable, Targets, book_or_title, identifier, unchanged
from ibidem.labels.schema import UNKNOWN
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
    **unchanged("title journal series volume pages edition chapter publisher institution note".split()),
    "booktitle": book_or_title,
    "number": "issue",
    "address": "place",
    "school": "institution",
    "organization": "institution|publisher",
    "year": "date/year",
    "month": "date/month",
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
        "thesis": "type",
        "reference_id": identifier,
        "web": "url",
        "status": "note",
        "language": "note",
        "ref-marker": "marker",
        **dict.fromkeys(("tech", "length", "category"), UNKNOWN),
    },
    uncertain_boundaries=True,
)
_FLAT_LABELS = LabelTable(
    {
        **_FIELDS,
        "author": "author/person",
        "editor": "editor/person",
        "type": "type|journal|archive",
    }
)


NESTED = Dataset(
    name="umass-nested",
    about="UMass citation field extraction, nested labels (Anzaroot 2014)",
    home="http://www.iesl.cs.umass.edu/data/data-umasscitationfield",
    licence="not stated",
    use="benchmark",
    files=files_of(
        "umass",
        read_nested,
        ("training.docs", "train", 1_457, "6b90765624fbc8d68d0b21a4d8a51508be71baafd8f621fb5c1a6a7d0cbef8d7"),
        ("dev.docs", "dev", 660, "359def2eba2947b49c138fa6c9c2fb747e9ccb8ff9d5cb559eaf4dbaf8d4df9e"),
        ("testing.docs", "test", 367, "c1a19f5a9fd95c79ec5bcf7db9d408c057336f72c8b8552c1ff767167c509ff9"),
    ),
    labels=_NESTED_LABELS,
)
FLAT = Dataset(
    name="umass-flat",
    about="UMass citation field extraction, flattened as in Thai et al. 2020",
    home="http://www.iesl.cs.umass.edu/data/data-umasscitationfield (flattened by Thai et al. 2020)",
    licence="not stated",
    use="benchmark",
    files=files_of(
        "umass/flat",
        read_flat,
        ("train.txt", "train", 1_454, "7b010a6171ad2ad30a09e72fb49fcda1b853c8d340ce9713a650a1cb992b9305"),
        ("dev.txt", "dev", 651, "05eabd9fb3268b3300c69af7c7eeb71e82ae2938931bd42b402f090fc6e41ecb"),
        ("test.txt", "test", 367, "bc4fc320ac43dcb885de747c9c5dd6b26462ab33a3310c525659a7ef33ef1ade"),
    ),
    labels=_FLAT_LABELS,
)
