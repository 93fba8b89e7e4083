"""Training a CRF: labelled strings in, a model out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError, DataError
from ibidem.features import Lexicons
from ibidem.inference import ROLES
from ibidem.labels.bio import OUTSIDE, Compatibility, labels_of
from ibidem.labels.schema import UNKNOWN
from ibidem.labels.tasks import REFERENCES, Task, task_of
from ibidem.models.chain import automaton_of, packed
from ibidem.models.encoder import Corpus, Encoder, corpus_of, fit
from ibidem.models.induction.growing import InductionConfig, induced
from ibidem.models.likelihood import (
    ChainLattice,
    Encoded,
    Lattice,
    Weights,
    encode,
    possible,
    with_conjunctions,
    zeros,
)
from ibidem.models.optimisers import AdaGradConfig, Objective, adagrad, lbfgs
from ibidem.models.rows import WIDEST
from ibidem.models.scorer import Model
from ibidem.models.semi.lattice import SemiLattice, Shape, learnt_lattice
from ibidem.models.semi.model import packed_semi
from ibidem.types import Annotation, Automaton, Example, Token


@dataclass(frozen=True, slots=True)
class ChainConfig:
    """How a CRF is trained: a chain, or a semi-CRF."""

    model: str = "chain"  # or "semi": the unit is the field, not the token
    order: int = 1  # of a semi-CRF: how many fields before one have a say in what it is
    pattern_at_least: int = 1  # of a semi-CRF: times a pattern of three or more labels must be seen
    stretch: float = 1.5  # of a semi-CRF: how much longer than the longest seen a segment of a label may be
    longest: int = 0  # of a semi-CRF: tokens that no segment goes beyond; 0 for as the data are
    edges: bool = True  # of a semi-CRF: weigh features of first and last tokens beside those of all tokens of a segment
    whole: bool = True  # of a semi-CRF: weigh what is said of a segment as a whole
    window: int = 5  # tokens whose attributes a token sees, itself in the middle
    at_least: int = 2  # times an attribute must be seen
    context: bool = True  # weigh codes of context, such as the kinds of three tokens together, beside attributes
    context_at_least: int = 2  # times a code of context must be seen
    induce: bool = False  # of a chain: grow conjunctions of features by what each adds to the likelihood
    induction: InductionConfig = field(default_factory=InductionConfig)  # how, in the table `[training.induction]`
    remember: bool = True  # "outside" remembers the field before it
    milestones: tuple[str, ...] = ()  # fields; the states remember whether one of them has begun
    observed_only: bool = False  # weigh only the pairs of feature and label that the data show
    optimiser: str = "lbfgs"  # or "adagrad"
    l2: float = 0.1
    l1: float = 0.0  # AdaGrad only: draws weights to zero, for small models
    iterations: int = 150  # of L-BFGS
    epochs: int = 5  # of AdaGrad
    batch: int = 256
    rate: float = 0.1
    noise: float = 0.0  # share of features that a step of AdaGrad does not see
    smallest: float = 0.0  # weights below this are dropped from the model
    seed: int = 1
    threads: int = 1

    def __post_init__(self) -> None:
        if self.model not in ("chain", "semi"):
            raise ConfigError(f"model is {self.model!r}: give 'chain' or 'semi'")
        if self.order < 1 or self.stretch < 1 or self.longest < 0:
            raise ConfigError(
                f"order is {self.order}, stretch {self.stretch}, longest {self.longest}: "
                "give an order and a stretch of 1 or more and a longest of 0 or more"
            )
        if self.model == "semi" and self.milestones:
            raise ConfigError("milestones are for chains: a semi-CRF remembers the fields before by its order")
        if self.optimiser not in ("lbfgs", "adagrad"):
            raise ConfigError(f"optimiser is {self.optimiser!r}: give 'lbfgs' or 'adagrad'")
        if self.observed_only and self.optimiser != "lbfgs":
            raise ConfigError("observed_only goes with optimiser = 'lbfgs'; AdaGrad weighs every pair it meets")
        if self.induce and (self.model != "chain" or self.optimiser != "lbfgs"):
            raise ConfigError(
                f"induce goes with model = 'chain' and optimiser = 'lbfgs', and these are {self.model!r} and "
                f"{self.optimiser!r}: change them or leave induce out"
            )
        if not 0 <= self.noise < 1:
            raise ConfigError(f"noise is {self.noise}: give a share from 0 to below 1")
        if self.window < 1 or self.window % 2 == 0:
            raise ConfigError(f"window is {self.window}: give an odd number, 1 or more")


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Strings with the labels their tokens may have."""

    strings: tuple[tuple[Token, ...], ...]
    allowed: NDArray[np.uint8]  # [N, ceil(Y / 8)] packed bits
    labels: tuple[str, ...]
    complete: bool  # every token has exactly one label
    cut: int = 0  # tokens that an edge of a mark cuts in two
    task: str = REFERENCES.name


