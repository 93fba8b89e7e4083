"""Tables of dates: what is written and what it means, in EDTF."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.records.normalise.dates import date_of
from ibidem.records.record import Date

DATES = {
    "2019": "2019",
    "(2019)": "2019",
    "April 2005": "2005-04",
    "2005 Apr 3": "2005-04-03",
    "3rd of April, 2005": "2005-04-03",
    "April 3, 2005": "2005-04-03",
    "2009-04-29": "2009-04-29",
    "2009/4/29": "2009-04-29",
    "29.04.2009": "2009-04-29",
    "14-09-2011": "2011-09-14",
    "2/28/2007": "2007-02-28",
    "28/2/2007": "2007-02-28",
    "06/2010": "2010-06",
    "2010-06": "2010-06",
    "mars 2003": "2003-03",
    "3. März 1999": "1999-03-03",
    "12 de octubre de 1998": "1998-10-12",
    "5 мая 2001": "2001-05-05",
    "2020年1月3日": "2020-01-03",
    "4 września 2011": "2011-09-04",
    "2. dubna 1999": "1999-04-02",
    "18 Μαΐου 2014": "2014-05-18",
    "20 במאי 2018": "2018-05-20",
    "15 مارس 2020": "2020-03-15",
    "10 फ़रवरी 2019": "2019-02-10",
    "5 kesäkuuta 2001": "2001-06-05",
    "7 листопада 2009": "2009-11-07",
    "20-27 October 2004": "2004-10-20/2004-10-27",
    "June 30 – July 2, 2004": "2004-06-30/2004-07-02",
    "2006–2007": "2006/2007",
    "2019/20": "2019/2020",
    "Spring 2020": "2020-21",
    "Herbst 1998": "1998-23",
    "ca. 1850": "1850~",
    "[1850?]": "1850~",
    "Nov 94": "1994-11",
    "May 9, 1 9 9 7": "1997-05-09",
    "Published online 19 October 2010": "2010-10-19",
    "Mon Jan 28 13:26:14 2008": "2008-01-28",
}


@pytest.mark.parametrize("text", DATES)
def test_a_date_means_this(text):
    date, _ = date_of(text)
    assert isinstance(date, Date) and date.edtf == DATES[text]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("in press", "in press"),
        ("(n.d.)", "n.d."),
        ("Forthcoming", "forthcoming"),
        ("o. J.", "n.d."),
        ("submitted", "submitted"),
    ],
)
def test_a_status_is_said_instead_of_a_date(text, status):
    assert date_of(text) == (Date(status=status), ())


def test_the_letter_that_tells_two_works_apart_is_kept():
    assert date_of("2019a")[0] == Date(2019, letter="a")
    assert date_of("(1994 b)")[0] == Date(1994, letter="b")


def test_a_date_that_can_be_read_two_ways_says_so():
    date, warnings = date_of("03/05/2008")
    assert date == Date(2008, 3, 5) and "month" in warnings[0]


@pytest.mark.parametrize("text", ["the day after", "99999", "MMXIX", "2019 2020 2021", ""])
def test_what_is_no_date_stays_as_text_with_a_warning(text):
    value, warnings = date_of(text)
    assert value == text and warnings


@given(st.text(max_size=60))
def test_any_text_gives_a_date_or_itself(text):
    value, warnings = date_of(text)
    assert isinstance(value, Date) or (value == text and warnings)
