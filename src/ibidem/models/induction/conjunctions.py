"""Conjunctions of features: several that hold at a token at once, and the tokens where they match.

A part of a conjunction is an attribute of the token some places away, or a code of its context. Where parts hold is
kept in bits, one a token, so that a conjunction is a few ANDs of whole words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ibidem.types import IntArray

Offsets = NDArray[np.int8]
Hits = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Tokens and the conjunctions that match at them, in order of tokens."""

FARTHEST = 16
"""Largest distance of a part from its token."""

_ROOM = 1 << 24  # bytes for the bits of a block of tokens
_FEWEST = 1 << 8  # tokens in a block, however many parts there are
_NOWHERE = (1 << 16) - 1  # in place of the number of a token in its block: there is none


@dataclass(frozen=True, slots=True)
class Conjunctions:
    """The parts of each conjunction; a row is padded with -1.

    A part from 0 on is the number of an attribute, -1 is padding, and below that -2 - row is a row of context.
    """

    TYPES: ClassVar[Mapping[str, type]] = {"part": np.int32, "offset": np.int8}  # the arrays of a model file

    part: IntArray = field(default_factory=lambda: np.zeros((0, 1), dtype=np.int32))  # [C, M]
    offset: Offsets = field(default_factory=lambda: np.zeros((0, 1), dtype=np.int8))  # [C, M] places further

    def __len__(self) -> int:
        return len(self.part)

    def only(self, kept: NDArray[np.bool_] | NDArray[np.int64]) -> Conjunctions:
        """Return some of the conjunctions."""
        return Conjunctions(self.part[kept], self.offset[kept])

    def extend(self, other: Conjunctions) -> Conjunctions:
        """Return these conjunctions and, after them, others."""
        widest = max(self.part.shape[1], other.part.shape[1])

        def pad(rows: NDArray[np.generic], value: int) -> NDArray[np.generic]:
            return np.pad(rows, ((0, 0), (0, widest - rows.shape[1])), constant_values=value)

        part = np.concatenate([pad(self.part, -1), pad(other.part, -1)]).astype(np.int32)
        offset = np.concatenate([pad(self.offset, 0), pad(other.offset, 0)]).astype(np.int8)
        return Conjunctions(part, offset)

    def attributes(self) -> NDArray[np.int64]:
        """Return the numbers of the attributes among the parts."""
        return np.unique(self.part[self.part >= 0]).astype(np.int64)

    def contexts(self) -> NDArray[np.int64]:
        """Return the rows of context among the parts."""
        return np.unique(-2 - self.part[self.part < -1].astype(np.int64))

    def renumber(self, attributes: NDArray[np.bool_], contexts: NDArray[np.bool_]) -> Conjunctions:
        """Return the same where only some attributes and rows of context are kept, all parts among them."""
        attribute, context = np.cumsum(attributes) - 1, np.cumsum(contexts) - 1
        part = self.part.copy()
        part[self.part >= 0] = attribute[self.part[self.part >= 0]]
        part[self.part < -1] = -2 - context[-2 - self.part[self.part < -1]]
        return Conjunctions(part, self.offset)

    def to_arrays(self) -> tuple[int, dict[str, NDArray[Any]]]:
        """Return the width of the rows, and the arrays of a model file."""
        return self.part.shape[1], {"part": self.part.ravel(), "offset": self.offset.ravel()}

    @classmethod
    def from_arrays(
        cls, width: int, arrays: Mapping[str, NDArray[Any]], attributes: int, contexts: int
    ) -> Conjunctions:
        """Return the conjunctions of `to_arrays`, none for a width of 0; a `ValueError` says what does not fit."""
        if not width:
            return cls()
        part, offset = arrays["part"], arrays["offset"]
        if width < 1 or len(part) % width or len(part) != len(offset):
            raise ValueError("the parts of its conjunctions are inconsistent")
        part, offset = part.reshape(-1, width), offset.reshape(-1, width)
        known = (part < attributes) & (part >= -1 - contexts)
        near = np.abs(offset.astype(np.int64)).max(initial=0) <= FARTHEST
        if not known.all() or not near or not (part != -1).any(axis=1).all():
            raise ValueError("its conjunctions join features that it does not have")
        return cls(part, offset)


