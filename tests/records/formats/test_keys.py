"""Keys: the same at every run, each used once, and never what could break a file."""

from __future__ import annotations

import re

import pytest
from format_cases import records
from hypothesis import given
from hypothesis import strategies as st

from ibidem.records.formats.keys import BIBTEX_KEY, XML_NAME, Keys, make_key
from ibidem.records.record import Date, Entry, Name, Record


@pytest.mark.parametrize("allowed", [BIBTEX_KEY, XML_NAME])
@given(
    st.lists(
        st.tuples(records(), st.sampled_from(["", "a", "A", "a-2", "a:b", "a+b", "é", "3m", "x y", "}"])), max_size=8
    )
)
def test_no_two_records_share_a_key_and_every_key_is_allowed(allowed, pairs):
    keys = Keys(allowed)
    made = [keys.of(Record(one.type, one.entries, key=key)) for one, key in pairs]
    assert len({key.lower() for key in made}) == len(made)
    assert all(re.fullmatch(allowed, key) for key in made)


@given(records())
def test_a_key_depends_on_the_record_alone(record):
    assert make_key(record) == make_key(Record(record.type, record.entries))


@pytest.mark.parametrize(
    ("name", "title", "key"),
    [
        (Name("Müller", "J."), "The bells", "muller2019bells"),
        (Name("van Gogh", "V."), "A", "vangogh2019"),
        (Name(literal="World Bell Organisation"), "On bells", "world2019bells"),
        (Name("Ørsted", "H."), "Straße", "orsted2019strasse"),
    ],
)
def test_a_key_is_made_of_author_year_and_title(name, title, key):
    assert make_key(Record("book", (Entry("author", name), Entry("title", title), Entry("date", Date(2019))))) == key


@pytest.mark.parametrize(
    ("name", "title", "key"),
    [
        (Name("王", "小明"), "钟声", "wangzhongsheng"),
        (Name("Иванов", "И. П."), "О колоколах", "ivanovo"),
        (Name("Παπαδόπουλος", "Ν."), "Καμπάνες", "papadopoyloskampanes"),
        (Name("김", "민준"), "종소리", "gimjongsoli"),
        (Name("Yılmaz", "A."), "Çanlar", "yilmazcanlar"),
        (Name("العربي", "م."), "أجراس", "lrbyjrs"),
        (Name("Đặng", "T."), "Chuông", "dangchuong"),
    ],
)
def test_a_name_in_another_script_is_transliterated(name, title, key):
    assert make_key(Record("book", (Entry("author", name), Entry("title", title)))) == key


def test_a_record_without_letters_has_a_key_all_the_same():
    assert re.fullmatch(r"ref[0-9a-f]{8}", make_key(Record("book", (Entry("title", "?!"),))))
