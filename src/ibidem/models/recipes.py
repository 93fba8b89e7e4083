"""Recipes: a TOML file says which data, features and settings make a model, and `train` follows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ibidem.config import from_toml
from ibidem.features import Lexicons
from ibidem.features.lexicon_sources import build
from ibidem.models import storage
from ibidem.models.cards import calibrate, with_card
from ibidem.models.chain import ChainModel
from ibidem.models.evaluation import evaluate_examples
from ibidem.models.likelihood import Weights
from ibidem.models.parser import Parser
from ibidem.models.training import ChainConfig, Trainer, Watch, completed, labels_seen, training_set
from ibidem.tasks import registry
from ibidem.tasks.overlap import Blocklist
from ibidem.tasks.unify import unify
from ibidem.types import Example

Say = Callable[[str], None]
_WATCHED = 300  # held-out strings of each set that are scored after every epoch


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset in a recipe: which split, how many strings of it, how often they are repeated."""

    name: str
    split: str = "train"
    limit: int | None = None
    repeat: int = 1
    but: str = ""  # the kind of string that is taken only to fill the limit when all others are in


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
    training: ChainConfig = field(default_factory=ChainConfig)


def train(recipe: Path, output: Path | None, say: Say) -> Path:
    """The path of the model that following the recipe wrote."""
    chosen = from_toml(Recipe, recipe)
    target = output or recipe.parent / chosen.output
    held_out = {source.name: _take(source, None, chosen.training.seed) for source in chosen.held_out}
    blocked = _blocked(chosen, held_out)
    examples: list[tuple[Example, bool]] = []
    counts: dict[str, int] = {}
    for source in chosen.data:
        taken = _take(source, blocked, chosen.training.seed)
        counts[source.name] = counts.get(source.name, 0) + len(taken)
        loose = registry.dataset(source.name).loose_edges
        examples += [(example, loose) for example in taken] * source.repeat
        say(f"{source.name}: {len(taken):,} strings, {source.repeat} times")
    say("building the lexicons")
    model = _fit(chosen, examples, held_out, build(registry.data_folder()), say)
    say("calibrating on held-out strings")
    model, measured = calibrate(model, held_out)
    model = with_card(model, chosen.name, chosen.about, counts, measured)
    storage.save(model, target)
    say(f"wrote {target} ({target.stat().st_size / 1e6:.1f} MB)")
    return target


def _fit(
    chosen: Recipe,
    examples: list[tuple[Example, bool]],
    held_out: dict[str, list[Example]],
    lexicons: Lexicons,
    say: Say,
) -> ChainModel:
    labels = completed(labels_seen((example for example, _ in examples), chosen.label_at_least))
    data = training_set(examples, labels)
    say(f"{len(data.strings):,} strings, {len(labels)} labels; an edge of a mark cuts {data.cut:,} tokens")
    trainer = Trainer.prepare(data, lexicons, chosen.training)
    attributes, arcs = len(trainer.encoder.attributes), len(trainer.automaton.src)
    say(f"{attributes:,} attributes, {arcs:,} arcs; {trainer.dropped} strings fit no path")
    sample = [example for each in held_out.values() for example in each[:: max(1, len(each) // _WATCHED)]]

    def score(weights: Weights) -> float:
        return evaluate_examples(Parser(trainer.model(weights)), sample).accuracy

    watch = Watch(say, score, every=10 if chosen.training.optimiser == "lbfgs" else 1)
    weights = trainer.run(watch)
    return trainer.model(weights if watch.best[1] is None else watch.best[1])


def _blocked(chosen: Recipe, held_out: dict[str, list[Example]]) -> Blocklist:
    kept_out = [example for examples in held_out.values() for example in examples]
    for source in chosen.keep_out:
        kept_out += _take(source, None, 0)
    return Blocklist.from_examples(kept_out)


def _take(source: Source, blocked: Blocklist | None, seed: int) -> list[Example]:
    """The strings of a source in our labels, drawn at random where there are more than its limit."""
    data = registry.dataset(source.name)
    examples = [item for item in registry.load(source.name, source.split) if isinstance(item, Example)]
    if blocked is not None:
        examples = [example for example in examples if not blocked.contains(example.text)]
    if source.limit is not None and len(examples) > source.limit:
        order = np.random.default_rng(seed).permutation(len(examples)).tolist()
        if source.but:
            usual = [example.source.endswith(f":{source.but}") for example in examples]
            order.sort(key=usual.__getitem__)
        examples = [examples[place] for place in sorted(order[: source.limit])]
    return [unify(example, data.table) for example in examples]
