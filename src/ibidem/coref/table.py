"""All views of a collection as columns, ready to be compared pair by pair."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ibidem.coref.readings import Readings
from ibidem.coref.vectors import Floats, Ints, Sparse, Vocabulary, indicator, unit
from ibidem.coref.views import YEAR, View
from ibidem.text.fold import fingerprint

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
    def venues(self) -> list[str]:
        """Where the works appeared."""
        return [view.venue for view in self.views]

    @cached_property
    def openings(self) -> list[str]:
        """The beginnings of the whole strings."""
        return [text[:40] for text in self.texts]

    @cached_property
    def first_words(self) -> list[str]:
        """The first words of the whole strings."""
        return [first_word(text) for text in self.texts]

    @cached_property
    def name_lists(self) -> list[str]:
        """The family names of the authors in their order."""
        return [" ".join(family for family, _ in view.people) for view in self.views]

    @cached_property
    def venue_names(self) -> tuple[list[str], Ints]:
        """The names of venues, each once, and which of them each row has."""
        names = sorted(set(self.venues))
        place = {name: number for number, name in enumerate(names)}
        return names, np.array([place[venue] for venue in self.venues], dtype=np.int64)

    @cached_property
    def first_names(self) -> list[str]:
        """The family names of the first authors, or the first words that can be names where no author is known."""
        return [view.people[0][0] if view.people else first_word(view.text) for view in self.views]

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
        return {name: _numbered(values) for name, values in looked_at.items()}

    @cached_property
    def words(self) -> Sparse:
        """The weights of the words of the whole strings, not normalised."""
        return self.vocabulary.rows(self.texts)

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
        squares = {"words": self.words.multiply(self.words), "title_words": self.title_words.multiply(self.title_words)}
        ones = {name: getattr(self, name) for name in ("families", "people", "numbers", "years_in_text")}
        return {
            name: np.asarray(matrix.sum(axis=1), dtype=np.float32).ravel() for name, matrix in (squares | ones).items()
        }

    @cached_property
    def venue_vectors(self) -> Sparse:
        """The words of the venues as vectors of length one."""
        return unit(self.vocabulary.rows(self.venues))

    @cached_property
    def families(self) -> Sparse:
        """Which family names are among the authors."""
        return indicator([[family for family, _ in view.people] for view in self.views])

    @cached_property
    def people(self) -> Sparse:
        """Which family names with first letters of given names are among the authors."""
        return indicator([[f"{family} {letter}" for family, letter in view.people if letter] for view in self.views])

    @cached_property
    def numbers(self) -> Sparse:
        """Which numbers are in the whole strings."""
        return indicator([[word for word in text.split() if word.isdigit()] for text in self.texts])

    @cached_property
    def years_in_text(self) -> Sparse:
        """Which numbers that can be years are in the whole strings."""
        return indicator([YEAR.findall(text) for text in self.texts])

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
    def codes(self) -> dict[str, Ints]:
        """A number for the text of each of the `CODED` fields in each row, 0 where there is none."""
        return {name: np.array([_code(getattr(view, name)) for view in self.views], dtype=np.int64) for name in CODED}

    @cached_property
    def filled(self) -> dict[str, NDArray[np.bool_]]:
        """Whether each row has a title, a venue, authors, and words that say that there are more authors."""
        return {
            "title": np.array([bool(view.title) for view in self.views], dtype=np.bool_),
            "venue": np.array([bool(view.venue) for view in self.views], dtype=np.bool_),
            "author": np.array([bool(view.people) for view in self.views], dtype=np.bool_),
            "more": np.array([view.more_people for view in self.views], dtype=np.bool_),
        }


def _numbered(values: Sequence[Hashable]) -> Ints:
    place: dict[Hashable, int] = {}
    return np.array([place.setdefault(value, len(place)) for value in values], dtype=np.int64)


def _code(text: str) -> int:
    return fingerprint(text) + 1 if text else 0


def first_word(text: str) -> str:
    """The first word of at least three letters."""
    return next((word for word in text.split() if len(word) > 2 and not word.isdigit()), "")
