"""Full citations of Czech and Czechoslovak laws: kind and issuing body, number in the collection, subject."""

from __future__ import annotations

from functools import partial

from ibidem.data.readers.ranges import read_ranges
from ibidem.data.registry import BY_DOCUMENT, Dataset, files_of
from ibidem.labels.mapping.table import Context, LabelTable

_KINDS = frozenset(
    (
        "Zákon|Ústavní zákon|Vyhláška|Nařízení|Nařízení vlády|Vládní nařízení|Zákonné opatření|Dekret|Ústavní dekret|"
        "Opatření|Sdělení|Nález"
    ).split("|")
)


def _kind(context: Context) -> str:
    """Return "type" for a kind alone; kind and body together, Vyhláška Ministerstva financí, are one field of two."""
    return "type" if context.text in _KINDS else "type|institution"


CZECH_LAWS = Dataset(
    name="czech-law-citations",
    about="Full citations of Czech laws, decrees and regulations",
    home="https://github.com/legalize-dev/legalize-cz",
    licence="MIT; the texts are official works",
    use="open",
    files=files_of(
        "multilingual/open/labelled",
        partial(read_ranges, name="czech-law-citations"),
        ("czech-law-citations.jsonl.gz", "", 5_460, "234a5e839a2d0dbee608f1d50f74cee95bc27667b2607b17adc895f388fb5b29"),
    ),
    labels=LabelTable({"kind_and_body": _kind, "official_code": "report-number", "subject": "title"}),
    split_rule=BY_DOCUMENT,
    remark="one template; kind and issuing body have one label",
)
