"""ParsCit's own features, from its training file: the columns of each token at the offsets of its template.

Everything else is Ibidem's: the features become columns of a matrix that chains and semi-CRFs are trained on. A feature
is the value of a column at an offset, or the values of two at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.data import registry
from ibidem.data.readers.columns import pieces_of
from ibidem.data.readers.files import lines_of
from ibidem.models.likelihood import Encoded, matrix_of
from ibidem.types import IntArray

TRAIN = 883
"""The first strings of the pool are those of Cuong 2015 for training, the others for testing."""

Row = list[str]
# (offset, column): of the word three to each side, of some others one or two, of most the token's own.
_SINGLE = [(place, 0) for place in range(-3, 4)] + [(0, 1), (-1, 1)] + [(0, column) for column in range(2, 10)]
_SINGLE += [(place, 10) for place in range(-2, 3)] + [(place, column) for column in (11, 12) for place in (-1, 0, 1)]
_SINGLE += [(place, column) for place in (0, 1) for column in range(13, 20)] + [(0, 20), (0, 21), (0, 22)]
_PAIRS = [(-2, 0), (-1, 0), (0, 0), (1, 0)]  # with the next place of the same column
_PAIRS += [(place, column) for column in (11, 12, 22) for place in (-1, 0)]


@dataclass(frozen=True, slots=True)
class Pool:
    """Strings with the features of their tokens, and the label of each token."""

    words: tuple[tuple[str, ...], ...]
    features: tuple[tuple[tuple[str, ...], ...], ...]
    labels: tuple[tuple[str, ...], ...]

    def part(self, places: Iterable[int]) -> Pool:
        """Return some of the strings."""
        chosen = list(places)
        words, features, labels = self.words, self.features, self.labels
        return Pool(
            tuple(words[place] for place in chosen),
            tuple(features[place] for place in chosen),
            tuple(labels[place] for place in chosen),
        )


def _value(rows: Sequence[Row], place: int, column: int) -> str:
    return rows[place][column] if 0 <= place < len(rows) else f"edge{place if place < 0 else place - len(rows) + 1}"


def _features(rows: Sequence[Row], place: int) -> tuple[str, ...]:
    """Return the features of one token, as short strings."""
    single = [f"{column},{away}={_value(rows, place + away, column)}" for away, column in _SINGLE]
    pairs = [
        f"{column},{away}/={_value(rows, place + away, column)}/{_value(rows, place + away + 1, column)}"
        for away, column in _PAIRS
    ]
    return (*single, *pairs)


def read_pool() -> Pool:
    """Read all strings of ParsCit's file, with `notes` as `note`."""
    data = registry.dataset("parscit")
    path = registry.locate(data, data.files[0], registry.data_folder())
    strings = [rows for _, rows in pieces_of(lines_of(path, "replace"))]
    names = [tuple("note" if row[-1] == "notes" else row[-1] for row in rows) for rows in strings]
    found = [tuple(_features(rows, place) for place in range(len(rows))) for rows in strings]
    return Pool(tuple(tuple(row[0] for row in rows) for rows in strings), tuple(found), tuple(names))


class Dictionary:
    """Numbers of the features of some strings; other features are unknown."""

    def __init__(self, strings: Pool) -> None:
        self._number: dict[str, int] = {}
        for features in strings.features:
            for token in features:
                for name in token:
                    self._number.setdefault(name, len(self._number))

    def __len__(self) -> int:
        return len(self._number)

    def encode(self, strings: Pool, allowed: NDArray[np.bool_]) -> Encoded:
        """Encode the strings; `allowed` [N, labels] says which labels each token may have."""
        rows = [
            np.array([self._number[name] for name in token if name in self._number], dtype=np.int32)
            for features in strings.features
            for token in features
        ]
        matrix = matrix_of(rows, len(self))
        lengths = np.array([len(each) for each in strings.labels], dtype=np.int32)
        nothing = np.zeros((len(rows), 0), dtype=np.int32)
        token: IntArray = np.arange(len(rows), dtype=np.int32)
        return Encoded(matrix, token, nothing, lengths, np.packbits(allowed, axis=1), allowed.shape[1])
