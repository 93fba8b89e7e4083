"""Short names of journals from a table such as JabRef's: a full name and its abbreviation on every line."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path

from ibidem.csl.context import Item
from ibidem.csl.markers import unmarked
from ibidem.data.readers.files import lines_of
from ibidem.errors import InputError


def abbreviate(item: Item, table: Path) -> None:
    """Nothing: gives an article the short name of its journal where the table has one."""
    short = _table(table).get(item.values.get("container-title", "").casefold())
    if short and item.labels.get("container-title") == "journal":
        item.values["container-title-short"] = short


@lru_cache(2)
def _table(path: Path) -> dict[str, str]:
    try:
        rows = csv.reader(lines_of(path))
        return {row[0].casefold(): unmarked(row[1]) for row in rows if len(row) > 1 and row[1].strip()}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"cannot read the table of journals {path}: {error}; give lines of name,abbreviation"
        ) from error
