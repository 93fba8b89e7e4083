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


def _starts(batch: Batch, cut: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return where pieces begin: at the first token of every string and after every cut.  # [pieces]"""
    first = np.zeros(len(batch.position), dtype=np.bool_)
    first[batch.position == 0] = True
    first[1:] |= cut[:-1]
    return np.flatnonzero(first)


def _breaks(batch: Batch) -> NDArray[np.bool_]:
    return np.asarray(batch.statistics == BREAK)


def _number(batch: Batch, starts: NDArray[np.intp]) -> Codes:
    """Return the number of each token's piece.  # [N]"""
    marks = np.zeros(len(batch.position), dtype=np.int64)
    marks[starts] = 1
    return np.cumsum(marks) - 1


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
    if not len(starts):
        return np.zeros(0, dtype=np.int64)
    found: Codes = np.bitwise_or.reduceat(_bits(batch), starts)
    return found


def line_number(batch: Batch) -> Codes:
    """The number of lines before and after that of the token, up to seven each."""
    breaks = _breaks(batch)
    above = count_before(batch, breaks)
    below = count_all(batch, breaks) - above
    code: Codes = np.minimum(above, 7) * 8 + np.minimum(below, 7)
    return code


def position_in_line(batch: Batch) -> Codes:
    """The number of tokens of the line before and after, up to four each."""
    starts = _starts(batch, _breaks(batch))
    number = _number(batch, starts)
    ends = np.append(starts[1:], len(number)) if len(starts) else starts
    here = np.arange(len(number))
    code: Codes = np.minimum(here - starts[number], 4) * 5 + np.minimum(ends[number] - 1 - here, 4)
    return code


def made_of(batch: Batch) -> Codes:
    """What the line of the token is made of: organisations, countries, initials, marks, …"""
    starts = _starts(batch, _breaks(batch))
    return _made(batch, starts)[_number(batch, starts)]


def before_made_of(batch: Batch) -> Codes:
    """What the line before is made of, 0 for the first."""
    return _neighbour(batch, -1)


def after_made_of(batch: Batch) -> Codes:
    """What the line after is made of, 0 for the last."""
    return _neighbour(batch, 1)


def _neighbour(batch: Batch, offset: int) -> Codes:
    starts = _starts(batch, _breaks(batch))
    made, number = _made(batch, starts), _number(batch, starts)
    string = batch.string[starts]
    other = np.clip(np.arange(len(starts)) + offset, 0, max(len(starts) - 1, 0))
    same = (string[other] == string) & (other != np.arange(len(starts)))
    found: Codes = np.where(same, made[other], 0)[number]
    return found


def begins(batch: Batch) -> Codes:
    """The class of the token that the line begins with, and that of the token."""
    starts = _starts(batch, _breaks(batch))
    return batch.token_class[starts][_number(batch, starts)] * CLASS_COUNT + batch.token_class


def organisation_near(batch: Batch) -> Codes:
    """The number of words of organisations before and after in the line (0, 1, more), and the token's class."""
    starts = _starts(batch, _breaks(batch))
    number = _number(batch, starts)
    flags = ((batch.statistics == NUMBER["organisation"]) | (batch.statistics == NUMBER["department"])).astype(np.int64)
    running = np.cumsum(flags)
    above = (running - flags) - (running - flags)[starts][number]
    whole = np.add.reduceat(flags, starts)[number] if len(starts) else flags
    after = whole - above - flags
    found: Codes = (np.minimum(above, 2) * 3 + np.minimum(after, 2)) * COUNT + batch.statistics
    return found


def piece(batch: Batch) -> Codes:
    """What the piece between two commas is made of, and the number of pieces of the line before it."""
    breaks = _breaks(batch)
    comma = (batch.token_class == CLASS["comma"]) | (batch.token_class == CLASS["semicolon"])
    lines = _starts(batch, breaks)
    pieces = _starts(batch, breaks | comma)
    line, number = _number(batch, lines), _number(batch, pieces)
    rank = number - number[lines][line] if len(lines) else number
    return np.minimum(rank, 4) * MADE_OF + _made(batch, pieces)[number]
