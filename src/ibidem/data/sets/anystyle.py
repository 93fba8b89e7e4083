"""AnyStyle's training strings, which come in its own XML."""

from __future__ import annotations

import re

from ibidem.data.readers.labelled import read_anystyle
from ibidem.data.registry import BY_TEXT, DataFile, Dataset
from ibidem.labels.mapping.table import LabelTable, book_or_title, publisher_or_institution, remark

_LABELS = LabelTable(
    {
        "author": "author",
        "editor": "editor",
        "translator": "translator",
        "title": "title",
        "journal": "journal",
        "container-title": book_or_title,
        "collection-title": "series",
        "volume": "volume",
        "pages": "pages",
        "edition": "edition",
        "date": "date",
        "publisher": publisher_or_institution,
        "location": "place",
        "genre": lambda c: "?" if re.search(r"\d|web|online|print", c.text, re.IGNORECASE) else "type",
        "doi": "doi",
        "isbn": "isbn",
        "url": "url",
        "note": remark,
        "citation-number": "marker",
        "source": "?",
        "medium": "?",
        "director": "?",
        "producer": "?",
    },
    uncertain_boundaries=True,
)
ANYSTYLE = Dataset(
    name="anystyle",
    about="AnyStyle: training strings, core and good",
    home="https://github.com/inukshuk/anystyle (res/parser)",
    licence="BSD-2-Clause",
    use="open",
    files=(
        DataFile(
            "anystyle/core.xml",
            "1bdfd9dc3e70961a51bfd5cfefb66898bed163d1b7a59fa0716c59a675648079",
            read=read_anystyle,
            expected=1_514,
        ),
        DataFile(
            "anystyle/good.xml",
            "24798c0098814f68b18930cd7de5e6c7ef95acec534791b805588823c849e72e",
            read=read_anystyle,
            expected=4_663,
        ),
    ),
    labels=_LABELS,
    split_rule=BY_TEXT,
)
