"""How far a way to read a citation agrees, word by word, with how the other citations of its work are read.

Beside one value for each field, the attributes of a work are which of its words belong to which field. That is counted
over all ways to read the other citations, weighted by their probabilities: once for a word with the word before it, and
once, where the two are not found elsewhere, for the word alone. What is measured is the log-probability of the labels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Labelled = tuple[tuple[str, str], ...]
"""The words of a citation in their order, each with the label of its field, empty where it is in none."""

WORDS = ("words.together", "words.alone")
"""The two measures."""

_SEEN = 0.5  # times a word must be elsewhere to have a say
_ADDED = 0.05  # to the count of the label
_SPREAD = 0.5  # to the count of the word

_Key = str | tuple[str, str]
_Counts = dict[_Key, dict[str, float]]


def agreements(labelled: Sequence[Sequence[Labelled]], chances: Sequence[Sequence[float]]) -> list[Doubles]:
    """For each citation the two measures of each way to read it.  # [ways, 2] each

    `labelled[m][n]` is way n to read citation m and `chances[m][n]` its probability. A citation's own readings do not
    count for it; of one that stands alone both measures are 0.

    >>> one, other = (("tides", "title"), ("1984", "date")), (("tides", "journal"), ("1984", "date"))
    >>> agreements([[one], [one, other]], [[1.0], [0.5, 0.5]])[1].round(2).tolist()
    [[-0.71, 0.0], [-3.76, 0.0]]
    """
    whole: _Counts = {}
    for ways, chance in zip(labelled, chances, strict=True):
        _count(whole, ways, chance, 1.0)
    found = []
    for ways, chance in zip(labelled, chances, strict=True):
        _count(whole, ways, chance, -1.0)
        found.append(np.array([_measured(whole, way) for way in ways]).reshape(-1, 2))
        _count(whole, ways, chance, 1.0)
    return found


def _keys(way: Labelled) -> list[tuple[str, str]]:
    words = [word for word, _ in way]
    return list(zip(["", *words], words, strict=False))


def _count(counts: _Counts, ways: Sequence[Labelled], chances: Sequence[float], sign: float) -> None:
    for way, chance in zip(ways, chances, strict=True):
        for key, (word, label) in zip(_keys(way), way, strict=True):
            for each in (key, word):
                labels = counts.setdefault(each, {})
                labels[label] = labels.get(label, 0.0) + sign * chance


def _measured(counts: _Counts, way: Labelled) -> tuple[float, float]:
    together = alone = 0.0
    for key, (word, label) in zip(_keys(way), way, strict=True):
        labels = counts[key]
        times = sum(labels.values())
        if times > _SEEN:
            together += _log_share(labels, label, times)
            continue
        labels = counts[word]
        times = sum(labels.values())
        if times > _SEEN:
            alone += _log_share(labels, label, times)
    return together, alone


def _log_share(labels: dict[str, float], label: str, times: float) -> float:
    return math.log((max(labels.get(label, 0.0), 0.0) + _ADDED) / (times + _SPREAD))
