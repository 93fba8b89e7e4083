"""The immutable types that every room shares.

A string becomes a `Reference` (tokens with offsets), a model turns it into `Potentials`, inference turns those into
`ExpectedCounts` or a path, and a path becomes a `Labelling`: spans over the tokens, with confidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ibidem.records.record import Record

IntArray = NDArray[np.int32]
FloatArray = NDArray[np.floating]
BoolArray = NDArray[np.bool_]
_SHOWN = 40  # characters of the text in a repr


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of text without whitespace: characters `start:end` of the reference."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference string and its tokens; between two tokens there is only whitespace."""

    text: str
    tokens: tuple[Token, ...]
    source: str = ""


class Span(NamedTuple):
    """A label on tokens `start:end`; nested labels are paths such as `author/person/family`."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Labelling:
    """Spans over the tokens, parents before children, with the model's score.

    `confidence[i]` is the calibrated probability that `spans[i]` is exactly right; `alternatives` are the next best
    labellings in descending order of score.
    """

    spans: tuple[Span, ...]
    score: float = 0.0
    confidence: tuple[float, ...] = ()
    alternatives: tuple[Labelling, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """A label (a path when nested) on characters `start:end` of an example's text."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled string of a dataset: its text and its annotations, parents before children.

    `tokens` is empty unless the dataset is tokenised; `ibidem.text.tokenise` then splits the text.
    `partially_annotated` names the labels below which the dataset annotates nothing although our schema goes deeper
    (an author list without the parts of the names): there, missing annotations are unknown, not negative.
    """

    text: str
    annotations: tuple[Annotation, ...]
    source: str
    tokens: tuple[Token, ...] = ()
    partially_annotated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Malformed:
    """An entry of a file or dataset that could not be read: where it is, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Automaton:
    """Finite-state automaton of the label sequences that are allowed: states that emit a label, arcs between states.

    `src` is -1 for an arc out of the start. Several states may emit the same label; they share its scores.
    """

    label: IntArray  # [S]
    src: IntArray  # [A]
    dst: IntArray  # [A]
    final: BoolArray  # [S]


@dataclass(frozen=True, slots=True)
class Potentials:
    """Scores of a batch of strings: `span[t, d - 1, y]` of tokens t..t+d labelled y, `arc[a]` of arc a.

    The strings are concatenated; `lengths` are their numbers of tokens. A span that would run past the end of its
    string is never used.
    """

    span: FloatArray  # [N, L, Y], N = lengths.sum()
    arc: FloatArray  # [A]
    lengths: IntArray  # [B]


@dataclass(frozen=True, slots=True)
class ExpectedCounts:
    """Expected number of times that each span and arc is used, in the shape of `Potentials`.

    Gold labels, marginals, the best path and a sample are all such counts; `arc` is summed over the batch. In the
    training of a semi-CRF, whose span scores are sums over tokens and features, the counts are those of the summands:
    tokens by role, patterns, rows of features.
    """

    span: FloatArray  # [N, L, Y], or [N, R, Y] by role of the token
    arc: FloatArray  # [A], or of patterns
    segment: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))  # [Q, Y] of features of segments, if any

    def __sub__(self, other: ExpectedCounts) -> ExpectedCounts:
        return ExpectedCounts(self.span - other.span, self.arc - other.arc, self.segment - other.segment)


class Field(NamedTuple):
    """A field of a parsed string: its label, its text at characters `start:end`, and its calibrated confidence."""

    label: str
    text: str
    start: int
    end: int
    confidence: float


class Link(NamedTuple):
    """An author and an affiliation that belong together, as indices into the fields; `by` is "symbol" or "order"."""

    author: int
    affiliation: int
    by: str


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of soft constraints on a labelling: the fields without them, and the penalties that are avoided."""

    before: tuple[Field, ...]
    because: tuple[tuple[str, float], ...]  # constraints and the penalty saved on each, in descending order


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed string: its fields, or the error that explains why it has none.

    `alternatives` are the next best labellings. `change` is set where an explanation was asked for and constraints
    changed the labelling. `links` tie authors to affiliations; None for other tasks.

    >>> Parsed("Reed 2019", (Field("date", "2019", 5, 9, 0.98),), 0.95)
    Parsed('Reed 2019', 1 field, confidence 0.95)
    """

    text: str
    fields: tuple[Field, ...] = ()
    confidence: float = 0.0
    alternatives: tuple[Parsed, ...] = ()
    error: str | None = None
    change: Change | None = None
    links: tuple[Link, ...] | None = None

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= _SHOWN else self.text[: _SHOWN - 1] + "…"
        if self.error is not None:
            return f"Parsed({text!r}, error={self.error!r})"
        count = len(self.fields)
        return f"Parsed({text!r}, {count} field{'' if count == 1 else 's'}, confidence {self.confidence:.2f})"

    @property
    def record(self) -> Record:
        """The record of the parsed reference: its type and normalised fields; see `ibidem.record_of`."""
        from ibidem.records.build import record_of

        return record_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return what `ibidem parse` writes as JSON: text, fields and confidence, or text and error.

        >>> Parsed("Reed 2019", (Field("date", "2019", 5, 9, 0.98765432),), 0.9).to_dict()["fields"]
        [{'label': 'date', 'text': '2019', 'start': 5, 'end': 9, 'confidence': 0.9877}]
        """
        if self.error is not None:
            return {"text": self.text, "error": self.error}
        found: dict[str, Any] = {"text": self.text, "fields": _fields_to_dicts(self.fields)}
        found["confidence"] = round(self.confidence, 4)
        if self.links is not None:
            found["links"] = [link._asdict() for link in self.links]
        if self.alternatives:
            others = [other.to_dict() for other in self.alternatives]
            found["alternatives"] = [{k: other[k] for k in ("fields", "confidence") if k in other} for other in others]
        if self.change:
            because = [{"constraint": text, "saves": round(saved, 4)} for text, saved in self.change.because]
            found["change"] = {"before": _fields_to_dicts(self.change.before), "because": because}
        return found


def _fields_to_dicts(fields: Iterable[Field]) -> list[dict[str, Any]]:
    return [
        {"label": f.label, "text": f.text, "start": f.start, "end": f.end, "confidence": round(f.confidence, 4)}
        for f in fields
    ]
