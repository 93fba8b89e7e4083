"""Plain aligned tables on standard output, the same on a terminal, in a pipe and in a log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ibidem.metrics.scoring import Report, Row


def aligned(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The lines of a table; columns of numbers stand to the right.

    >>> print(aligned(("field", "F1"), [("author", "97.10"), ("title", "8.00")]))
    field      F1
    author  97.10
    title    8.00
    """
    table = [list(header), *map(list, rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(header))]
    numeric = [all(_is_number(row[column]) for row in table[1:]) and len(table) > 1 for column in range(len(header))]
    lines = (
        "  ".join(cell.rjust(width) if right else cell.ljust(width)
                  for cell, width, right in zip(row, widths, numeric, strict=True))
        for row in table
    )  # fmt: skip
    return "\n".join(line.rstrip() for line in lines)


def show_rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Nothing: prints a table."""
    print(aligned(header, rows))


def show_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """Nothing: prints names and what is to be said of each."""
    listed = list(pairs)
    width = max((len(name) for name, _ in listed), default=0)
    for name, value in listed:
        print(f"{name.ljust(width)}  {value}".rstrip())


def show_report(report: Report, *, as_json: bool) -> None:
    """Nothing: prints a report, whole references first."""
    if as_json:
        print(_report_json(report))
        return
    show_rows(("", "%", "precision", "recall", "right", "predicted", "true"), map(_report_row, report.table()))
    print(f"\n{len(report.exact_matches):,} references")


def _report_row(row: Row) -> tuple[str, ...]:
    if row.score is None:
        return (row.name, f"{100 * row.value:.2f}", "", "", "", "", "")
    score = row.score
    ratios = (f"{100 * value:.2f}" for value in (row.value, score.precision, score.recall))
    return (row.name, *ratios, str(score.true_positives), str(score.predicted), str(score.gold))


def _report_json(report: Report) -> str:
    import orjson

    micro, macro = report.micro, report.macro
    found = {
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
    return orjson.dumps(found, option=orjson.OPT_INDENT_2).decode()


def _is_number(cell: str) -> bool:
    return not cell or cell == "–" or cell.strip("+-−%").replace(",", "").replace(".", "", 1).isdigit()
