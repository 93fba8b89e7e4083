"""Text without a label is unknown, unless it only introduces a field or says itself what it is."""

from __future__ import annotations

import pytest

from ibidem.data.readers.inline import scan
from ibidem.labels.mapping.gaps import fill_gaps
from ibidem.types import Example


def filled(source: str) -> list[str]:
    found = scan(source, lambda tag, _attributes: tag)
    example = Example(found.text, found.annotations, "x")
    drafts = sorted(fill_gaps(list(found.annotations), example), key=lambda one: (one.start, -one.end))
    return [f"{one.label}={found.text[one.start : one.end]}" for one in drafts]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<title>Bells</title>, in: <book>Tides</book>, pp. <pages>3-9</pages>.", ["title=Bells", "book=Tides",
         "pages=3-9"]),
        ("<title>Bells</title>. Doctoral thesis, Fens.", ["title=Bells", "?=Doctoral thesis, Fens"]),
        ("[12] <title>Bells</title>", ["marker=12", "title=Bells"]),
        ("see 12 <title>Bells</title>", ["?=see 12", "title=Bells"]),
        ("<author>Reed A</author>, et al. <title>Bells</title>", ["author=Reed A, et al", "title=Bells"]),
        ("<title>Bells</title>, et al.", ["title=Bells", "?=et al"]),
        ("<author>Reed A., Marsh</author> B., <title>Bells</title>", ["?=Reed A., Marsh", "?=B", "title=Bells"]),
        ("<title>Bells</title>. Available at: https://fens.example/b?x=1.", ["title=Bells",
         "url=https://fens.example/b?x=1"]),
        ("<title>Bells</title>. https://doi.org/<doi>10.1/x</doi>", ["title=Bells", "doi=10.1/x"]),
        ("<title>Bells</title>. doi: 10.1234/fens.7.", ["title=Bells", "doi=10.1234/fens.7"]),
        ("<title>Bells</title> [accessed 3 May 2011]", ["title=Bells", "accessed=3 May 2011"]),
        ("<date>2011</date> May 3;<volume>9</volume>", ["date=2011 May 3", "volume=9"]),
        ("<title>Bells</title>, Mar. 14, <date>2011</date>", ["title=Bells", "date=Mar. 14, 2011"]),
        ("<title>Bells</title>, 12.10.<date>2021</date>", ["title=Bells", "date=12.10.2021"]),
        ("<date>2011</date> Marsh <title>Bells</title>", ["date=2011", "?=Marsh", "title=Bells"]),
    ],
)  # fmt: skip
def test_a_gap_is_what_it_says(source, expected):
    assert filled(source) == expected


def test_the_parts_of_an_et_al_list_stay_and_et_al_joins_them():
    source = "<author><author/person>Reed A</author/person></author>, et al. 2011"
    assert filled(source.replace("author/person", "author:person"))[-2:] == ["author/etal=et al", "?=2011"]
