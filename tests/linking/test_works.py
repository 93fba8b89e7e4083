"""Promises of linking: the invented works are told apart, the order does not matter, and nothing blows up."""

from __future__ import annotations

import json
import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linking_cases import STRINGS, TRUE

import ibidem
from ibidem.errors import ConfigError, DataError, ModelError
from ibidem.linking.comparison import comparison_fields
from ibidem.linking.explanation import contributions_by_group, describe, explain
from ibidem.linking.inputs import reference_of_object
from ibidem.linking.matcher import WEIGHTS, PairwiseMatcher, default_matcher, load_matcher
from ibidem.linking.works import link_records, works_of
from ibidem.records.record import Date, Entry, Name, Record
from ibidem.types import Parsed
from tools.weights.matcher_training import train

RECORDS = [ibidem.record_of(parsed) for parsed in ibidem.parse_many(STRINGS)]


def groups(works):
    return {frozenset(member.number for member in work.members) for work in works}


def test_references_of_one_work_are_one_and_of_two_are_two():
    wanted = {frozenset(k for k, work in enumerate(TRUE) if work == number) for number in set(TRUE)}
    assert groups(ibidem.link(STRINGS)) == wanted


def test_every_reference_is_in_exactly_one_work_in_order():
    works = ibidem.link(STRINGS)
    numbers = [member.number for work in works for member in work.members]
    assert sorted(numbers) == list(range(len(STRINGS)))
    firsts = [work.members[0].number for work in works]
    assert firsts == sorted(firsts)


@settings(max_examples=15)
@given(st.permutations(range(len(STRINGS))))
def test_the_order_of_the_input_changes_no_work(order):
    found = works_of(link_records([RECORDS[k] for k in order]))
    assert {frozenset(order[n] for n in group) for group in groups(found)} == groups(works_of(link_records(RECORDS)))


@settings(max_examples=10)
@given(st.permutations(range(len(STRINGS))), st.integers(0, len(STRINGS)), st.integers(0, len(STRINGS)))
def test_linking_in_batches_is_linking_at_once(order, one, other):
    records = [RECORDS[k] for k in order]
    low, high = sorted((one, other))
    found = None
    for batch in (records[:low], records[low:high], records[high:]):
        found = link_records(batch, existing=found)
    wanted = link_records(records)
    assert works_of(found) == works_of(wanted)
    assert (found.scores == wanted.scores).all() and len(found.pairs) == len(wanted.pairs)


def test_new_references_are_numbered_on_and_old_pairs_are_not_compared_again(monkeypatch):
    first = ibidem.link(STRINGS[:6])
    compared = []
    score = PairwiseMatcher.score
    monkeypatch.setattr(PairwiseMatcher, "score", lambda *given: compared.append(len(given[2])) or score(*given))
    works = ibidem.link(STRINGS[6:], existing=first)
    assert groups(works) == groups(ibidem.link(STRINGS))
    assert sum(compared[:1]) < len(works.linked.pairs)


@settings(max_examples=10)
@given(st.lists(st.sampled_from(range(len(STRINGS))), max_size=12))
def test_copies_change_no_work(copies):
    found = works_of(link_records([*RECORDS, *(RECORDS[k] for k in copies)]))
    place = [*range(len(STRINGS)), *copies]
    assert {frozenset(place[n] for n in group) for group in groups(found)} == groups(works_of(link_records(RECORDS)))


def test_one_string_ten_thousand_times_is_one_work_and_one_comparison():
    linked = link_records([RECORDS[0]] * 10_000 + [RECORDS[3]])
    assert len(linked.table) == 2 and len(linked.pairs) <= 1
    assert sorted(len(work.members) for work in works_of(linked)) == [1, 10_000]


def test_thousands_of_near_copies_are_compared_a_bounded_number_of_times():
    names = random.Random(1).choices("reed marsh sedge fen bog mire".split(), k=3_000)
    records = [
        Record("article", (Entry("title", f"Drift of bells part {k}"), Entry("note", name)))
        for k, name in enumerate(names)
    ]
    linked = link_records(records)
    assert len(linked.pairs) < 100 * len(records)


