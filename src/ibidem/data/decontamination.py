"""Strings that several sets share: what is in a test set must not be trained on.

Two strings are the same when their letters and digits are; they are nearly the same when most of their runs of eight
words are. Only 64-bit hashes are kept, so that half a million strings fit in memory with ease.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from ibidem.types import Example, Malformed

_WORD = re.compile(r"[^\W_]+")
_RUN = 8
_SHARE = 0.6


def normalise(text: str) -> str:
    """The letters and digits of a text, without accents, case and everything else.

    >>> normalise("Müller, J.-P. (1999)")
    'mullerjp1999'
    """
    return "".join(_words(text))


def _words(text: str) -> list[str]:
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text)
    if not plain.isascii():
        plain = "".join(character for character in plain if not unicodedata.combining(character))
    return _WORD.findall(plain.casefold())


def hash_text(text: str) -> int:
    """A 64-bit number for a text, the same on every machine and in every run."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _runs(words: list[str]) -> Iterator[int]:
    for place in range(len(words) - _RUN + 1):
        yield hash_text(" ".join(words[place : place + _RUN]))


@dataclass(slots=True)
class Blocklist:
    """The strings of some sets, asked whether they contain a string or nearly contain it."""

    whole: set[int] = field(default_factory=set)
    runs: set[int] = field(default_factory=set)

    @classmethod
    def from_examples(cls, examples: Iterable[Example | Malformed]) -> Blocklist:
        """The list of everything in `examples` that has a text."""
        made = cls()
        for example in examples:
            if isinstance(example, Example):
                made.add(example.text)
        return made

    def add(self, text: str) -> None:
        """Put one more string on the list; a string without letters and digits is nothing."""
        words = _words(text)
        if words:
            self.whole.add(hash_text("".join(words)))
            self.runs.update(_runs(words))

    def has_same(self, text: str) -> bool:
        """Whether a string with the same letters and digits is on the list."""
        return hash_text(normalise(text)) in self.whole

    def contains(self, text: str) -> bool:
        """Whether the string is on the list, or three fifths of its runs of eight words are."""
        words = _words(text)
        if hash_text("".join(words)) in self.whole:
            return True
        runs = list(_runs(words))
        return bool(runs) and sum(run in self.runs for run in runs) >= _SHARE * len(runs)

    def __len__(self) -> int:
        return len(self.whole)


def without(examples: Iterable[Example | Malformed], blocked: Blocklist) -> Iterator[Example | Malformed]:
    """The examples that are not on the list; what could not be read passes through."""
    for example in examples:
        if isinstance(example, Malformed) or not blocked.contains(example.text):
            yield example


def shared(one: Iterable[Example | Malformed], other: Blocklist) -> tuple[int, int]:
    """How many strings of `one` are on the list exactly, and how many at least nearly."""
    exact = near = 0
    for example in one:
        if isinstance(example, Example):
            exact += other.has_same(example.text)
            near += other.contains(example.text)
    return exact, near
