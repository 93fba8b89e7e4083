"""What a person knows of an element beforehand: words, and patterns of words, as a prior on its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ibidem.config import from_toml
from ibidem.errors import ConfigError
from ibidem.text import tokenise
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import Floats

_LONGEST = 40  # characters of a word that a pattern is tried on: no pattern then takes long


@dataclass(frozen=True, slots=True)
class Hint:
    """An element that is partly known: its name, words that stand in it, and patterns that whole words match."""

    name: str
    words: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # further words or names, one a line; paths are relative to the file of hints
    weight: float = 1.0  # for each time a word stands in the corpus, so many times it is taken as seen in the element

    def __post_init__(self) -> None:
        if not self.words and not self.patterns and not self.files:
            raise ConfigError(f"the hint {self.name!r} says nothing: give it words, patterns or files")
        if not 0 < self.weight <= 1000:
            raise ConfigError(f"the weight of the hint {self.name!r} is {self.weight}: give one from above 0 to 1000")
        for pattern in self.patterns:
            _compiled(pattern, self.name)


@dataclass(frozen=True, slots=True)
class Hints:
    """The hints of a file."""

    hint: tuple[Hint, ...] = field(default_factory=tuple)


def read_hints(path: Path) -> tuple[Hint, ...]:
    """The hints of a TOML file, a table `[[hint]]` each, with the words of the files that they name."""
    return tuple(
        Hint(one.name, (*one.words, *_listed(one, path.parent)), one.patterns, (), one.weight)
        for one in from_toml(Hints, path).hint
    )


class Matcher:
    """Which hints a word goes with."""

    def __init__(self, hints: Sequence[Hint]) -> None:
        self.words = [frozenset(token.text for word in hint.words for token in tokenise(word)) for hint in hints]
        self.patterns = [[_compiled(pattern, hint.name) for pattern in hint.patterns] for hint in hints]
        self.weights = [hint.weight for hint in hints]

    def of(self, word: str) -> list[int]:
        """The numbers of the hints that know the word."""
        short = word[:_LONGEST] == word
        return [
            number
            for number, (words, patterns) in enumerate(zip(self.words, self.patterns, strict=True))
            if word in words or (short and any(pattern.fullmatch(word) for pattern in patterns))
        ]

    def tokens(self, corpus: Corpus) -> Floats:
        """How many tokens each hint adds to each word of a corpus: [W, H]."""
        counts = np.bincount(corpus.words, minlength=len(corpus.vocabulary))
        table = np.zeros((len(corpus.vocabulary), len(self.weights)))
        for place, word in enumerate(corpus.vocabulary):
            for number in self.of(word):
                table[place, number] = self.weights[number] * counts[place]
        return table


def _listed(hint: Hint, folder: Path) -> tuple[str, ...]:
    words: list[str] = []
    for name in hint.files:
        try:
            words += (folder / name).read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"the hint {hint.name!r} names {name}, which cannot be read: {error}") from error
    return tuple(words)


def _compiled(pattern: str, name: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ConfigError(f"the hint {name!r} has the pattern {pattern!r}, which is none: {error}") from error
