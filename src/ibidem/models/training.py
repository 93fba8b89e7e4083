"""The training of a CRF: from labelled strings to a model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ibidem.config import renamed_keys
from ibidem.errors import ConfigError, DataError
from ibidem.features import Lexicons
from ibidem.labels.bio import OUTSIDE, Compatibility, labels_of
from ibidem.labels.schema import UNKNOWN
from ibidem.labels.tasks import REFERENCES, Task
from ibidem.models.encoder import Corpus, Encoder, corpus_of, fit
from ibidem.models.induction import InductionConfig
from ibidem.models.likelihood import (
    Encoded,
    Lattice,
    Mask,
    Weights,
    count_features,
    encode,
    has_labelling,
    seen_often,
    with_conjunctions,
    zero_weights,
)
from ibidem.models.optimisers import AdaGradConfig, Objective, adagrad, lbfgs
from ibidem.models.rows import WIDEST
from ibidem.models.scorer import Config, Model, Say, model_class
from ibidem.types import Annotation, Automaton, Example, Token

if TYPE_CHECKING:
    from ibidem.models.crf import CRF

Pack = Callable[[Encoder, Weights], Model]
"""Makes a model of an encoder and trained weights."""

Prepare = Callable[["TrainingSet", Encoded, Lexicons, "CRFConfig"], tuple[Lattice, Pack]]
"""Builds the lattice that the weights of a CRF are trained in, and the function that makes a model of them."""


@renamed_keys(
    min_count="at_least",
    context_min_count="context_at_least",
    pattern_min_count="pattern_at_least",
    label_history="milestones",
    learning_rate="rate",
    feature_dropout="noise",
    prune_below="smallest",
)
@dataclass(frozen=True, slots=True)
class CRFConfig(Config):
    """Settings of the training of a CRF, a chain or a semi-CRF."""

    model: str = "chain"  # or "semi", whose unit is the field, not the token; or a scorer that you registered
    order: int = 1  # semi-CRF: number of fields before one that its score depends on
    pattern_min_count: int = 1  # semi-CRF: times a pattern of three or more labels must be seen
    pattern_features: int = 0  # semi-CRF: times a pattern must be seen to have features of its own; 0: none has
    stretch: float = 1.5  # semi-CRF: how much longer than the longest seen a segment of a label may be
    longest: int = 0  # semi-CRF: tokens that a segment may have at most; 0 for as many as in the data
    edges: bool = True  # semi-CRF: weights for first and last tokens beside those for all tokens of a segment
    whole: bool = True  # semi-CRF: weights for features of whole segments
    window: int = 5  # tokens whose attributes a token has, itself in the middle
    min_count: int = 2  # times an attribute must be seen
    context: bool = True  # codes of context, such as the kinds of three tokens together, beside attributes
    context_min_count: int = 2  # times a code of context must be seen
    induce: bool = False  # chain: induce conjunctions of features by what each adds to the likelihood
    induction: InductionConfig = field(default_factory=InductionConfig)  # how, in the table `[training.induction]`
    remember: bool = True  # "outside" remembers the field before it
    label_history: tuple[str, ...] = ()  # chain: fields; the states remember whether one of them has begun
    observed_only: bool = False  # weights only for the pairs of feature and label that are in the data
    optimiser: str = "lbfgs"  # or "adagrad"
    l2: float = 0.1
    l1: float = 0.0  # AdaGrad only: draws weights to zero, for small models
    iterations: int = 150  # of L-BFGS
    epochs: int = 5  # of AdaGrad
    batch: int = 256
    learning_rate: float = 0.1
    feature_dropout: float = 0.0  # share of features that a step of AdaGrad does not see
    prune_below: float = 0.0  # weights below this are dropped from the model
    seed: int = 1
    threads: int = 1
    start: str = ""  # chain: a model whose labels, features and weights training starts from: a file, or default

    def __post_init__(self) -> None:
        if self.order < 1 or self.stretch < 1 or self.longest < 0:
            raise ConfigError(
                f"order is {self.order}, stretch {self.stretch}, longest {self.longest}: "
                "give an order and a stretch of 1 or more and a longest of 0 or more"
            )
        if self.pattern_features < 0:
            raise ConfigError(f"pattern_features is {self.pattern_features}: give 0 or more")
        if self.optimiser not in ("lbfgs", "adagrad"):
            raise ConfigError(f"optimiser is {self.optimiser!r}: give 'lbfgs' or 'adagrad'")
        if self.observed_only and self.optimiser != "lbfgs":
            raise ConfigError("observed_only needs optimiser = 'lbfgs'; AdaGrad gives every pair it meets a weight")
        if not 0 <= self.feature_dropout < 1:
            raise ConfigError(f"feature_dropout is {self.feature_dropout}: give a share from 0 to below 1")
        if self.window < 1 or self.window % 2 == 0:
            raise ConfigError(f"window is {self.window}: give an odd number, 1 or more")
        labels_tokens = model_class(self.model).labels_tokens
        if self.start and (not labels_tokens or self.induce):
            raise ConfigError("start is for chains without induction: leave it out")
        if self.label_history and not labels_tokens:
            raise ConfigError("label_history is for chains: a semi-CRF remembers the fields before by its order")
        if self.induce and (not labels_tokens or self.optimiser != "lbfgs"):
            raise ConfigError(
                f"induce needs model = 'chain' and optimiser = 'lbfgs', and these are {self.model!r} and "
                f"{self.optimiser!r}: change them or leave induce out"
            )


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Strings with the labels their tokens may have."""

    strings: tuple[tuple[Token, ...], ...]
    allowed: NDArray[np.uint8]  # [N, ceil(Y / 8)] packed bits
    labels: tuple[str, ...]
    complete: bool  # every token has exactly one label
    cut: int = 0  # annotation boundaries inside a token
    task: str = REFERENCES.name


