"""Fields as ranges become paths, and the documents they are from decide the split."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from ibidem.data.readers.ranges import nest, read_ranges, settle_initials
from ibidem.data.registry import BY_DOCUMENT
from ibidem.types import Annotation, Example, Malformed


def paths(fields, outermost=()):
    given = tuple(Annotation(*field) for field in fields)
    kept, crossed = nest(given, {label: rank for rank, label in enumerate(outermost)})
    return [(one.label, one.start, one.end) for one in kept], [one.label for one in crossed]


@pytest.mark.parametrize(
    ("fields", "outermost", "expected", "crossed"),
    [
        ([("b", 2, 4), ("a", 0, 9)], (), [("a", 0, 9), ("a/b", 2, 4)], []),
        ([("a", 0, 3), ("b", 3, 5)], (), [("a", 0, 3), ("b", 3, 5)], []),
        ([("family", 0, 4), ("list", 0, 4), ("name", 0, 4)], ("list", "name"),
         [("list", 0, 4), ("list/name", 0, 4), ("list/name/family", 0, 4)], []),
        ([("a", 0, 5), ("b", 3, 8)], (), [("a", 0, 5)], ["b"]),
        ([("editor/surname", 0, 5)], (), [("editor:surname", 0, 5)], []),
    ],
)  # fmt: skip
def test_a_range_inside_another_is_below_it(fields, outermost, expected, crossed):
    assert paths(fields, outermost) == (expected, crossed)


def test_lines_become_examples_and_what_is_wrong_is_reported(tmp_path):
    path = tmp_path / "x.jsonl"
    lines = [
        {"text": "Reed 1999", "doc": "a:1", "kind": "book", "fields": [{"label": "name", "start": 0, "end": 4}]},
        {"text": "Reed", "doc": "b", "fields": [{"label": "name", "start": 0, "end": 9}]},
        {
            "text": "Reed",
            "doc": "c",
            "fields": [{"label": "x", "start": 0, "end": 3}, {"label": "y", "start": 1, "end": 4}],
        },
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    first, malformed, crossing, last = read_ranges(path, "toy")
    assert first.source == "toy:a:1:book"
    assert isinstance(malformed, Malformed) and "not a range" in malformed.reason
    assert isinstance(crossing, Malformed) and "overlap" in crossing.reason
    assert [one.label for one in last.annotations] == ["x"]


def test_strings_of_one_document_are_in_one_split_and_a_twentieth_each_is_held_out():
    splits = {n: BY_DOCUMENT.choose(0, Example("x", (), f"toy:{n}:book")) for n in range(2000)}
    assert all(BY_DOCUMENT.choose(9, Example("y", (), f"toy:{n}:article")) == splits[n] for n in range(100))
    counts = Counter(splits.values())
    assert 60 < counts["dev"] < 140 and 60 < counts["test"] < 140


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("Reed, J. R. & Marsh, B. 1999", ["J. R", "B"], ["J. R.", "B."]),
        ("Reed JR, Marsh B. Bells.", ["JR", "B."], ["JR", "B"]),
        ("Reed JR. Bells.", ["JR."], ["JR"]),
        ("Reed, A. Bells.", ["A"], ["A."]),
        ("Reed A. Bells.", ["A."], ["A"]),
        ("A. Reed. Bells.", ["A"], ["A."]),
        ("Reed, Ada. Bells.", ["Ada"], ["Ada"]),
    ],
)
def test_full_stops_after_initials_are_settled_by_the_other_names(text, given, expected):
    annotations, place = [], 0
    for name in given:
        place = text.index(name, place)
        annotations.append(Annotation("given", place, place + len(name)))
        place += len(name)
    found = settle_initials(Example(text, tuple(annotations), "x"), "given")
    assert [text[one.start : one.end] for one in found.annotations] == expected
