"""All views of a collection as columns, ready to be compared pair by pair."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ibidem.coref.vectors import Floats, Ints, Sparse, Vocabulary, indicator, unit
from ibidem.coref.views import View
from ibidem.text.fold import fingerprint

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


@dataclass(frozen=True)
class Table:
    """Columns of views; row k is `views[k]`. `background` are counts of words from elsewhere, in `documents` texts."""

    views: Sequence[View]
    background: Mapping[str, int] | None = None
    documents: int = 0

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
    def first_names(self) -> list[str]:
        """The family names of the first authors, or the first words that can be names where no author is known."""
        return [view.people[0][0] if view.people else first_word(view.text) for view in self.views]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the whole strings."""
        return Vocabulary(self.texts, self.background, self.documents)

    @cached_property
    def words(self) -> Sparse:
        """The weights of the words of the whole strings, not normalised."""
        return self.vocabulary.rows(self.texts)

    @cached_property
    def word_vectors(self) -> Sparse:
        """The words of the whole strings as vectors of length one."""
        return unit(self.words)

    @cached_property
    def title_words(self) -> Sparse:
        """The weights of the words of the titles, not normalised."""
        return self.vocabulary.rows(self.titles)

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
        return indicator([_YEAR.findall(text) for text in self.texts])

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

    def column(self, value: Callable[[View], str]) -> Ints:
        """A number for the text of a field in each row, 0 where there is none."""
        return np.array([_code(value(view)) for view in self.views], dtype=np.int64)

    @cached_property
    def filled(self) -> dict[str, NDArray[np.bool_]]:
        """Whether each row has a title, a venue, authors, and first letters of all their given names."""
        return {
            "title": np.array([bool(view.title) for view in self.views], dtype=np.bool_),
            "venue": np.array([bool(view.venue) for view in self.views], dtype=np.bool_),
            "author": np.array([bool(view.people) for view in self.views], dtype=np.bool_),
            "more": np.array([view.more_people for view in self.views], dtype=np.bool_),
        }

    def sums(self, matrix: Sparse) -> Floats:
        """The sum of each row of a matrix."""
        return np.asarray(matrix.sum(axis=1), dtype=np.float32).ravel()


def _code(text: str) -> int:
    return fingerprint(text) + 1 if text else 0


def first_word(text: str) -> str:
    """The first word of at least three letters."""
    return next((word for word in text.split() if len(word) > 2 and not word.isdigit()), "")
