"""The datasets Ibidem knows: where a user gets each, under which licence, what may be done with it, how to read it.

The data itself is not part of Ibidem. It lies in a folder named by the environment variable `IBIDEM_DATA`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ibidem.data.decontamination import hash_text, normalise
from ibidem.data.readers.papers import LabelledLines
from ibidem.data.readers.records import Pair
from ibidem.errors import DataError
from ibidem.labels.label_mapping import LOOSE_EDGES, unify
from ibidem.types import Example, Malformed

VARIABLE = "IBIDEM_DATA"

Item = Example | Malformed | LabelledLines | Pair | dict[str, Any] | tuple[str, str]
Chooser = Callable[[int, Example], str]
"""From the number of an example in its set and the example itself to its split."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file (or folder of small files) of a set: its digest, its split, how to read it, how much is in it."""

    path: str
    sha256: str
    split: str = ""
    read: Callable[[Path], Iterator[Any]] | None = None
    expected: int | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A public dataset. `use` says whether shipped weights may be trained on it ("open") or not ("benchmark").

    `choose` divides a set that does not come divided; `units` makes the function that counts what `expected` counts.
    """

    name: str
    about: str
    home: str
    licence: str
    use: Literal["open", "benchmark"]
    files: tuple[DataFile, ...]
    strings: bool = True
    table: str = ""
    choose: Chooser | None = None
    units: Callable[[], Callable[[Any], int]] = lambda: lambda _item: 1
    remark: str = ""
    task: str = "references"

    @property
    def unified(self) -> bool:
        """Whether its labels can be turned into the schema of its task."""
        return bool(self.table)

    @property
    def loose_edges(self) -> bool:
        """Whether it keeps punctuation inside its fields."""
        return self.table in LOOSE_EDGES

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of its splits, none if it has none."""
        if self.choose:
            return ("train", "test") if self.name == "parscit" else ("train", "dev", "test")
        return tuple(dict.fromkeys(file.split for file in self.files if file.split))


def data_folder(folder: Path | str | None = None) -> Path:
    """The folder with the datasets: the argument, or what the environment says."""
    given = folder or os.environ.get(VARIABLE)
    if not given:
        raise DataError(f"no folder with datasets: set {VARIABLE} to it, or give it as an argument")
    path = Path(given)
    if not path.is_dir():
        raise DataError(f"{path} is not a folder; {VARIABLE} must name the folder with the datasets")
    return path


def names() -> tuple[str, ...]:
    """The names of all datasets."""
    from ibidem.data.catalogue import DATASETS

    return tuple(DATASETS)


def dataset(name: str) -> Dataset:
    """The dataset of that name."""
    from ibidem.data.catalogue import DATASETS

    if name not in DATASETS:
        raise DataError(f"no dataset is called {name!r}; known are {', '.join(DATASETS)}")
    return DATASETS[name]


def located(data: Dataset, file: DataFile, folder: Path) -> Path:
    """The path of a file of a set, if it is there."""
    path = folder / file.path
    if not path.exists():
        raise DataError(f"{data.name}: {path} is missing; get the set from {data.home} and put it there")
    return path


def load_records(name: str, split: str | None = None, folder: Path | str | None = None) -> Iterator[Item]:
    """What a set holds, strings or not, in its own labels; with `split` only that part."""
    data = dataset(name)
    if split is not None and split not in data.splits:
        raise DataError(f"{name} has no split {split!r}; it has {', '.join(data.splits) or 'none'}")
    root = data_folder(folder)
    for file in data.files:
        if file.read and (split is None or data.choose or file.split == split):
            items = file.read(located(data, file, root))
            yield from items if split is None or not data.choose else _chosen(items, data.choose, split)


def _chosen(items: Iterator[Any], choose: Chooser, split: str) -> Iterator[Item]:
    """The items of a split; a report goes with the example it is about, or else with the first split."""
    number = 0
    held: list[Malformed] = []
    for item in items:
        if isinstance(item, Malformed):
            held.append(item)
            continue
        chosen = choose(number, item)
        number += 1
        for report in held:
            if (chosen if item.source.startswith(report.source) else "train") == split:
                yield report
        held = []
        if chosen == split:
            yield item
    if split == "train":
        yield from held


def split_by_text(items: Iterable[Example | Malformed], split: str) -> Iterator[Example | Malformed]:
    """The items of a split of what does not come divided: a tenth each is dev and test, by letters and digits alone.

    Equal strings of different sets are in the same split. Without a split everything is given.
    """
    if split not in ("", "train", "dev", "test"):
        raise DataError(f"there is no split {split!r} of a file; there are train, dev and test")
    for item in items:
        if not split or isinstance(item, Malformed) or text_split(item.text) == split:
            yield item


def text_split(text: str) -> str:
    """The split of a string that does not come with one."""
    return {0: "test", 1: "dev"}.get(hash_text(normalise(text)) % 10, "train")


def load(name: str, split: str | None = None, folder: Path | str | None = None) -> Iterator[Example | Malformed]:
    """The strings of a set in its own labels; with `split` only that part."""
    if not dataset(name).strings:
        raise DataError(f"{name} holds records, not strings: use load_records")
    for item in load_records(name, split, folder):
        assert isinstance(item, Example | Malformed)
        yield item


def load_unified(
    name: str, split: str | None = None, folder: Path | str | None = None
) -> Iterator[Example | Malformed]:
    """The strings of a set in the labels of its task's schema; with `split` only that part."""
    data = dataset(name)
    if not data.unified:
        raise DataError(f"the labels of {name} are not those of a task and cannot be unified")
    for item in load(name, split, folder):
        yield unify(item, data.table) if isinstance(item, Example) else item
