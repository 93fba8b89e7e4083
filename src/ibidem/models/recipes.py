"""Recipes: TOML files with the data, features and settings of a model, and the training that follows them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np

from ibidem.config import from_toml, renamed_keys
from ibidem.data import registry
from ibidem.data.augmentation import AugmentationConfig, augment
from ibidem.data.decontamination import Blocklist
from ibidem.data.readers.labelled import read_labelled, read_silver
from ibidem.errors import ConfigError, DataError
from ibidem.features import Lexicons
from ibidem.features.lexicons import empty, select_lexicons
from ibidem.files import check_outputs
from ibidem.labels.mapping import LabelTable, map_labels
from ibidem.labels.tasks import Task, known_only, task_of
from ibidem.models import storage
from ibidem.models.cards import add_card, calibrate_model, describe_constraints
from ibidem.models.constraints import check_constraints, drop_zero, parse_constraints
from ibidem.models.evaluation import evaluate_examples
from ibidem.models.parser import Parser
from ibidem.models.penalties import (
    TOKENS_ONLY,
    FittedConstraints,
    PenaltyConfig,
    TrainingProgress,
    fit_constraints,
    gold_strings,
)
from ibidem.models.scorer import Config, Model, Say, model_class
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import CRFConfig, complete_labels, labels_seen, training_set
from ibidem.types import Example

_SAMPLE = 300  # dev strings of each set that are scored after every epoch
SILVER_CONFIDENCE = 0.9
"""Least confidence of every field of a string from `ibidem segment` that is trained on."""


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


@renamed_keys(dev="held_out", exclude="keep_out", label_min_count="label_at_least")
@dataclass(frozen=True, slots=True)
class Recipe:
    """Data and settings of a model."""

    name: str
    about: str
    output: str
    data: tuple[Source, ...]
    dev: tuple[Source, ...]  # for model selection, calibration and the card's scores; never trained on
    exclude: tuple[Source, ...] = ()  # further strings that are not trained on
    label_min_count: int = 5
    task: str = "references"  # references, sections or authors
    lexicons: tuple[str, ...] | None = None  # names of the lexicons of the model; all by default
    augmentation: AugmentationConfig | None = None  # perturb a share of the training strings, of references only
    training: Config = field(default_factory=CRFConfig)
    constraints: PenaltyConfig | None = None  # fit soft constraints on half of the dev strings
    by_hand: dict[str, float] = field(default_factory=dict)  # your own constraints with their penalties; 0 drops one

    def __post_init__(self) -> None:
        task_of(self.task)
        parse_constraints(self.by_hand)
        if self.augmentation and self.task != "references":
            raise ConfigError(f"[augmentation] perturbs references, and this is a recipe for {self.task}: leave it out")
        if self.constraints and not model_class(self.training.model).labels_tokens:
            raise ConfigError(f"constraints cannot be fitted for the scorer {self.training.model!r}: {TOKENS_ONLY}")


def train(
    recipe: Path, output: Path | None, say: Say, task: str | None = None, lexicons: Lexicons | None = None
) -> Path:
    """Follow a recipe and return the path of the model it wrote; a recipe for another task than `task` is refused."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DeprecationWarning)
        chosen = from_toml(Recipe, recipe)
    for warning in caught:
        say(f"deprecated: {warning.message}")
    if task is not None and task_of(task).name != chosen.task:
        raise ConfigError(f"{recipe} is a recipe for {chosen.task}, and --task says {task}: give one or the other")
    check_outputs([output or recipe.parent / chosen.output], [recipe])
    return follow(chosen, recipe.parent, output, say, lexicons)


def follow(chosen: Recipe, folder: Path, output: Path | None, say: Say, lexicons: Lexicons | None = None) -> Path:
    """Train the model of a recipe and return its path; relative paths are taken from `folder`.

    The lexicons are those of the default model unless others are given.
    """
    target = output or folder / chosen.output
    storage.check_target(target)
    check_outputs([target], [folder / one.file for one in (*chosen.data, *chosen.dev, *chosen.exclude) if one.file])
    seed = chosen.training.seed
    kind = task_of(chosen.task)
    dev = {source.called: _known(_take(source, folder, None, seed, kind), kind, say) for source in chosen.dev}
    blocked = _blocked(chosen, folder, dev)
    examples: list[tuple[Example, bool]] = []
    counts: dict[str, int] = {}
    for source in chosen.data:
        taken = _known(_take(source, folder, blocked, seed, kind), kind, say)
        counts[source.called] = counts.get(source.called, 0) + len(taken)
        examples += [(example, source.uncertain_boundaries) for example in _repeat(taken, source, chosen)]
        say(f"{source.called}: {len(taken):,} strings, {source.repeat} times")
    model = _fit(chosen, examples, dev, _lexicons(chosen.lexicons, lexicons), say)
    uncertain = {source.called: source.uncertain_boundaries for source in chosen.dev}
    model = finish(model, chosen, counts, dev, uncertain, say)
    storage.save(model, target)
    say(f"wrote {target} ({target.stat().st_size / 1e6:.1f} MB)")
    return target


