"""Seed words: what is known of a field beforehand, as a prior on its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ibidem.config import from_toml
from ibidem.errors import ConfigError
from ibidem.text import tokenise
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import Floats
from ibidem.unsupervised.patterns import WordPattern

_LONGEST = 40  # characters of a word that patterns are tried on


@dataclass(frozen=True, slots=True)
class SeedWords:
    """A partly known field: its name, words that occur in it, and patterns that whole words match."""

    name: str
    words: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # further words or names, one a line; paths are relative to the TOML file
    weight: float = 1.0  # pseudo-count in the field for each occurrence of a word in the corpus

    def __post_init__(self) -> None:
        if not self.words and not self.patterns and not self.files:
            raise ConfigError(f"no seed words for {self.name[:60]!r}: give words, patterns or files")
        if not 0 < self.weight <= 1000:
            raise ConfigError(
                f"the weight of the seed words for {self.name[:60]!r} is {self.weight}; give 0 < weight ≤ 1000"
            )
        for pattern in self.patterns:
            _compile(pattern, self.name)


@dataclass(frozen=True, slots=True)
class SeedWordsFile:
    """A TOML file of seed words: a table `[[seed_words]]` for each field, once called `[[hint]]`."""

    seed_words: tuple[SeedWords, ...] = ()
    hint: tuple[SeedWords, ...] = ()


def read_seed_words(path: Path) -> tuple[SeedWords, ...]:
    """Read a TOML file of seed words, with the words of the files that it names."""
    file = from_toml(SeedWordsFile, path)
    return tuple(
        SeedWords(one.name, (*one.words, *_read_files(one, path.parent)), one.patterns, (), one.weight)
        for one in (*file.seed_words, *file.hint)
    )


class Matcher:
    """Finds the seed words that a word matches."""

    def __init__(self, seed_words: Sequence[SeedWords]) -> None:
        self.words = [frozenset(token.text for word in one.words for token in tokenise(word)) for one in seed_words]
        self.patterns = [[_compile(pattern, one.name) for pattern in one.patterns] for one in seed_words]
        self.weights = [one.weight for one in seed_words]

    def match(self, word: str) -> list[int]:
        """Return the indices of the seed words that match a word."""
        short = word[:_LONGEST] == word
        return [
            index
            for index, (words, patterns) in enumerate(zip(self.words, self.patterns, strict=True))
            if word in words or (short and any(pattern.matches(word) for pattern in patterns))
        ]

    def pseudo_counts(self, corpus: Corpus) -> Floats:
        """Return the pseudo-counts that the seed words add to each word of a corpus: [W, H]."""
        counts = np.bincount(corpus.words, minlength=len(corpus.vocabulary))
        table = np.zeros((len(corpus.vocabulary), len(self.weights)))
        for place, word in enumerate(corpus.vocabulary):
            for index in self.match(word):
                table[place, index] = self.weights[index] * counts[place]
        return table


def _read_files(seed_words: SeedWords, folder: Path) -> tuple[str, ...]:
    words: list[str] = []
    for name in seed_words.files:
        try:
            words += (folder / name).read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                f"cannot read {name}, named by the seed words for {seed_words.name!r}: {error}"
            ) from error
    return tuple(words)


def _compile(pattern: str, name: str) -> WordPattern:
    try:
        return WordPattern(pattern)
    except ConfigError as error:
        raise ConfigError(f"the seed words for {name!r} have the pattern {pattern[:80]!r}: {error}") from error
