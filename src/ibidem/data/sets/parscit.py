"""ParsCit and its relatives: reference strings, headers and section labels; and the references of HO-semi-CRF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ibidem.data.author_headers.split import keep_author_lines
from ibidem.data.readers import papers
from ibidem.data.readers.columns import read_columns
from ibidem.data.readers.inline import naming, read_tagged
from ibidem.data.registry import BY_TEXT, DataFile, Dataset, SplitRule, count_annotations
from ibidem.labels.mapping.table import LabelTable, book_or_title, identity_table, publisher_or_institution, remark
from ibidem.labels.schema import AUTHOR_SCHEMA
from ibidem.types import Annotation, Example, Malformed

_TAGS = frozenset(
    "author title journal booktitle date editor institution location note notes pages publisher tech volume".split()
)


def read_parscit(path: Path) -> Iterator[Example | Malformed]:
    """Read ParsCit's CRF++ training file, labels without BIO; `notes` is read as `note`."""
    for item in read_columns(path, "parscit", None):
        if isinstance(item, Example):
            annotations = (Annotation("note", m.start, m.end) if m.label == "notes" else m for m in item.annotations)
            item = replace(item, annotations=tuple(annotations))
        yield item


def read_parscit_tagged(path: Path) -> Iterator[Example | Malformed]:
    """Read one `*.tagged.txt` file of ParsCit."""
    origin = path.name.removesuffix(".tagged.txt")
    yield from read_tagged(path, naming(_TAGS, frozenset({"br"})), f"parscit-tagged:{origin}")


def read_hosemicrf(path: Path) -> Iterator[Example | Malformed]:
    """Read a file of the higher-order semi-CRF program (`token label`)."""
    yield from read_columns(path, f"hosemicrf:{path.suffix.removeprefix('.')}")


def read_author_lines(path: Path) -> Iterator[Example | Malformed]:
    """Read the author and affiliation lines of headers; headers that name no author are left out."""
    yield from keep_author_lines(papers.read_headers(path))


LABELS = LabelTable(
    {
        "author": "author",
        "editor": "editor",
        "title": "title",
        "journal": "journal",
        "booktitle": book_or_title,
        "volume": "volume",
        "pages": "pages",
        "date": "date",
        "publisher": publisher_or_institution,
        "institution": "institution",
        "location": "place",
        "tech": "?",
        "note": remark,
        "notes": remark,
    },
    uncertain_boundaries=True,
)
_SECTION_LABELS = LabelTable(
    {
        "abstract": "abstract",
        "categories-and-subject-descriptors": "categories",
        "general-terms": "general-terms",
        "keywords": "keywords",
        "introduction": "introduction",
        "background": "background",
        "related-works": "related-work",
        "method": "method",
        "evaluation": "evaluation",
        "discussions": "discussion",
        "conclusions": "conclusions",
        "acknowledgments": "acknowledgements",
        "references": "references",
    },
    flat=True,
)


def _count_lines() -> Callable[[Any], int]:
    return lambda item: len(item.lines)


def _tagged(name: str, expected: int, sha256: str) -> DataFile:
    return DataFile(f"parscit/{name}.tagged.txt", sha256, "", read_parscit_tagged, expected)


