"""Outputs: one answer per item, in order, faithful to the text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.cli.inputs import Item
from ibidem.cli.outputs import parse_items, to_json_line
from ibidem.cli.pretty import draw, legend
from ibidem.cli.tables import show_report
from ibidem.metrics.scoring import score_texts
from ibidem.types import Field, Parsed

REED = Parsed("Reed 2019", (Field("author", "Reed", 0, 4, 0.99), Field("date", "2019", 5, 9, 0.5)), 0.495)


def in_batches(size: int):
    """A verb that reads `size` texts ahead, as a model that parses batches does."""

    def verb(texts: Iterable[str]) -> Iterator[Parsed]:
        source = iter(texts)
        while batch := list(islice(source, size)):
            yield from (Parsed(text, error=None if text else "empty") for text in batch)

    return verb


@given(
    st.lists(st.builds(Item, st.text(min_size=1), st.none() | st.just("bad")), max_size=20),
    st.integers(1, 7),
)
def test_every_item_has_one_answer_in_its_place(items, size):
    found = list(parse_items(items, in_batches(size)))
    assert [(parsed.text, parsed.error) for parsed in found] == [(item.text, item.error) for item in items]


def test_no_more_is_read_than_the_verb_asks_for():
    taken = 0

    def endless() -> Iterator[Item]:
        nonlocal taken
        while True:
            taken += 1
            yield Item("", "empty") if taken % 3 else Item("x")

    assert len(list(islice(parse_items(endless(), in_batches(10)), 25))) == 25
    assert taken == 30


def test_a_line_of_json_says_what_was_found():
    assert json.loads(to_json_line(REED)) == {
        "text": "Reed 2019",
        "fields": [
            {"label": "author", "text": "Reed", "start": 0, "end": 4, "confidence": 0.99},
            {"label": "date", "text": "2019", "start": 5, "end": 9, "confidence": 0.5},
        ],
        "confidence": 0.495,
    }


def test_alternatives_stand_beside_the_best_labelling_without_repeating_the_text():
    line = json.loads(to_json_line(Parsed("Reed 2019", REED.fields, 0.5, (REED, REED))))
    assert [set(other) for other in line["alternatives"]] == [{"fields", "confidence"}] * 2


def test_an_error_stands_in_place_of_the_fields():
    assert to_json_line(Parsed("x", error="empty")) == b'{"text":"x","error":"empty"}\n'


@given(st.text(st.characters(codec=None, categories=None)))
def test_any_text_can_be_written_as_one_line_of_utf8(text):
    line = to_json_line(Parsed(text))
    assert line.count(b"\n") == 1
    assert "text" in json.loads(line.decode("utf-8"))


@given(st.text(st.characters(codec=None, categories=None)), st.booleans())
def test_nothing_in_a_text_can_command_the_terminal(text, colour):
    drawn = draw(Parsed(text, (Field("title", text, 0, len(text), 0.9),), 0.9), 1, colour=colour)
    plain = drawn.replace("\x1b[38;5;166m", "").replace("\x1b[0m", "").replace("\x1b[2m", "")
    assert all(character >= " " and not "\x7f" <= character <= "\x9f" for character in plain)
    drawn.encode("utf-8")


def test_fields_are_in_brackets_without_colour_and_the_unsure_marked():
    assert draw(REED, 1, colour=False) == "  1  [author Reed] [date? 2019]"
    assert draw(Parsed("x", error="empty"), 12, colour=False) == " 12  x ✗ empty"


def test_colour_changes_nothing_of_the_text():
    drawn = draw(REED, 1, colour=True)
    assert "\x1b[38;5;33mReed\x1b[0m" in drawn
    assert "\x1b[38;5;35;4m2019\x1b[0m" in drawn


def test_nested_fields_are_drawn_in_the_colour_of_the_outermost():
    nested = Parsed("Reed", (Field("author", "Reed", 0, 4, 0.9), Field("author/person", "Reed", 0, 4, 0.9)), 0.9)
    assert draw(nested, 1, colour=False) == "  1  [author Reed]"
    assert legend(["author", "author/person", "zebra"]).count("author") == 1


@pytest.mark.parametrize("as_json", [False, True])
def test_an_evaluation_shows_exact_match_before_fields(capsys, as_json):
    found = score_texts([[("author", "A")], [("title", "T")]], [[("author", "A")], [("title", "U")]])
    show_report(found, as_json=as_json)
    shown = capsys.readouterr().out
    first = "whole_reference_accuracy" if as_json else "exact match"
    assert shown.index(first) < shown.index("micro") < shown.index("author")
    assert ("50.00" in shown) != as_json
