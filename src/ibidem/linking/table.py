"""References in columns, ready to be compared pair by pair."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.comparison import YEAR, ComparisonFields, Person
from ibidem.linking.joint.nbest import NBest
from ibidem.linking.pairs import number_words, row_products
from ibidem.linking.vectors import (
    Floats,
    Ints,
    Numbers,
    Sparse,
    factorize,
    indicator,
    indicator_of_items,
    indicator_of_rows,
    normalise_rows,
)  # fmt: skip
from ibidem.text.fold import hash32

CODED = ("volume", "issue", "first", "last", "number", "kind")
"""The fields that are only compared for equality."""

_FUNCTION_WORDS = frozenset("of the and in on for a an to de la der und et le des di do".split())
_WORD = re.compile(r"\S+")
_VENUE_WORDS = 30  # words of a venue name that are used

Mask = NDArray[np.bool_]


class Vocabulary:
    """The words of a collection of texts, sorted, with their document frequencies and IDF weights.

    The weights come from the collection itself or, given `background` counts over so many `documents`, from those
    alone: the similarity of two texts then does not depend on the rest of the collection. `matrix` holds the weights
    of the collection's own texts, `figures` its numeric words in order of occurrence and their number in each text.
    """

    def __init__(self, texts: Sequence[str], background: Mapping[str, int] | None = None, documents: int = 0) -> None:
        numbers, lengths, self.words = number_words(texts)
        matrix = indicator(numbers, lengths, len(self.words))
        self.figures = _select_per_row(numbers, lengths, self.digits)
        del numbers
        self.frequency: Ints = np.bincount(matrix.columns, minlength=len(self.words))
        total, known = len(texts), self.frequency
        if background and documents:
            total, known = documents, np.array([background.get(word, 0) for word in self.words], dtype=np.int64)
        self.weight: Floats = np.log1p(total / (1.0 + known)).astype(np.float32)
        self.matrix = replace(matrix, values=self.weight[matrix.columns])

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def initials(self) -> Numbers:
        """The code point of the first letter of each word."""
        return np.array([ord(word[0]) for word in self.words] or [0], dtype=np.int32)

    @cached_property
    def digits(self) -> Mask:
        """Whether each word is a number."""
        return np.array([word.isdigit() for word in self.words], dtype=np.bool_)

    @cached_property
    def years(self) -> Mask:
        """Whether each word is a number that can be a year."""
        return np.array([YEAR.fullmatch(word) is not None for word in self.words], dtype=np.bool_)

    def weight_rows(self, texts: Sequence[str]) -> Sparse:
        """Return the weights of the known words of each text, each word once.  # [texts, words]"""
        numbers, lengths, words = number_words(texts)
        place = {word: number for number, word in enumerate(self.words)}
        known = np.array([place.get(word, -1) for word in words], dtype=np.int32)[numbers]
        unknown = known < 0
        if unknown.any():
            rows = np.repeat(np.arange(len(lengths)), lengths)
            known, lengths = known[~unknown], np.bincount(rows[~unknown], minlength=len(lengths))
        made = indicator(known, lengths, len(self))
        return replace(made, values=self.weight[made.columns])


def _select_per_row(numbers: Numbers, lengths: Ints, wanted: Mask) -> tuple[Numbers, Ints]:
    """Return the wanted numbers of concatenated rows, and how many of each row they are."""
    kept = wanted[numbers] if len(numbers) else np.zeros(0, np.bool_)
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int32)])
    return numbers[kept], np.diff(before[np.concatenate([[0], np.cumsum(lengths)])]).astype(np.int64)


