"""Exact match and F1 of spans, tokens and fields.

Every score starts from three counts per label, summed over the strings: true positives (TP), predicted items and gold
items.

    precision = TP / predicted        recall = TP / gold        F1 = 2 · TP / (predicted + gold)

where 0 / 0 is 0. The *micro* average sums the counts of all labels before dividing; the *macro* average is the mean F1
of the labels that occur in the gold annotation. *Exact match*, the share of strings in which every item is correct, is
what matters most to users and comes first in every report.

| function         | an item is                      | a true positive when                                 |
|------------------|---------------------------------|------------------------------------------------------|
| `score_spans`    | a labelled span                 | label, start and end agree                           |
| `score_tokens`   | a token with its label          | the labels agree                                     |
| `score_texts`    | the text of a field             | label and text agree, punctuation at the ends aside  |
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")


class LabelledRange(Protocol):
    """Anything with a label, a start and an end: a `Span` over tokens, an `Annotation` or a `Field` over characters."""

    @property
    def label(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of true positives, predicted and gold items, and their ratios.

    >>> score = Score(true_positives=6, predicted=8, gold=10)
    >>> score.precision, score.recall, round(score.f1, 3)
    (0.75, 0.6, 0.667)
    """

    true_positives: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """Share of the predicted items that are correct; 0 if nothing was predicted."""
        return self.true_positives / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold items that were found; 0 if there are none."""
        return self.true_positives / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if there are neither predicted nor gold items."""
        total = self.predicted + self.gold
        return 2 * self.true_positives / total if total else 0.0

    def __add__(self, other: Score) -> Score:
        true_positives = self.true_positives + other.true_positives
        return Score(true_positives, self.predicted + other.predicted, self.gold + other.gold)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a report's table; `score` is None for exact match and for the macro average."""

    name: str
    value: float
    score: Score | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Scores of one system on a list of strings.

    `counts[i]` is the micro score of string i, and `exact_matches[i]` says whether every item of it is correct: the
    input of the bootstrap and the paired tests in `ibidem.metrics.significance`.
    """

    unit: str
    labels: Mapping[str, Score]
    counts: tuple[Score, ...]
    exact_matches: tuple[bool, ...]
    item: str = "reference"  # what one string is called

    @property
    def accuracy(self) -> float:
        """Share of strings that match exactly; 0 if there are no strings."""
        return sum(self.exact_matches) / len(self.exact_matches) if self.exact_matches else 0.0

    @property
    def micro(self) -> Score:
        """Sum of the counts of all labels."""
        return sum(self.labels.values(), Score())

    @property
    def macro(self) -> float:
        """Mean F1 of the labels that occur in the gold annotation; 0 if there are none."""
        scores = [score.f1 for score in self.labels.values() if score.gold]
        return sum(scores) / len(scores) if scores else 0.0

    def count_array(self) -> NDArray[np.int64]:
        """Return the counts of each string: true positives, predicted, gold."""
        rows = [(score.true_positives, score.predicted, score.gold) for score in self.counts]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)  # [strings, 3]

    def f1_array(self) -> NDArray[np.float64]:
        """Return the F1 of each string."""
        return np.array([score.f1 for score in self.counts], dtype=np.float64)  # [strings]

    def exact_match_array(self) -> NDArray[np.bool_]:
        """Return which strings match exactly."""
        return np.array(self.exact_matches, dtype=np.bool_)  # [strings]

    def table(self) -> tuple[Row, ...]:
        """Return the rows to print: exact match, then the averages, then each label, the most frequent first."""
        frequent_first = sorted(self.labels.items(), key=lambda item: (-item[1].gold, -item[1].predicted, item[0]))
        return (
            Row("exact match", self.accuracy),
            Row(f"{self.unit} F1, micro", self.micro.f1, self.micro),
            Row(f"{self.unit} F1, macro", self.macro),
            *(Row(label, score.f1, score) for label, score in frequent_first),
        )


def score_spans(gold: Sequence[Iterable[LabelledRange]], predicted: Sequence[Iterable[LabelledRange]]) -> Report:
    """Score spans: a predicted span is correct if its label, start and end are those of a gold span.

    >>> from ibidem.types import Span
    >>> gold = [[Span("author", 0, 3), Span("title", 3, 9)]]
    >>> report = score_spans(gold, [[Span("author", 0, 3), Span("title", 3, 8)]])
    >>> report.accuracy, report.labels["author"].f1, report.micro.f1
    (0.0, 1.0, 0.5)
    """
    return _score("span", gold, predicted, lambda span: (span.label, (span.start, span.end)))


def score_tokens(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], ignore: str | None = None
) -> Report:
    """Score the labels of tokens; tokens labelled `ignore` (no field) are not counted as items.

    Without `ignore` every token has one gold and one predicted label, so micro precision, recall and F1 all equal the
    token accuracy. A string matches exactly if the labels of all its tokens agree, the ignored one included.

    >>> report = score_tokens([["author", "author", "title", "title"]], [["author", "title", "title", "title"]])
    >>> report.micro.f1, report.labels["author"].recall, report.labels["title"].precision
    (0.75, 0.5, 0.6666666666666666)
    """
    _check_same_length(gold, predicted)
    for number, (truth, guess) in enumerate(zip(gold, predicted, strict=True)):
        if len(truth) != len(guess):
            raise ValueError(
                f"string {number} has {len(truth)} gold labels but {len(guess)} predicted ones: "
                "both sides must label the same tokens"
            )
    return _score(
        "token",
        [[item for item in enumerate(labels) if item[1] != ignore] for labels in gold],
        [[item for item in enumerate(labels) if item[1] != ignore] for labels in predicted],
        lambda item: (item[1], item[0]),
    )


def score_texts(gold: Sequence[Iterable[tuple[str, str]]], predicted: Sequence[Iterable[tuple[str, str]]]) -> Report:
    """Score fields as `(label, text)`: correct if both agree, punctuation and whitespace at the ends of texts aside.

    A field that occurs twice must be found twice (multisets). Fields of nothing but punctuation are not counted.

    >>> score_texts([[("date", "(2019)."), ("title", "On reeds")]], [[("date", "2019"), ("title", "On")]]).micro
    Score(true_positives=1, predicted=2, gold=2)
    """

    def strip(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(label, stripped) for label, text in fields if (stripped := normalise(text))]

    return _score("field", [*map(strip, gold)], [*map(strip, predicted)], lambda pair: pair)


def normalise(text: str) -> str:
    """Normalise to NFKC, collapse whitespace, and strip non-alphanumeric characters from both ends.

    >>> normalise(' "The ﬁrst\\u00a0 reed," ')
    'The first reed'
    >>> normalise("...")
    ''
    """
    words = " ".join(unicodedata.normalize("NFKC", text).split())
    keep = [place for place, character in enumerate(words) if character.isalnum()]
    if not keep:
        return ""
    end = keep[-1] + 1
    while end < len(words) and unicodedata.combining(words[end]):  # an accent stays with its letter
        end += 1
    return words[keep[0] : end]


def token_labels(spans: Iterable[LabelledRange], length: int, outside: str = "") -> tuple[str, ...]:
    """Return the label of each of `length` tokens; of nested spans the innermost, given last, counts.

    >>> from ibidem.types import Span
    >>> token_labels([Span("author", 0, 3), Span("author/family", 1, 2)], 4)
    ('author', 'author/family', 'author', '')
    """
    labels = [outside] * length
    for span in spans:
        labels[span.start : span.end] = [span.label] * (min(span.end, length) - span.start)
    return tuple(labels)


def _score(
    unit: str,
    gold: Sequence[Iterable[Item]],
    predicted: Sequence[Iterable[Item]],
    key: Callable[[Item], tuple[str, Hashable]],
) -> Report:
    """Compare multisets of keys `(label, value)` string by string."""
    _check_same_length(gold, predicted)
    labels: dict[str, list[int]] = {}
    counts: list[Score] = []
    exact: list[bool] = []
    for truth, guess in zip(gold, predicted, strict=True):
        expected, found = Counter(map(key, truth)), Counter(map(key, guess))
        correct = expected & found
        for column, bag in enumerate((correct, found, expected)):
            for (label, _), times in bag.items():
                labels.setdefault(label, [0, 0, 0])[column] += times
        counts.append(Score(correct.total(), found.total(), expected.total()))
        exact.append(expected == found)
    return Report(unit, {label: Score(*labels[label]) for label in sorted(labels)}, tuple(counts), tuple(exact))


def _check_same_length(gold: Sequence[object], predicted: Sequence[object]) -> None:
    if len(gold) != len(predicted):
        raise ValueError(
            f"{len(gold)} gold strings but {len(predicted)} predicted ones: give one prediction per string"
        )
