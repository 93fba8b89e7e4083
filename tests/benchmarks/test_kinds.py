"""The references of the benchmark `kinds` are valid, and it scores what it says."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest

from benchmarks.parsing.kinds.collection import (
    MORE_GENERAL,
    SPLITS,
    choose_pairs,
    date_of,
    name_of,
    read_references,
    types_of,
    write_as,
)
from benchmarks.parsing.kinds.kinds import UNTOUCHED, rows_of, score, split_to_run
from ibidem.metrics.scoring import normalise
from ibidem.records.fields import DATES, FIELDS, IDENTIFIERS, NAMES, TYPES, types_from
from ibidem.records.normalise.numbers import roman
from ibidem.records.normalise.pages import complete_last_page
from ibidem.records.record import Date, Entry, Record

REFERENCES = {split: read_references(split) for split in SPLITS}
EVERY = [reference for split in SPLITS for reference in REFERENCES[split]]

CSL_TYPES = frozenset(
    """article article-journal article-magazine article-newspaper book broadcast chapter collection dataset document
    entry-dictionary entry-encyclopedia interview legal_case legislation manuscript map motion_picture
    paper-conference patent personal_communication post-weblog regulation report software song speech standard thesis
    webpage""".split()
)
NOT_YET = frozenset(
    """archive-collection archive-location arxiv-class dimensions director event event-place extent interviewer
    jurisdiction medium original-date recipient scale section series-number short-title version volumes""".split()
)
"""Fields that a table of fields may lack: they are not asked until it has them."""

SCRIPTS = {"CJK": "Han", "HIRAGANA": "Japanese", "KATAKANA": "Japanese"}


def test_there_are_enough_in_enough_languages():
    assert len(EVERY) >= 320
    assert len({reference.language for reference in EVERY}) >= 28
    assert len({reference.script for reference in EVERY}) >= 9


def test_no_reference_is_there_twice():
    texts = Counter("".join(filter(str.isalnum, reference.text.casefold())) for reference in EVERY)
    assert texts.most_common(1)[0][1] == 1


def test_each_cell_is_in_both_halves_alike():
    development, untouched = (Counter(one.cell for one in REFERENCES[split]) for split in SPLITS)
    assert development == untouched


def test_texts_are_short_and_clean():
    for text in (reference.text for reference in EVERY):
        assert len(text) <= 1000
        assert text == unicodedata.normalize("NFC", " ".join(text.split()))


def test_types_and_fields_are_known():
    for reference in EVERY:
        assert set(reference.types) <= CSL_TYPES, reference
        assert types_of(reference) <= set(TYPES), reference
        assert reference.wanted, reference
        for wanted in reference.wanted:
            assert wanted.fields, reference
            assert set(wanted.fields) <= set(FIELDS) | NOT_YET, reference


def test_values_are_in_the_text():
    for reference in EVERY:
        for wanted in reference.wanted:
            assert occurs(wanted.fields[0], wanted.value, reference.text), (reference, wanted)


def test_the_wrong_value_is_not_in_the_text():
    reference = next(one for one in EVERY if one.text.startswith("Reed, A. M."))
    for field, value in (("title", "Day shifts"), ("author", "Reid, A. M."), ("pages", "153–161"), ("date", "2018")):
        assert not occurs(field, value, reference.text)


def test_identifiers_are_of_the_prefix_and_the_sites_for_examples():
    for wanted in (wanted for reference in EVERY for wanted in reference.wanted):
        if "doi" in wanted.fields:
            assert wanted.value.startswith("10.5555/")
        if "url" in wanted.fields:
            assert re.match(r"(?:https?://)?(?:www\.|blog\.)?example\.(?:org|com)/", wanted.value)


def test_languages_are_written_in_their_scripts():
    for reference in EVERY:
        names = (unicodedata.name(letter, "?").split()[0] for letter in reference.text if letter.isalpha())
        counts = Counter(SCRIPTS.get(name, name.capitalize()) for name in names)
        if reference.script != "Latin":
            del counts["Latin"]  # of URLs and the like
        script = "Han" if reference.script == "Japanese" and not counts["Japanese"] else reference.script
        assert script == "Japanese" or counts.most_common(1)[0][0] == script, reference


def occurs(field: str, value: str, text: str) -> bool:
    """Whether a value is a text of the string, or the normal form of one."""
    plain = unicodedata.normalize("NFKC", text)
    if value.startswith("{"):
        return unicodedata.normalize("NFKC", value[1:-1]) in plain
    if field in NAMES or field in ("director", "interviewer", "recipient"):
        name = name_of(value)
        return all(part.strip(".") in plain for part in re.split(r"[ .]", " ".join((*words_of(name),))) if part)
    if field in DATES or field == "original-date":
        return is_date(value, plain)
    if field in IDENTIFIERS:
        squeezed = re.sub(r"[^\w/.:]", "", plain).casefold()
        return re.sub(r"[^\w/.:]", "", value).casefold() in squeezed
    if "–" in value and field == "pages":
        first, _, last = value.partition("–")
        endings = [last[cut:] for cut in range(len(last)) if complete_last_page(first, last[cut:]) == last]
        return bool(re.search(rf"{re.escape(first)}\s?[-–−~]\s?(?:{'|'.join(endings)})(?!\d)", digits(plain)))
    return unicodedata.normalize("NFKC", value) in plain or value in digits(plain)


def words_of(name):
    return name.particle, name.family, name.given, name.suffix, name.literal


def is_date(value: str, text: str) -> bool:
    date = date_of(value)
    if date.status:
        return date.status in ("n.d.", "in press") or date.status in text.casefold()
    years = [str(one.year) for one in (date, date.end) if one is not None]
    numerals = [str(roman(word)) for word in re.findall(r"\b[MDCLXVI]{5,}\b", text)]
    days = [str(one.day) for one in (date, date.end) if one is not None and one.day is not None]
    written = digits(text)
    return all(year in written or year in numerals for year in years) and all(day in written for day in days)


def digits(text: str) -> str:
    """The text with the digits of every script written as 0 to 9."""
    return "".join(str(unicodedata.digit(letter, letter)) for letter in text)


def test_the_record_that_is_wanted_is_right_and_one_with_more_or_less_is_not():
    perfect = [record_of(reference) for reference in EVERY]
    more = [Record(one.type, (*one.entries, Entry("title", "Spurious"))) for one in perfect]
    less = [Record(one.type, one.entries[1:]) for one in perfect]
    assert all(score(EVERY, perfect).whole)
    assert not any(score(EVERY, more).whole)
    assert not any(score(EVERY, less).whole)


def record_of(reference) -> Record:
    """A record with every value that must be there, as text."""
    entries = tuple(Entry(field, text) for field, text in choose_pairs(reference, []))
    return Record(min(types_of(reference)), entries)


def test_an_optional_value_is_right_in_any_of_its_fields():
    found = ((one, wanted) for one in EVERY for wanted in one.wanted if wanted.optional and "note" in wanted.fields)
    reference, optional = next(found)
    perfect = record_of(reference)
    extra = Entry("note", write_as("note", optional.value))
    assert score([reference], [Record(perfect.type, (*perfect.entries, extra))]).whole == (True,)


def test_a_wrong_type_makes_the_record_wrong():
    reference = next(one for one in EVERY if types_of(one) == {"book"})
    scored = score([reference], [Record("article", record_of(reference).entries)])
    assert scored.report.exact_matches == (True,)
    assert scored.whole == (False,)


def test_rows_say_how_many_of_what_are_right():
    references = REFERENCES["development"]
    rows = list(rows_of(score(references, map(record_of, references))))
    assert {row.ours for row in rows} == {100.0}
    halved = list(
        rows_of(score(references, [record_of(one) if n % 2 else Record() for n, one in enumerate(references)]))
    )
    assert halved[0].ours < 60


def test_types_that_are_missing_are_the_more_general_ones():
    assert set(MORE_GENERAL) <= CSL_TYPES
    assert "document" in types_from("csl")


def test_dates_and_names_of_the_files_are_those_of_records():
    assert date_of("2016-05-09") == Date(2016, 5, 9)
    assert normalise(write_as("author", "Doe, J. A.")) == "Doe | J. A"
    with pytest.raises(ValueError, match="no name"):
        name_of("Doe, J., Jr., Dr.")


def test_only_the_development_half_is_scored_unless_the_other_is_asked_for(monkeypatch):
    monkeypatch.delenv(UNTOUCHED, raising=False)
    assert split_to_run() == "development"
    monkeypatch.setenv(UNTOUCHED, "1")
    assert split_to_run() == "untouched"
