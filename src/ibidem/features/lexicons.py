"""Lexicons as hashed sets: a word or a phrase can be looked up, but the list cannot be read out.

A model keeps its lexicons as sorted 32-bit hashes. A look-up is a false positive about once in 2^32 / size.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.text.fold import fold, hash32
from ibidem.text.tokens import tokenise

UIntArray = NDArray[np.uint32]
LONGEST_PHRASE = 8
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FILTER_BITS = 23
_FEW_HASHES = 4096
# Bits of a word's statistics: the fields of bibliographic records in which it is usually seen.
TITLE, CONTAINER, FAMILY, GIVEN, PUBLISHER = 1, 2, 4, 8, 16


def hash_phrase_runs(words: NDArray[np.uint64], length: int) -> UIntArray:
    """Return the hash of each run of `length` words; entry i is the run that begins at word i.  # [N - length + 1]

    `words` are the hashes of single words.
    """
    count = max(len(words) - length + 1, 0)
    state = np.full(count, length, dtype=np.uint64)
    for offset in range(length):
        state = (state ^ words[offset : offset + count]) * _MULTIPLIER
        state ^= state >> np.uint64(29)
    return (state >> np.uint64(32)).astype(np.uint32)


def _index_of(hashes: UIntArray, value: int) -> int:
    """Return the index of one hash among sorted ones, -1 where it is not; for one number this beats NumPy's search."""
    plain = hashes.data
    index = bisect_left(plain, value)
    return index if index < len(plain) and plain[index] == value else -1


def find_hashes(known: UIntArray, wanted: UIntArray) -> NDArray[np.intp]:
    """Return the index of each wanted hash among sorted ones, -1 where it is not."""
    if not len(known):
        return np.full(len(wanted), -1, dtype=np.intp)
    index = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[index] == wanted, index, -1)


def words_of(phrase: str) -> list[str]:
    """Return the folded words and numbers of a phrase, without punctuation.

    >>> words_of("J. Chem. Phys.")
    ['j', 'chem', 'phys']
    """
    return [fold(token.text) for token in tokenise(phrase) if token.text[0].isalnum()]


@dataclass(frozen=True, slots=True)
class HashedSet:
    """A set of hashes that is asked for whole arrays at once."""

    hashes: UIntArray  # sorted

    def __contains__(self, value: int) -> bool:
        return _index_of(self.hashes, value) >= 0

    def member(self, hashes: UIntArray) -> NDArray[np.bool_]:
        """Return which of `hashes` are in the set."""
        return find_hashes(self.hashes, hashes) >= 0


def hash_words(words: Iterable[str]) -> HashedSet:
    """Return the set of the hashes of the folded words."""
    return HashedSet(np.unique(np.fromiter((hash32(fold(word)) for word in words), dtype=np.uint32)))


def hash_phrases(phrases: Iterable[str]) -> HashedSet:
    """Return the set of the hashes of phrases; those of more than `LONGEST_PHRASE` words are cut there."""
    by_length: dict[int, list[list[int]]] = {}
    for phrase in phrases:
        words = words_of(phrase)[:LONGEST_PHRASE]
        if words:
            by_length.setdefault(len(words), []).append([hash32(word) for word in words])
    found = [np.zeros(0, dtype=np.uint32)]
    for length, rows in by_length.items():
        flat = np.array(rows, dtype=np.uint64).ravel()
        found.append(hash_phrase_runs(flat, length)[::length])
    return HashedSet(np.unique(np.concatenate(found)))


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """The fields of bibliographic records in which a word is usually seen, as one small code per word."""

    hashes: UIntArray  # sorted
    codes: NDArray[np.uint8]

    def codes_of(self, hashes: UIntArray) -> NDArray[np.uint8]:
        """Return the codes of several hashed words, 0 for unknown ones."""
        return np.append(self.codes, np.uint8(0))[find_hashes(self.hashes, hashes)]

    def code(self, value: int) -> int:
        """Return the code of a hashed word, 0 for an unknown one."""
        index = _index_of(self.hashes, value)
        return int(self.codes[index]) if index >= 0 else 0


