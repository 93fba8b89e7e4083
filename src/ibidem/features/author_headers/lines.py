"""The line that a token stands in: which of the header, where in it, what it and the lines around it are made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ibidem.features.author_headers.gazetteer import BREAK, COUNT, NUMBER
from ibidem.features.batch import Batch, Codes
from ibidem.features.kind import COUNT as KINDS
from ibidem.features.kind import NUMBER as KIND
from ibidem.features.place import before, total

_MADE = 8  # bits
MADE_OF = 1 << _MADE
PIECE = 5 << _MADE


def _starts(batch: Batch, cut: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where stretches begin: at the first token of every string and after every cut.  # [number of stretches]"""
    first = np.zeros(len(batch.place), dtype=np.bool_)
    first[batch.place == 0] = True
    first[1:] |= cut[:-1]
    return np.flatnonzero(first)


def _breaks(batch: Batch) -> NDArray[np.bool_]:
    return np.asarray(batch.statistics == BREAK)


def _number(batch: Batch, starts: NDArray[np.intp]) -> Codes:
    """Which stretch each token is in.  # [N]"""
    marks = np.zeros(len(batch.place), dtype=np.int64)
    marks[starts] = 1
    return np.cumsum(marks) - 1


def _bits(batch: Batch) -> Codes:
    """What each token says of its line, one bit each.  # [N]"""
    kind, known = batch.kind, batch.statistics
    flags = (
        known == NUMBER["organisation"],
        known == NUMBER["department"],
        (known == NUMBER["country"]) | (known == NUMBER["address"]) | (kind == KIND["number3"]),
        (known == NUMBER["at"]) | (kind == KIND["link"]),
        kind == KIND["initial"],
        (known == NUMBER["digits"]) | (known == NUMBER["mark"]) | (known == NUMBER["superscript"]),
        (known == NUMBER["and"]) | (known == NUMBER["title"]),
        (kind == KIND["lower"]) | (known == NUMBER["remark"]),
    )
    return sum((flag.astype(np.int64) << place for place, flag in enumerate(flags)), np.zeros(len(kind), np.int64))


def _made(batch: Batch, starts: NDArray[np.intp]) -> Codes:
    """The bits of each stretch.  # [number of stretches]"""
    if not len(starts):
        return np.zeros(0, dtype=np.int64)
    found: Codes = np.bitwise_or.reduceat(_bits(batch), starts)
    return found


def line_number(batch: Batch) -> Codes:
    """How many lines stand before and after that of the token, up to seven each."""
    breaks = _breaks(batch)
    above = before(batch, breaks)
    below = total(batch, breaks) - above
    code: Codes = np.minimum(above, 7) * 8 + np.minimum(below, 7)
    return code


def place_in_line(batch: Batch) -> Codes:
    """How many tokens of the line stand before and after, up to four each."""
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
    """The kind of the token that the line begins with, and that of the token."""
    starts = _starts(batch, _breaks(batch))
    return batch.kind[starts][_number(batch, starts)] * KINDS + batch.kind


def organisation_near(batch: Batch) -> Codes:
    """How many words of organisations stand before and after in the line (none, one, more), and the token's class."""
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
    """What the piece between two commas is made of, and how many pieces of the line stand before it."""
    breaks = _breaks(batch)
    comma = (batch.kind == KIND["comma"]) | (batch.kind == KIND["semicolon"])
    lines = _starts(batch, breaks)
    pieces = _starts(batch, breaks | comma)
    line, number = _number(batch, lines), _number(batch, pieces)
    place = number - number[lines][line] if len(lines) else number
    return np.minimum(place, 4) * MADE_OF + _made(batch, pieces)[number]