def tokens_of(example: Example, task: Task = REFERENCES) -> tuple[Token, ...]:
    """Return the tokens of an example: its own where it comes tokenised, else ours."""
    return example.tokens or task.tokenise(example.text)


def labels_seen(examples: Iterable[Example], min_count: int = 1, task: Task = REFERENCES) -> tuple[str, ...]:
    """Return the unambiguous nested BIO labels of the examples, `O` first, the rest sorted."""
    counts: Counter[str] = Counter()
    for example in examples:
        found = labels_of(tokens_of(example, task), example.annotations)[0]
        if example.partially_annotated or any(
            "|" in annotation.label or annotation.label == "?" for annotation in example.annotations
        ):
            found = [label for label in found if _definite(label, example.partially_annotated)]
        counts.update(found)
    counts.pop("O", None)
    return ("O", *sorted(label for label, count in counts.items() if count >= min_count))


def complete_labels(labels: Sequence[str], task: Task = REFERENCES) -> tuple[str, ...]:
    """Return the labels with those they imply: fields continue, and author lists and editor lists have the same parts.

    >>> complete_labels(("O", "B-author/B-etal", "B-title"))
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
    """Return the example with an annotation of unknown label on every token that has none: each has some label."""
    labels = labels_of(tokens, example.annotations)[0]
    silent = [
        Annotation(UNKNOWN, token.start, token.end)
        for token, label in zip(tokens, labels, strict=True)
        if label == OUTSIDE
    ]
    annotations = sorted([*example.annotations, *silent], key=lambda one: one.start) if silent else example.annotations
    return replace(example, annotations=tuple(annotations))


def training_set(
    examples: Iterable[tuple[Example, bool]], labels: Sequence[str], task: Task = REFERENCES
) -> TrainingSet:
    """Return the training set of examples, each with whether the boundaries of its fields are uncertain."""
    compatibility = Compatibility(labels)
    strings, packed_rows, complete, cut = [], [], True, 0
    for example, uncertain in examples:
        tokens = tokens_of(example, task)
        if not tokens:
            continue
        if task.one_token:
            example = _with_unknown(example, tokens)
        rows = compatibility.rows(tokens, example, uncertain)
        complete = complete and bool((rows.sum(axis=1) == 1).all())
        cut += labels_of(tokens, example.annotations)[1]
        strings.append(tokens)
        packed_rows.append(np.packbits(rows, axis=1))
    if not strings:
        raise DataError("there is nothing to train on: the data gave no labelled strings")
    return TrainingSet(tuple(strings), np.concatenate(packed_rows), tuple(labels), complete, cut, task.name)


@dataclass(frozen=True, slots=True)
class Trainer:
    """A training set encoded as numbers; `run` trains weights on it."""

    config: CRFConfig
    labels: tuple[str, ...]
    encoder: Encoder
    lattice: Lattice
    encoded: Encoded
    complete: bool
    usable: NDArray[np.bool_]  # strings whose annotation the labels can represent; `encoded` has only these
    pack: Pack
    start: Weights | None = None  # initial weights; zero where there are none

    @property
    def automaton(self) -> Automaton:
        """Which label may follow which."""
        return self.lattice.automaton

    @property
    def skipped(self) -> int:
        """Number of strings that are not usable."""
        return int((~self.usable).sum())

    @classmethod
    def prepare(cls, data: TrainingSet, lexicons: Lexicons, config: CRFConfig, say: Say = lambda _: None) -> Trainer:
        """Select the features and encode the training set for a CRF of the configuration's kind."""
        prepare = cast(Prepare, getattr(model_class(config.model), "prepare", None))
        if prepare is None:
            raise ConfigError(f"{config.model!r} is not a CRF, so it has no settings of CRFs: use those of its own")
        first = load_start(config.start) if config.start else None
        corpus: Corpus = corpus_of(data.strings, first.lexicons if first else lexicons, data.task)
        if first:
            encoder = first.encoder
        else:
            encoder = fit(corpus, lexicons, config.min_count, config.context_min_count if config.context else None)
        dtype = np.float64 if config.optimiser == "lbfgs" else np.float32
        encoded = encode(corpus, encoder, data.allowed, len(data.labels), dtype)
        lattice, pack = prepare(data, encoded, lexicons, config)
        if config.window * lattice.columns > WIDEST:
            raise ConfigError(
                f"a window of {config.window} and {len(data.labels)} labels are too many: narrow the window"
            )
        usable = has_labelling(encoded, lattice)
        if not usable.all():
            encoded = encoded.keep(usable)
        weights = first_weights(first, config, lattice) if first else None
        trainer = cls(config, data.labels, encoder, lattice, encoded, data.complete, usable, pack, weights)
        return trainer.with_induced(say) if config.induce else trainer

    def with_induced(self, say: Say) -> Trainer:
        """Return the trainer with conjunctions of features induced on its strings."""
        from ibidem.models.induction.induce import induce

        config = self.config
        encoder, start = induce(self.objective(), self.encoder, self.zero_weights(), config.induction, config.seed, say)
        return replace(self, encoder=encoder, encoded=with_conjunctions(self.encoded, encoder), start=start)

    def model(self, weights: Weights, card: Mapping[str, Any] | None = None) -> Model:
        """Return the model with these weights."""
        return replace(self.pack(self.encoder, weights), card=card or {})

    def zero_weights(self, dtype: type = np.float64) -> Weights:
        """Return weights of zero."""
        contexts = self.encoder.contexts + len(self.encoder.induced)
        lattice = self.lattice
        shape = (len(self.encoder.attributes), self.config.window, contexts, lattice.columns, lattice.arcs)
        return zero_weights(*shape, lattice.segments, dtype)

    def objective(self) -> Objective:
        """Return the function of the weights to minimise."""
        config = self.config
        return Objective(self.encoded, self.lattice, config.l2, self._free(), self.complete, config.threads, config.l1)

    def _free(self) -> Mask | None:
        """Return which weights are trained, None for all."""
        config = self.config
        if not config.observed_only and not self.lattice.optional.any():
            return None
        nothing = self.zero_weights(self.encoded.matrix.dtype.type)
        counts = count_features(self.encoded, self.lattice, nothing, config.threads)
        if config.observed_only:
            return tuple(part > 0 for part in counts.parts())
        return seen_often(self.lattice, counts, config.min_count, config.context_min_count)

    def run(self, report: Callable[[int, float, Weights], bool]) -> Weights:
        """Return the trained weights; `report` is called after each step and stops the training by returning True."""
        config, objective = self.config, self.objective()
        if config.observed_only and not self.complete:
            raise ConfigError(
                "observed_only needs strings whose every token has one label; some tokens of these may have several"
            )
        if config.optimiser == "lbfgs":
            return lbfgs(objective, self.start or self.zero_weights(), config.iterations, report)
        settings = AdaGradConfig(config.epochs, config.batch, config.learning_rate, config.feature_dropout, config.seed)
        if self.start:
            settings = replace(settings, first_square=1.0)
        return adagrad(objective, self.start or self.zero_weights(np.float32), settings, report)


