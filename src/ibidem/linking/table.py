"""All views of a collection as columns, ready to be compared pair by pair."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.comparison import Person, View
from ibidem.linking.joint.nbest import Readings
from ibidem.linking.pairs import dots
from ibidem.linking.vectors import Floats, Ints, Numbers, Sparse, distinct, indicator, presence, sparse, unit
from ibidem.linking.venues import counting
from ibidem.linking.words import Vocabulary
from ibidem.text.fold import hash32

CODED = ("volume", "issue", "first", "last", "number", "kind")
"""The fields of a view of which only matters whether two are equal."""


@dataclass(frozen=True)
class Table:
    """Columns of views; row k is `views[k]`. `background` are counts of words from elsewhere, in `documents` texts.

    Where references can be read in several ways, `readings[k]` are those of row k, and `views[k]` is the likeliest.
    """

    views: Sequence[View]
    background: Mapping[str, int] | None = None
    documents: int = 0
    readings: Sequence[Readings] | None = None
    words_of: Vocabulary | None = None  # where the words are weighted as in another table

    def __len__(self) -> int:
        return len(self.views)

    @cached_property
    def texts(self) -> list[str]:
        """The whole strings."""
        return [view.text for view in self.views]

    @cached_property
    def titles(self) -> list[str]:
        """The titles."""
        return [view.title for view in self.views]

    @cached_property
    def first_words(self) -> tuple[list[str], Numbers]:
        """The first words of the whole strings, each once, and which of them each row has."""
        return distinct(map(first_word, self.texts))

    @cached_property
    def name_lists(self) -> list[str]:
        """The family names of the authors in their order."""
        return [" ".join([family for family, _ in view.people]) for view in self.views]

    @cached_property
    def venue_names(self) -> tuple[list[str], Numbers]:
        """The names of venues, each once, in alphabetical order, and which of them each row has."""
        names, place = distinct(view.venue for view in self.views)
        order = sorted(range(len(names)), key=names.__getitem__)
        return [names[k] for k in order], np.argsort(order).astype(np.int32)[place]

    @cached_property
    def venue_words(self) -> list[str]:
        """The words that count of each of the names of venues."""
        return list(map(counting, self.venue_names[0]))

    @cached_property
    def first_names(self) -> tuple[list[str], Numbers]:
        """The family names of the first authors, or the first words that can be names where no author is known.

        Each once, and which of them each row has.
        """
        return distinct(view.people[0][0] if view.people else first_word(view.text) for view in self.views)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the whole strings."""
        return self.words_of or Vocabulary(self.texts, self.background, self.documents)

    @cached_property
    def every_reading(self) -> tuple[Table, Ints, Floats]:
        """The table of all readings of all rows, where those of each row begin, and their probabilities."""
        readings = self.readings or [((view, 1.0),) for view in self.views]
        begin = np.concatenate([[0], np.cumsum([len(each) for each in readings], dtype=np.int64)])
        views = [view for each in readings for view, _ in each]
        chance = np.array([chance for each in readings for _, chance in each], dtype=np.float32)
        return Table(views, words_of=self.vocabulary), begin, chance

    @cached_property
    def values_of_groups(self) -> dict[str, Ints]:
        """A number for what each group of measures looks at in each row; rows that have the same are alike to it."""
        looked_at: dict[str, Sequence[Hashable]] = {
            "whole": [view.text for view in self.views],
            "title": [view.title for view in self.views],
            "author": [(view.people, view.more_people) for view in self.views],
            "venue": [view.venue for view in self.views],
            "numbers": [(view.year, *(getattr(view, name) for name in CODED)) for view in self.views],
            "identifier": [view.identifiers for view in self.views],
        }
        return {name: distinct(values)[1].astype(np.int64) for name, values in looked_at.items()}

    @cached_property
    def words(self) -> Sparse:
        """The weights of the words of the whole strings, not normalised."""
        return self.vocabulary.rows(self.texts) if self.words_of else self.vocabulary.given

    @cached_property
    def title_words(self) -> Sparse:
        """The weights of the words of the titles, not normalised."""
        return self.vocabulary.rows(self.titles)

    @cached_property
    def title_vectors(self) -> Sparse:
        """The words of the titles as vectors of length one."""
        return unit(self.title_words)

    @cached_property
    def sums(self) -> dict[str, Floats]:
        """How much each row has: the weights of its words, squared, and how many names and numbers."""
        rows = np.arange(len(self))
        squares = {name: dots(getattr(self, name), rows, rows) for name in ("words", "title_words")}
        ones = ("families", "people", "numbers", "years_in_text")
        return squares | {name: np.diff(getattr(self, name).indptr).astype(np.float32) for name in ones}

    @cached_property
    def venue_vectors(self) -> Sparse:
        """The words of the names of venues as vectors of length one."""
        return unit(self.vocabulary.rows(self.venue_names[0]))

    @cached_property
    def _everyone(self) -> tuple[list[Person], Numbers, Ints]:
        """All authors, each once, which of them are in the rows, one row after the other, and how many each has."""
        persons, places = distinct(person for view in self.views for person in view.people)
        return persons, places, np.fromiter((len(view.people) for view in self.views), np.int64, len(self))

    @cached_property
    def families(self) -> Sparse:
        """Which family names are among the authors."""
        persons, places, lengths = self._everyone
        names, number = distinct(family for family, _ in persons)
        return presence(number[places], lengths, len(names))

    @cached_property
    def people(self) -> Sparse:
        """Which family names with first letters of given names are among the authors."""
        persons, places, lengths = self._everyone
        known = np.fromiter((bool(letter) for _, letter in persons), np.bool_, len(persons))[places]
        rows = np.repeat(np.arange(len(lengths)), lengths)[known]
        return presence(places[known], np.bincount(rows, minlength=len(lengths)), len(persons))

    @cached_property
    def numbers(self) -> Sparse:
        """Which numbers are in the whole strings."""
        return _some(self.words, self.vocabulary.digits)

    @cached_property
    def years_in_text(self) -> Sparse:
        """Which numbers that can be years are in the whole strings."""
        return _some(self.words, self.vocabulary.years)

    @cached_property
    def identifiers(self) -> Sparse:
        """Which identifiers the records have."""
        return indicator([view.identifiers for view in self.views])

    @cached_property
    def identifier_kinds(self) -> Sparse:
        """Which kinds of identifiers the records have."""
        return indicator([[one.partition(":")[0] for one in view.identifiers] for view in self.views])

    @cached_property
    def year(self) -> Ints:
        """The years, 0 where there is none."""
        return np.array([view.year for view in self.views], dtype=np.int64)

    @cached_property
    def codes(self) -> dict[str, NDArray[np.uint32]]:
        """A number for the text of each of the `CODED` fields in each row, 0 where there is none."""
        return {name: _codes([getattr(view, name) for view in self.views]) for name in CODED}

    @cached_property
    def filled(self) -> dict[str, NDArray[np.bool_]]:
        """Whether each row has a title, authors, and words that say that there are more authors."""
        return {
            "title": np.array([bool(view.title) for view in self.views], dtype=np.bool_),
            "author": np.array([bool(view.people) for view in self.views], dtype=np.bool_),
            "more": np.array([view.more_people for view in self.views], dtype=np.bool_),
        }


def _codes(texts: Sequence[str]) -> NDArray[np.uint32]:
    different, place = distinct(texts)
    return np.array([_code(text) for text in different], dtype=np.uint32)[place]


def _code(text: str) -> int:
    return max(1, hash32(text)) if text else 0


def _some(matrix: Sparse, wanted: NDArray[np.bool_]) -> Sparse:
    """The columns that are wanted, as ones, of each row."""
    kept = wanted[matrix.indices]
    ends = np.concatenate([[0], np.cumsum(kept)])[matrix.indptr]
    columns = matrix.indices[kept]
    return sparse(np.ones(len(columns), np.float32), columns, np.diff(ends), matrix.shape[1])


def first_word(text: str) -> str:
    """The first word of at least three letters."""
    rest = text.split(None, 1)
    while rest:
        if len(rest[0]) > 2 and not rest[0].isdigit():
            return rest[0]
        rest = rest[1].split(None, 1) if len(rest) > 1 else []
    return ""
