"""The line that a token is in: its number in the header, the position in it, its make-up and that of its neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.author_headers.gazetteer import BREAK, COUNT, NUMBER
from ibidem.features.batch import Batch, Codes
from ibidem.features.position import count_all, count_before
from ibidem.features.token_class import COUNT as CLASS_COUNT
from ibidem.features.token_class import NUMBER as CLASS

_MADE = 8  # bits
MADE_OF = 1 << _MADE
PIECE = 5 << _MADE


def _pieces(batch: Batch, cut: NDArray[np.bool_]) -> tuple[NDArray[np.intp], Codes]:
    """Return the first token of each piece, and the piece of each token; there are cuts after tokens and strings."""
    first = batch.position == 0
    first[1:] |= cut[:-1]
    return np.flatnonzero(first), np.cumsum(first) - 1  # [pieces], [N]


def _lines(batch: Batch) -> tuple[NDArray[np.intp], Codes]:
    return _pieces(batch, batch.statistics == BREAK)


def _bits(batch: Batch) -> Codes:
    """Return what each token says of its line, one bit each.  # [N]"""
    token_class, known = batch.token_class, batch.statistics
    flags = (
        known == NUMBER["organisation"],
        known == NUMBER["department"],
        (known == NUMBER["country"]) | (known == NUMBER["address"]) | (token_class == CLASS["number3"]),
        (known == NUMBER["at"]) | (token_class == CLASS["link"]),
        token_class == CLASS["initial"],
        (known == NUMBER["digits"]) | (known == NUMBER["mark"]) | (known == NUMBER["superscript"]),
        (known == NUMBER["and"]) | (known == NUMBER["title"]),
        (token_class == CLASS["lower"]) | (known == NUMBER["remark"]),
    )
    return sum((flag.astype(np.int64) << bit for bit, flag in enumerate(flags)), np.zeros(len(token_class), np.int64))


def _made(batch: Batch, starts: NDArray[np.intp]) -> Codes:
    """Return the bits of each piece.  # [pieces]"""
    return np.bitwise_or.reduceat(_bits(batch), starts)


def line_number(batch: Batch) -> Codes:
    """The number of lines before and after that of the token, up to seven each."""
    breaks = batch.statistics == BREAK
    above = count_before(batch, breaks)
    below = count_all(batch, breaks) - above
    return np.asarray(np.minimum(above, 7) * 8 + np.minimum(below, 7))


def position_in_line(batch: Batch) -> Codes:
    """The number of tokens of the line before and after, up to four each."""
    starts, number = _lines(batch)
    ends = np.append(starts[1:], len(number))
    here = np.arange(len(number))
    return np.asarray(np.minimum(here - starts[number], 4) * 5 + np.minimum(ends[number] - 1 - here, 4))


def made_of(batch: Batch) -> Codes:
    """What the line of the token is made of: organisations, countries, initials, marks, …"""
    starts, number = _lines(batch)
    return _made(batch, starts)[number]


def before_made_of(batch: Batch) -> Codes:
    """What the line before is made of, 0 for the first."""
    return _neighbour(batch, -1)


def after_made_of(batch: Batch) -> Codes:
    """What the line after is made of, 0 for the last."""
    return _neighbour(batch, 1)


def _neighbour(batch: Batch, offset: int) -> Codes:
    starts, number = _lines(batch)
    made = _made(batch, starts)
    string = batch.string[starts]
    other = np.clip(np.arange(len(starts)) + offset, 0, max(len(starts) - 1, 0))
    same = (string[other] == string) & (other != np.arange(len(starts)))
    return np.where(same, made[other], 0)[number]


def begins(batch: Batch) -> Codes:
    """The class of the token that the line begins with, and that of the token."""
    starts, number = _lines(batch)
    return batch.token_class[starts][number] * CLASS_COUNT + batch.token_class


def organisation_near(batch: Batch) -> Codes:
    """The number of words of organisations before and after in the line (0, 1, more), and the token's class."""
    starts, number = _lines(batch)
    flags = ((batch.statistics == NUMBER["organisation"]) | (batch.statistics == NUMBER["department"])).astype(np.int64)
    running = np.cumsum(flags)
    above = (running - flags) - (running - flags)[starts][number]
    whole = np.add.reduceat(flags, starts)[number]
    after = whole - above - flags
    return np.asarray((np.minimum(above, 2) * 3 + np.minimum(after, 2)) * COUNT + batch.statistics)


def piece(batch: Batch) -> Codes:
    """What the piece between two commas is made of, and the number of pieces of the line before it."""
    comma = (batch.token_class == CLASS["comma"]) | (batch.token_class == CLASS["semicolon"])
    lines, line = _lines(batch)
    pieces, number = _pieces(batch, (batch.statistics == BREAK) | comma)
    rank = number - number[lines][line]
    return np.asarray(np.minimum(rank, 4) * MADE_OF + _made(batch, pieces)[number])
