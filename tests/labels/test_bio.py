"""Nested BIO: there and back, and sets of labels that never exclude the truth nor leave no way through."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.labels.bio import Compatibility, labels_of, spans_of
from ibidem.labels.schema import SCHEMA
from ibidem.text.tokens import tokenise
from ibidem.types import Annotation, Example, Span, Token


def _forms(path: str) -> list[str]:
    parts = path.split("/")
    kinds = ("".join(kind) for kind in product("BI", repeat=len(parts)))
    return ["/".join(f"{k}-{part}" for k, part in zip(kind, parts, strict=True)) for kind in kinds if "BI" not in kind]


ALL = ["O", *(form for path in SCHEMA for form in _forms(path))]
NUMBER = {label: index for index, label in enumerate(ALL)}


def may_follow(before: str, after: str) -> bool:
    above = [] if before == "O" else before.split("/")
    for level, part in enumerate([] if after == "O" else after.split("/")):
        if part[0] == "B":
            return True
        if level >= len(above) or above[level][2:] != part[2:]:
            return False
    return True


FOLLOWS = np.array([[may_follow(a, b) for b in ALL] for a in ALL])


def allowed_sets(tokens, example, labels, uncertain_boundaries=False):
    return Compatibility(labels).rows(tokens, example, uncertain_boundaries)


def has_a_path(allowed: np.ndarray) -> bool:
    reached = allowed[0] & FOLLOWS[NUMBER["O"]]
    for row in allowed[1:]:
        reached = row & FOLLOWS[reached].any(axis=0)
    return bool(reached.any())


@st.composite
def trees(draw, parent: str = "", start: int = 0, end: int = 12) -> list[Span]:
    """Spans of the schema over twelve tokens, parents first."""
    below = [label for label in SCHEMA if label.rpartition("/")[0] == parent]
    spans: list[Span] = []
    place = start
    while below and place < end and draw(st.booleans()):
        first = draw(st.integers(place, end - 1))
        last = draw(st.integers(first + 1, end))
        label = draw(st.sampled_from(below))
        spans += [Span(label, first, last), *draw(trees(label, first, last))]
        place = last
    return spans


TOKENS = tuple(Token("ab" if i % 3 else ",", 3 * i, 3 * i + (2 if i % 3 else 1)) for i in range(12))
TEXT = " ".join(token.text.ljust(2) for token in TOKENS)


def marks_of(spans: list[Span]) -> tuple[Annotation, ...]:
    return tuple(Annotation(s.label, TOKENS[s.start].start, TOKENS[s.end - 1].end) for s in spans)


@given(trees())
def test_spans_come_back_from_their_labels(spans):
    labels, cut = labels_of(TOKENS, marks_of(spans))
    assert cut == 0 and set(labels) <= set(ALL)
    assert spans_of(labels) == tuple(sorted(spans, key=lambda s: (s.start, -s.end, s.label.count("/"))))


@given(trees(), st.sets(st.sampled_from(["author", "editor", "date", "pages", "author/person"])), st.booleans())
def test_what_may_be_includes_what_is_and_leaves_a_way(spans, partially_annotated, loose):
    annotations = marks_of(spans)
    example = Example(TEXT, annotations, "test", TOKENS, frozenset(partially_annotated))
    allowed = allowed_sets(TOKENS, example, ALL, loose)
    labels, _ = labels_of(TOKENS, annotations)
    assert allowed.shape == (12, len(ALL))
    assert all(allowed[t, NUMBER[label]] for t, label in enumerate(labels))
    if not partially_annotated and not loose:
        assert (allowed.sum(axis=1) == 1).all()
    assert has_a_path(allowed)


@given(trees(), st.data())
def test_alternatives_and_unknowns_leave_a_way(spans, data):
    flat = [span for span in spans if "/" not in span.label]
    labels = st.sampled_from(["?", "journal|book", "author|title", "note"])
    annotations = marks_of([Span(data.draw(labels), span.start, span.end) for span in flat])
    assert has_a_path(allowed_sets(TOKENS, Example(TEXT, annotations, "test"), ALL, data.draw(st.booleans())))


def named(row: np.ndarray) -> set[str]:
    return {label for label, yes in zip(ALL, row, strict=True) if yes}


def test_an_opaque_list_may_hold_anything_a_list_holds():
    text = "A. Quill 1999"
    example = Example(text, (Annotation("author", 0, 8), Annotation("date", 9, 13)), "test", (), frozenset({"author"}))
    rows = allowed_sets(tokenise(text), example, ALL)
    assert named(rows[0]) == {
        "B-author", "B-author/B-person", "B-author/B-person/B-family", "B-author/B-person/B-given",
        "B-author/B-person/B-suffix", "B-author/B-collaboration", "B-author/B-etal",
    }  # fmt: skip
    assert named(rows[1]) == {label for label in ALL if label.startswith("I-author")}
    assert named(rows[3]) == {"B-date"}


def test_an_opaque_list_that_the_example_divides_is_definite():
    text = "A. Quill"
    annotations = (
        Annotation("author", 0, 8),
        Annotation("author/person", 0, 8),
        Annotation("author/person/family", 3, 8),
    )
    rows = allowed_sets(tokenise(text), Example(text, annotations, "test", (), frozenset({"author"})), ALL)
    assert named(rows[2]) == {"I-author/I-person/B-family"}


def test_either_of_two_labels_and_anything():
    text = "Pens 12 x"
    rows = allowed_sets(
        tokenise(text), Example(text, (Annotation("journal|book", 0, 4), Annotation("?", 5, 9)), "test"), ALL
    )
    assert named(rows[0]) == {"B-journal", "B-book"}
    assert named(rows[1]) == {label for label in ALL if label[0] != "I"}  # what was before has ended
    assert rows[2].all()


def test_punctuation_after_a_field_may_belong_to_it_if_boundaries_are_uncertain():
    text = "A. Quill, Pens."
    annotations = (
        Annotation("author", 0, 8),
        Annotation("author/person", 0, 8),
        Annotation("author/person/given", 0, 1),
        Annotation("title", 10, 14),
    )
    tokens = tokenise(text)
    strict = allowed_sets(tokens, Example(text, annotations, "test"), ALL)
    loose = allowed_sets(tokens, Example(text, annotations, "test"), ALL, uncertain_boundaries=True)
    assert named(strict[1]) == {"I-author/I-person"}
    assert named(loose[1]) == {"I-author/I-person", "I-author/I-person/I-given"}
    assert named(loose[3]) == {"O", "I-author", "I-author/I-person"}
    assert named(loose[5]) == {"O", "I-title"}
    assert named(loose[4]) == {"B-title"}


def test_a_model_without_a_label_takes_the_one_above():
    text = "1999"
    annotations = (Annotation("date", 0, 4), Annotation("date/year", 0, 4))
    rows = allowed_sets(tokenise(text), Example(text, annotations, "test"), ["O", "B-date", "I-date"])
    assert rows.tolist() == [[False, True, False]]
    assert allowed_sets(tokenise(text), Example(text, (Annotation("note", 0, 4),), "test"), ["O", "B-date"]).all()


@pytest.mark.parametrize(
    ("annotations", "labels", "cut"),
    [
        ([Annotation("title", 0, 3)], ["B-title", "O"], 1),
        ([Annotation("title", 0, 1)], ["O", "O"], 1),
        ([Annotation("title", 0, 2), Annotation("note", 2, 7)], ["B-title", "B-note"], 1),
        ([Annotation("author/person", 0, 4)], ["O", "O"], 0),  # no parent
        ([Annotation("title", 0, 4), Annotation("title", 0, 4)], ["B-title", "O"], 0),
    ],
)
def test_a_token_belongs_to_the_mark_that_covers_most_of_it(annotations, labels, cut):
    assert labels_of([Token("pens", 0, 4), Token("in", 5, 7)], annotations) == (labels, cut)


def test_an_inside_that_continues_nothing_begins_a_span():
    assert spans_of(["I-title", "I-title", "O", "I-date/I-year"]) == (
        Span("title", 0, 2),
        Span("date", 3, 4),
        Span("date/year", 3, 4),
    )
    assert spans_of([]) == ()
