"""Recipes: a TOML file says which data, features and settings make a model, and `train` follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ibidem.config import from_toml
from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.data.readers.labelled import read_labelled, read_silver
from ibidem.errors import ConfigError, DataError
from ibidem.features import Lexicons
from ibidem.features.lexicon_sources import build, select_lexicons
from ibidem.features.lexicons import empty
from ibidem.labels.mapping import LabelTable, map_labels
from ibidem.labels.tasks import Task, known_only, task_of
from ibidem.models import storage
from ibidem.models.cards import calibrate, told, with_card
from ibidem.models.constrained import checked, in_force, readable
from ibidem.models.evaluation import evaluate_examples
from ibidem.models.likelihood import Weights
from ibidem.models.parser import Parser
from ibidem.models.penalties import Learnt, PenaltyConfig, TrainingProgress, learnt_on, truth_within
from ibidem.models.scorer import Model
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import ChainConfig, Trainer, Watch, completed, labels_seen, training_set
from ibidem.types import Example

Say = Callable[[str], None]
_WATCHED = 300  # held-out strings of each set that are scored after every epoch


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset or a file of labelled strings in a recipe: which split, how many strings, how often repeated."""

    name: str = ""
    file: str = ""  # labelled strings of one's own in place of a dataset; the path is relative to the recipe
    labels: str = ""  # the dataset whose labels the file has, where they are not ours
    split: str = ""  # train, dev or test; when none is named, train of a dataset and all of a file
    limit: int | None = None
    repeat: int = 1
    but: str = ""  # the kind of string that is taken only to fill the limit when all others are in
    silver: float = 0.0  # of a file that `ibidem segment` wrote: how sure every field of a string must be

    def __post_init__(self) -> None:
        if bool(self.name) == bool(self.file):
            raise ConfigError("a source needs a `name` (of a dataset) or a `file` (of labelled strings), and not both")
        if not 0 <= self.silver <= 1 or (self.silver and not self.file):
            raise ConfigError(f"silver is {self.silver}: give a chance from 0 to 1, and a `file` of `ibidem segment`")

    @property
    def called(self) -> str:
        """What the source is called in reports and in the card: a dataset by name, a file without its folder."""
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
class Recipe:
    """Everything that makes a model."""

    name: str
    about: str
    output: str
    data: tuple[Source, ...]
    held_out: tuple[Source, ...]  # for choosing, calibrating and the card's scores; never trained on
    keep_out: tuple[Source, ...] = ()  # further strings that may not be trained on
    label_at_least: int = 5
    task: str = "references"  # what is labelled: references, sections or authors
    lexicons: tuple[str, ...] | None = None  # the lexicons that the model keeps, by name; all when it is not given
    training: ChainConfig = field(default_factory=ChainConfig)
    constraints: PenaltyConfig | None = None  # how soft constraints are learnt on half of the held-out strings
    by_hand: dict[str, float] = field(default_factory=dict)  # constraints of one's own: penalties; 0 drops one

    def __post_init__(self) -> None:
        task_of(self.task)
        readable(self.by_hand)
        if self.constraints and self.training.model != "chain":
            raise ConfigError("constraints are learnt for chains only: leave the table [constraints] out")


def train(recipe: Path, output: Path | None, say: Say, task: str | None = None) -> Path:
    """The path of the model that following the recipe wrote; a recipe for another task than `task` is refused."""
    chosen = from_toml(Recipe, recipe)
    if task is not None and task_of(task).name != chosen.task:
        raise ConfigError(f"{recipe} is a recipe for {chosen.task}, and --task says {task}: give one or the other")
    return follow(chosen, recipe.parent, output, say)


def follow(chosen: Recipe, folder: Path, output: Path | None, say: Say) -> Path:
    """The path of the model that following a recipe wrote; files are looked for, and the model put, in `folder`."""
    target = output or folder / chosen.output
    seed = chosen.training.seed
    kind = task_of(chosen.task)
    held_out = {source.called: _known(_take(source, folder, None, seed, kind), kind, say) for source in chosen.held_out}
    blocked = _blocked(chosen, folder, held_out)
    examples: list[tuple[Example, bool]] = []
    counts: dict[str, int] = {}
    for source in chosen.data:
        taken = _known(_take(source, folder, blocked, seed, kind), kind, say)
        counts[source.called] = counts.get(source.called, 0) + len(taken)
        examples += [(example, source.uncertain_boundaries) for example in taken] * source.repeat
        say(f"{source.called}: {len(taken):,} strings, {source.repeat} times")
    model = _fit(chosen, examples, held_out, _lexicons(chosen.lexicons, say), say)
    loose = {source.called: source.uncertain_boundaries for source in chosen.held_out}
    model = finished(model, chosen, counts, held_out, loose, say)
    storage.save(model, target)
    say(f"wrote {target} ({target.stat().st_size / 1e6:.1f} MB)")
    return target


