"""The command group `ibidem data`: list, verify and locate the public datasets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibidem.cli.options import Command
from ibidem.cli.terminal import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ibidem.data.registry import Dataset
    from ibidem.data.verify import Report

    Rows = list[tuple[str, ...]]

LIST_HEADER = ("name", "here", "splits", "use", "licence", "what it is")
VERIFY_HEADER = ("dataset", "file", "state", "items", "malformed", "counted", "published", "")


@click.group(no_args_is_help=False)
def data() -> None:
    """List, verify and locate the public datasets."""


@data.command(cls=Command, name="list")
def data_list() -> None:
    """List the datasets and say which are here."""
    from ibidem.cli.tables import align

    print(align(LIST_HEADER, list_datasets()))


@data.command(cls=Command, name="verify")
@click.argument("names", metavar="[NAME]...", nargs=-1)
def data_verify(names: tuple[str, ...]) -> int:
    """Verify datasets: NAMEs, or all.

    Exits with 1 if a file is missing, changed, or does not hold the published number of items.
    """
    from ibidem.cli.tables import align

    rows, passed = verify_datasets(names)
    print(align(VERIFY_HEADER, rows))
    return 0 if passed else 1


@data.command(cls=Command, name="where")
def data_where() -> None:
    """Print the folder of the datasets."""
    from ibidem.data.registry import data_folder

    click.echo(escape(str(data_folder())))


def list_datasets() -> Rows:
    """Return a row for each dataset: name, whether it is here, splits, use, licence and what it is."""
    from ibidem.data.catalogue import DATASETS
    from ibidem.data.registry import data_folder
    from ibidem.errors import DataError

    try:
        folder = data_folder()
    except DataError:
        folder = None
    return [
        (one.name, _presence(one, folder), " ".join(one.splits) or "–", one.use, one.licence, one.about)
        for one in DATASETS.values()
    ]


def count_present() -> tuple[int, int, Path]:
    """Return how many datasets have all their files here, how many there are, and the folder."""
    from ibidem.data.catalogue import DATASETS
    from ibidem.data.registry import data_folder

    folder = data_folder()
    return sum(_presence(one, folder) == "yes" for one in DATASETS.values()), len(DATASETS), folder


def verify_datasets(names: Sequence[str]) -> tuple[Rows, bool]:
    """Return a row for every file of the named datasets, or of all, and whether all of them passed."""
    from ibidem.data.verify import verify

    reports = list(verify(names or None))
    passed = all(report.state == "ok" and report.agrees is not False for report in reports)
    return [_report_row(report) for report in reports], passed


def _presence(one: Dataset, folder: Path | None) -> str:
    if folder is None:
        return "no"
    found = [(folder / file.path).exists() for file in one.files]
    return "yes" if all(found) else "partly" if any(found) else "no"


def _report_row(report: Report) -> tuple[str, ...]:
    expected = "–" if report.expected is None else str(report.expected)
    counts = (str(report.items), str(report.malformed), str(report.units), expected)
    return report.dataset, report.path, report.state, *counts, report.remark
