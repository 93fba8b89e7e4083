"""What is wrong with the items of a set is put right before they become records; the items are invented."""

from __future__ import annotations

import pytest

from ibidem.synthesis.corrections import correct, work_key

REED = {"family": "Reed", "given": "Ada"}


@pytest.mark.parametrize(
    ("name", "item", "expected"),
    [
        ("any", {"_source": "x", "type": "book", "title": "The <i>bells</i> &amp; tides", "language": "und"},
         {"type": "book", "title": "The bells & tides"}),
        ("any", {"type": "book", "title": "Bells", "publisher": r"Sedge \& Co", "URL": "http://fens.example/a_b~c"},
         {"type": "book", "title": "Bells", "URL": "http://fens.example/a_b~c"}),
        ("any", {"type": "book", "title": r"\RL{Bells}"}, None),
        ("any", {"type": "book", "title": "Bells", "author": [{"family": r"M\"uller"}]}, None),
        ("any", {"type": "chapter", "title": "Bells", "page": "pp. 4–9"},
         {"type": "chapter", "title": "Bells", "page": "4-9"}),
        ("any", {"type": "chapter", "title": "Bells", "page": "4–9, pls 1-3"}, {"type": "chapter", "title": "Bells"}),
        ("standards-nist", {"type": "standard", "title": "Bells.", "number": "NBS RPT 7", "publisher": "United States.",
          "collection-title": "NBS report; RPT", "collection-number": "7", "DOI": "NBS.RPT.7",
          "author": [{"literal": "Reed, Ada B. (Ada Beatrix),"}, {"literal": "Marsh, Otto."}]},
         {"type": "report", "title": "Bells.", "publisher": "National Bureau of Standards",
          "DOI": "10.6028/NBS.RPT.7", "collection-title": "NBS report", "collection-number": "7",
          "author": [{"family": "Reed", "given": "Ada B."}, {"family": "Marsh", "given": "Otto"}]}),
        ("laws-pl", {"type": "legislation", "title": "Ustawa", "volume": "0", "genre": "rozporzadzenie",
          "authority": "SEJM", "number": "7"}, {"type": "legislation", "title": "Ustawa", "number": "7"}),
        ("hebrew-benyehuda", {"type": "chapter", "title": "פעמונים", "author": [REED], "publisher": "x",
          "_source_edition": 'מתוך "כל הפעמונים", ירושלים: סוף, 1963'},
         {"type": "chapter", "title": "פעמונים", "author": [REED], "container-title": "כל הפעמונים",
          "publisher-place": "ירושלים", "publisher": "סוף", "issued": {"date-parts": [[1963]]}}),
        ("hebrew-benyehuda", {"type": "chapter", "title": "פעמונים", "_source_edition": "סוף"}, None),
        ("langsci-multi", {"type": "article-journal", "title": "Glocken", "number": "3", "note": "nd1983"},
         {"type": "article-journal", "title": "Glocken", "issue": "3"}),
        ("langsci-multi", {"type": "thesis", "title": "Glocken", "genre": "phdthesis"},
         {"type": "thesis", "title": "Glocken", "genre": "PhD thesis"}),
        ("humanities-syriaca", {"type": "book", "title": "Bells", "collection-title": "Fen Texts 13"},
         {"type": "book", "title": "Bells", "collection-title": "Fen Texts", "collection-number": "13"}),
        ("humanities-syriaca", {"type": "article-journal", "title": "Bells", "volume": "60:4"},
         {"type": "article-journal", "title": "Bells", "volume": "60", "issue": "4"}),
        ("russian-thesis-template", {"type": "patent", "title": "Колокол", "publisher-place": "countryru"},
         {"type": "patent", "title": "Колокол"}),
        ("russian-thesis-template", {"type": "book", "title": "Название книги"}, None),
        ("standards-specref", {"type": "standard", "title": "Bells", "genre": "Under development"},
         {"type": "standard", "title": "Bells"}),
        ("taxonomy-afd-multi", {"type": "book", "title": "Glocken", "number-of-pages": "xii 396 pp. + 3 pls"},
         {"type": "book", "title": "Glocken", "number-of-pages": "396"}),
        ("better-bibtex-fixtures", {"type": "book", "title": "EDTF date: 2011~"}, None),
    ],
)  # fmt: skip
def test_an_item_is_corrected_or_left_out(name, item, expected):
    assert correct(name, item) == expected


def test_spellings_of_one_work_have_one_key():
    one = {"title": "Über Glocken", "author": [REED], "issued": {"date-parts": [[1999, 3]]}}
    assert work_key(one) == work_key({**one, "title": "Uber Glocken."})
    assert work_key(one) != work_key({**one, "number": "7"})
    assert work_key({"title": "x"}) == work_key({"title": "X", "author": []})
