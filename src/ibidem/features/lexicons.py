"""Lexicons as hashed sets: a word or a phrase can be asked for, a list cannot be read out.

A model ships its lexicons as sorted 32-bit fingerprints. A wrong "yes" happens about once in 2^32 / size questions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ibidem.text.fold import fold, hash32
from ibidem.text.tokens import tokenise

UIntArray = NDArray[np.uint32]
LONGEST_PHRASE = 8
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FILTER_BITS = 23
_FEW_PRINTS = 4096
# Bits of a word's statistics: the fields of bibliographic records in which it is usually seen.
TITLE, CONTAINER, FAMILY, GIVEN, PUBLISHER = 1, 2, 4, 8, 16


def phrase_prints(words: NDArray[np.uint64], length: int) -> UIntArray:
    """The fingerprint of each run of `length` words; entry i is the run that begins at word i.  # [N - length + 1]

    `words` are the fingerprints of single words.
    """
    count = max(len(words) - length + 1, 0)
    mixed = np.full(count, length, dtype=np.uint64)
    for offset in range(length):
        mixed = (mixed ^ words[offset : offset + count]) * _MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(32)).astype(np.uint32)


def _found(prints: UIntArray, print_: int) -> int:
    """The place of one fingerprint among sorted ones, -1 where it is not; for one number this beats NumPy's search."""
    plain = prints.data
    place = bisect_left(plain, print_)
    return place if place < len(plain) and plain[place] == print_ else -1


def words_of(phrase: str) -> list[str]:
    """The folded words and numbers of a phrase, without punctuation.

    >>> words_of("J. Chem. Phys.")
    ['j', 'chem', 'phys']
    """
    return [fold(token.text) for token in tokenise(phrase) if token.text[0].isalnum()]


@dataclass(frozen=True, slots=True)
class HashedSet:
    """A set of fingerprints that answers for whole arrays at once."""

    prints: UIntArray  # sorted

    def __contains__(self, print_: int) -> bool:
        return _found(self.prints, print_) >= 0

    def member(self, prints: UIntArray) -> NDArray[np.bool_]:
        """Which of `prints` are in the set."""
        if not len(self.prints):
            return np.zeros(len(prints), dtype=np.bool_)
        place = np.minimum(np.searchsorted(self.prints, prints), len(self.prints) - 1)
        return np.asarray(self.prints[place] == prints)


def hashed_words(words: Iterable[str]) -> HashedSet:
    """The set of the folded words' fingerprints."""
    return HashedSet(np.unique(np.fromiter((hash32(fold(word)) for word in words), dtype=np.uint32)))


def hashed_phrases(phrases: Iterable[str]) -> HashedSet:
    """The set of the phrases' fingerprints; phrases of more than `LONGEST_PHRASE` words are cut there."""
    by_length: dict[int, list[list[int]]] = {}
    for phrase in phrases:
        words = words_of(phrase)[:LONGEST_PHRASE]
        if words:
            by_length.setdefault(len(words), []).append([hash32(word) for word in words])
    found = [np.zeros(0, dtype=np.uint32)]
    for length, rows in by_length.items():
        flat = np.array(rows, dtype=np.uint64).ravel()
        found.append(phrase_prints(flat, length)[::length])
    return HashedSet(np.unique(np.concatenate(found)))


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """In which fields of bibliographic records a word is usually seen, as one small code per word."""

    prints: UIntArray  # sorted
    codes: NDArray[np.uint8]

    def codes_of(self, prints: UIntArray) -> NDArray[np.uint8]:
        """The codes of several fingerprints, 0 for those that are unknown."""
        if not len(self.prints):
            return np.zeros(len(prints), dtype=np.uint8)
        place = np.minimum(np.searchsorted(self.prints, prints), len(self.prints) - 1)
        return np.where(self.prints[place] == prints, self.codes[place], 0).astype(np.uint8)

    def code(self, print_: int) -> int:
        """The code of a word's fingerprint, 0 when the word is unknown."""
        place = _found(self.prints, print_)
        return int(self.codes[place]) if place >= 0 else 0


@dataclass(frozen=True, slots=True)
class Lexicons:
    """Everything a model knows by heart: sets of single words, sets of phrases, and where words usually stand."""

    words: Mapping[str, HashedSet]
    phrases: Mapping[str, HashedSet]
    statistics: WordStatistics
    _quick: list[NDArray[np.uint8]] = field(default_factory=list, repr=False, compare=False)

    def phrase_filter(self) -> NDArray[np.uint8]:
        """Which leading bits some phrase has, eight of them to a number, lowest first; made when first asked for."""
        if not self._quick:
            flags = np.zeros(1 << _FILTER_BITS, dtype=np.bool_)
            for known in self.phrases.values():
                flags[known.prints >> np.uint32(32 - _FILTER_BITS)] = True
            self._quick.append(np.packbits(flags, bitorder="little"))
        return self._quick[0]

    def phrases_among(self, prints: UIntArray) -> dict[str, NDArray[np.intp]]:
        """For each set of phrases the places of `prints` that are in it; most cost one look for all sets together."""
        if not self._quick and len(prints) < _FEW_PRINTS:  # not worth a filter
            return {name: np.flatnonzero(known.member(prints)) for name, known in self.phrases.items()}
        leading = prints >> np.uint32(32 - _FILTER_BITS)
        bits = self.phrase_filter()[leading >> np.uint32(3)] >> (leading & np.uint32(7)).astype(np.uint8)
        maybe = np.flatnonzero(bits & np.uint8(1))
        asked = prints[maybe]
        return {name: maybe[known.member(asked)] for name, known in self.phrases.items()}

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Plain arrays by name, for saving."""
        flat: dict[str, NDArray[np.generic]] = {f"words/{name}": s.prints for name, s in self.words.items()}
        flat |= {f"phrases/{name}": s.prints for name, s in self.phrases.items()}
        return flat | {"statistics/prints": self.statistics.prints, "statistics/codes": self.statistics.codes}

    @classmethod
    def from_arrays(cls, flat: Mapping[str, NDArray[np.generic]]) -> Lexicons:
        """The lexicons that `arrays` wrote."""

        def sets(kind: str) -> dict[str, HashedSet]:
            start = f"{kind}/"
            return {
                name.removeprefix(start): HashedSet(prints.astype(np.uint32))
                for name, prints in flat.items()
                if name.startswith(start)
            }

        statistics = WordStatistics(
            flat["statistics/prints"].astype(np.uint32), flat["statistics/codes"].astype(np.uint8)
        )
        if len(statistics.prints) != len(statistics.codes):
            raise ValueError("the statistics have another number of words than of codes")
        return cls(sets("words"), sets("phrases"), statistics)


def empty() -> Lexicons:
    """Lexicons that know nothing."""
    return Lexicons({}, {}, WordStatistics(np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.uint8)))
