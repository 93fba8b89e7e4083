"""Every score Ibidem reports, in one place: spans, tokens, fields, and whole references.

All of them start from three counts per label, added up over the strings: how often the label was *right* (predicted and
true), how often it was *predicted* and how often it was *true*. From those

    precision = right / predicted        recall = right / true        F1 = 2 · right / (predicted + true)

where 0 / 0 is 0. A *micro* average adds the counts of all labels before dividing; a *macro* average is the mean of the
F1 of the labels that are true somewhere. Whole-reference accuracy, the share of strings in which everything is right,
is the figure that matters to whoever uses the result and so comes first in every report.

| function         | one item is                     | right when                                           |
|------------------|---------------------------------|------------------------------------------------------|
| `score_spans`    | a labelled stretch of tokens    | label, start and end agree                           |
| `score_tokens`   | a token with its label          | the labels agree                                     |
| `score_fields`   | a field's text                  | label and text agree, edge punctuation set aside     |
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


class Stretch(Protocol):
    """Anything with a label, a start and an end: a `Span` over tokens, a `Annotation` or a `Field` over characters."""

    @property
    def label(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Text(Protocol):
    """Anything with a label and a text: a `Field`."""

    @property
    def label(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Score:
    """How often something was right, predicted and true, and the ratios of those counts.

    >>> score = Score(right=6, predicted=8, true=10)
    >>> score.precision, score.recall, round(score.f1, 3)
    (0.75, 0.6, 0.667)
    """

    right: int = 0
    predicted: int = 0
    true: int = 0

    @property
    def precision(self) -> float:
        """The share of what was predicted that is right; 0 when nothing was predicted."""
        return self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of what is true that was found; 0 when nothing is true."""
        return self.right / self.true if self.true else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 when nothing was predicted and nothing is true."""
        total = self.predicted + self.true
        return 2 * self.right / total if total else 0.0

    def __add__(self, other: Score) -> Score:
        return Score(self.right + other.right, self.predicted + other.predicted, self.true + other.true)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a report's table; `score` is None for the two accuracies and the macro average."""

    name: str
    value: float
    score: Score | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The scores of one system on one list of strings.

    `counts[i]` is the micro score of string i and `whole[i]` says whether everything in it is right: what the
    bootstrap and the paired tests of `ibidem.metrics.significance` take.
    """

    unit: str
    labels: Mapping[str, Score]
    counts: tuple[Score, ...]
    whole: tuple[bool, ...]
    item: str = "reference"  # what a string is

    @property
    def accuracy(self) -> float:
        """The share of strings in which everything is right; 0 for no strings."""
        return sum(self.whole) / len(self.whole) if self.whole else 0.0

    @property
    def micro(self) -> Score:
        """The counts of all labels added up."""
        return sum(self.labels.values(), Score())

    @property
    def macro(self) -> float:
        """The mean F1 of the labels that are true somewhere; 0 when there are none."""
        known = [score.f1 for score in self.labels.values() if score.true]
        return sum(known) / len(known) if known else 0.0

    def count_array(self) -> NDArray[np.int64]:
        """The counts of each string: right, predicted, true."""
        rows = [(score.right, score.predicted, score.true) for score in self.counts]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)  # [strings, 3]

    def f1_array(self) -> NDArray[np.float64]:
        """The F1 of each string."""
        return np.array([score.f1 for score in self.counts], dtype=np.float64)  # [strings]

    def whole_array(self) -> NDArray[np.bool_]:
        """Which strings are right as a whole."""
        return np.array(self.whole, dtype=np.bool_)  # [strings]

    def table(self) -> tuple[Row, ...]:
        """The lines one prints: whole references first, then the averages, then each label, the most frequent first."""
        frequent_first = sorted(self.labels.items(), key=lambda item: (-item[1].true, -item[1].predicted, item[0]))
        return (
            Row(f"whole {self.item}", self.accuracy),
            Row(f"{self.unit} F1, micro", self.micro.f1, self.micro),
            Row(f"{self.unit} F1, macro", self.macro),
            *(Row(label, score.f1, score) for label, score in frequent_first),
        )


def score_spans(gold: Sequence[Iterable[Stretch]], predicted: Sequence[Iterable[Stretch]]) -> Report:
    """The exact span scores: a span counts when its label, start and end are all right.

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
    """The token scores of two label sequences per string; tokens labelled `ignore` (no field) are not counted as items.

    Without `ignore` every token has one label on either side, so micro precision, recall and F1 are all the token
    accuracy. A string is whole when every token, ignored label included, agrees.

    >>> report = score_tokens([["author", "author", "title", "title"]], [["author", "title", "title", "title"]])
    >>> report.micro.f1, report.labels["author"].recall, report.labels["title"].precision
    (0.75, 0.5, 0.6666666666666666)
    """
    _same_number(gold, predicted)
    for number, (truth, guess) in enumerate(zip(gold, predicted, strict=True)):
        if len(truth) != len(guess):
            raise ValueError(
                f"string {number} has {len(truth)} true labels but {len(guess)} predicted ones: "
                "both sides must label the same tokens"
            )
    return _score(
        "token",
        [[item for item in enumerate(labels) if item[1] != ignore] for labels in gold],
        [[item for item in enumerate(labels) if item[1] != ignore] for labels in predicted],
        lambda item: (item[1], item[0]),
    )