def tokens_of(example: Example, task: Task = REFERENCES) -> tuple[Token, ...]:
    """The tokens of an example: its own where it comes already split, else ours."""
    return example.tokens or task.tokenise(example.text)


def labels_seen(examples: Iterable[Example], at_least: int = 1, task: Task = REFERENCES) -> tuple[str, ...]:
    """The nested BIO labels of the examples that leave nothing open, `O` first, the rest sorted."""
    counts: Counter[str] = Counter()
    for example in examples:
        found = labels_of(tokens_of(example, task), example.annotations)[0]
        if example.partially_annotated or any(
            "|" in annotation.label or annotation.label == "?" for annotation in example.annotations
        ):
            found = [label for label in found if _definite(label, example.partially_annotated)]
        counts.update(found)
    counts.pop("O", None)
    return ("O", *sorted(label for label, count in counts.items() if count >= at_least))


def completed(labels: Sequence[str], task: Task = REFERENCES) -> tuple[str, ...]:
    """The labels with what belongs to them: a field can go on, and whatever author lists have, editor lists have.

    >>> completed(("O", "B-author/B-etal", "B-title"))
    ('O', 'B-author/B-etal', 'B-editor/B-etal', 'B-title', 'I-title')
    """
    found = set(labels)
    for label in labels:
        if "editor" in task.schema and ("-author" in label or "-editor" in label):
            found |= {label.replace("-editor", "-author"), label.replace("-author", "-editor")}
        if label.startswith("B-") and "/" not in label and not task.one_token:
            found.add(f"I-{label[2:]}")
    return ("O", *sorted(found - {"O"}))


def _definite(label: str, partially_annotated: frozenset[str]) -> bool:
    path = "/".join(part[2:] for part in label.split("/"))
    return "|" not in label and "?" not in label and path not in partially_annotated


def _with_unknown(example: Example, tokens: Sequence[Token]) -> Example:
    """The example with a mark that says nothing on every token that has none: each has some label."""
    labels = labels_of(tokens, example.annotations)[0]
    silent = [
        Annotation(UNKNOWN, token.start, token.end)
        for token, label in zip(tokens, labels, strict=True)
        if label == OUTSIDE
    ]
    annotations = (
        sorted([*example.annotations, *silent], key=lambda annotation: annotation.start)
        if silent
        else example.annotations
    )
    return replace(example, annotations=tuple(annotations))


def training_set(
    examples: Iterable[tuple[Example, bool]], labels: Sequence[str], task: Task = REFERENCES
) -> TrainingSet:
    """The training set of examples, each with whether the edges of its fields are uncertain."""
    compatibility = Compatibility(labels)
    strings, packed_rows, complete, cut = [], [], True, 0
    for example, loose in examples:
        tokens = tokens_of(example, task)
        if not tokens:
            continue
        if task.one_token:
            example = _with_unknown(example, tokens)
        rows = compatibility.rows(tokens, example, loose)
        complete = complete and bool((rows.sum(axis=1) == 1).all())
        cut += labels_of(tokens, example.annotations)[1]
        strings.append(tokens)
        packed_rows.append(np.packbits(rows, axis=1))
    if not strings:
        raise DataError("there is nothing to train on: the data gave no labelled strings")
    return TrainingSet(tuple(strings), np.concatenate(packed_rows), tuple(labels), complete, cut, task.name)


