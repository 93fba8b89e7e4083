"""Marks that look as if they had been superscripts: short, glued to a word or alone at the start of a line."""

from __future__ import annotations

import numpy as np

from ibidem.features.author_headers.gazetteer import BREAK, CLASSES, NUMBER, class_of
from ibidem.features.batch import Batch, Codes

_LOOKS = ("digits", "letter", "mark", "superscript", "capital")
_TABLE = np.array([_LOOKS.index(name) + 1 if name in _LOOKS else 0 for name in CLASSES], dtype=np.int64)
# of a neighbour: outside, a line break, a short mark, a comma or the like, a word of the gazetteers, any other token
_NEIGHBOURS = 6
SIZE = (len(_LOOKS) + 1) * 4 * _NEIGHBOURS * _NEIGHBOURS


def attributes(text: str) -> list[str]:
    """What a token alone says of being a symbol.

    >>> attributes("†"), attributes("3"), attributes("Reed")
    (['symbol=mark'], ['symbol=digits'], [])
    """
    name = CLASSES[class_of(text)]
    return [f"symbol={name}"] if name in _LOOKS else []


def around(batch: Batch) -> Codes:
    """What kind of mark a token looks like, the blanks around it, and what stands before and after."""
    looks = _TABLE[np.minimum(batch.statistics, len(_TABLE) - 1)]
    neighbour = np.full(len(looks), 5, dtype=np.int64)
    neighbour[batch.statistics > BREAK] = 4
    neighbour[(batch.head > 0) & (batch.statistics == 0)] = 3
    neighbour[looks > 0] = 2
    neighbour[batch.statistics == NUMBER["break"]] = 1
    after = batch.shifted(batch.blank.astype(np.int64), 1, fill=1)
    blanks = batch.blank * 2 + after
    code = (looks * 4 + blanks) * _NEIGHBOURS + batch.shifted(neighbour, -1)
    found: Codes = code * _NEIGHBOURS + batch.shifted(neighbour, 1)
    return found