def finished(
    model: Model,
    chosen: Recipe,
    counts: dict[str, int],
    held_out: dict[str, list[Example]],
    loose: dict[str, bool],
    say: Say,
) -> Model:
    """The model with its constraints, its confidence calibrated, and its card.

    Both are learnt on every other held-out string; the card has what is measured on the rest.
    """
    by_hand = checked(chosen.by_hand, model.labels)
    seen: dict[str, object] = {}
    if chosen.constraints:
        say("learning what breaking constraints costs, on half of the held-out strings")
        learnt = _learnt(Parser(model, constraints=False), chosen.constraints, held_out, loose, say)
        model = replace(model, constraints=in_force({**learnt.by_text, **by_hand}))
        seen = {"constraints": told(learnt)}
    elif by_hand:
        model = replace(model, constraints=in_force(by_hand))
    say("calibrating on the same half, measuring on the other")
    model, measured = calibrate(model, held_out)
    return with_card(model, chosen.name, chosen.about, counts, {**measured, **seen})


def _learnt(
    parser: Parser, config: PenaltyConfig, held_out: dict[str, list[Example]], loose: dict[str, bool], say: Say
) -> Learnt:
    truths = [
        truth_within(parser, examples[::2], lambda _, name=name: loose[name])  # type: ignore[misc]
        for name, examples in held_out.items()
    ]

    def report(course: TrainingProgress) -> None:
        used = int((course.penalty > 0).sum())
        say(f"pass {course.passes}: {course.error:.4f} broken too often or too seldom a string, {used} in use")

    return learnt_on(truths, config, report=report)


def _fit(
    chosen: Recipe,
    examples: list[tuple[Example, bool]],
    held_out: dict[str, list[Example]],
    lexicons: Lexicons,
    say: Say,
) -> Model:
    task = task_of(chosen.task)
    labels = completed(labels_seen((example for example, _ in examples), chosen.label_at_least, task), task)
    data = training_set(examples, labels, task)
    say(f"{len(data.strings):,} strings, {len(labels)} labels; an edge of a mark cuts {data.cut:,} tokens")
    trainer = Trainer.prepare(data, lexicons, chosen.training, say)
    attributes, arcs = len(trainer.encoder.attributes), len(trainer.automaton.src)
    say(f"{attributes:,} attributes, {arcs:,} arcs; {trainer.dropped} strings fit no path")
    sample = [example for each in held_out.values() for example in each[:: max(1, len(each) // _WATCHED)]]

    def score(weights: Weights) -> float:
        return evaluate_examples(Parser(trainer.model(weights)), sample).accuracy

    watch = Watch(say, score, every=10 if chosen.training.optimiser == "lbfgs" else 1)
    weights = trainer.run(watch)
    return trainer.model(weights if watch.best[1] is None else watch.best[1])


def _lexicons(names: tuple[str, ...] | None, say: Say) -> Lexicons:
    """The lexicons of these names, or all: of the public lists where they are here, else of the model that ships."""
    if names == ():
        return empty()
    try:
        folder = registry.data_folder()
    except DataError:
        say("no folder with datasets: the lexicons are those of the model that ships")
        return default_lexicons() if names is None else select_lexicons(default_lexicons(), names)
    say("building the lexicons")
    found = build(folder, names)
    return found if names is None else select_lexicons(found, names)


def _blocked(chosen: Recipe, folder: Path, held_out: dict[str, list[Example]]) -> Blocklist:
    kept_out = [example for examples in held_out.values() for example in examples]
    for source in chosen.keep_out:
        kept_out += _take(source, folder, None, 0, task_of(chosen.task))
    return Blocklist.from_examples(kept_out)


def _strings(source: Source, folder: Path) -> Iterator[Example]:
    """The strings of a source in its own labels."""
    if source.name:
        items = registry.load(source.name, source.split or "train")
    else:
        path = folder / source.file
        read = read_silver(path, source.silver) if source.silver else read_labelled(path)
        items = registry.split_by_text(read, source.split)
    return (item for item in items if isinstance(item, Example))


def _known(examples: list[Example], task: Task, say: Say) -> list[Example]:
    """The examples whose labels the task has; of the others the first few are told."""
    kept, complaints = known_only(examples, task)
    for complaint in complaints[:5]:
        say(f"left out: {complaint}")
    if complaints:
        say(f"{len(complaints):,} strings left out for their labels")
    if not kept:
        raise DataError(f"no string has the labels of {task.name}; the first complaint: {complaints[0]}")
    return kept


def _take(source: Source, folder: Path, blocked: Blocklist | None, seed: int, task: Task) -> list[Example]:
    """The strings of a source in our labels, drawn at random where there are more than its limit."""
    if source.name and registry.dataset(source.name).task != task.name:
        other = registry.dataset(source.name).task
        raise ConfigError(f"{source.name} is a set of {other} and the recipe is for {task.name}: name another set")
    examples = list(_strings(source, folder))
    if not examples:
        raise DataError(f"{source.called} gave no labelled strings; look into it, or at the split asked for")
    if blocked is not None:
        examples = [example for example in examples if not blocked.contains(example.text)]
    if source.limit is not None and len(examples) > source.limit:
        order = np.random.default_rng(seed).permutation(len(examples)).tolist()
        if source.but:
            usual = [example.source.endswith(f":{source.but}") for example in examples]
            order.sort(key=usual.__getitem__)
        examples = [examples[place] for place in sorted(order[: source.limit])]
    table = source.label_table
    return examples if table is None else [map_labels(example, table) for example in examples]