def load_start(name: str) -> CRF:
    """Return the chain to start a training from: the default model, or that of a file."""
    from ibidem.models import storage
    from ibidem.models.chain import ChainModel
    from ibidem.models.shipped import DEFAULT

    found = storage.load(DEFAULT if name == "default" else Path(name))
    if not isinstance(found, ChainModel) or len(found.encoder.induced):
        raise ConfigError(f"start is {name!r}, a model of the kind {found.kind!r}: give a chain without induction")
    return found


def first_weights(model: CRF, config: CRFConfig, lattice: Lattice) -> Weights:
    """Return the weights of a model to start from, dense, in single precision where AdaGrad trains them on."""
    window = model.attribute.width // len(model.labels)
    if window != config.window or len(model.arc) != lattice.arcs:
        raise ConfigError(
            f"the model to start from has a window of {window} and {len(model.arc):,} arcs, these settings make "
            f"{config.window} and {lattice.arcs:,}: give the window, remember and label_history it was trained with"
        )
    dtype = np.float64 if config.optimiser == "lbfgs" else np.float32
    attribute = model.attribute.dense().reshape(-1, window, len(model.labels))
    context, segment = model.context.dense(), np.zeros(lattice.segments, dtype)
    return Weights(attribute.astype(dtype), context.astype(dtype), model.arc.astype(dtype), segment)


