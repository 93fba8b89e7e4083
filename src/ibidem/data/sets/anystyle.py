"""AnyStyle's training strings, which come in its own XML."""

from __future__ import annotations

import re

from ibidem.data.readers.labelled import read_anystyle
from ibidem.data.registry import BY_TEXT, Dataset, files_of
from ibidem.labels.mapping.table import LabelTable, book_or_title, publisher_or_institution, remark, unchanged
from ibidem.labels.schema import UNKNOWN

_LABELS = LabelTable(
    {
        **unchanged("author editor translator title journal volume pages edition date doi isbn url".split()),
        "container-title": book_or_title,
        "collection-title": "series",
        "publisher": publisher_or_institution,
        "location": "place",
        "genre": lambda c: "?" if re.search(r"\d|web|online|print", c.text, re.IGNORECASE) else "type",
        "note": remark,
        "citation-number": "marker",
        **dict.fromkeys("source medium director producer".split(), UNKNOWN),
    },
    uncertain_boundaries=True,
)
ANYSTYLE = Dataset(
    name="anystyle",
    about="AnyStyle: training strings, core and good",
    home="https://github.com/inukshuk/anystyle (res/parser)",
    licence="BSD-2-Clause",
    use="open",
    files=files_of(
        "anystyle",
        read_anystyle,
        ("core.xml", "", 1_514, "1bdfd9dc3e70961a51bfd5cfefb66898bed163d1b7a59fa0716c59a675648079"),
        ("good.xml", "", 4_663, "24798c0098814f68b18930cd7de5e6c7ef95acec534791b805588823c849e72e"),
    ),
    labels=_LABELS,
    split_rule=BY_TEXT,
)
