"""The renderer of CSL styles beside citeproc-py: agreement and speed."""

from __future__ import annotations

import os
import re
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from benchmarks.records.invented_records import RECORDS
from benchmarks.registry import Outcome, Result, benchmark
from ibidem.csl.items import Item, item_of
from ibidem.csl.markers import strip_markers
from ibidem.csl.markup import as_html
from ibidem.csl.style import compile_style, find_styles
from ibidem.records.record import Date, Name
from ibidem.synthesis.synthesiser import Plan, keep_bibliographies, synthesise

_EVERY = 10  # every tenth style is compared
_WORD = re.compile(r"[^\W_]+")


@benchmark(
    "styles",
    "Rendering CSL styles: agreement with citeproc-py, strings per second beside it",
    reference="citeproc-py, measured in the same run",
)
def styles() -> Outcome:
    """Compare renderings of a few invented records of every type in a sample of the public styles."""
    paths, passed_over = keep_bibliographies(find_styles(["all"]))
    sample = paths[:: int(os.environ.get("IBIDEM_BENCH_STRINGS", _EVERY))]
    items = {f"item-{number}": item_of(record, 1) for number, record in enumerate(RECORDS)}
    pairs: list[tuple[str, str]] = []
    spent = ours_spent = 0.0
    for number, path in enumerate(sample):
        before = time.perf_counter()
        theirs = render_by_citeproc(path, items)
        spent += time.perf_counter() - before
        before = time.perf_counter()
        made = compile_style(path)
        for key in theirs:
            as_html(made.render(items[key]))
        ours_spent += time.perf_counter() - before
        pairs += [(_plain(made.render(item)), theirs[key]) for key, item in items.items() if key in theirs]
        if number % 50 == 49:
            print(f"{number + 1} of {len(sample)} styles", file=sys.stderr, flush=True)
    speed = len(pairs) / spent
    exact = sum(ours == theirs for ours, theirs in pairs)
    words = sum(_WORD.findall(ours) == _WORD.findall(theirs) for ours, theirs in pairs)
    rows = [
        Result("the same string, whitespace aside", "%", None, 100 * exact / len(pairs)),
        Result("the same words in the same order", "%", None, 100 * words / len(pairs)),
        Result("the same records as HTML", "strings/s", speed, len(pairs) / ours_spent, ratio=spent / ours_spent),
        *(_speed(paths, speed, jobs) for jobs in (1, 2)),
    ]
    data = (
        f"{len(RECORDS)} invented records of every type in {len(sample)} of the {len(paths):,} public styles with a "
        f"bibliography ({passed_over} have none), {len(pairs):,} strings; speed over all styles"
    )
    return data, rows


def _speed(paths: tuple[Path, ...], reference: float, jobs: int) -> Result:
    count = 10_000
    before = time.perf_counter()
    made = sum(1 for _ in synthesise(RECORDS, count, Plan(paths), jobs))
    ours = made / (time.perf_counter() - before)
    what = "one process" if jobs == 1 else f"{jobs} processes"
    return Result(
        f"labelled strings, {what}", "strings/s", reference, ours, ratio=ours / reference, bar=10_000 / 60 / reference
    )


def _plain(rendered: str) -> str:
    return " ".join(strip_markers(rendered).split())


def render_by_citeproc(path: Path, items: dict[str, Item]) -> dict[str, str]:
    """Render each item with citeproc-py; items on which it fails are left out."""
    from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = CiteProcJSON([{"id": key, **csl_json(item)} for key, item in items.items()])
        made = CitationStylesStyle(str(path), validate=False)
        found = {}
        for key in items:
            try:
                bibliography = CitationStylesBibliography(made, source, formatter.plain)
                bibliography.register(Citation([CitationItem(key)]))
                found[key] = " ".join("".join(map(str, bibliography.bibliography()[0])).split())
            except Exception as error:
                print(f"citeproc-py, {path.stem}: {type(error).__name__} {error}", file=sys.stderr)
    return found


def csl_json(item: Item) -> dict[str, Any]:
    """Return the CSL-JSON of an item, without labels."""
    made: dict[str, Any] = {"type": item.type}
    made.update({key: strip_markers(value) for key, value in item.values.items()})
    made.update({key: [_name(name) for name in names] for key, names in item.names.items()})
    made.update({key: _date(date) for key, date in item.dates.items()})
    if item.pages:
        made["page"] = item.plain("page")
    return made


def _name(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": name.literal}
    parts = {"family": name.family, "given": name.given, "non-dropping-particle": name.particle, "suffix": name.suffix}
    return {key: value for key, value in parts.items() if value}


def _date(date: Date) -> dict[str, Any]:
    parts = [part for part in (date.year, date.month, date.day) if part is not None]
    return {"date-parts": [parts]}