def train_crf(
    data: TrainingSet, lexicons: Lexicons, config: CRFConfig, score: Callable[[Model], float], say: Say
) -> Model:
    """Return the model of the step of the training whose weights score best on dev strings."""
    trainer = Trainer.prepare(data, lexicons, config, say)
    attributes, arcs = len(trainer.encoder.attributes), len(trainer.automaton.src)
    say(f"{attributes:,} attributes, {arcs:,} arcs")
    if trainer.skipped:
        say(f"{trainer.skipped:,} strings skipped: the label set cannot represent their annotation")
    monitor = Monitor(say, lambda weights: score(trainer.model(weights)), 10 if config.optimiser == "lbfgs" else 1)
    weights = trainer.run(monitor)
    return trainer.model(weights if monitor.best[1] is None else monitor.best[1])


@dataclass(slots=True)
class Monitor:
    """Reports the progress of a training and keeps the weights that score best on dev strings."""

    say: Say
    score: Callable[[Weights], float] | None = None
    every: int = 10
    best: tuple[float, Weights | None] = (-np.inf, None)
    began: float = field(default_factory=time.monotonic)

    def __call__(self, step: int, value: float, weights: Weights) -> bool:
        """Report a step; False: the training goes on."""
        line = f"step {step}: objective {value:,.1f}, {time.monotonic() - self.began:.0f} s"
        if self.score and step % self.every == 0:
            score = self.score(weights)
            line += f", dev {100 * score:.2f}"
            if score > self.best[0]:
                self.best = (score, weights)
        self.say(line)
        return False
