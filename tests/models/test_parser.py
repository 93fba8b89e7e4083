"""A parser answers every string, whatever is in it, and what it answers fits together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_cases import trained

from ibidem.errors import InputError
from ibidem.labels.tasks import REFERENCES
from ibidem.models import parser as module
from ibidem.models.parser import Parser
from ibidem.models.training import CRFConfig
from ibidem.text import reference_of
from ibidem.types import Parsed

REFERENCE = "Reed, A. (1980). The drift of bells. Bog Review, 4, 11-15."
ODD = ("Marsh,", "\u202eReed\u202c", "ابن", "山田", "\x00", "\ud800", "e\u0301", "\u0301", "🙂", "“", "…")
PIECES = (*REFERENCE.split(), *ODD)

anything = st.one_of(
    st.text(max_size=40),
    st.text(st.characters(categories=["Cs", "Cc", "Cf", "Co", "Cn", "Mn", "Zs"]), max_size=12),
    st.lists(st.sampled_from(PIECES), max_size=20).map(" ".join),
)
"""Any text: surrogates, control characters, writing from right to left, shuffled references."""


def check(parsed: Parsed, text: str) -> None:
    """The laws of one answer."""
    assert parsed.text == text
    assert 0 <= parsed.confidence <= 1
    if parsed.error is not None:
        assert not parsed.fields and not parsed.alternatives and parsed.confidence == 0
    for field in parsed.fields:
        assert field.text == text[field.start : field.end] and field.text.strip() == field.text != ""
        assert 0 <= field.confidence <= 1
    for one, other in combinations(parsed.fields, 2):
        apart = one.end <= other.start or other.end <= one.start
        depth = [field.label.count("/") for field in (one, other)]
        assert apart or depth[0] != depth[1], "two fields of one level overlap"
    for place, field in enumerate(parsed.fields):
        parent = field.label.rpartition("/")[0]
        above = [f for f in parsed.fields[:place] if f.label == parent and f.start <= field.start <= field.end <= f.end]
        assert not parent or len(above) == 1, "a part stands inside one whole, which comes before it"


@given(st.lists(anything, max_size=6), st.integers(0, 2))
def test_every_string_has_one_answer_in_its_place(parser, texts, alternatives):
    answers = list(parser.parse_many(texts, alternatives))
    assert len(answers) == len(texts)
    for text, parsed in zip(texts, answers, strict=True):
        check(parsed, text)
        assert (parsed.error is None) == (REFERENCES.unfit(text) is None)
        assert len(parsed.alternatives) <= alternatives
        for other in parsed.alternatives:
            check(other, text)


@given(st.lists(anything, min_size=1, max_size=5))
def test_a_string_is_answered_alike_alone_and_in_company(parser, texts):
    assert list(parser.parse_many(texts, 1)) == [parser.parse(text, 1) for text in texts]


@given(anything.filter(lambda text: REFERENCES.unfit(text) is None))
def test_alternatives_differ_from_the_best_and_from_each_other_and_grow_less_likely(parser, text):
    parsed = parser.parse(text, 4)
    shown = [tuple((f.label, f.start, f.end) for f in each.fields) for each in (parsed, *parsed.alternatives)]
    assert len(set(shown)) == len(shown) == 5
    chances = [each.confidence for each in (parsed, *parsed.alternatives)]
    assert all(after <= before * (1 + 1e-4) for before, after in pairwise(chances))
    assert sum(chances) <= 1 + 1e-4


def test_what_was_learnt_is_found(parser):
    fields = {field.label: field.text for field in parser.parse(REFERENCE).fields}
    assert fields == {
        "author": "Reed, A.", "author/person": "Reed, A.", "author/person/family": "Reed", "author/person/given": "A.",
        "date": "1980", "date/year": "1980", "title": "The drift of bells", "journal": "Bog Review", "volume": "4",
        "pages": "11-15", "pages/first": "11", "pages/last": "15",
    }  # fmt: skip


def test_two_persons_are_two_fields(parser):
    fields = parser.parse("Reed, A., Marsh, B. (1980). The drift of bells. Bog Review, 4, 11-15.").fields
    assert [field.text for field in fields if field.label == "author/person"] == ["Reed, A.", "Marsh, B."]


def test_labellings_speak_of_tokens_as_answers_speak_of_characters(parser):
    reference = reference_of(REFERENCE)
    labelling = parser.label([reference], alternatives=2)[0]
    parsed = parser.parse(REFERENCE, 2)
    spans = [(span.label, reference.tokens[span.start].start) for span in labelling.spans]
    assert spans == [(field.label, field.start) for field in parsed.fields]
    assert labelling.confidence == tuple(field.confidence for field in parsed.fields)
    assert len(labelling.alternatives) == 2
    assert labelling.score >= labelling.alternatives[0].score - 1e-3


def test_nothing_to_label_is_no_labelling(parser):
    assert parser.label([]) == []
    assert parser.label([reference_of("")])[0].spans == ()


def test_the_best_is_no_alternative_even_where_two_are_equal(tiny):
    """With all scores alike, single and double precision may choose differently among the many best paths."""
    flat = replace(
        tiny,
        attribute=replace(tiny.attribute, value=tiny.attribute.value * np.int8(0)),
        context=replace(tiny.context, value=tiny.context.value * np.int8(0)),
        arc=tiny.arc * np.float32(0),
    )
    for text in ("bells", "Reed bells 12", REFERENCE):
        parsed = Parser(flat).parse(text, 3)
        assert len(parsed.alternatives) == 3
        assert parsed.fields not in [other.fields for other in parsed.alternatives]


@pytest.mark.parametrize("memory", [{"remember": False}, {"label_history": ("title", "journal")}])
def test_what_states_remember_makes_no_alternatives_that_look_alike(examples, memory):
    parsed = Parser(trained(examples, CRFConfig(iterations=5, **memory))).parse(REFERENCE, 20)
    shown = [tuple((f.label, f.start, f.end) for f in each.fields) for each in (parsed, *parsed.alternatives)]
    assert len(set(shown)) == 21


def test_calibration_changes_how_sure_the_parser_is_and_nothing_else(tiny):
    plain, wary = (Parser(replace(tiny, calibration=maps)).parse(REFERENCE) for maps in ({}, {"*": (1.0, -2.0, 0.0)}))
    assert [f.label for f in plain.fields] == [f.label for f in wary.fields]
    assert all(after.confidence < before.confidence for before, after in zip(plain.fields, wary.fields, strict=True))
    assert plain.confidence == wary.confidence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \t\n\u3000", "empty"),
        ("\x1c\x1f", "empty"),
        ("a" * (REFERENCES.longest + 1), "20,001 characters"),
        ("a" * REFERENCES.longest, None),
        ("\x00", None),
    ],
)
def test_strings_that_are_no_reference_are_told_why(text, words):
    answer = REFERENCES.unfit(text)
    assert answer is None if words is None else words in answer


def test_a_string_that_is_too_long_costs_its_own_entry_only(parser):
    answers = list(parser.parse_many([REFERENCE, "bells " * 4000, "", REFERENCE]))
    assert [answer.error is None for answer in answers] == [True, False, False, True]
    assert "characters" in answers[1].error and "empty" in answers[2].error
    assert answers[0] == answers[3]


def test_a_batch_without_any_reference_is_answered_too(parser):
    assert [answer.error is None for answer in parser.parse_many(["", " "])] == [False, False]
    assert list(parser.parse_many([])) == []


def test_the_longest_string_is_parsed(parser):
    check(parser.parse(("." * REFERENCES.longest)[: REFERENCES.longest]), "." * REFERENCES.longest)
    assert parser.parse("a b " * (REFERENCES.longest // 4)).error is None


def test_batches_of_any_size_give_the_same_answers(parser, examples, monkeypatch):
    texts = [example.text for example in examples] * 3
    expected = list(parser.parse_many(texts))
    for strings, characters in ((1, 1 << 16), (7, 1 << 16), (256, 100)):
        monkeypatch.setattr(module, "_STRINGS", strings)
        monkeypatch.setattr(parser._scorer, "batch_characters", characters)
        assert list(parser.parse_many(texts)) == expected


def test_strings_are_taken_as_they_are_needed(parser, monkeypatch):
    monkeypatch.setattr(module, "_STRINGS", 2)
    taken: list[int] = []

    def endless():
        for number in range(10**9):
            taken.append(number)
            yield REFERENCE

    answers = parser.parse_many(endless())
    next(answers)
    assert len(taken) == 2
    answers.close()


def test_a_number_of_alternatives_below_nothing_is_refused(parser):
    with pytest.raises(InputError, match="alternatives is -1"):
        parser.parse(REFERENCE, -1)


def test_several_threads_may_share_a_parser(parser):
    texts = [f"Doe{number} J. On things {number}. J Thing Res. 2019;{number}(3):153-60." for number in range(60)]
    alone = [parser.parse(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parser.parse, texts)) == alone


def test_labels_without_confidence_are_the_same_labels(parser):
    texts = [REFERENCE, "Marsh, B. Fog. 1999.", REFERENCE.upper()]
    plain = list(parser.label_many(texts, confidence=False))
    assert [one.spans for one in plain] == [one.spans for one in parser.label_many(texts)]
    assert all(one.confidence == () for one in plain)


@pytest.mark.parametrize("error", [RuntimeError("odd"), MemoryError(), RecursionError()])
@pytest.mark.parametrize("where", ["tokens", "finish"])
def test_a_fault_costs_the_strings_that_it_befalls(tiny, monkeypatch, where, error):
    parser = Parser(tiny)
    texts = [f"{REFERENCE} {number}" for number in range(300)] + ["", *ODD]
    guilty = {texts[0], texts[100], texts[299]}
    expected = list(parser.parse_many(texts, 1))

    def fail(parsed: Parsed) -> Parsed:
        if parsed.text in guilty:
            raise error
        return parsed

    columns = parser._columns
    if where == "finish":
        parser.task = replace(parser.task, finish=fail)
    else:
        monkeypatch.setattr(parser, "_columns", lambda some: [fail(Parsed(one)) for one in some] and columns(some))
    found = list(parser.parse_many(texts, 1))
    assert [parsed for parsed in found if parsed.text not in guilty] == [
        parsed for parsed in expected if parsed.text not in guilty
    ]
    said = "there was not enough memory for parsing it" if isinstance(error, MemoryError) else "a fault in Ibidem while"
    assert all((parsed.error or "").startswith(said) for parsed in found if parsed.text in guilty)


def test_an_interruption_is_no_fault_of_a_string(tiny, monkeypatch):
    parser = Parser(tiny)

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(parser, "_columns", interrupt)
    with pytest.raises(KeyboardInterrupt):
        parser.parse(REFERENCE)


@pytest.mark.parametrize("strings", [1, 2, 7, 256])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_size_of_batches_and_threads_change_nothing(tiny, monkeypatch, strings, threads):
    texts = [
        *PIECES,
        " ".join(PIECES),
        REFERENCE,
        REFERENCE * 40,
        "",
        "x" * 30_000,
        *(REFERENCE[:n] for n in range(40)),
    ]
    expected = list(Parser(tiny).parse_many(texts, 2, explain=True))
    monkeypatch.setattr(module, "_STRINGS", strings)
    assert list(Parser(tiny, threads).parse_many(texts, 2, explain=True)) == expected
