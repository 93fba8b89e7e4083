"""Agreement of a labelling, word by word, with the labellings of the other citations of a work.

Besides one value for each field, the attributes of a work are which of its words belong to which field. That is counted
over all labellings of the other citations, weighted by their probabilities: for a word with the word before it, and,
where that bigram occurs nowhere else, for the word alone. The features are log-probabilities of the labels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ibidem.linking.vectors import Doubles

LabelledWords = tuple[tuple[str, str], ...]
"""The words of a citation in order, each with the label of its field, empty outside of any field."""

AGREEMENT = ("words.together", "words.alone")
"""The two features: by bigrams and by single words."""

_MIN_COUNT = 0.5  # elsewhere, for a word to be used
_LABEL_PRIOR = 0.05  # added to the count of the label
_WORD_PRIOR = 0.5  # added to the count of the word

_Key = str | tuple[str, str]
_Counts = dict[_Key, dict[str, float]]


def agreements(labelled: Sequence[Sequence[LabelledWords]], probabilities: Sequence[Sequence[float]]) -> list[Doubles]:
    """Return the two features of each labelling of each citation.  # [candidates, 2] each

    `labelled[m][n]` is labelling n of citation m and `probabilities[m][n]` its probability. A citation's own labellings
    do not count for it; for a single citation both features are 0.

    >>> one, other = (("tides", "title"), ("1984", "date")), (("tides", "journal"), ("1984", "date"))
    >>> agreements([[one], [one, other]], [[1.0], [0.5, 0.5]])[1].round(2).tolist()
    [[-0.71, 0.0], [-3.76, 0.0]]
    """
    whole: _Counts = {}
    for candidates, own in zip(labelled, probabilities, strict=True):
        _count(whole, candidates, own, 1.0)
    found = []
    for candidates, own in zip(labelled, probabilities, strict=True):
        _count(whole, candidates, own, -1.0)
        found.append(np.array([_log_probabilities(whole, words) for words in candidates]).reshape(-1, 2))
        _count(whole, candidates, own, 1.0)
    return found


def _bigrams(labelled: LabelledWords) -> list[tuple[str, str]]:
    words = [word for word, _ in labelled]
    return list(zip(["", *words], words, strict=False))


def _count(counts: _Counts, candidates: Sequence[LabelledWords], probabilities: Sequence[float], sign: float) -> None:
    for labelled, probability in zip(candidates, probabilities, strict=True):
        for key, (word, label) in zip(_bigrams(labelled), labelled, strict=True):
            for each in (key, word):
                labels = counts.setdefault(each, {})
                labels[label] = labels.get(label, 0.0) + sign * probability


def _log_probabilities(counts: _Counts, labelled: LabelledWords) -> tuple[float, float]:
    together_alone = [0.0, 0.0]
    for key, (word, label) in zip(_bigrams(labelled), labelled, strict=True):
        for feature, labels in enumerate((counts[key], counts[word])):
            times = sum(labels.values())
            if times > _MIN_COUNT:
                share = (max(labels.get(label, 0.0), 0.0) + _LABEL_PRIOR) / (times + _WORD_PRIOR)
                together_alone[feature] += math.log(share)
                break
    return together_alone[0], together_alone[1]
