"""The features of every task: what is said of a token alone, its traits, and the codes of its context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ibidem.errors import ConfigError
from ibidem.features import context_codes
from ibidem.features.batch import TRAITS, Batch, Codes, batch_of, traits_of
from ibidem.features.lexicons import Lexicons
from ibidem.features.word import features_of_words


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """The features of a task, as three functions."""

    attributes: Callable[[Sequence[str], Lexicons], list[list[str]]]  # of several tokens, each by itself
    traits: Callable[[str, Lexicons], tuple[int, ...]]  # of a token by itself, in the order of `TRAITS`
    context: Callable[[Batch, Lexicons], dict[str, tuple[int, Codes]]]  # number of codes and codes, by name

    def sizes(self, lexicons: Lexicons) -> dict[str, int]:
        """The number of codes of every feature of context, by name."""
        batch = batch_of([1], np.ones(1, dtype=np.bool_), np.zeros((1, len(TRAITS)), dtype=np.int64))
        return {name: size for name, (size, _) in self.context(batch, lexicons).items()}


@cache
def features_of(task: str) -> FeatureSet:
    """The features of a task; those of other tasks than references are imported when they are first asked for."""
    if task == "sections":
        from ibidem.features.headings import features_of_headings, heading_codes, traits_of_heading

        return FeatureSet(features_of_headings, traits_of_heading, heading_codes)
    if task == "authors":
        from ibidem.features.author_headers import byline_codes, features_of_bylines, traits_of_byline

        return FeatureSet(features_of_bylines, traits_of_byline, byline_codes)
    if task != "references":
        raise ConfigError(f"there are no features for the task {task!r}")
    return FeatureSet(features_of_words, traits_of, context_codes)