def score_fields(gold: Sequence[Iterable[Text]], predicted: Sequence[Iterable[Text]]) -> Report:
    """The exact-field scores: a field counts when its label and its text agree, edge punctuation and blanks set aside.

    A field that occurs twice must be found twice (multisets). Fields with nothing but punctuation in them do not count.

    >>> from ibidem.types import Field
    >>> gold = [[Field("year", "(2019).", 0, 7, 1.0), Field("title", "On reeds", 8, 16, 1.0)]]
    >>> score_fields(gold, [[Field("year", "2019", 1, 5, 0.9), Field("title", "On", 8, 10, 0.9)]]).micro
    Score(right=1, predicted=2, true=2)
    """
    return score_texts(
        [[(field.label, field.text) for field in fields] for fields in gold],
        [[(field.label, field.text) for field in fields] for fields in predicted],
    )


def score_texts(gold: Sequence[Iterable[tuple[str, str]]], predicted: Sequence[Iterable[tuple[str, str]]]) -> Report:
    """The exact-field scores of `(label, text)` pairs; see `score_fields`."""

    def bare(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(label, kept) for label, text in fields if (kept := normalise(text))]

    return _score("field", [bare(fields) for fields in gold], [bare(fields) for fields in predicted], lambda pair: pair)


def normalise(text: str) -> str:
    """The text in NFKC, without non-alphanumeric characters at its edges and with each run of blanks made one.

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


def token_labels(spans: Iterable[Stretch], length: int, outside: str = "") -> tuple[str, ...]:
    """The label of each of `length` tokens; where spans are nested the innermost (the last given) counts.

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
    """The report over multisets of keys `(label, what)`, string by string."""
    _same_number(gold, predicted)
    labels: dict[str, list[int]] = {}
    counts: list[Score] = []
    whole: list[bool] = []
    for truth, guess in zip(gold, predicted, strict=True):
        true, found = Counter(map(key, truth)), Counter(map(key, guess))
        right = true & found
        for column, bag in enumerate((right, found, true)):
            for (label, _), times in bag.items():
                labels.setdefault(label, [0, 0, 0])[column] += times
        counts.append(Score(right.total(), found.total(), true.total()))
        whole.append(true == found)
    return Report(unit, {label: Score(*labels[label]) for label in sorted(labels)}, tuple(counts), tuple(whole))


def _same_number(gold: Sequence[object], predicted: Sequence[object]) -> None:
    if len(gold) != len(predicted):
        raise ValueError(
            f"{len(gold)} true strings but {len(predicted)} predicted ones: give one prediction per string"
        )
