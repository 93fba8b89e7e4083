"""Strings of known works: nothing of the identifiers is left in them."""

from __future__ import annotations

import os
import re
from itertools import islice

import pytest

from ibidem.coref.elife import PARTS, cited, work_of


@pytest.mark.parametrize(
    ("doi", "work"),
    [
        ("10.1234/ABC.5", "10.1234/abc.5"),
        ("https://doi.org/10.1234/abc.5.", "10.1234/abc.5"),
        ("10.1101/2020.01.01.123v3.full", "10.1101/2020.01.01.123"),
        ("10.3389/fn.2019.1/full", "10.3389/fn.2019.1"),
        ("none", ""),
        ("", ""),
    ],
)
def test_suffixes_make_no_other_work(doi, work):
    assert work_of(doi) == work


@pytest.mark.skipif(not os.environ.get("IBIDEM_DATA"), reason="no datasets: IBIDEM_DATA is not set")
def test_no_identifier_is_left_in_a_string():
    found = list(islice(cited(), 500))
    assert len(found) == 500 and len({one.part for one in found}) == PARTS
    for one in found:
        assert one.work not in one.text.lower() and not re.search(r"10\.\d{4,9}/\S", one.text), one
