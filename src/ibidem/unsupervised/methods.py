"""The methods of `ibidem.segment`: a new one is a module that defines `METHOD`, and a line in `METHODS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ibidem.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from ibidem.unsupervised.corpus import Corpus

METHODS = {
    "blocked": "ibidem.unsupervised.blocked_run",
    "gibbs": "ibidem.unsupervised.gibbs",
}
"""The module of each method; imported when the method is first used."""

MAX_JOBS = 1024
"""Threads of a run; those of the method gibbs have a copy of all counts each."""
Progress = Callable[[str], None]


class Config(Protocol):
    """Settings of a method: a frozen dataclass with at least these."""

    method: ClassVar[str]

    @property
    def fields(self) -> int:
        """Number of fields to tell apart."""

    @property
    def min_count(self) -> int:
        """Words that occur fewer times are replaced by their class; 1 leaves all words as they are."""

    @property
    def longest(self) -> int:
        """Maximum number of tokens of a citation."""


@dataclass(frozen=True, slots=True)
class Job:
    """Everything about a run that is not a setting of the method."""

    corpus: Corpus
    seed_words: NDArray[np.float64]  # [W, H] pseudo-counts, one column for each group of seed words
    threads: int
    progress: Progress
    checkpoint: Path | None = None
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Fit:
    """What a method found; elements are numbered from 0 by their average position."""

    elements: NDArray[np.uint8]  # [N]
    confidence: NDArray[np.float32]  # [N] probability of the element of each token
    word_counts: NDArray[np.int64]  # [W, K]
    length_counts: NDArray[np.int64]  # [K, L + 1] citations in which an element has so many tokens
    rho: NDArray[np.float64]  # [K - 1] dispersion of the generalized Mallows model
    seed_words: tuple[int, ...]  # [K] the group of seed words of each element, or -1
    log_likelihoods: tuple[float, ...]  # per token, after each sweep


@dataclass(frozen=True, slots=True)
class Method:
    """A way to segment citations without labels."""

    config: type[Any]  # a `Config`
    fit: Callable[[Any, Job], Fit]  # takes a `config` and a job
    min_fields: int
    max_fields: int
    takes_seed_words: bool
    takes_checkpoint: bool


def find_method(name: str) -> Method:
    """Return the method of that name; a `ConfigError` lists those there are."""
    if not isinstance(name, str) or name not in METHODS:
        raise ConfigError(f"no method is called {name!r}; choose from {', '.join(METHODS)}")
    method: Method = import_module(METHODS[name]).METHOD
    return method


def make_config(name: str, fields: int, seed: int, sweeps: int | None, settings: Mapping[str, object]) -> Config:
    """Build the configuration of a method from the common arguments and the settings of that method alone."""
    from ibidem.config import from_mapping

    if not isinstance(settings, Mapping):
        raise ConfigError(f"the settings are {type(settings).__name__}; give a table such as {{'restarts': 1}}")
    given = {"fields": fields, "seed": seed} | ({} if sweeps is None else {"sweeps": sweeps})
    twice = given.keys() & settings.keys()
    if twice:
        raise ConfigError(f"{min(twice)} is an argument of its own; leave it out of the settings")
    if isinstance(seed, int) and not 0 <= seed < 2**64:
        raise ConfigError("seed is out of range; give a whole number from 0 to 2^64 - 1")
    config: Config = from_mapping(find_method(name).config, {**given, **settings}, f"the settings of {name}")
    return config


def check_job(config: Config, groups: int, threads: int, checkpoint: bool) -> None:
    """Raise a `ConfigError` where a method cannot do what is asked of it; `groups` counts those of seed words."""
    name, method, K = config.method, find_method(config.method), config.fields
    if not method.min_fields <= K <= method.max_fields:
        raise ConfigError(f"{K} fields; the method {name} takes from {method.min_fields} to {method.max_fields}")
    if not isinstance(threads, int) or threads < 1:
        raise ConfigError(f"jobs is {threads}; it must be at least 1")
    if threads > MAX_JOBS:
        raise ConfigError(f"jobs is more than {MAX_JOBS}; give fewer threads")
    if groups and not method.takes_seed_words:
        raise ConfigError(f"the method {name} takes no seed words; leave them out, or use the method blocked")
    if groups > K:
        raise ConfigError(f"seed words for {groups} fields, and there are {K} fields: give them for {K} at most")
    if checkpoint and not method.takes_checkpoint:
        raise ConfigError(
            f"the method {name} writes no checkpoints; leave the checkpoint out, or use the method blocked"
        )