@dataclass(frozen=True)
class Table:
    """Columns over references; `background` are word counts from elsewhere, in `documents` texts.

    With n-best labellings, `nbest[k]` are those of row k, and `rows[k]` are the fields of the most probable one.
    """

    rows: Sequence[ComparisonFields]
    background: Mapping[str, int] | None = None
    documents: int = 0
    nbest: Sequence[NBest] | None = None
    shared_vocabulary: Vocabulary | None = None  # of another table, whose word weights are used

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def texts(self) -> list[str]:
        """The whole strings."""
        return [row.text for row in self.rows]

    @cached_property
    def titles(self) -> list[str]:
        """The titles."""
        return [row.title for row in self.rows]

    @cached_property
    def first_words(self) -> tuple[list[str], Numbers]:
        """The distinct first words of the whole strings, and the index of each row's."""
        return factorize(map(first_word, self.texts))

    @cached_property
    def name_lists(self) -> list[str]:
        """The family names of the authors in order."""
        return [" ".join([family for family, _ in row.people]) for row in self.rows]

    @cached_property
    def venue_names(self) -> tuple[list[str], Numbers]:
        """The distinct venue names in alphabetical order, and the index of each row's."""
        names, place = factorize(row.venue for row in self.rows)
        order = sorted(range(len(names)), key=names.__getitem__)
        return [names[k] for k in order], np.argsort(order).astype(np.int32)[place]

    @cached_property
    def venue_words(self) -> list[str]:
        """The content words of each of the venue names."""
        return list(map(content_words, self.venue_names[0]))

    @cached_property
    def first_names(self) -> tuple[list[str], Numbers]:
        """The distinct family names of first authors, or first words where no author is known, and the row indices."""
        return factorize(row.people[0][0] if row.people else first_word(row.text) for row in self.rows)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the whole strings."""
        return self.shared_vocabulary or Vocabulary(self.texts, self.background, self.documents)

    @cached_property
    def nbest_table(self) -> tuple[Table, Ints, Floats]:
        """The table of all labellings of all rows, where those of each row begin, and their probabilities."""
        nbest = self.nbest or [((row, 1.0),) for row in self.rows]
        begin = np.concatenate([[0], np.cumsum([len(each) for each in nbest], dtype=np.int64)])
        rows = [row for each in nbest for row, _ in each]
        probability = np.array([probability for each in nbest for _, probability in each], dtype=np.float32)
        return Table(rows, shared_vocabulary=self.vocabulary), begin, probability

    @cached_property
    def group_codes(self) -> dict[str, Ints]:
        """A code for the fields that each group of similarity features compares; rows with equal codes are alike."""
        compared: dict[str, Sequence[Hashable]] = {
            "whole": [row.text for row in self.rows],
            "title": [row.title for row in self.rows],
            "author": [(row.people, row.more_people) for row in self.rows],
            "venue": [row.venue for row in self.rows],
            "numbers": [(row.year, *(getattr(row, name) for name in CODED)) for row in self.rows],
            "identifier": [row.identifiers for row in self.rows],
        }
        return {name: factorize(values)[1].astype(np.int64) for name, values in compared.items()}

    @cached_property
    def words(self) -> Sparse:
        """The word weights of the whole strings, not normalised."""
        return self.vocabulary.weight_rows(self.texts) if self.shared_vocabulary else self.vocabulary.matrix

    @cached_property
    def title_words(self) -> Sparse:
        """The word weights of the titles, not normalised."""
        return self.vocabulary.weight_rows(self.titles)

    @cached_property
    def title_vectors(self) -> Sparse:
        """The word weights of the titles as unit vectors."""
        return normalise_rows(self.title_words)

    @cached_property
    def sums(self) -> dict[str, Floats]:
        """Row totals: squared word weights, and the number of names, numbers and years."""
        rows = np.arange(len(self))
        squares = {name: row_products(getattr(self, name), rows, rows) for name in ("words", "title_words")}
        ones = ("families", "people", "numbers", "years_in_text")
        return squares | {name: np.diff(getattr(self, name).begin).astype(np.float32) for name in ones}

    @cached_property
    def venue_vectors(self) -> Sparse:
        """The word weights of the venue names as unit vectors."""
        return normalise_rows(self.vocabulary.weight_rows(self.venue_names[0]))

    @cached_property
    def _authors(self) -> tuple[list[Person], Numbers, Ints]:
        """The distinct authors, their indices row after row, and the number of authors of each row."""
        persons, places = factorize(person for row in self.rows for person in row.people)
        return persons, places, np.fromiter((len(row.people) for row in self.rows), np.int64, len(self))

    @cached_property
    def families(self) -> Sparse:
        """Which family names are among the authors."""
        persons, places, lengths = self._authors
        names, number = factorize(family for family, _ in persons)
        return indicator(number[places], lengths, len(names))

    @cached_property
    def people(self) -> Sparse:
        """Which family names with initials are among the authors."""
        persons, places, lengths = self._authors
        known = np.fromiter((bool(letter) for _, letter in persons), np.bool_, len(persons))[places]
        rows = np.repeat(np.arange(len(lengths)), lengths)[known]
        return indicator(places[known], np.bincount(rows, minlength=len(lengths)), len(persons))

    @cached_property
    def numbers(self) -> Sparse:
        """Which numbers are in the whole strings."""
        return _select_columns(self.words, self.vocabulary.digits)

    @cached_property
    def years_in_text(self) -> Sparse:
        """Which numbers that can be years are in the whole strings."""
        return _select_columns(self.words, self.vocabulary.years)

    @cached_property
    def identifiers(self) -> Sparse:
        """Which identifiers the records have."""
        return indicator_of_items([row.identifiers for row in self.rows])

    @cached_property
    def identifier_kinds(self) -> Sparse:
        """Which kinds of identifiers the records have."""
        return indicator_of_items([[one.partition(":")[0] for one in row.identifiers] for row in self.rows])

    @cached_property
    def year(self) -> Ints:
        """The years, 0 where unknown."""
        return np.array([row.year for row in self.rows], dtype=np.int64)

    @cached_property
    def codes(self) -> dict[str, NDArray[np.uint32]]:
        """A hash of each of the `CODED` fields in each row, 0 where missing."""
        return {name: _hash_codes([getattr(row, name) for row in self.rows]) for name in CODED}

    @cached_property
    def filled(self) -> dict[str, Mask]:
        """Whether each row has a title, authors, and an "et al."."""
        return {
            "title": np.array([bool(row.title) for row in self.rows], dtype=np.bool_),
            "author": np.array([bool(row.people) for row in self.rows], dtype=np.bool_),
            "more": np.array([row.more_people for row in self.rows], dtype=np.bool_),
        }


def _hash_codes(texts: Sequence[str]) -> NDArray[np.uint32]:
    different, place = factorize(texts)
    return np.array([max(1, hash32(text)) if text else 0 for text in different], dtype=np.uint32)[place]


def _select_columns(matrix: Sparse, wanted: Mask) -> Sparse:
    """Return the 0/1 matrix of the wanted columns."""
    kept = wanted[matrix.columns]
    ends = np.concatenate([[0], np.cumsum(kept)])[matrix.begin]
    return indicator_of_rows(matrix.columns[kept], np.diff(ends), matrix.width)


def first_word(text: str) -> str:
    """Return the first word of at least three letters."""
    words = (found.group() for found in _WORD.finditer(text))
    return next((word for word in words if len(word) > 2 and not word.isdigit()), "")


def content_words(name: str) -> str:
    """Return a venue name without function words and numbers.

    >>> content_words("the journal of applied physics 12")
    'journal applied physics'
    """
    words = name.split()[:_VENUE_WORDS]
    return " ".join([word for word in words if word not in _FUNCTION_WORDS and not word.isdigit()])
