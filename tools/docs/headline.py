"""The six numbers of the README, taken from the results of the benchmarks."""

from __future__ import annotations

import json
from pathlib import Path

from tools.docs.markdown import table

_RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
# what is measured, the other system, benchmark, row, metric
_ROWS = (
    ("references of eLife, all fields correct, %", "AnyStyle", "open-sets", "elife dev, 15,581 strings", "exact match"),
    (
        "German social science, all fields correct, %",
        "AnyStyle",
        "open-sets",
        "excite de, 4,028 strings",
        "exact match",
    ),
    ("UMass citations, span F1", "a plain CRF", "umass-flat", "train, on test", "span F1"),
    (
        "GROBID's corpus, ten folds, field F1",
        "GROBID's CRF",
        "grobid-citation",
        "chain, beside GROBID's CRF",
        "field F1",
    ),
    ("linking 50,000 references of eLife, pair F1", "–", "coreference-elife", "50,000 strings", "pair F1"),
    ("new strings labelled per second, one core", "python-crfsuite", "speed", "labelling, first run", "strings/s"),
)


def headline() -> str:
    """Return the table of six numbers, each with the command that prints it."""
    rows = []
    for about, rival, name, row, metric in _ROWS:
        found = json.loads((_RESULTS / f"{name}.json").read_text("utf-8"))["rows"]
        [one] = [each for each in found if (each["row"], each["metric"]) == (row, metric)]
        theirs = "–" if one["reference"] is None else f"{rival} {_number(one['reference'])}"
        rows.append((about, theirs, f"**{_number(one['ours'])}**", f"`python -m benchmarks {name}`"))
    return table(("what", "another system", "Ibidem", "printed by"), rows)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