def test_only_years_and_empty_records_among_others_are_compared_with_nothing():
    bare = [Record("other"), Record("article", (Entry("date", "2019"),)), Record("book", (Entry("title", "2019"),))]
    linked = link_records([*bare * 3_000, *RECORDS])
    assert len(linked.table) == len(set(map(comparison_fields, RECORDS)))
    assert len(linked.pairs) < len(RECORDS) ** 2
    assert len(works_of(linked)) == 9_000 + len(set(TRUE))


def test_thousands_of_references_of_one_author_and_year_are_compared_a_bounded_number_of_times():
    generator = random.Random(2)
    words = ["".join(generator.choices("abcdefghij", k=5)) for _ in range(80)]
    author, date = Entry("author", Name("Reed", "A.")), Entry("date", Date(2019))
    records = [
        Record("article", (author, Entry("title", " ".join(generator.choices(words, k=4))), date)) for _ in range(4_000)
    ]
    linked = link_records(records)
    assert len(linked.table) > 3_900 and len(linked.pairs) < 60 * len(linked.table)


def test_references_with_too_little_text_stand_alone():
    works = ibidem.link(["2019", "2019", "", "Ibid.", "Ibid."])
    assert [len(work.members) for work in works] == [1] * 5
    assert all(work.confidence == 0 for work in works)
    assert works[2].record.entries == () and "empty" in " ".join(works[2].members[0].record.warnings)


def test_two_languages_and_an_empty_record_do_no_harm():
    works = ibidem.link(
        [*STRINGS[:3], "Тихая вода и тростник. Москва: Заря, 1984.", "潮の満ち引き 東京 1984", Record("other")]
    )
    assert sorted(len(work.members) for work in works) == [1, 1, 1, 3]


def test_linking_does_not_need_scipy(monkeypatch):
    expected = works_of(link_records(RECORDS))
    for module in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert works_of(link_records(RECORDS)) == expected


def test_nothing_gives_nothing():
    assert ibidem.link([]) == []


def test_a_higher_threshold_never_joins_more():
    joined = [len(works_of(link_records(RECORDS, threshold=p))) for p in (0.001, 0.5, 0.9, 0.9995)]
    assert joined == sorted(joined)


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1.0, 2.0, float("nan")])
def test_a_threshold_that_is_no_probability_is_refused(threshold):
    with pytest.raises(ConfigError, match="between 0 and 1"):
        ibidem.link(STRINGS, threshold=threshold)


def test_strings_parsed_references_and_records_are_linked_alike():
    wanted = groups(ibidem.link(STRINGS))
    assert groups(ibidem.link(list(ibidem.parse_many(STRINGS)))) == wanted
    assert groups(ibidem.link([STRINGS[0], *RECORDS[1:]])) == wanted


def test_the_same_doi_joins_and_another_one_parts():
    one = Record("article", (Entry("title", "Drift of bells in harbours"), Entry("doi", "10.1234/a")))
    other = Record("article", (Entry("title", "Drift of bells in harbours"), Entry("doi", "10.1234/b")))
    third = Record("article", (Entry("title", "Harbour bells adrift, a study"), Entry("doi", "10.1234/a")))
    assert groups(works_of(link_records([one, other, third]))) == {frozenset({0, 2}), frozenset({1})}


def test_an_explanation_adds_up_to_the_probability():
    linked = link_records(RECORDS)
    for one, other in ((0, 1), (3, 5), (0, 7)):
        found = explain(linked, one, other)
        total = found.bias + sum(part for _, _, part in found.evidence)
        assert found.probability == pytest.approx(1 / (1 + np.exp(-np.clip(total, -8, 8))))
        assert sum(part for _, part in contributions_by_group(found.evidence)) == pytest.approx(total - found.bias)
        assert found.together == (TRUE[one] == TRUE[other])
        assert any(str(one + 1) in line for line in describe(found))


