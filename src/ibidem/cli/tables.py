"""Plain aligned tables on standard output, the same on a terminal, in a pipe and in a log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ibidem.cli.outputs import write_json
from ibidem.cli.terminal import escape

if TYPE_CHECKING:
    from ibidem.metrics.scoring import Report, Row


def align(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return the lines of a table with its columns aligned, numbers to the right.

    >>> print(align(("field", "F1"), [("author", "97.10"), ("title", "8.00")]))
    field      F1
    author  97.10
    title    8.00
    """
    table = [list(header), *([escape(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(header))]
    numeric = [all(_is_number(row[column]) for row in table[1:]) and len(table) > 1 for column in range(len(header))]
    lines = (
        "  ".join(cell.rjust(width) if right else cell.ljust(width)
                  for cell, width, right in zip(row, widths, numeric, strict=True))
        for row in table
    )  # fmt: skip
    return "\n".join(line.rstrip() for line in lines)


def show_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """Print names and values in two columns."""
    listed = list(pairs)
    width = max((len(name) for name, _ in listed), default=0)
    for name, value in listed:
        print(f"{name.ljust(width)}  {escape(value)}".rstrip())


def show_report(report: Report, *, as_json: bool) -> None:
    """Print a report, exact match first."""
    if as_json:
        write_json(_report_object(report))
        return
    header = ("", "%", "precision", "recall", "true positives", "predicted", "gold")
    print(align(header, map(_report_row, report.table())))
    print(f"\n{len(report.exact_matches):,} {report.item}s")


def _report_row(row: Row) -> tuple[str, ...]:
    if row.score is None:
        return (row.name, f"{100 * row.value:.2f}", "", "", "", "", "")
    score = row.score
    ratios = (f"{100 * value:.2f}" for value in (row.value, score.precision, score.recall))
    return (row.name, *ratios, str(score.true_positives), str(score.predicted), str(score.gold))


def _report_object(report: Report) -> dict[str, Any]:
    micro, macro = report.micro, report.macro
    return {
        "references": len(report.exact_matches),
        "whole_reference_accuracy": report.accuracy,
        "unit": report.unit,
        "micro": {"precision": micro.precision, "recall": micro.recall, "f1": micro.f1},
        "macro_f1": macro,
        "labels": {
            row.name: {
                "precision": row.score.precision,
                "recall": row.score.recall,
                "f1": row.value,
                "true": row.score.gold,
            }
            for row in report.table()[3:]
            if row.score is not None
        },
    }


def _is_number(cell: str) -> bool:
    return not cell or cell == "–" or cell.strip("+-−%").replace(",", "").replace(".", "", 1).isdigit()