PARSCIT = Dataset(
    name="parscit",
    about="The reference strings of ParsCit; the first 883 train, the last 501 test (Cuong 2015)",
    home="https://github.com/knmnyn/ParsCit",
    licence="LGPL repository, data not separate",
    use="benchmark",
    files=(
        DataFile(
            "parscit/parsCit.train.data.gz",
            "57f393f5723edbd205f2d10effc5fbc0d567498bac6909823220645362eb65f7",
            read=read_parscit,
            expected=1_384,
        ),
    ),
    labels=LABELS,
    split_rule=SplitRule(lambda index, _example: "train" if index < 883 else "test", ("train", "test")),
)
PARSCIT_TAGGED = Dataset(
    name="parscit-tagged",
    about="The pool of ParsCit by origin, with the original spacing",
    home="https://github.com/knmnyn/ParsCit",
    licence="LGPL repository, data not separate",
    use="benchmark",
    files=(
        _tagged("citeseerx", 199, "ed1e753ea946dd1a9345994b2e8fdc2683925b230157e60e4099dfe4d0143f8b"),
        _tagged("cora", 500, "491e0eed43aed3239b3bb986a98ea5712e29de1bc604cfbc0f2b243b2e444e9f"),
        _tagged("en-humanities", 177, "6cc5ae3d09561919b99f7dcb16a97c773f89e58b2f5424a51a813cfd59085d30"),
        _tagged("it-humanities", 67, "6c6f93f0e74c112eb86b0150b28c6b02df2e5273b979600ac7a26b4bf37d901e"),
        _tagged("mixed-humanities", 67, "777e6dbb805977a9ebd7332acda8118e19448a09859201fc1b7791de203bb37e"),
        _tagged("flux-cim-cs", 300, "1e0aefb04341964e15e194fae01bdaff8e32bde574555dd3d6f41e0f16e53429"),
        _tagged("iconip", 74, "b7e3508ba6033bc77e222f489b3515f33696b2569a7650195f59d13b88c94942"),
    ),
    labels=LABELS,
)
HOSEMICRF = Dataset(
    name="hosemicrf",
    about="References used by the program of the higher-order semi-CRF (Cuong 2014)",
    home="https://github.com/nvcuong/HOSemiCRF",
    licence="not stated",
    use="benchmark",
    files=(
        DataFile(
            "hosemicrf/ref.train",
            "1185cda7608c0fde08ad1e0b75ca6c053ca12a97e7d6670264b84d8546400041",
            "train",
            read_hosemicrf,
            300,
        ),
        DataFile(
            "hosemicrf/ref.test",
            "0b3296745962c035dea370f31e063c64ac21ff5d913e60e218c3a230a0500381",
            "test",
            read_hosemicrf,
            200,
        ),
    ),
    labels=LABELS,
)
SECTIONS = Dataset(
    name="sections-generic",
    about="Generic labels of section headings (Luong 2010)",
    home="https://github.com/knmnyn/ParsCit",
    licence="LGPL repository",
    use="benchmark",
    files=(
        DataFile(
            "sections/genericSect.tagged.txt",
            "bc9b79f6655092557c39c287ae62bf8597f9abf2434cd893346f66ec11af7cce",
            read=papers.read_generic_sections,
            expected=2_366,
        ),
    ),
    labels=_SECTION_LABELS,
    split_rule=BY_TEXT,
    units=count_annotations,
    remark="the figure counts headings",
    task="sections",
)
SECTION_LINES = Dataset(
    name="sections-lines",
    about="Every line of 40 papers with its logical role",
    home="https://github.com/knmnyn/ParsCit",
    licence="LGPL repository",
    use="benchmark",
    files=(
        DataFile(
            "sections/sectLabel.tagged.txt.gz",
            "d03d1ea113054570a3beab62fefe4f6ef1f830230ae1cda2794d1bb555b89998",
            read=papers.read_section_lines,
            expected=37_821,
        ),
    ),
    strings=False,
    units=_count_lines,
    remark="the figure counts lines",
)
HEADERS = Dataset(
    name="headers",
    about="Headers of papers: title, author, affiliation, address, e-mail and ten more",
    home="https://github.com/knmnyn/ParsCit",
    licence="LGPL repository",
    use="benchmark",
    files=(
        DataFile(
            "headers/svm_headerparse.tagged.txt",
            "8899784afecfcc69109560a971f11d7d61d3c7057925525e470369713e5f5787",
            read=papers.read_headers,
            expected=935,
        ),
    ),
)
HEADER_AUTHORS = HEADERS.derive(
    "headers-authors",
    read_author_lines,
    about="Headers of papers: their author lines",
    labels=identity_table(AUTHOR_SCHEMA),
    split_rule=BY_TEXT,
    remark="lists are split into names, symbols and separators by rule",
    task="authors",
)
