"""Datasets by name: where to get each, its licence, what it may be used for, and how to read it.

The data itself is not part of Ibidem. It lies in a folder named by the environment variable `IBIDEM_DATA`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tarfile import TarError
from typing import TYPE_CHECKING, Any, Literal

from ibidem.data.decontamination import hash_text, normalise
from ibidem.errors import DataError
from ibidem.faults import describe_fault
from ibidem.labels.mapping import LabelTable, map_labels
from ibidem.labels.tasks import task_of
from ibidem.types import Example, Malformed

if TYPE_CHECKING:
    from ibidem.data.readers.papers import LabelledLines
    from ibidem.data.readers.records import Pair

    Item = Example | Malformed | LabelledLines | Pair | dict[str, Any] | tuple[str, str]

VARIABLE = "IBIDEM_DATA"
Reader = Callable[[Path], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file (or folder of small files) of a dataset: its digest, split, reader and published number of items."""

    path: str
    sha256: str
    split: str = ""
    read: Reader | None = None
    expected: int | None = None


def files_of(folder: str, read: Reader, *rows: tuple[str, str, int | None, str]) -> tuple[DataFile, ...]:
    """Return files with the same folder and reader, from the name, split, published count and digest of each."""
    return tuple(DataFile(f"{folder}/{name}", sha256, split, read, count) for name, split, count, sha256 in rows)


def map_examples(read: Reader, change: Callable[[Any], Any]) -> Reader:
    """Return a reader that changes each item of another and leaves out those that become None; reports stay."""

    def read_changed(path: Path) -> Iterator[Any]:
        for item in read(path):
            found = item if isinstance(item, Malformed) else change(item)
            if found is not None:
                yield found

    return read_changed


@dataclass(frozen=True, slots=True)
class SplitRule:
    """How a dataset published without splits is divided: from an example's index and the example to its split."""

    choose: Callable[[int, Example], str]
    names: tuple[str, ...] = ("train", "dev", "test")


def text_split(text: str) -> str:
    """Return the split of a string by a hash of its letters and digits: a tenth each is dev and test."""
    return {0: "test", 1: "dev"}.get(hash_text(normalise(text)) % 10, "train")


def _count_items() -> Callable[[Any], int]:
    return lambda _item: 1


def count_annotations() -> Callable[[Any], int]:
    """Return a function that counts the annotations of an example, for `Dataset.units`."""
    return lambda item: len(item.annotations)


BY_TEXT = SplitRule(lambda _index, example: text_split(example.text))
"""By the letters and digits of the text, so that equal strings of different datasets are in the same split."""


def _split_by_document(_index: int, example: Example) -> str:
    document = example.source.rpartition(":")[0]
    return {0: "test", 1: "dev"}.get(hash_text(document) % 20, "train")


BY_DOCUMENT = SplitRule(_split_by_document)
"""By a hash of the source, `name:document:kind`, but for the kind: a twentieth of documents each is dev and test."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset. `use` says whether published weights may be trained on it ("open") or not ("benchmark").

    `strings` is False for records and other items that are not `Example`s. `labels` maps the dataset's labels to the
    schema of its `task`. `split_rule` divides a dataset without published splits. `units` makes a function that counts
    what the publisher counts in one item.
    """

    name: str
    about: str
    home: str
    licence: str
    use: Literal["open", "benchmark"]
    files: tuple[DataFile, ...]
    strings: bool = True
    labels: LabelTable | None = None
    split_rule: SplitRule | None = None
    units: Callable[[], Callable[[Any], int]] = _count_items
    remark: str = ""
    task: str = "references"

    @property
    def unified(self) -> bool:
        """Whether its labels can be mapped to the schema of its task."""
        return self.labels is not None

    @property
    def uncertain_boundaries(self) -> bool:
        """Whether it keeps punctuation inside its fields, so that their true ends are uncertain."""
        return self.labels is not None and self.labels.uncertain_boundaries

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of its splits; empty if it has none."""
        if self.split_rule:
            return self.split_rule.names
        return tuple(dict.fromkeys(file.split for file in self.files if file.split))

    def map_labels(self, example: Example) -> Example:
        """Return an example of this dataset in the labels of its task's schema."""
        return map_labels(example, self.require_labels())

    def require_labels(self) -> LabelTable:
        """Return the label table; raise `DataError` if the dataset has none."""
        if self.labels is None:
            raise DataError(f"the labels of {self.name} cannot be mapped to a schema: the dataset has no label table")
        return self.labels

    def derive(self, name: str, read: Reader, **changes: Any) -> Dataset:
        """Return another dataset made of the same files, each read once by `read`."""
        files = {file.path: DataFile(file.path, file.sha256, "", read) for file in self.files}
        changes = {"strings": True, "remark": "", "units": _count_items, **changes}
        return replace(self, name=name, files=tuple(files.values()), **changes)


