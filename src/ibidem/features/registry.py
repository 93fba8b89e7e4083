"""What a feature is, and the features of each task.

A feature gives every token of a batch (or every segment, for semi-Markov models) one code, a whole number from 0 up to
its size; a model has a row of weights for each code that it has seen. The lists stand in `ibidem.features` for
references, in `ibidem.features.headings` for sections and in `ibidem.features.author_headers` for authors. Which
features a model uses is written in its file, so a list may grow without any effect on the models that exist.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.features.batch import Batch
from ibidem.features.lexicons import Lexicons

Codes = NDArray[np.signedinteger]
Input = TypeVar("Input")  # a Batch of tokens, or a SegmentBatch
_FEW = 4096  # tokens or segments


@dataclass(frozen=True, slots=True)
class Feature(Generic[Input]):
    """A feature: its name, how many codes it has, and the function that computes the code of each token."""

    name: str
    size: int
    function: Callable[[Input], Codes]

    def sizes(self, _lexicons: Lexicons) -> Mapping[str, int]:
        """Return the number of codes, by name."""
        return {self.name: self.size}

    def compute(self, given: Input, _lexicons: Lexicons) -> Mapping[str, Codes]:
        """Return the codes, by name."""
        return {self.name: self.function(given)}


@dataclass(frozen=True, slots=True)
class FeatureFamily(Generic[Input]):
    """Several features that one function computes together; their names begin with that of the family."""

    name: str  # ends with a slash
    sizes_of: Callable[[Lexicons], Mapping[str, int]]  # by the rest of the name
    function: Callable[[Input, Lexicons], Mapping[str, Codes]]

    def sizes(self, lexicons: Lexicons) -> Mapping[str, int]:
        """Return the numbers of codes, by name."""
        return {self.name + name: size for name, size in self.sizes_of(lexicons).items()}

    def compute(self, given: Input, lexicons: Lexicons) -> Mapping[str, Codes]:
        """Return the codes, by name."""
        return {self.name + name: codes for name, codes in self.function(given, lexicons).items()}


FeatureList = list[Feature[Input] | FeatureFamily[Input]]


def compute_sizes(features: FeatureList[Input], lexicons: Lexicons) -> dict[str, int]:
    """Return the number of codes of every feature, by name, in the order of the list."""
    return {name: size for entry in features for name, size in entry.sizes(lexicons).items()}


def compute_codes(
    features: FeatureList[Input],
    given: Input,
    count: int,
    lexicons: Lexicons,
    names: Collection[str] | None = None,
) -> dict[str, Codes]:
    """Return the codes of the features of these names (of all by default), in the order of the list.  # [count] each

    `count` is the number of tokens or segments; a feature that gives codes of another shape, type or range is refused.
    """
    found: dict[str, Codes] = {}
    limits: list[int] = []
    for entry in features:
        sizes = entry.sizes(lexicons)
        wanted = [name for name in sizes if names is None or name in names]
        codes = entry.compute(given, lexicons) if wanted else {}
        for name in wanted:
            found[name] = _check_shape(name, codes.get(name), count)
            limits.append(sizes[name])
    if names is not None and (missing := [name for name in names if name not in found]):
        raise ConfigError(f"the feature {missing[0]!r} is not registered here: register it before using its model")
    _check_range(found, limits, count)
    return found


def _check_shape(name: str, codes: object, count: int) -> Codes:
    """Return the codes if they are `count` integers, and refuse them otherwise."""
    if isinstance(codes, np.ndarray) and codes.shape == (count,) and codes.dtype.kind in "iu":
        return codes if codes.dtype != np.uint64 else codes.astype(np.int64)  # too large a number becomes negative
    expected = f"the feature {name!r} must give an array of {count} integers, one code each"
    if not isinstance(codes, np.ndarray):
        raise ConfigError(f"{expected}; it gave {'nothing' if codes is None else type(codes).__name__}")
    raise ConfigError(f"{expected}; it gave an array of {codes.dtype} of shape {codes.shape}")


def _check_range(found: Mapping[str, Codes], sizes: Sequence[int], count: int) -> None:
    """Refuse codes below 0 or not below the size of their feature."""
    if not found or not count:
        return
    codes = list(found.values())
    rows = [np.array(codes)] if count < _FEW else [each[None] for each in codes]  # one pass where a call costs most
    lowest = np.concatenate([each.min(axis=1) for each in rows])
    highest = np.concatenate([each.max(axis=1) for each in rows])
    for name, size, low, high in zip(found, sizes, lowest.tolist(), highest.tolist(), strict=True):
        if low < 0 or high >= size:
            worst = low if low < 0 else high
            raise ConfigError(f"the feature {name!r} has {size} codes, from 0 to {size - 1}; it gave the code {worst}")


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """The features of a task: attributes and traits of a token by itself, and features of its context."""

    attributes: Callable[[Sequence[str], Lexicons], list[list[str]]]  # of several tokens, each by itself
    traits: Callable[[str, Lexicons], tuple[int, ...]]  # of a token by itself, in the order of `TRAITS`
    context: FeatureList[Batch]

    def sizes(self, lexicons: Lexicons) -> dict[str, int]:
        """Return the number of codes of every feature of context, by name."""
        return compute_sizes(self.context, lexicons)

    def compute(self, batch: Batch, lexicons: Lexicons, names: Collection[str] | None = None) -> dict[str, Codes]:
        """Return the codes of the features of context of these names, of all by default.  # [N] each"""
        return compute_codes(self.context, batch, len(batch.position), lexicons, names)


@cache
def features_of(task: str) -> FeatureSet:
    """Return the features of a task; those of other tasks than references are imported when first asked for."""
    if task == "sections":
        from ibidem.features.headings import FEATURES as SECTIONS

        return SECTIONS
    if task == "authors":
        from ibidem.features.author_headers import FEATURES as AUTHORS

        return AUTHORS
    if task != "references":
        raise ConfigError(f"there are no features for the task {task!r}: choose references, sections or authors")
    from ibidem.features import FEATURES as REFERENCES

    return REFERENCES


def register(feature: Feature[Batch] | FeatureFamily[Batch], task: str = "references") -> None:
    """Add a feature of context to a task; models trained from now on use it.

    A model that uses it can be loaded only where the feature has been registered.

    >>> late = Feature("late", 2, lambda batch: (batch.position > 9).astype(np.int64))
    >>> register(late)
    >>> features_of("references").context.remove(late)
    """
    features = features_of(task).context
    for known in (entry.name for entry in features):
        if feature.name == known or (known.endswith("/") and feature.name.startswith(known)):
            raise ConfigError(f"there is a feature {known!r} of the task {task!r} already: choose another name")
    features.append(feature)