@dataclass(frozen=True, slots=True)
class Lexicons:
    """The word lists of a model: sets of single words, sets of phrases, and the fields in which words are seen."""

    words: Mapping[str, HashedSet]
    phrases: Mapping[str, HashedSet]
    statistics: WordStatistics
    _filter: list[NDArray[np.uint8]] = field(default_factory=list, repr=False, compare=False)

    def phrase_filter(self) -> NDArray[np.uint8]:
        """Return which leading bits some phrase has, eight flags to a byte, lowest first; made at the first call."""
        if not self._filter:
            flags = np.zeros(1 << _FILTER_BITS, dtype=np.bool_)
            for known in self.phrases.values():
                flags[known.hashes >> np.uint32(32 - _FILTER_BITS)] = True
            self._filter.append(np.packbits(flags, bitorder="little"))
        return self._filter[0]

    def phrases_among(self, hashes: UIntArray) -> dict[str, NDArray[np.intp]]:
        """Return for each set of phrases which of `hashes` are in it; most cost one look-up for all sets together."""
        if not self._filter and len(hashes) < _FEW_HASHES:  # too few to pay for a filter
            return {name: np.flatnonzero(known.member(hashes)) for name, known in self.phrases.items()}
        leading = hashes >> np.uint32(32 - _FILTER_BITS)
        bits = self.phrase_filter()[leading >> np.uint32(3)] >> (leading & np.uint32(7)).astype(np.uint8)
        maybe = np.flatnonzero(bits & np.uint8(1))
        likely = hashes[maybe]
        return {name: maybe[known.member(likely)] for name, known in self.phrases.items()}

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return plain arrays by name, for saving."""
        flat: dict[str, NDArray[np.generic]] = {f"words/{name}": s.hashes for name, s in self.words.items()}
        flat |= {f"phrases/{name}": s.hashes for name, s in self.phrases.items()}
        return flat | {"statistics/prints": self.statistics.hashes, "statistics/codes": self.statistics.codes}

    @classmethod
    def from_arrays(cls, flat: Mapping[str, NDArray[np.generic]]) -> Lexicons:
        """Return the lexicons that `arrays` wrote."""

        def sets(part: str) -> dict[str, HashedSet]:
            start = f"{part}/"
            return {
                name.removeprefix(start): HashedSet(hashes.astype(np.uint32))
                for name, hashes in flat.items()
                if name.startswith(start)
            }

        statistics = WordStatistics(
            flat["statistics/prints"].astype(np.uint32), flat["statistics/codes"].astype(np.uint8)
        )
        if len(statistics.hashes) != len(statistics.codes):
            raise ValueError("the statistics have different numbers of words and of codes")
        return cls(sets("words"), sets("phrases"), statistics)


def empty() -> Lexicons:
    """Return lexicons without a word."""
    return Lexicons({}, {}, WordStatistics(np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.uint8)))


LICENCES = {
    "JabRef's journal abbreviations": "CC0",
    "GROBID's lists of journals, proceedings, names and publishers": "CC-BY",
    "AnyStyle's lists of journal words, publisher words, place names and surnames": "BSD-2-Clause",
    "cities, countries, universities and collaborations": "CC0 / CC-BY",
    "DBLP-like records": "CC0 / CC-BY",
    "Medline-like records": "CC-BY / CC0",
    "BibTeX collections": "CC-BY, CC0 and MIT",
    "records of the open sets in many languages": "CC0, CC-BY, MIT, Apache-2.0 and public domain",
}
"""Sources of the lexicons, for the card of a model."""

_LISTS, _SURNAMES, _PLACES = list(LICENCES)[1:4]
_ORIGINS = {
    "given": (_LISTS,),
    "family-common": (_LISTS, _SURNAMES),
    "country": (_PLACES,),
    "university": (_PLACES,),
    "collaboration": (_PLACES,),
}


def licences_of(lexicons: Lexicons) -> dict[str, str]:
    """Return the sources of these lexicons with their licences; all of them where sources cannot be told apart."""
    used = {*lexicons.words, *lexicons.phrases}
    if len(lexicons.statistics.hashes) or used - _ORIGINS.keys():
        return dict(LICENCES)
    origins = {origin for name in used for origin in _ORIGINS[name]}
    return {name: licence for name, licence in LICENCES.items() if name in origins}


def select_lexicons(lexicons: Lexicons, names: Sequence[str]) -> Lexicons:
    """Return the lexicons with these names and no others; an unknown name is refused."""
    known = {*lexicons.words, *lexicons.phrases, "statistics"}
    if unknown := [name for name in names if name not in known]:
        raise ConfigError(f"there is no lexicon {unknown[0]!r}; choose among {', '.join(sorted(known))}")
    return Lexicons(
        {name: words for name, words in lexicons.words.items() if name in names},
        {name: phrases for name, phrases in lexicons.phrases.items() if name in names},
        lexicons.statistics if "statistics" in names else empty().statistics,
    )
