"""Promises of linking with n-best labellings: the same works, nothing lost, copies and order change nothing."""

from __future__ import annotations

from functools import partial

import pytest
from linking_cases import STRINGS, TRUE

import ibidem
from ibidem.errors import ConfigError, ModelError
from ibidem.linking.explanation import explain
from ibidem.linking.joint.entities import WEIGHTS, EntityModel, default_entity_model, load_entity_model
from ibidem.linking.joint.loop import link_nbest
from ibidem.records.record import Entry, Record


def groups(works):
    return {frozenset(member.number for member in work.members) for work in works}


WANTED = {frozenset(k for k, work in enumerate(TRUE) if work == number) for number in set(TRUE)}


def test_works_are_found_and_every_member_has_a_labelling_of_its_own_string():
    works = ibidem.link(STRINGS, nbest=4)
    assert groups(works) == WANTED
    for work in works:
        for member in work.members:
            assert member.record.origin.text == STRINGS[member.number]


def test_the_old_name_of_the_argument_is_accepted_with_a_warning():
    with pytest.warns(DeprecationWarning, match="'readings' is now called 'nbest'"):
        assert groups(ibidem.link(STRINGS, readings=3)) == WANTED


def test_nbest_and_existing_works_cannot_be_combined():
    with pytest.raises(ConfigError, match="one or the other"):
        ibidem.link(STRINGS[2:], nbest=3, existing=ibidem.link(STRINGS[:2]))


def test_one_labelling_is_plain_linking():
    assert groups(ibidem.link(STRINGS, nbest=1)) == WANTED


def test_copies_and_another_order_change_no_work():
    order = [3, 0, 6, 1, 7, 2, 5, 4, 0, 3]
    found = groups(ibidem.link([STRINGS[k] for k in order], nbest=3))
    assert {frozenset(order[n] for n in group) for group in found} == WANTED


def test_records_and_bare_strings_and_nothing_are_taken_too():
    record = Record("article", (Entry("title", "Drift of bells in harbours"), Entry("doi", "10.1234/a")))
    works = ibidem.link([record, "Ibid.", record, *STRINGS[:2]], nbest=3)
    assert groups(works) == {frozenset({0, 2}), frozenset({1}), frozenset({3, 4})}
    assert works[0].members[0].record == record
    assert ibidem.link([], nbest=3) == []


def test_what_was_linked_by_nbest_can_be_explained():
    parse = partial(ibidem.parse_many, alternatives=2)
    linked = link_nbest(STRINGS, parse, 3)
    assert explain(linked, 0, 1).together
    assert not explain(linked, 0, 7).together


@pytest.mark.parametrize("count", [0, -1, 1000])
def test_an_impossible_nbest_is_refused(count):
    with pytest.raises(ConfigError, match="from 1 to"):
        ibidem.link(STRINGS, nbest=count)


def test_what_cannot_be_linked_stands_alone_with_its_error():
    works = ibidem.link([3, *STRINGS[:3]], nbest=2)
    assert works[0].members[0].record.warnings == ("not a string, a Parsed or a Record: 3",)
    assert len(works[0].members) == 1 and works[0].confidence == 0
    assert [[member.number - 1 for member in work.members] for work in works[1:]] == [
        [member.number for member in work.members] for work in ibidem.link(STRINGS[:3], nbest=2)
    ]


def test_the_default_potentials_have_a_card_and_are_the_same_after_saving(tmp_path):
    model = default_entity_model()
    assert {"about", "trained on", "command", "dev"} <= set(model.card)
    assert WEIGHTS.stat().st_size < 100_000
    model.save(tmp_path / "entities.json")
    assert load_entity_model(tmp_path / "entities.json").weights == model.weights


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', '{"format": "ibidem-entities-1"}'])
def test_a_file_that_is_no_model_is_refused(tmp_path, text):
    path = tmp_path / "entities.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ModelError, match=r"entities\.json"):
        load_entity_model(path)


def test_potentials_may_be_given():
    parse = partial(ibidem.parse_many, alternatives=2)
    linked = link_nbest(STRINGS, parse, 3, entities=EntityModel({"chance": 1.0}))
    assert len(set(linked.clusters())) == len(WANTED)
