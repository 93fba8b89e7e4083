"""References of known works: no identifier is left in their strings, and wrong DOIs are corrected."""

from __future__ import annotations

import os
import re

import pytest

from tools.weights.elife_works import PARTS, Tagged, correct_dois, read_citations, work_of


@pytest.mark.parametrize(
    ("doi", "work"),
    [
        ("10.1234/ABC.5", "10.1234/abc.5"),
        ("https://doi.org/10.1234/abc.5.", "10.1234/abc.5"),
        ("10.1101/2020.01.01.123v3.full", "10.1101/2020.01.01.123"),
        ("10.3389/fn.2019.1/full", "10.3389/fn.2019.1"),
        ("10.7554/elife.30413.001", "10.7554/elife.30413"),
        ("10.4161/cc.28401/suppl_file/kccy_sm0001.zip", "10.4161/cc.28401"),
        ("10.1016/s0092-8674%2888%2990183-3", "10.1016/s0092-8674(88)90183-3"),
        ("10.1016/j", ""),
        ("none", ""),
        ("", ""),
    ],
)
def test_suffixes_of_a_doi_do_not_make_another_work(doi, work):
    assert work_of(doi) == work


@pytest.mark.skipif(not os.environ.get("IBIDEM_DATA"), reason="no datasets: IBIDEM_DATA is not set")
def test_no_identifier_is_left_in_a_string():
    found = read_citations(1_000)
    assert len(found) > 300 and len({one.part for one in found}) == PARTS
    for one in found:
        assert one.work not in one.text.lower() and not re.search(r"10\.\d{4,9}/\S", one.text), one


def one(doi, family="reed", title="drift of bells", page="7"):
    place = (family, "2019", "3", page, title)
    return Tagged(f"{family} {title}", doi, family, frozenset(title.split()), place if page else ())


def test_a_rarer_doi_of_the_same_place_is_a_mistake():
    assert correct_dois([one("10.1/a1"), one("10.1/a1"), one("10.1/b2")]) == ["10.1/a1"] * 3
    assert correct_dois([one("10.1/a1"), one("10.1/b2", page="9")]) == ["10.1/a1", "10.1/b2"]
    assert correct_dois([one("10.1/a1", page=""), one("10.1/b2", page="")]) == ["10.1/a1", "10.1/b2"]


def test_a_reference_unrelated_to_its_doi_is_left_out():
    strange = one("10.1/a1", "marsh", "ferries and timetables", "")
    assert correct_dois([one("10.1/a1"), one("10.1/a1"), strange]) == ["10.1/a1", "10.1/a1", ""]
