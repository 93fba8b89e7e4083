"""The six results of the README, taken from those of the benchmarks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.docs.markdown import table

_RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: what is measured, where the results are, and what is beside ours; `{}` is the reference."""

    about: str
    benchmark: str
    rows: Sequence[str]
    metric: str
    beside: str = "–"


_LINES = (
    Line("references of eLife, all fields correct, %", "open-sets", ["elife dev, 15,581 strings"], "exact match"),
    Line(
        "social science, English / German, a domain it was not trained on, all fields correct, %",
        "open-sets",
        ["excite en, 2,411 strings", "excite de, 4,028 strings"],
        "exact match",
    ),
    Line(
        "UMass citations with soft constraints, nested fields, F1",
        "soft-constraints",
        ["Table 1: all"],
        "field F1",
        "{} in the paper (Anzaroot et al. 2014, Table 1)",
    ),
    Line("linking 50,000 references of eLife, pair F1", "coreference-elife", ["50,000 strings"], "pair F1"),
    Line(
        "new strings of eLife per second, with confidence, one core",
        "speed",
        ["10,000 new strings of eLife, with confidence"],
        "strings/s",
        "{} by a python-crfsuite pipeline, labels alone, in the same run",
    ),
    Line(
        "peak memory of parsing 1,000,000 strings, MB",
        "memory",
        ["1,000,000 strings, reference is 10,000"],
        "MB",
        "{} for 10,000 strings",
    ),
)


def headline() -> str:
    """Return the table of six results, each with the command that prints it."""
    head = ("what", "Ibidem", "beside it", "printed by")
    return table(head, [(*_cells(line), f"`python -m benchmarks {line.benchmark}`") for line in _LINES])


def _cells(line: Line) -> tuple[str, str, str]:
    path = _RESULTS / f"{line.benchmark}.json"
    if not path.exists():
        return line.about, "Not measured yet", "–"
    rows = json.loads(path.read_text("utf-8"))["rows"]
    found = {row["row"]: row for row in rows if row["metric"] == line.metric}
    chosen = [found[name] for name in line.rows]
    ours, theirs = ([_number(row[key]) for row in chosen if row[key] is not None] for key in ("ours", "reference"))
    return line.about, f"**{' / '.join(ours)}**", line.beside.format(*theirs)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