@dataclass(frozen=True, slots=True)
class Trainer:
    """A training set in numbers; `run` fits weights to it."""

    config: ChainConfig
    labels: tuple[str, ...]
    encoder: Encoder
    lattice: Lattice
    encoded: Encoded
    complete: bool
    usable: NDArray[np.bool_]  # strings whose marks some path through the labels agrees with; `encoded` has these alone
    start: Weights | None = None  # weights to begin with; zero where there are none

    @property
    def automaton(self) -> Automaton:
        """Which label may follow which."""
        return self.lattice.automaton

    @property
    def dropped(self) -> int:
        """How many strings are not usable."""
        return int((~self.usable).sum())

    @classmethod
    def prepare(
        cls,
        data: TrainingSet,
        lexicons: Lexicons,
        config: ChainConfig,
        say: Callable[[str], None] = lambda _: None,
    ) -> Trainer:
        """Chooses the features and encodes the training set; `say` is told how inducing conjunctions goes."""
        corpus: Corpus = corpus_of(data.strings, lexicons, data.task)
        encoder = fit(corpus, lexicons, config.at_least, config.context_at_least if config.context else None)
        dtype = np.float64 if config.optimiser == "lbfgs" else np.float32
        encoded = encode(corpus, encoder, data.allowed, len(data.labels), dtype)
        lattice = _lattice(data, encoded, lexicons, config)
        if config.window * lattice.columns > WIDEST:
            raise ConfigError(
                f"a window of {config.window} and {len(data.labels)} labels are too many: narrow the window"
            )
        usable = possible(encoded, lattice)
        if not usable.all():
            encoded = encoded.strings(np.flatnonzero(usable))
        trainer = cls(config, data.labels, encoder, lattice, encoded, data.complete, usable)
        return trainer.grown(say) if config.induce else trainer

    def grown(self, say: Callable[[str], None]) -> Trainer:
        """The trainer with conjunctions of features that were induced on its strings."""
        config = self.config
        encoder, start = induced(self.objective(), self.encoder, self.blank(), config.induction, config.seed, say)
        return replace(self, encoder=encoder, encoded=with_conjunctions(self.encoded, encoder), start=start)

    def among(self, places: NDArray[np.int64]) -> Trainer:
        """The trainer of some of the strings only, with all features; places are those in the training set."""
        number = np.cumsum(self.usable) - 1
        kept = self.usable[places]
        return replace(self, encoded=self.encoded.strings(number[places[kept]]), usable=kept)

    def model(self, weights: Weights, card: Mapping[str, Any] | None = None) -> Model:
        """The model with these weights."""
        if isinstance(self.lattice, SemiLattice):
            return packed_semi(self.lattice, self.encoder, weights, self.config.smallest, card or {})
        return packed(self.labels, self.automaton, self.encoder, weights, self.config.smallest, card or {})

    def blank(self, dtype: type = np.float64) -> Weights:
        """Weights of zero."""
        contexts = self.encoder.contexts + len(self.encoder.induced)
        lattice = self.lattice
        shape = (len(self.encoder.attributes), self.config.window, contexts, lattice.columns, lattice.arcs)
        return zeros(*shape, lattice.segments, dtype)

    def objective(self) -> Objective:
        """What the weights are to minimise."""
        config = self.config
        return Objective(
            self.encoded, self.lattice, config.l2, config.observed_only, self.complete, config.threads, config.l1
        )

    def run(self, report: Callable[[int, float, Weights], bool]) -> Weights:
        """The trained weights; `report` is called after each step and stops the training by returning True."""
        config, objective = self.config, self.objective()
        if config.observed_only and not self.complete:
            raise ConfigError("observed_only needs strings whose every token has one label; these leave some open")
        if config.optimiser == "lbfgs":
            return lbfgs(objective, self.start or self.blank(), config.iterations, report)
        pace = AdaGradConfig(config.epochs, config.batch, config.rate, config.noise, config.seed)
        return adagrad(objective, self.start or self.blank(np.float32), pace, report)


def _lattice(data: TrainingSet, encoded: Encoded, lexicons: Lexicons, config: ChainConfig) -> Lattice:
    labels, outside = data.labels, not task_of(data.task).one_token
    if config.model == "chain":
        return ChainLattice(automaton_of(labels, config.remember, config.milestones, outside), len(labels))
    shape = Shape(
        config.order,
        config.pattern_at_least,
        config.stretch,
        config.longest,
        config.remember,
        len(ROLES) if config.edges else 1,
        outside,
    )
    return learnt_lattice(labels, encoded, shape, lexicons if config.whole else None)


@dataclass(slots=True)
class Watch:
    """Tells how training goes and keeps the best weights by a score on held-out strings."""

    say: Callable[[str], None]
    score: Callable[[Weights], float] | None = None
    every: int = 10
    patience: int = 0  # scores without improvement before stopping; 0 never stops
    best: tuple[float, Weights | None] = (-np.inf, None)
    since: int = 0
    began: float = field(default_factory=time.monotonic)

    def __call__(self, step: int, value: float, weights: Weights) -> bool:
        """Called after each step; True when the score has not improved for too long."""
        line = f"step {step}: objective {value:,.1f}, {time.monotonic() - self.began:.0f} s"
        if self.score and step % self.every == 0:
            score = self.score(weights)
            line += f", held-out {100 * score:.2f}"
            improved = score > self.best[0]
            self.since = 0 if improved else self.since + 1
            if improved:
                self.best = (score, weights)
        self.say(line)
        return bool(self.patience) and self.since >= self.patience
