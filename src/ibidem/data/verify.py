"""Verification of a folder of datasets: files by their digests, contents by the published counts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ibidem.data import registry
from ibidem.data.readers.papers import LabelledLines
from ibidem.data.readers.records import Pair
from ibidem.data.registry import DataFile, Dataset, data_folder
from ibidem.errors import DataError
from ibidem.types import Example, Malformed


@dataclass(frozen=True, slots=True)
class Report:
    """Result for one file of a dataset.

    `state` is "ok", "missing" or "changed" (an unexpected digest). `items` counts what could be read, `malformed` the
    reports of what could not or was repaired, `units` what the published figure counts; `agrees` is None if there is
    no figure or nothing to read.
    """

    dataset: str
    path: str
    split: str
    state: str
    items: int = 0
    malformed: int = 0
    units: int = 0
    expected: int | None = None
    agrees: bool | None = None
    labels: tuple[tuple[str, int], ...] = ()
    remark: str = ""


def digest(path: Path) -> str:
    """Return the SHA-256 of a file; of a folder, that of the sorted names and digests of its `.xml` files."""
    if path.is_dir():
        listing = "".join(f"{inner.name} {digest(inner)}\n" for inner in sorted(path.glob("*.xml")))
        return hashlib.sha256(listing.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def labels_in(item: Any) -> Iterable[str]:
    """Return the labels of an item; of a record the names of the fields that are not empty."""
    if isinstance(item, Example):
        return [annotation.label for annotation in item.annotations]
    if isinstance(item, LabelledLines):
        return item.labels
    if isinstance(item, Pair):
        return ["same" if item.same else "different"]
    return [name for name, value in item.items() if value] if isinstance(item, dict) else []


def verify(names: Iterable[str] | None = None, folder: Path | str | None = None) -> Iterator[Report]:
    """Yield a report on every file of the named datasets, or of all; a missing file is not an error."""
    root = data_folder(folder)
    for name in names if names is not None else registry.names():
        data = registry.dataset(name)
        for file in data.files:
            yield check(data, file, root)


def check(data: Dataset, file: DataFile, root: Path) -> Report:
    """Return the report on one file."""
    path = root / file.path
    if not path.exists():
        return Report(data.name, file.path, file.split, "missing", expected=file.expected, remark=data.remark)
    state = "ok" if digest(path) == file.sha256 else "changed"
    if file.read is None:
        return Report(
            data.name, file.path, file.split, state, remark="not read: its content is in another file of the set"
        )
    items = malformed = units = 0
    labels: Counter[str] = Counter()
    count = data.units()
    remark = data.remark
    try:
        for item in registry.read_items(data, file, root):
            if isinstance(item, Malformed):
                malformed += 1
                continue
            items += 1
            units += count(item)
            labels.update(labels_in(item))
    except DataError as error:
        remark = str(error)
    agrees = units == file.expected if file.expected is not None else None
    found = tuple(labels.most_common())
    return Report(
        data.name, file.path, file.split, state, items, malformed, units, file.expected, agrees, found, remark
    )