def test_an_explanation_says_in_sentences_what_was_compared():
    linked = link_records(RECORDS)
    lines = list(describe(explain(linked, 3, 5)))
    assert lines[0].startswith("References 4 and 6 refer to different works: ")
    text = "\n".join(lines)
    assert "titles 3" in text and "% alike" in text and "first page differs (88 / 3)" in text
    assert "same volume (12)" in text and "same year (1999)" in text
    one = Record("article", (Entry("title", "Drift of bells in harbours"), Entry("doi", "10.1234/a")))
    other = Record("book", (Entry("title", "Drift of bells in harbours"), Entry("doi", "10.1234/b")))
    text = "\n".join(describe(explain(link_records([one, other]), 0, 1)))
    assert "identifiers differ (doi:10.1234/a / doi:10.1234/b)" in text and "same title" in text
    assert "type differs (article / book)" in text


def test_explanations_know_copies_and_bare_references_and_numbers_that_are_not_there():
    linked = link_records([RECORDS[0], RECORDS[0], Record("other")])
    assert explain(linked, 0, 1).probability == 1.0
    assert "too little" in explain(linked, 0, 2).reason
    with pytest.raises(ConfigError, match="1 to 3"):
        explain(linked, 0, 3)


def test_a_model_is_the_same_after_saving(tmp_path):
    rows = [comparison_fields(record) for record in RECORDS]
    model = train(rows, TRUE)
    model.save(tmp_path / "pairs.json")
    again = load_matcher(tmp_path / "pairs.json")
    assert again.weights == model.weights and again.bias == model.bias and again.background == model.background


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', '{"format": "ibidem-pairs-1"}', "\x00"])
def test_a_file_that_is_no_model_is_refused(tmp_path, text):
    path = tmp_path / "pairs.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ModelError, match=r"pairs\.json"):
        load_matcher(path)


def test_there_must_be_something_to_learn():
    with pytest.raises(DataError, match="nothing to train on"):
        train([comparison_fields(RECORDS[0]), comparison_fields(RECORDS[7])], [1, 2])


def test_the_likelihood_rises_with_learning():
    rows = [comparison_fields(record) for record in RECORDS]
    fitted, nothing = train(rows, TRUE), PairwiseMatcher({}, 0.0)
    true = np.array(TRUE)

    def likelihood(model):
        linked = link_records(RECORDS, matcher=model)
        order = [int(np.flatnonzero(linked.node == k)[0]) for k in range(len(linked.table))]
        same = true[order][linked.pairs.left] == true[order][linked.pairs.right]
        return -np.logaddexp(0, np.where(same, -1, 1) * linked.scores).sum()

    assert likelihood(fitted) > likelihood(nothing)


def test_the_default_matcher_has_a_card_and_no_text_of_its_data():
    model = default_matcher()
    assert WEIGHTS.stat().st_size < 500_000
    assert {"about", "trained on", "command", "dev"} <= set(model.card)
    assert all(" " not in word for word in model.background)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ({"text": "Reed. Drift."}, str),
        ({"type": "book", "entries": []}, Record),
        ({"text": "Reed", "fields": [{"label": "title", "text": "x", "start": 0, "end": 4, "confidence": 1}]}, Parsed),
    ],
)
def test_lines_of_json_may_hold_any_of_them(line, kind):
    assert isinstance(reference_of_object(json.loads(json.dumps(line))), kind)


BEYOND = {"label": "title", "text": "", "start": 0, "end": 9, "confidence": 1}


@pytest.mark.parametrize(
    "line", [[], {}, {"text": 3}, {"entries": 3}, {"text": "a", "fields": [{}]}, {"text": "a", "fields": [BEYOND]}]
)
def test_lines_that_hold_nothing_of_the_kind_are_refused(line):
    with pytest.raises(ValueError):
        reference_of_object(line)
