"""Decontamination: strings of a test set must not be trained on, and datasets share many strings.

Two strings are duplicates if their letters and digits are the same, and near-duplicates if most of their 8-grams of
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
_ORDER = 8  # words in an n-gram
_SHARE = 0.6  # of a string's n-grams, for a near-duplicate


def normalise(text: str) -> str:
    """Return the letters and digits of a text, without accents and case.

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
    """Return a 64-bit hash of a text, the same on every machine and in every run."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _hash_ngrams(words: list[str]) -> Iterator[int]:
    for place in range(len(words) - _ORDER + 1):
        yield hash_text(" ".join(words[place : place + _ORDER]))


@dataclass(slots=True)
class Blocklist:
    """Hashes of strings that may not be trained on."""

    strings: set[int] = field(default_factory=set)
    ngrams: set[int] = field(default_factory=set)

    @classmethod
    def from_examples(cls, examples: Iterable[Example | Malformed]) -> Blocklist:
        """Return a blocklist of the texts of `examples`."""
        made = cls()
        for example in examples:
            if isinstance(example, Example):
                made.add(example.text)
        return made

    def add(self, text: str) -> None:
        """Add a string; one without letters and digits is ignored."""
        words = _words(text)
        if words:
            self.strings.add(hash_text("".join(words)))
            self.ngrams.update(_hash_ngrams(words))

    def contains(self, text: str) -> bool:
        """Return whether a duplicate or a near-duplicate of a string is on the list."""
        words = _words(text)
        if hash_text("".join(words)) in self.strings:
            return True
        ngrams = list(_hash_ngrams(words))
        return bool(ngrams) and sum(ngram in self.ngrams for ngram in ngrams) >= _SHARE * len(ngrams)

    def __len__(self) -> int:
        return len(self.strings)