class Matcher:
    """Finds the tokens at which conjunctions match."""

    def __init__(self, conjunctions: Conjunctions) -> None:
        part, offset = conjunctions.part.astype(np.int64), conjunctions.offset.astype(np.int64)
        self._attributes, self._contexts = conjunctions.attributes(), conjunctions.contexts()
        self._used = len(self._attributes) + len(self._contexts)
        self._number_of_attribute = _numbering(self._attributes, 0)
        self._number_of_context = _numbering(self._contexts, len(self._attributes))
        number = np.where(
            part >= 0,
            self._number_of_attribute[np.maximum(part, -1)],
            self._number_of_context[np.maximum(-2 - part, -1)],
        )
        span = 2 * FARTHEST + 1
        code = np.where(part == -1, -1, number * span + offset + FARTHEST)
        codes = np.unique(code[code >= 0])
        self._part, self._offset = codes // span, codes % span - FARTHEST  # [atoms]
        self._atoms = np.where(code < 0, len(codes), np.searchsorted(codes, code))  # [C, M] the last is nothing
        self._reach = int(np.abs(self._offset).max(initial=0))

    def parts_of_types(self, numbers: IntArray) -> IntArray:
        """Return the parts among the attributes of types, both padded with -1.  # [R, most]

        Parts are renumbered from 0 on.
        """
        found = _look_up(self._number_of_attribute, numbers)
        most = int((found >= 0).sum(axis=1).max(initial=0))
        return np.ascontiguousarray(-np.sort(-found, axis=1)[:, :most])  # the -1 go to the end and are cut off

    def hits(self, parts: IntArray, token: IntArray, context: IntArray, lengths: IntArray) -> Hits:
        """Return where conjunctions match, given parts of types, the type of each token and its rows of context."""
        count = len(token)
        # between strings there is a gap, so that no part of one is seen from another
        spot = np.arange(count) + self._reach * (np.repeat(np.arange(len(lengths)), lengths) + 1)
        block = min(max(_FEWEST, _ROOM // (self._used + len(self._part) // 8 + len(self._atoms) // 8 + 1)), _NOWHERE)
        found = [
            self._block(parts, token, context, spot, first, min(first + block, count))
            for first in range(0, count, block)
        ]
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        tokens, numbers = (np.concatenate(pieces) for pieces in zip(*found, strict=True))
        return tokens, numbers

    def _block(
        self, parts: IntArray, token: IntArray, context: IntArray, spot: NDArray[np.int64], first: int, last: int
    ) -> Hits:
        near = slice(max(first - self._reach, 0), last + self._reach)
        begin = int(spot[near.start]) - self._reach
        places = spot[near] - begin
        holds = np.zeros((self._used, int(places[-1]) + 1 + self._reach), dtype=np.bool_)
        columns = [parts[token[near]]]
        if len(self._contexts):
            columns.append(_look_up(self._number_of_context, context[near]))
        for numbers in columns:
            at = np.flatnonzero(numbers >= 0)
            holds[numbers.ravel()[at], places[at // max(numbers.shape[1], 1)]] = True
        bits = self._bits(holds, int(spot[first]) - begin, int(spot[last - 1] - spot[first]) + 1)
        conjunction, place = _set_bits(self._match_all(bits))
        here = np.full(8 * bits.shape[1], _NOWHERE, dtype=np.uint16)  # the token at each place
        here[spot[first:last] - spot[first]] = np.arange(last - first)
        tokens = here[place]
        order = np.argsort(tokens, kind="stable")  # of numbers so short it takes one look at each
        order = order[: int((tokens != _NOWHERE).sum())]
        return tokens[order].astype(np.int64) + first, conjunction[order]

    def _bits(self, holds: NDArray[np.bool_], begin: int, width: int) -> NDArray[np.uint8]:
        """Return where each part holds as seen from its offset, eight places a byte; the last row is all ones."""
        bits = np.full((len(self._part) + 1, -(-width // 8)), 255, dtype=np.uint8)
        for offset in np.unique(self._offset).tolist():
            which = np.flatnonzero(self._offset == offset)
            seen = holds[:, begin + offset : begin + offset + width]
            bits[which] = np.packbits(seen[self._part[which]], axis=1)
        return bits

    def _match_all(self, bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where all parts of each conjunction hold.  # [C, bytes]"""
        found: NDArray[np.uint8] = bits[self._atoms[:, 0]]
        for column in self._atoms.T[1:]:
            found &= bits[column]
        return found


def ids_of(hits: Hits, count: int, first: int) -> IntArray:
    """Return the rows of the weights of the conjunctions at each of `count` tokens, padded with -1.  # [N, most]

    The row of conjunction number 0 is `first`.
    """
    token, conjunction = hits
    each = np.bincount(token, minlength=count)
    ids = np.full((count, int(each.max(initial=0))), -1, dtype=np.int32)
    rank = np.arange(len(token)) - (np.cumsum(each) - each)[token]
    ids[token, rank] = conjunction + first
    return ids


def _numbering(used: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Return a table from what is used to numbers from `first` on; -1 for all else, and for its last two entries."""
    table = np.full(int(used.max(initial=-1)) + 3, -1, dtype=np.int64)
    table[used] = np.arange(first, first + len(used))
    return table


def _look_up(table: NDArray[np.int64], numbers: IntArray) -> IntArray:
    return table[np.minimum(numbers, len(table) - 1)].astype(np.int32)


def _set_bits(bits: NDArray[np.uint8]) -> Hits:
    """Return the row and the place of each bit that is set."""
    some = np.flatnonzero(bits != 0)
    found = np.flatnonzero(np.unpackbits(bits.ravel()[some]).view(np.bool_))
    at = some[found >> 3]
    row = at // bits.shape[1]
    return row, (at - row * bits.shape[1]) * 8 + (found & 7)
