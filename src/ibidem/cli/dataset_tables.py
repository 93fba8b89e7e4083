"""The tables of `ibidem data`: which datasets there are, which are here, and whether they are whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ibidem.data.catalogue import DATASETS
from ibidem.data.registry import Dataset, data_folder, dataset
from ibidem.data.verify import Report, verify
from ibidem.errors import DataError

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def listing() -> Table:
    """Every dataset: its name, whether it is here, its splits, its licence and use, and what it is."""
    try:
        folder = data_folder()
    except DataError:
        folder = None
    header = ("name", "here", "splits", "use", "licence", "what it is")
    return header, [
        (one.name, _here(one, folder), " ".join(one.splits) or "–", one.use, one.licence, one.about)
        for one in DATASETS.values()
    ]


def present() -> tuple[int, int, Path]:
    """How many datasets are here with all their files, how many there are, and the folder."""
    folder = data_folder()
    return sum(_here(one, folder) == "yes" for one in DATASETS.values()), len(DATASETS), folder


def verification(names: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]], bool]:
    """What was found of every file of the named datasets, or of all, and whether all of it is as it should be."""
    chosen = [dataset(name).name for name in names] or None
    reports = list(verify(chosen))
    header = ("dataset", "file", "state", "items", "malformed", "counted", "published", "")
    return header, [_row(one) for one in reports], all(_whole(one) for one in reports)


def _here(one: Dataset, folder: Path | None) -> str:
    if folder is None:
        return "no"
    found = [(folder / file.path).exists() for file in one.files]
    return "yes" if all(found) else "partly" if any(found) else "no"


def _whole(report: Report) -> bool:
    return report.state == "ok" and report.agrees is not False


def _row(report: Report) -> tuple[str, ...]:
    expected = "–" if report.expected is None else str(report.expected)
    counts = (str(report.items), str(report.malformed), str(report.units), expected)
    remark = "" if _whole(report) and not report.remark else report.remark
    return report.dataset, report.path, report.state, *counts, remark
