"""Where training strings come from: datasets, files of labelled strings, and records that are rendered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from ibidem.data import registry
from ibidem.data.augmentation import AugmentationConfig, augment
from ibidem.data.decontamination import Blocklist
from ibidem.data.readers.labelled import read_labelled, read_silver
from ibidem.errors import ConfigError, DataError
from ibidem.labels.mapping import LabelTable, map_labels
from ibidem.labels.tasks import Task, known_only
from ibidem.models.scorer import Say
from ibidem.types import Example


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset or a file of labelled strings in a recipe: its split, how many strings, how often repeated."""

    name: str = ""
    file: str = ""  # your own labelled strings in place of a dataset; the path is relative to the recipe
    labels: str = ""  # the dataset whose labels the file has, if they are not those of Ibidem
    split: str = ""  # train, dev or test; by default train of a dataset and all of a file
    limit: int | None = None
    repeat: int = 1
    but: str = ""  # the kind of string that is used only to fill the limit after all others
    silver: float = 0.0  # of a file from `ibidem segment`: least confidence of every field of a string
    augment: bool = True  # of training data: whether the table `[augmentation]` applies

    def __post_init__(self) -> None:
        if bool(self.name) == bool(self.file):
            raise ConfigError("a source needs a `name` (of a dataset) or a `file` (of labelled strings), and not both")
        if not 0 <= self.silver <= 1 or (self.silver and not self.file):
            raise ConfigError(
                f"silver is {self.silver}: give a probability from 0 to 1, and a `file` of `ibidem segment`"
            )

    @property
    def called(self) -> str:
        """Name of the source in reports and in the card: that of a dataset, or of a file without its folder."""
        return self.name or Path(self.file).name

    @property
    def label_table(self) -> LabelTable | None:
        """The table that maps its labels to the schema, None if they need no mapping."""
        return registry.dataset(self.name or self.labels).labels if self.name or self.labels else None

    @property
    def uncertain_boundaries(self) -> bool:
        """Whether its fields have punctuation inside them, so that their true ends are uncertain."""
        return self.label_table is not None and self.label_table.uncertain_boundaries


@dataclass(frozen=True, slots=True)
class SyntheticSource:
    """Records in a recipe that are rendered as labelled strings, in CSL styles or by templates."""

    records: tuple[str, ...]  # open sets of records, and files of records; paths are relative to the recipe
    count: int  # strings to make
    styles: tuple[str, ...] = ("all",)  # CSL styles, patterns of their names, or .csl files
    locales: tuple[str, ...] = ("own",)  # languages of the words that a style adds: own, any, or tags
    kinds: dict[str, float] = field(default_factory=dict)  # templates instead of styles: their kinds, with weights
    noise: str = "light"  # none, light or heavy, and shares: light,ocr=0.01
    seed: int = 1  # of everything that is drawn at random
    augment: bool = True  # whether the table `[augmentation]` applies
    every: int = 1  # 10 trains on every tenth of the strings

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ConfigError(f"every is {self.every}: give 1 for all strings, 10 for every tenth")
        if not self.records and not self.kinds:
            raise ConfigError("styles render records: give `records`, or `kinds` of templates, which invent their own")
        if self.count < 1:
            raise ConfigError(f"count is {self.count}: give the number of strings to make, 1 or more")

    @property
    def called(self) -> str:
        """Name of the source in reports and in the card."""
        rendered = "templates" if self.kinds else "styles"
        return f"{rendered}: {', '.join(self.names) or 'invented records'}"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its sets, and of its files without their folders."""
        return tuple(one if one in registry.names() else Path(one).name for one in self.records)


Synthesise = Callable[[SyntheticSource, Path], Iterator[Example]]
"""Makes the strings of a source; relative paths are taken from the folder."""


def take_strings(source: Source, folder: Path, blocked: Blocklist | None, seed: int, task: Task) -> list[Example]:
    """Return the strings of a source in our labels, drawn at random if there are more than its limit."""
    if source.name and registry.dataset(source.name).task != task.name:
        other = registry.dataset(source.name).task
        raise ConfigError(f"{source.name} is a set of {other} and the recipe is for {task.name}: name another set")
    examples = list(_strings(source, folder))
    if not examples:
        raise DataError(f"{source.called} gave no labelled strings; check its content and the split")
    if blocked is not None:
        examples = [example for example in examples if not blocked.contains(example.text)]
        if not examples:
            raise DataError(f"every string of {source.called} is also one to evaluate with or to exclude; give others")
    if source.limit is not None and len(examples) > source.limit:
        order = np.random.default_rng(seed).permutation(len(examples)).tolist()
        if source.but:
            usual = [example.source.endswith(f":{source.but}") for example in examples]
            order.sort(key=usual.__getitem__)
        examples = [examples[place] for place in sorted(order[: source.limit])]
    table = source.label_table
    return examples if table is None else [map_labels(example, table) for example in examples]


def _strings(source: Source, folder: Path) -> Iterator[Example]:
    """Return the strings of a source in its own labels."""
    if source.name:
        items = registry.load(source.name, source.split or "train")
    else:
        path = folder / source.file
        read = read_silver(path, source.silver) if source.silver else read_labelled(path)
        items = registry.split_by_text(read, source.split)
    return (item for item in items if isinstance(item, Example))


def keep_known(examples: list[Example], task: Task, say: Say) -> list[Example]:
    """Return the examples whose labels the task has, and report the first few of the others."""
    kept, complaints = known_only(examples, task)
    for complaint in complaints[:5]:
        say(f"skipped: {complaint}")
    if complaints:
        say(f"{len(complaints):,} strings skipped because of their labels")
    if not kept:
        raise DataError(f"no string has the labels of {task.name}; the first complaint: {complaints[0]}")
    return kept


def repeat(
    examples: list[Example], augmentation: AugmentationConfig | None, name: str, turns: int = 1
) -> Iterator[Example]:
    """Yield strings as often as wanted, a share of them perturbed, in another way each time; `name` seeds it."""
    for turn in range(turns):
        if augmentation:
            yield from augment(examples, augmentation, Random(f"augmentation:{name}:{turn}"))  # noqa: S311
        else:
            yield from examples
