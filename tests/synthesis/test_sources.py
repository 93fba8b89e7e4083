"""Records from BibTeX files and from the tables of the public sets."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from ibidem.errors import ConfigError, DataError, InputError
from ibidem.records.record import Date, Name, Number, Pages, Record
from ibidem.synthesis.sources import PUBLIC, records_in, records_of
from ibidem.types import Malformed

BIBTEX = r"""
@article{bells, author={Reed, Ada and van den Bogaard, Otto and others}, title={The drift of {Bells}},
  journal={Annals of Coastal Medicine}, volume={12}, number=3, pages={153--160}, year={1990}}
@book{bogs, author={Beatrix M\"uller and Jos\'{e} Pe\~na}, title={Bogs \& ferries},
  publisher={London: Sedge Press}, year=1987}
@phdthesis{reeds, author={Sedge, Jr., Carl}, title={The price of reeds}, school={University of the Fens}, year=2003}
@misc{nothing, title={No names}}
@article{broken, title={
"""


def test_bibtex_entries_become_records(tmp_path):
    path = tmp_path / "mine.bib"
    path.write_text(BIBTEX, "utf-8")
    found = list(records_in(path))
    article, book, thesis, misc = (one for one in found if isinstance(one, Record))
    assert article.all("author") == [Name("Reed", "Ada"), Name("Bogaard", "Otto", "van den")]
    assert article.first("title") == "The drift of Bells"
    assert (article.first("volume"), article.first("issue")) == (Number("12", 12), Number("3", 3))
    assert (article.first("pages"), article.first("date")) == (Pages("153", "160"), Date(1990))
    assert book.all("author") == [Name("Müller", "Beatrix"), Name("Peña", "José")]
    assert (book.first("title"), book.first("publisher")) == ("Bogs & ferries", "London: Sedge Press")
    assert thesis.all("author") == [Name("Sedge", "Carl", suffix="Jr.")]
    assert (thesis.type, thesis.first("institution"), misc.type) == ("thesis", "University of the Fens", "other")
    assert sum(isinstance(one, Malformed) for one in found) == 1


def test_what_is_no_source_of_records_is_refused(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        list(records_in(tmp_path / "absent.bib"))
    with pytest.raises(ConfigError, match="has no ending of a known format"):
        list(records_in(tmp_path / "x.unknown"))
    with pytest.raises(DataError, match="dblp, medline"):
        next(records_of("cora"))


@pytest.mark.skipif(not os.environ.get("IBIDEM_DATA"), reason="IBIDEM_DATA is not set")
@pytest.mark.parametrize("name", PUBLIC)
def test_public_sets_give_records_with_names_and_titles(name):
    for record in islice(records_of(name), 200):
        assert record.first("title")
        assert record.all("author") or record.all("editor") or name != "bibliographies"
