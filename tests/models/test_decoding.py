"""Paths become the spans that their labels stand for, and every span finds its way into the masks."""

from __future__ import annotations

from itertools import pairwise, product

import brute
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.inference import Paths, nested_bio
from ibidem.labels.bio import levels_of, spans_of
from ibidem.labels.schema import SCHEMA
from ibidem.models.decoding import TokenDecoder
from ibidem.types import Span


def _forms(path: str) -> list[str]:
    parts = path.split("/")
    kinds = ("".join(kind) for kind in product("BI", repeat=len(parts)))
    return ["/".join(f"{k}-{part}" for k, part in zip(kind, parts, strict=True)) for kind in kinds if "BI" not in kind]


LABELS = ("O", *(form for path in SCHEMA for form in _forms(path)))
AUTOMATA = {remember: nested_bio(LABELS, remember)[0] for remember in (False, True)}
AFTER = {
    remember: {state: automaton.dst[automaton.src == state].tolist() for state in range(-1, len(automaton.label))}
    for remember, automaton in AUTOMATA.items()
}


@st.composite
def walks(draw) -> tuple[bool, list[list[int]]]:
    """Some paths through the automaton of the whole schema."""
    remember = draw(st.booleans())
    paths = []
    for length in draw(st.lists(st.integers(1, 12), min_size=1, max_size=4)):
        path: list[int] = []
        for _ in range(length):
            path.append(draw(st.sampled_from(AFTER[remember][path[-1] if path else -1])))
        paths.append(path)
    return remember, paths


def paths_of(strings: list[list[int]]) -> Paths:
    state = np.array([state for path in strings for state in path], dtype=np.int32)
    return Paths(
        state, np.ones(len(state), dtype=np.bool_), np.zeros(len(strings)), np.ones(len(strings), dtype=np.int32)
    )


@given(walks())
def test_the_spans_of_a_path_are_those_of_its_labels(walk):
    remember, paths = walk
    automaton = AUTOMATA[remember]
    decoder = TokenDecoder(automaton, LABELS)
    lengths = np.array([len(path) for path in paths], dtype=np.int32)
    found = decoder.spans(paths_of(paths), lengths)
    for path, spans in zip(paths, found, strict=True):
        labels = [LABELS[automaton.label[state]] for state in path]
        assert brute.nested_bio_is_valid(tuple(labels))
        assert tuple(spans) == spans_of(labels)
        assert spans == sorted(spans, key=lambda span: (span.start, -span.end, span.label.count("/")))


@given(walks())
def test_the_masks_say_where_each_span_begins_and_goes_on(walk):
    remember, paths = walk
    decoder = TokenDecoder(AUTOMATA[remember], LABELS)
    lengths = np.array([len(path) for path in paths], dtype=np.int32)
    spans = decoder.spans(paths_of(paths), lengths)
    first, inside = decoder.masks
    segments = decoder.fields.rows(spans)
    assert len(segments) == sum(map(len, spans))
    assert not (first & inside).any()
    for string, start, end, mask in segments.tolist():
        assert first[mask, paths[string][start]]
        assert all(inside[mask, state] for state in paths[string][start + 1 : end])
        assert end == lengths[string] or not inside[mask, paths[string][end]]


@pytest.mark.parametrize(
    ("labels", "spans"),
    [
        ("O O", []),
        ("B-title I-title O B-title", [("title", 0, 2), ("title", 3, 4)]),
        ("B-title B-title I-title", [("title", 0, 1), ("title", 1, 3)]),
        (
            "B-author/B-person I-author/I-person I-author I-author/B-person",
            [("author", 0, 4), ("author/person", 0, 2), ("author/person", 3, 4)],
        ),
        ("B-date/B-year B-date/B-year", [("date", 0, 1), ("date/year", 0, 1), ("date", 1, 2), ("date/year", 1, 2)]),
        ("I-title I-date I-date/I-year", [("title", 0, 1), ("date", 1, 3), ("date/year", 2, 3)]),  # begun by going on
        ("B-date/I-year B-date/I-year", [("date", 0, 1), ("date/year", 0, 1), ("date", 1, 2), ("date/year", 1, 2)]),
    ],
)
def test_labels_stand_for_spans(labels, spans):
    assert spans_of(labels.split()) == tuple(Span(*span) for span in spans)


def test_a_string_without_tokens_has_no_spans_and_no_segments():
    decoder = TokenDecoder(AUTOMATA[True], LABELS)
    assert decoder.spans(paths_of([]), np.array([0, 0], dtype=np.int32)) == [[], []]
    assert decoder.fields.rows([[], []]).shape == (0, 4)


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_taken_apart_into_its_levels(label):
    paths, going_on = levels_of(label)
    tags = [part[0] for part in label.split("/")] if label != "O" else []
    assert tags == ["I"] * going_on + ["B"] * (len(paths) - going_on)
    assert all(path in SCHEMA for path in paths)
    assert all(child.rpartition("/")[0] == parent for parent, child in pairwise(paths))