def finish(
    model: Model,
    chosen: Recipe,
    counts: dict[str, int],
    dev: dict[str, list[Example]],
    uncertain: dict[str, bool],
    say: Say,
) -> Model:
    """Return the model with its constraints, its calibration, and its card.

    Constraints and calibration are fitted on every other dev string; the card has the scores on the rest.
    """
    by_hand = check_constraints(chosen.by_hand, model.labels)
    statistics: dict[str, object] = {"augmentation": asdict(chosen.augmentation)} if chosen.augmentation else {}
    if chosen.constraints:
        say("fitting the penalties of constraints on half of the dev strings")
        fitted = _fit_constraints(Parser(model, constraints=False), chosen.constraints, dev, uncertain, say)
        model = replace(model, constraints=drop_zero({**fitted.by_text, **by_hand}))
        statistics["constraints"] = describe_constraints(fitted)
    elif by_hand:
        model = replace(model, constraints=drop_zero(by_hand))
    say("calibrating on the same half, evaluating on the other")
    model, measured = calibrate_model(model, dev)
    return add_card(model, chosen.name, chosen.about, counts, {**measured, **statistics})


def _fit_constraints(
    parser: Parser, config: PenaltyConfig, dev: dict[str, list[Example]], uncertain: dict[str, bool], say: Say
) -> FittedConstraints:
    parts = [gold_strings(parser, examples[::2], uncertain[name]) for name, examples in dev.items()]

    def report(state: TrainingProgress) -> None:
        used = int((state.penalty > 0).sum())
        say(f"pass {state.passes}: violations off by {state.error:.4f} a string, {used} constraints in use")

    return fit_constraints(parts, config, report=report)


def _fit(
    chosen: Recipe,
    examples: list[tuple[Example, bool]],
    dev: dict[str, list[Example]],
    lexicons: Lexicons,
    say: Say,
) -> Model:
    task = task_of(chosen.task)
    labels = complete_labels(labels_seen((example for example, _ in examples), chosen.label_min_count, task), task)
    data = training_set(examples, labels, task)
    say(f"{len(data.strings):,} strings, {len(labels)} labels; {data.cut:,} annotation boundaries inside a token")
    sample = [example for each in dev.values() for example in each[:: max(1, len(each) // _SAMPLE)]]

    def score(model: Model) -> float:
        return evaluate_examples(Parser(model), sample).accuracy

    return model_class(chosen.training.model).train(data, lexicons, chosen.training, score, say)


def _lexicons(names: tuple[str, ...] | None, known: Lexicons | None) -> Lexicons:
    """Return the lexicons of these names, or all, out of those that are known: by default the default model's."""
    if names == ():
        return empty()
    found = default_lexicons() if known is None else known
    return found if names is None else select_lexicons(found, names)


def _blocked(chosen: Recipe, folder: Path, dev: dict[str, list[Example]]) -> Blocklist:
    excluded = [example for examples in dev.values() for example in examples]
    for source in chosen.exclude:
        excluded += _take(source, folder, None, 0, task_of(chosen.task))
    return Blocklist.from_examples(excluded)


def _strings(source: Source, folder: Path) -> Iterator[Example]:
    """Return the strings of a source in its own labels."""
    if source.name:
        items = registry.load(source.name, source.split or "train")
    else:
        path = folder / source.file
        read = read_silver(path, source.silver) if source.silver else read_labelled(path)
        items = registry.split_by_text(read, source.split)
    return (item for item in items if isinstance(item, Example))


def _repeat(examples: list[Example], source: Source, chosen: Recipe) -> Iterator[Example]:
    """Yield the strings of a source as often as it says, perturbed in another way each time."""
    for turn in range(source.repeat):
        if chosen.augmentation and source.augment:
            seed = f"augmentation:{chosen.training.seed}:{source.called}:{source.split}:{turn}"
            yield from augment(examples, chosen.augmentation, Random(seed))  # noqa: S311
        else:
            yield from examples


def _known(examples: list[Example], task: Task, say: Say) -> list[Example]:
    """Return the examples whose labels the task has, and report the first few of the others."""
    kept, complaints = known_only(examples, task)
    for complaint in complaints[:5]:
        say(f"skipped: {complaint}")
    if complaints:
        say(f"{len(complaints):,} strings skipped because of their labels")
    if not kept:
        raise DataError(f"no string has the labels of {task.name}; the first complaint: {complaints[0]}")
    return kept


def _take(source: Source, folder: Path, blocked: Blocklist | None, seed: int, task: Task) -> list[Example]:
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


def silver_recipe(segmented: Path, confidence: float = SILVER_CONFIDENCE) -> Recipe:
    """Return the recipe of a chain trained on a file of `ibidem segment`; a tenth of its strings are dev strings."""
    file = str(segmented.resolve())
    return Recipe(
        name=f"{segmented.stem}-silver",
        about="Bootstrapped from segments that were found without labels: its scores are against those segments",
        output=f"{segmented.stem}.ibidem",
        data=(Source(file=file, split="train", silver=confidence),),
        dev=(Source(file=file, split="dev", silver=confidence),),
        training=CRFConfig(l2=1.0, iterations=60),
    )
