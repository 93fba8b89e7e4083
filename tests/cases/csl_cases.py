"""A style and records of our own writing."""

from __future__ import annotations

from pathlib import Path

from benchmarks.records.invented_records import RECORDS
from ibidem.csl.items import item_of
from ibidem.csl.markers import read_example
from ibidem.csl.style import Style, compile_style
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.types import Example

HEAD = '<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="in-text" default-locale="en-US"{}>'
ARTICLE = Record(
    "article",
    (
        Entry("author", Name("Reed", "Ada Maria")),
        Entry("author", Name("Bogaard", "Otto", "van den")),
        Entry("author", Name(literal="Board of Dykes")),
        Entry("title", "the drift of bells: a study"),
        Entry("container", "Annals of Coastal Medicine"),
        Entry("volume", Number("14", 14)),
        Entry("issue", Number("3", 3)),
        Entry("pages", Pages("153", "160")),
        Entry("date", Date(2019, 3, 7)),
    ),
)


def style_of(
    folder: Path, layout: str, options: str = "", more: str = "", bibliography: str = "", citation: str = ""
) -> Style:
    """The compiled style of a layout."""
    path = folder / f"style-{abs(hash((layout, options, more, bibliography, citation)))}.csl"
    path.write_text(
        f"{HEAD.format(options)}{more}<citation{citation}><layout/></citation>"
        f"<bibliography{bibliography}><layout>{layout}</layout></bibliography></style>",
        "utf-8",
    )
    return compile_style(path)


def shown(example: Example) -> list[tuple[str, str]]:
    return [(annotation.label, example.text[annotation.start : annotation.end]) for annotation in example.annotations]


def rendered(made: Style, record: Record = ARTICLE, tag: str = "", number: int = 0) -> Example:
    return read_example(made.render(item_of(record, number), tag), "x")


__all__ = ["ARTICLE", "RECORDS", "rendered", "shown", "style_of"]
