"""ParsCit and its relatives: reference strings, headers and section labels; and the references of HO-semi-CRF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from ibidem.data.author_lines import cut_author_lines
from ibidem.data.readers import papers
from ibidem.data.readers.columns import read_columns
from ibidem.data.readers.inline import naming, read_tagged
from ibidem.data.registry import BY_TEXT, Dataset, SplitRule, count_annotations, files_of, map_examples
from ibidem.labels.mapping.table import (
    LabelTable,
    book_or_title,
    identity_table,
    publisher_or_institution,
    remark,
    unchanged,
)
from ibidem.labels.schema import AUTHOR_SCHEMA
from ibidem.types import Annotation, Example, Malformed

_TAGS = frozenset(
    "author title journal booktitle date editor institution location note notes pages publisher tech volume".split()
)


def _rename_notes(example: Example) -> Example:
    """Call `note` what only some strings call `notes`."""
    annotations = (Annotation("note", m.start, m.end) if m.label == "notes" else m for m in example.annotations)
    return replace(example, annotations=tuple(annotations))


# ParsCit's CRF++ training file, labels without BIO.
read_parscit = map_examples(partial(read_columns, source="parscit", columns=None), _rename_notes)


def read_parscit_tagged(path: Path) -> Iterator[Example | Malformed]:
    """Read one `*.tagged.txt` file of ParsCit."""
    origin = path.name.removesuffix(".tagged.txt")
    yield from read_tagged(path, naming(_TAGS, frozenset({"br"})), f"parscit-tagged:{origin}")


def read_hosemicrf(path: Path) -> Iterator[Example | Malformed]:
    """Read a file of the higher-order semi-CRF program (`token label`)."""
    yield from read_columns(path, f"hosemicrf:{path.suffix.removeprefix('.')}")


LABELS = LabelTable(
    {
        **unchanged("author editor title journal volume pages date institution".split()),
        "booktitle": book_or_title,
        "publisher": publisher_or_institution,
        "location": "place",
        "tech": "?",
        "note": remark,
        "notes": remark,
    },
    uncertain_boundaries=True,
)
_SECTION_LABELS = LabelTable(
    {
        **unchanged(
            "abstract general-terms keywords introduction background method evaluation conclusions references".split()
        ),
        "categories-and-subject-descriptors": "categories",
        "related-works": "related-work",
        "discussions": "discussion",
        "acknowledgments": "acknowledgements",
    },
    flat=True,
)


_parscit = partial(Dataset, home="https://github.com/knmnyn/ParsCit", use="benchmark")
PARSCIT = _parscit(
    name="parscit",
    about="The reference strings of ParsCit; the first 883 train, the last 501 test (Cuong 2015)",
    licence="LGPL repository, data not separate",
    files=files_of(
        "parscit",
        read_parscit,
        ("parsCit.train.data.gz", "", 1_384, "57f393f5723edbd205f2d10effc5fbc0d567498bac6909823220645362eb65f7"),
    ),
    labels=LABELS,
    split_rule=SplitRule(lambda index, _example: "train" if index < 883 else "test", ("train", "test")),
)
PARSCIT_TAGGED = _parscit(
    name="parscit-tagged",
    about="The pool of ParsCit by origin, with the original spacing",
    licence="LGPL repository, data not separate",
    files=files_of(
        "parscit",
        read_parscit_tagged,
        ("citeseerx.tagged.txt", "", 199, "ed1e753ea946dd1a9345994b2e8fdc2683925b230157e60e4099dfe4d0143f8b"),
        ("cora.tagged.txt", "", 500, "491e0eed43aed3239b3bb986a98ea5712e29de1bc604cfbc0f2b243b2e444e9f"),
        ("en-humanities.tagged.txt", "", 177, "6cc5ae3d09561919b99f7dcb16a97c773f89e58b2f5424a51a813cfd59085d30"),
        ("it-humanities.tagged.txt", "", 67, "6c6f93f0e74c112eb86b0150b28c6b02df2e5273b979600ac7a26b4bf37d901e"),
        ("mixed-humanities.tagged.txt", "", 67, "777e6dbb805977a9ebd7332acda8118e19448a09859201fc1b7791de203bb37e"),
        ("flux-cim-cs.tagged.txt", "", 300, "1e0aefb04341964e15e194fae01bdaff8e32bde574555dd3d6f41e0f16e53429"),
        ("iconip.tagged.txt", "", 74, "b7e3508ba6033bc77e222f489b3515f33696b2569a7650195f59d13b88c94942"),
    ),
    labels=LABELS,
)
HOSEMICRF = Dataset(
    name="hosemicrf",
    about="References used by the program of the higher-order semi-CRF (Cuong 2014)",
    home="https://github.com/nvcuong/HOSemiCRF",
    licence="not stated",
    use="benchmark",
    files=files_of(
        "hosemicrf",
        read_hosemicrf,
        ("ref.train", "train", 300, "1185cda7608c0fde08ad1e0b75ca6c053ca12a97e7d6670264b84d8546400041"),
        ("ref.test", "test", 200, "0b3296745962c035dea370f31e063c64ac21ff5d913e60e218c3a230a0500381"),
    ),
    labels=LABELS,
)
SECTIONS = _parscit(
    name="sections-generic",
    about="Generic labels of section headings (Luong 2010)",
    licence="LGPL repository",
    files=files_of(
        "sections",
        papers.read_generic_sections,
        ("genericSect.tagged.txt", "", 2_366, "bc9b79f6655092557c39c287ae62bf8597f9abf2434cd893346f66ec11af7cce"),
    ),
    labels=_SECTION_LABELS,
    split_rule=BY_TEXT,
    units=count_annotations,
    remark="the figure counts headings",
    task="sections",
)
SECTION_LINES = _parscit(
    name="sections-lines",
    about="Every line of 40 papers with its logical role",
    licence="LGPL repository",
    files=files_of(
        "sections",
        papers.read_section_lines,
        ("sectLabel.tagged.txt.gz", "", 37_821, "d03d1ea113054570a3beab62fefe4f6ef1f830230ae1cda2794d1bb555b89998"),
    ),
    strings=False,
    units=lambda: lambda item: len(item.lines),
    remark="the figure counts lines",
)
HEADERS = _parscit(
    name="headers",
    about="Headers of papers: title, author, affiliation, address, e-mail and ten more",
    licence="LGPL repository",
    files=files_of(
        "headers",
        papers.read_headers,
        ("svm_headerparse.tagged.txt", "", 935, "8899784afecfcc69109560a971f11d7d61d3c7057925525e470369713e5f5787"),
    ),
)
HEADER_AUTHORS = HEADERS.derive(
    "headers-authors",
    map_examples(papers.read_headers, cut_author_lines),
    about="Headers of papers: their author lines",
    labels=identity_table(AUTHOR_SCHEMA),
    split_rule=BY_TEXT,
    remark="lists are split into names, symbols and separators by rule",
    task="authors",
)