def register(data: Dataset) -> None:
    """Add a dataset to the catalogue of this process, under its own name."""
    from ibidem.data.catalogue import DATASETS

    task_of(data.task)
    if data.name in DATASETS:
        raise DataError(f"there already is a dataset {data.name!r}: give yours another name")
    DATASETS[data.name] = data


def unregister(name: str) -> None:
    """Remove a dataset from the catalogue of this process."""
    from ibidem.data.catalogue import DATASETS

    del DATASETS[dataset(name).name]


def names() -> tuple[str, ...]:
    """Return the names of all datasets."""
    from ibidem.data.catalogue import DATASETS

    return tuple(DATASETS)


def dataset(name: str) -> Dataset:
    """Return the dataset of that name."""
    from ibidem.data.catalogue import DATASETS

    if name not in DATASETS:
        raise DataError(f"there is no dataset {name!r}; there are {', '.join(DATASETS)}")
    return DATASETS[name]


def data_folder(folder: Path | str | None = None) -> Path:
    """Return the folder with the datasets: the argument, or else the value of `IBIDEM_DATA`."""
    given = folder or os.environ.get(VARIABLE)
    if not given:
        raise DataError(f"no folder with datasets: set {VARIABLE} to it, or pass it as an argument")
    path = Path(given)
    if not path.is_dir():
        raise DataError(f"{path} is not a folder; {VARIABLE} must name the folder with the datasets")
    return path


def locate(data: Dataset, file: DataFile, folder: Path) -> Path:
    """Return the path of a file of a dataset; raise `DataError` if it is missing."""
    path = folder / file.path
    if not path.exists():
        raise DataError(f"{data.name}: {path} is missing; get the dataset from {data.home} and put it there")
    return path


def read_items(data: Dataset, file: DataFile, folder: Path) -> Iterator[Any]:
    """Yield the items of one file of a dataset; raise `DataError` if it is missing or damaged."""
    path = locate(data, file, folder)
    try:
        yield from file.read(path) if file.read else ()
    except Exception as error:
        reason = (
            error
            if isinstance(error, OSError | EOFError | TarError | ValueError)
            else describe_fault(error, "reading it")
        )
        raise DataError(f"{data.name}: cannot read {path}: {reason}; `ibidem data verify` checks it") from error


def load_records(name: str, split: str | None = None, folder: Path | str | None = None) -> Iterator[Item]:
    """Yield the items of a dataset, strings or not, in its own labels; with `split` only those of that split."""
    data = dataset(name)
    if split is not None and split not in data.splits:
        raise DataError(f"{name} has no split {split!r}; it has {', '.join(data.splits) or 'none'}")
    root = data_folder(folder)
    for file in data.files:
        if file.read and (split is None or data.split_rule or file.split == split):
            items = read_items(data, file, root)
            yield from items if split is None or not data.split_rule else _choose(items, data.split_rule, split)


def _choose(items: Iterator[Any], rule: SplitRule, split: str) -> Iterator[Item]:
    """Yield the items of a split; a `Malformed` goes with the example it is about, or else with the first split."""
    index = 0
    waiting: list[Malformed] = []
    for item in items:
        if isinstance(item, Malformed):
            waiting.append(item)
            continue
        chosen = rule.choose(index, item)
        index += 1
        for report in waiting:
            if (chosen if item.source.startswith(report.source) else "train") == split:
                yield report
        waiting = []
        if chosen == split:
            yield item
    if split == "train":
        yield from waiting


def split_by_text(items: Iterable[Example | Malformed], split: str) -> Iterator[Example | Malformed]:
    """Yield the items of a split of a file: a tenth each is dev and test, by a hash of letters and digits.

    Equal strings of different datasets are in the same split. Without a split everything is given.
    """
    if split not in ("", "train", "dev", "test"):
        raise DataError(f"a file has no split {split!r}; it has train, dev and test")
    for item in items:
        if not split or isinstance(item, Malformed) or text_split(item.text) == split:
            yield item


def load(name: str, split: str | None = None, folder: Path | str | None = None) -> Iterator[Example | Malformed]:
    """Yield the strings of a dataset in its own labels; with `split` only those of that split."""
    if not dataset(name).strings:
        raise DataError(f"{name} holds records, not strings: use load_records")
    for item in load_records(name, split, folder):
        assert isinstance(item, Example | Malformed)
        yield item


def load_unified(
    name: str, split: str | None = None, folder: Path | str | None = None
) -> Iterator[Example | Malformed]:
    """Yield the strings of a dataset in the labels of its task's schema; with `split` only those of that split."""
    table = dataset(name).require_labels()
    for item in load(name, split, folder):
        yield map_labels(item, table) if isinstance(item, Example) else item
