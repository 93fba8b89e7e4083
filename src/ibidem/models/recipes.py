"""Recipes: TOML files with the data, features and settings of a model, and the training that follows them."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import cast

from ibidem.config import from_toml, renamed_keys
from ibidem.data.augmentation import AugmentationConfig
from ibidem.data.decontamination import Blocklist
from ibidem.errors import ConfigError
from ibidem.features import Lexicons
from ibidem.features.lexicons import empty, select_lexicons
from ibidem.files import check_outputs
from ibidem.labels.tasks import task_of
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
from ibidem.models.sources import Source, Synthesise, SyntheticSource, keep_known, repeat, take_strings
from ibidem.models.training import CRFConfig, TrainingSet, complete_labels, labels_seen, load_start, training_set
from ibidem.types import Example

_SAMPLE = 300  # dev strings of each set that are scored after every epoch
SILVER_CONFIDENCE = 0.9
"""Least confidence of every field of a string from `ibidem segment` that is trained on."""
_Strings = list[tuple[Example, bool]]  # each with whether the boundaries of its fields are uncertain


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
    synthesis: tuple[SyntheticSource, ...] = ()  # strings made of records, to train on beside the data
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
        if self.synthesis and self.task != "references":
            raise ConfigError(f"[[synthesis]] makes references, and this is a recipe for {self.task}: leave it out")
        if self.constraints and not model_class(self.training.model).labels_tokens:
            raise ConfigError(f"constraints cannot be fitted for the scorer {self.training.model!r}: {TOKENS_ONLY}")


def train(
    recipe: Path,
    output: Path | None,
    say: Say,
    task: str | None = None,
    lexicons: Lexicons | None = None,
    synthesise: Synthesise | None = None,
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
    return follow(chosen, recipe.parent, output, say, lexicons, synthesise)


def follow(
    chosen: Recipe,
    folder: Path,
    output: Path | None,
    say: Say,
    lexicons: Lexicons | None = None,
    synthesise: Synthesise | None = None,
) -> Path:
    """Train the model of a recipe and return its path; relative paths are taken from `folder`.

    The lexicons are those of the default model unless others are given. `synthesise` makes the strings of the tables
    `[[synthesis]]`.
    """
    target = output or folder / chosen.output
    storage.check_target(target)
    if _start_of(chosen) not in ("", "default"):  # relative to the recipe
        config = cast(CRFConfig, chosen.training)
        chosen = replace(chosen, training=replace(config, start=str(folder / config.start)))
    check_outputs([target], _inputs(chosen, folder))
    seed = chosen.training.seed
    kind = task_of(chosen.task)
    dev = {one.called: keep_known(take_strings(one, folder, None, seed, kind), kind, say) for one in chosen.dev}
    blocked = _blocked(chosen, folder, dev)
    data, counts = _gather(chosen, folder, blocked, synthesise, say)
    model = _fit(chosen, data, dev, _lexicons(chosen.lexicons, lexicons), say)
    uncertain = {source.called: source.uncertain_boundaries for source in chosen.dev}
    model = finish(model, chosen, counts, dev, uncertain, say)
    storage.save(model, target)
    say(f"wrote {target} ({target.stat().st_size / 1e6:.1f} MB)")
    return target


def _gather(
    chosen: Recipe, folder: Path, blocked: Blocklist, synthesise: Synthesise | None, say: Say
) -> tuple[TrainingSet, dict[str, int]]:
    """Return the strings to train on with the labels that their tokens may have, and how many each source gave."""
    examples, counts = _labelled(chosen, folder, blocked, say)
    if chosen.synthesis:
        made, made_counts = _synthetic(chosen, folder, blocked, synthesise, say)
        examples, counts = examples + made, counts | made_counts
    task = task_of(chosen.task)
    if start := _start_of(chosen):
        labels = load_start(start).labels
    else:
        labels = complete_labels(labels_seen((example for example, _ in examples), chosen.label_min_count, task), task)
    data = training_set(examples, labels, task)
    say(f"{len(data.strings):,} strings, {len(labels)} labels; {data.cut:,} annotation boundaries inside a token")
    return data, counts


def _inputs(chosen: Recipe, folder: Path) -> list[Path]:
    """Return the files that a training reads, which its output must not take the place of."""
    found = [folder / one.file for one in (*chosen.data, *chosen.dev, *chosen.exclude) if one.file]
    found += [folder / name for source in chosen.synthesis for name in source.records]
    start = _start_of(chosen)
    return [*found, Path(start)] if start not in ("", "default") else found


def _start_of(chosen: Recipe) -> str:
    """Return the model that training starts from, empty where it starts from none."""
    return chosen.training.start if isinstance(chosen.training, CRFConfig) else ""


def _labelled(chosen: Recipe, folder: Path, blocked: Blocklist, say: Say) -> tuple[_Strings, dict[str, int]]:
    """Return the strings of the tables `[[data]]`, and how many each source gave."""
    seed, kind = chosen.training.seed, task_of(chosen.task)
    examples: _Strings = []
    counts: dict[str, int] = {}
    for source in chosen.data:
        taken = keep_known(take_strings(source, folder, blocked, seed, kind), kind, say)
        counts[source.called] = counts.get(source.called, 0) + len(taken)
        augmentation = chosen.augmentation if source.augment else None
        repeated = repeat(taken, augmentation, f"{seed}:{source.called}:{source.split}", source.repeat)
        examples += [(example, source.uncertain_boundaries) for example in repeated]
        say(f"{source.called}: {len(taken):,} strings, {source.repeat} times")
    return examples, counts


def _synthetic(
    chosen: Recipe, folder: Path, blocked: Blocklist, synthesise: Synthesise | None, say: Say
) -> tuple[_Strings, dict[str, int]]:
    """Return the strings of the tables `[[synthesis]]`, and how many each source gave."""
    if synthesise is None:
        raise ConfigError(f"{chosen.name} has [[synthesis]], which `ibidem.train` and `ibidem train` follow: use these")
    kind = task_of(chosen.task)
    examples: _Strings = []
    counts: dict[str, int] = {}
    for number, source in enumerate(chosen.synthesis):
        made = (example for example in synthesise(source, folder) if not blocked.contains(example.text))
        taken = keep_known(list(made), kind, say)
        augmentation = chosen.augmentation if source.augment else None
        name = f"{chosen.training.seed}:synthesis:{number}"
        used = list(repeat(taken, augmentation, name))[:: source.every]
        counts[source.called] = counts.get(source.called, 0) + len(used)
        examples += [(example, False) for example in used]
        say(f"{source.called}: {len(taken):,} strings made" + (f", {len(used):,} used" * (source.every > 1)))
    return examples, counts


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
    sets = {source.called: source.records for source in chosen.synthesis}
    if start := _start_of(chosen):
        card = load_start(start).card
        statistics["start"] = {key: card[key] for key in ("name", "data") if key in card}
    return add_card(model, chosen.name, chosen.about, counts, sets, {**measured, **statistics})


def _fit_constraints(
    parser: Parser, config: PenaltyConfig, dev: dict[str, list[Example]], uncertain: dict[str, bool], say: Say
) -> FittedConstraints:
    parts = [gold_strings(parser, examples[::2], uncertain[name]) for name, examples in dev.items()]

    def report(state: TrainingProgress) -> None:
        used = int((state.penalty > 0).sum())
        say(f"pass {state.passes}: violations off by {state.error:.4f} a string, {used} constraints in use")

    return fit_constraints(parts, config, report=report)


def _fit(chosen: Recipe, data: TrainingSet, dev: dict[str, list[Example]], lexicons: Lexicons, say: Say) -> Model:
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
        excluded += take_strings(source, folder, None, 0, task_of(chosen.task))
    return Blocklist.from_examples(excluded)


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
