"""The few shapes that travel through Ibidem; none of them can be changed.

A string becomes a `Reference` (tokens with offsets), a model turns it into `Potentials`, inference turns those into
`ExpectedCounts` or a path, and a path becomes a `Labelling`: spans over the tokens, with confidence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int32]
FloatArray = NDArray[np.floating]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text without blanks; `text` is what stands at `start:end` of the reference."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference string and its tokens; whatever lies between two tokens is blank."""

    text: str
    tokens: tuple[Token, ...]
    source: str = ""


class Span(NamedTuple):
    """Tokens `start:end` carry `label`; nested labels are paths such as `author/person/family`."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Labelling:
    """Spans over the tokens, parents before children, with the model's score.

    `confidence[i]` is the calibrated probability that `spans[i]` is exactly right; `alternatives` are the next best
    labellings, best first.
    """

    spans: tuple[Span, ...]
    score: float = 0.0
    confidence: tuple[float, ...] = ()
    alternatives: tuple[Labelling, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """Characters `start:end` of an example's text carry `label` (a path when nested)."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled reference string as a dataset gives it: the text and its marks, parents before children.

    `tokens` is filled where the dataset comes already split; otherwise it is empty and the text is to be split by
    `ibidem.text.tokenise`. `opaque` names the labels whose inside the dataset does not annotate although our schema
    goes deeper there (an author list without the parts of the names): nothing may be concluded from silence there.
    """

    text: str
    annotations: tuple[Annotation, ...]
    source: str
    tokens: tuple[Token, ...] = ()
    partially_annotated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Malformed:
    """A piece of a dataset that could not be read, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Automaton:
    """Which label may follow which: states that show a label, and arcs between states.

    `src` is -1 for an arc out of the start. Several states may show the same label (they share its scores).
    """

    label: IntArray  # [S]
    src: IntArray  # [A]
    dst: IntArray  # [A]
    final: BoolArray  # [S]


@dataclass(frozen=True, slots=True)
class Potentials:
    """Scores of a batch of strings: `span[t, d - 1, y]` is that of tokens t..t+d labelled y, `arc` that of each arc.

    The strings lie one after the other; `lengths` says how many tokens each has. A span that would run past the end
    of its string is never used.
    """

    span: FloatArray  # [N, L, Y], N = lengths.sum()
    arc: FloatArray  # [A]
    lengths: IntArray  # [B]


def _no_segments() -> FloatArray:
    return np.zeros((0, 0))


@dataclass(frozen=True, slots=True)
class ExpectedCounts:
    """How often each span and arc is used, surely or on average: of gold labels, marginals, a best path or a sample.

    The same shape as `Potentials`; `arc` is summed over the batch. In the training of a semi-CRF, whose span scores are
    sums over tokens and features, the counts are those of what is summed: tokens by role, patterns, rows of features.
    """

    span: FloatArray  # [N, L, Y], or [N, R, Y] by role of the token
    arc: FloatArray  # [A], or of patterns
    segment: FloatArray = field(default_factory=_no_segments)  # [Q, Y] of features of whole segments, where there are

    def __sub__(self, other: ExpectedCounts) -> ExpectedCounts:
        return ExpectedCounts(self.span - other.span, self.arc - other.arc, self.segment - other.segment)


class Field(NamedTuple):
    """One field of a parsed reference: what it is, its text, where it stands and how sure the model is."""

    label: str
    text: str
    start: int
    end: int
    confidence: float


class Link(NamedTuple):
    """An author and an affiliation that belong together, each by its place among the fields; `by` symbol or order."""

    author: int
    affiliation: int
    by: str


@dataclass(frozen=True, slots=True)
class Change:
    """What constraints did to an answer: the fields found without them, and what each would have cost to break."""

    before: tuple[Field, ...]
    because: tuple[tuple[str, float], ...]  # the constraint, and the penalty that the answer saves; the most first


@dataclass(frozen=True, slots=True)
class Parsed:
    """What came of one input: its fields, or the reason why there are none.

    `change` is filled where an explanation was asked for and constraints changed the answer; `links` tie authors to
    affiliations, None where they were not looked for.
    """

    text: str
    fields: tuple[Field, ...] = ()
    confidence: float = 0.0
    alternatives: tuple[Parsed, ...] = ()
    error: str | None = None
    change: Change | None = None
    links: tuple[Link, ...] | None = None
