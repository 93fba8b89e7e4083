"""Scores: tables of small cases, and laws that hold for any spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.metrics.scoring import Score, normalise, score_spans, score_texts, score_tokens, token_labels
from ibidem.types import Span

LABELS = st.sampled_from(["author", "title", "date", "pages/first"])
SPAN = st.builds(
    lambda label, start, size: Span(label, start, start + size), LABELS, st.integers(0, 5), st.integers(1, 3)
)
STRINGS = st.lists(st.lists(SPAN, max_size=5), max_size=6)
PAIRED = st.integers(0, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.lists(SPAN, max_size=5), min_size=n, max_size=n) for _ in range(2)])
)


@pytest.mark.parametrize(
    ("correct", "predicted", "gold", "precision", "recall", "f1"),
    [
        (0, 0, 0, 0.0, 0.0, 0.0),
        (0, 3, 0, 0.0, 0.0, 0.0),
        (0, 0, 3, 0.0, 0.0, 0.0),
        (2, 2, 2, 1.0, 1.0, 1.0),
        (1, 2, 4, 0.5, 0.25, 1 / 3),
    ],
)
def test_ratios_of_counts(correct, predicted, gold, precision, recall, f1):
    score = Score(correct, predicted, gold)
    assert (score.precision, score.recall, score.f1) == pytest.approx((precision, recall, f1))


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("2019", "2019"),
        (" (2019). ", "2019"),
        ("“The reed,”", "The reed"),
        ("A  b\tc\nd", "A b c d"),
        ("p.m.", "p.m"),
        ("ﬁve", "five"),
        ("cafe\u0301.", "café"),
        ("[x\u0303],", "x\u0303"),
        ("…—", ""),
        ("", ""),
        ("林晓舟, ", "林晓舟"),
    ],
)
def test_normalised_text_of_a_field(text, bare):
    assert normalise(text) == bare


@given(st.text())
def test_normalising_twice_changes_nothing_more(text):
    assert normalise(normalise(text)) == normalise(text)


@given(STRINGS)
def test_a_prediction_equal_to_the_truth_is_perfect(strings):
    report = score_spans(strings, strings)
    assert all(report.exact_matches)
    assert report.accuracy == (1.0 if strings else 0.0)
    assert all(score.f1 == 1.0 for score in report.labels.values())


@given(PAIRED)
def test_swapping_truth_and_prediction_swaps_precision_and_recall(pair):
    one, other = score_spans(*pair), score_spans(*reversed(pair))
    assert one.micro.f1 == other.micro.f1
    assert one.accuracy == other.accuracy
    assert (one.micro.precision, one.micro.recall) == (other.micro.recall, other.micro.precision)


@given(PAIRED)
def test_the_counts_of_strings_and_of_labels_add_up_to_the_same(pair):
    report = score_spans(*pair)
    assert sum(report.counts, Score()) == report.micro
    assert report.count_array().shape == (len(pair[0]), 3)
    assert report.count_array().sum(axis=0).tolist() == [
        report.micro.true_positives,
        report.micro.predicted,
        report.micro.gold,
    ]
    assert report.exact_match_array().tolist() == list(report.exact_matches)
    correct, predicted, gold = report.count_array().T
    assert report.f1_array() * (predicted + gold) == pytest.approx(2 * correct)


@given(PAIRED)
def test_a_string_matches_exactly_if_it_misses_nothing_and_adds_nothing(pair):
    report = score_spans(*pair)
    for score, whole in zip(report.counts, report.exact_matches, strict=True):
        assert whole == (score.true_positives == score.predicted == score.gold)
        assert score.true_positives <= min(score.predicted, score.gold)


@given(st.lists(st.tuples(LABELS, LABELS), max_size=30))
def test_without_an_ignored_label_micro_f1_of_tokens_is_their_accuracy(pairs):
    gold, predicted = [[a for a, _ in pairs]], [[b for _, b in pairs]]
    micro = score_tokens(gold, predicted).micro
    accuracy = sum(a == b for a, b in pairs) / len(pairs) if pairs else 0.0
    assert micro.f1 == pytest.approx(accuracy)
    assert micro.precision == micro.recall


def test_an_ignored_label_counts_neither_as_found_nor_as_true():
    report = score_tokens([["author", "", "", "title"]], [["author", "", "title", ""]], ignore="")
    assert report.micro == Score(true_positives=1, predicted=2, gold=2)
    assert "" not in report.labels
    assert report.accuracy == 0.0


def test_a_field_that_occurs_twice_must_be_found_twice():
    report = score_texts([[("author", "Reed"), ("author", "Reed")]], [[("author", "Reed,")]])
    assert report.micro == Score(true_positives=1, predicted=1, gold=2)
    assert not report.exact_matches[0]


def test_edge_punctuation_of_a_field_does_not_count_but_its_middle_does():
    gold = [[("title", "On reeds: a study.")]]
    assert score_texts(gold, [[("title", "On reeds: a study")]]).accuracy == 1.0
    assert score_texts(gold, [[("title", "On reeds a study")]]).accuracy == 0.0


def test_the_macro_average_leaves_out_labels_that_are_never_true():
    report = score_texts([[("author", "A"), ("title", "B")]], [[("author", "A"), ("note", "B")]])
    assert report.macro == 0.5
    assert report.labels["note"].f1 == 0.0


def test_exact_match_comes_first_in_the_table_and_frequent_labels_before_rare_ones():
    report = score_texts([[("title", "T"), ("author", "A"), ("author", "B")]], [[("title", "T"), ("author", "A")]])
    assert [row.name for row in report.table()] == [
        "exact match", "field F1, micro", "field F1, macro", "author", "title",
    ]  # fmt: skip


def test_nested_spans_give_each_token_its_innermost_label():
    spans = [Span("author", 0, 4), Span("author/person", 0, 2), Span("author/person/family", 0, 1)]
    assert token_labels(spans, 5, "-") == ("author/person/family", "author/person", "author", "author", "-")


@pytest.mark.parametrize("score", [score_spans, score_texts, score_tokens])
def test_lists_of_different_lengths_are_refused(score):
    with pytest.raises(ValueError, match="one prediction per string"):
        score([[]], [])


def test_strings_with_different_numbers_of_tokens_are_refused():
    with pytest.raises(ValueError, match="string 1 has 2 gold labels but 1"):
        score_tokens([["a"], ["a", "b"]], [["a"], ["a"]])
