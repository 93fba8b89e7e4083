"""Templates: each parses, renders full and minimal records cleanly, and labels exactly what it shows of them."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from ibidem.csl.markers import read_example
from ibidem.errors import ConfigError, DataError
from ibidem.labels.schema import SCHEMA, UNKNOWN, parent
from ibidem.records.fields import DATES, NAMES, NUMBERS
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.synthesis import PRESETS, Plan, read_weights, synthesise
from ibidem.synthesis.templates.brackets import draw
from ibidem.synthesis.templates.collection import read_templates, templates, weights_of
from ibidem.synthesis.templates.invent import invent, select_fitting
from ibidem.synthesis.templates.language import Template, Words, parse_template, walk
from ibidem.synthesis.templates.lexicon import Lexicon, lexicons
from ibidem.synthesis.templates.render import _Rendering, render

ALL = [template for those in templates().values() for template in those]
STRAY = re.compile(r"[,;:،，、] ?[,;،，、]|\(\)|\[\]|«»|\( |\s\)|\[ |  |,\.|\(,|、。|^[,.;:)\]]|(?<!\.)\.\.(?!\.)")
MARK = "ሀ"
PLAIN = {"title", "journal", "book", "series", "publisher", "place", "institution", "url", "doi", "isbn"}
REED = Record(
    "article",
    (
        Entry("author", Name("Reed", "Ada")),
        Entry("author", Name("Marsh", "Bo")),
        Entry("title", "On reeds"),
        Entry("container", "Annals of Fens"),
        Entry("volume", Number("12", 12)),
        Entry("pages", Pages("321", "328")),
        Entry("date", Date(2019, 3, 4)),
    ),
)


def minimal(template: Template, record: Record) -> Record:
    return replace(record, entries=tuple(one for one in record.entries if one.field in template.required()))


def written(text: str, record: Record = REED, seed: int = 1) -> tuple[str, list[tuple[str, str]]]:
    template = Template("x", "en", ("article",), parse_template(text, "x:1"), "x:1")
    example = read_example(render(template, record, lexicons()["en"], Random(seed)), "x")
    return example.text, [(one.label, example.text[one.start : one.end]) for one in example.annotations]


@pytest.mark.parametrize("template", ALL, ids=lambda template: template.where)
def test_a_template_renders_full_and_minimal_records_without_stray_punctuation(template):
    random = Random(template.where)
    lexicon = lexicons()[template.language]
    for turn in range(4):
        record = invent(template, lexicon, [], random)
        rendering = _Rendering(minimal(template, record) if turn % 2 else record, lexicon, random)
        example = read_example(rendering.parts(template.parts), "x")
        assert example.annotations, example.text
        assert not rendering.open, f"{rendering.open} is never closed: {example.text}"
        assert not STRAY.search(example.text), example.text


def test_every_span_is_of_the_schema_inside_its_parent_and_the_value_that_the_record_has():
    random = Random(3)
    for template in ALL:
        lexicon = lexicons()[template.language]
        record = invent(template, lexicon, [], random)
        example = read_example(render(template, record, lexicon, random), "x")
        known = {value.lower() for entry in record.entries if isinstance(value := entry.value, str)}
        literal = {part.label for part in walk(template.parts) if isinstance(part, Words) and part.label}
        outer: dict[str, tuple[int, int]] = {}
        for one in example.annotations:
            text = example.text[one.start : one.end]
            assert one.label in SCHEMA or one.label == UNKNOWN
            if above := parent(one.label):
                assert outer[above][0] <= one.start and one.end <= outer[above][1]
            outer[one.label] = (one.start, one.end)
            if one.label in PLAIN - literal:
                assert text.lower() in known, (template.where, text)
            if one.label.endswith("person/family"):
                families = {value.family.lower() for entry in record.entries if isinstance(value := entry.value, Name)}
                assert text.lower() in families, (template.where, text)


def marked(template: Template) -> Record:
    """Return a record whose every text is a letter that no template has."""
    values = dict.fromkeys(template.fields() - NAMES - DATES - {"pages"}, MARK)
    entries = [Entry(field, Number(text, 7) if field in NUMBERS else text) for field, text in values.items()]
    entries += [Entry(field, Name(MARK, MARK)) for field in template.fields() & NAMES]
    entries += [Entry(field, Date(7007, 7, 7, letter=MARK)) for field in template.fields() & DATES]
    return Record(template.types[0], (*entries, Entry("pages", Pages(MARK, MARK))))


def test_what_has_no_label_is_a_word_of_the_template():
    shown = 0
    for template in ALL:
        rendered = render(template, marked(template), lexicons()[template.language], Random(template.where))
        example = read_example(rendered, "x")
        outside = list(example.text)
        for one in example.annotations:
            outside[one.start : one.end] = " " * (one.end - one.start)
        shown += MARK in example.text
        assert MARK not in outside and "7007" not in "".join(outside), (template.where, example.text)
    assert shown > 0.8 * len(ALL)


def test_a_template_says_what_it_means():
    text, spans = written("{author:vancouver}: {title}< ({edition}. ed.)>, {pages:first}{' ff.}, {date:D MONTH YYYY}")
    assert text == "Reed A, Marsh B: On reeds, 321 ff., 4 March 2019"
    assert [span for span in spans if "/" not in span[0]] == [
        ("author", "Reed A, Marsh B"),
        ("title", "On reeds"),
        ("pages", "321"),
        ("date", "4 March 2019"),
    ]
    assert ("date/month", "March") in spans and ("author/person/family", "Marsh") in spans
    assert written("{type='PhD thesis}, {title}")[1][0] == ("type", "PhD thesis")
    assert written("{volume:roman}, {pages:short}")[0].startswith("xii, 321") and written("{pages:~}")[0] == "321~328"
    assert written("{author/collaboration='The Fens}. {title}")[1][:2] == [
        ("author", "The Fens"),
        ("author/collaboration", "The Fens"),
    ]
    assert written(r"\<{title}\>")[0] == "<On reeds>"
    assert written("{title} {isbn}") == ("", [])  # a record without what the template needs


def test_words_close_what_was_opened():
    for seed in range(20):
        text, _ = written("{'(|[|“|}{title}{')|]|”|.}", seed=seed)
        assert text in ("(On reeds)", "[On reeds]", "“On reeds”", "On reeds.")
    assert draw(("»",), "", Random(1)) == ("»", "»")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{title", "x:1, character 1: the brace is not closed"),
        ("<{title}", "the group is not closed"),
        ("{title}>", "closes no group"),
        ("{title}}", "closes nothing"),
        ("{tittle}", "'tittle' is no field"),
        ("{titel='x}", "'titel' is no label"),
        ("{note='a|}", "must not be empty"),
        ("no field", "there is no field"),
        ("<<<<<<{title}>>>>>>", "nested more than"),
    ],
)
def test_errors_name_the_place(text, reason):
    with pytest.raises(ConfigError, match=re.escape(reason)):
        parse_template(text, "x:1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[patent en]\n{author:curly}", "toy:2: 'curly' is no style of names"),
        ("[patent en]\n{date:tomorrow}", "no pattern of a date"),
        ("[patent en]\n{pages:all}", "no form of pages"),
        ("[patent en]\n{volume:hex}", "no form of volume"),
        ("[patent en]\n{title='@nothing@}", "there is no list 'nothing'"),
        ("[patent en]\n{title='#9-1#}", "from the larger number to the smaller"),
        ("[patent en]\n{title} # 5", "not closed"),
        ("[patent xx]\n{title}", "no words for the language 'xx'"),
        ("[patent en: novel]\n{title}", "'novel' is no type of works"),
        ("[patent]\n{title}", "toy:1: no heading"),
        ("{title}", "before the first heading"),
    ],
)
def test_errors_of_files_name_the_line(text, reason):
    with pytest.raises(ConfigError, match=re.escape(reason)):
        list(read_templates(text, "toy"))


def test_a_template_from_outside_is_one_line():
    [toy] = read_templates("# a toy\n[toy en: article]\n{title} // {container}\n", "toy")
    assert render(toy, REED, lexicons()["en"], Random(1))
    assert (toy.kind, toy.types, toy.where) == ("toy", ("article",), "toy:3")


def test_lists_may_not_name_themselves():
    from ibidem.synthesis.templates import lexicon

    with pytest.raises(ConfigError, match="more than"):
        lexicon._depth(Lexicon("en", {"a": ("@a@",)}), "a", "the list 'a'", 0)


def test_kinds_are_balanced_by_their_weights(tmp_path):
    path = tmp_path / "kinds.toml"
    path.write_text("patent = 3\nthesis = 1\nmap = 0\n", "utf-8")
    plan = Plan((), seed=4, kinds=read_weights(str(path)))
    made = list(synthesise([], 400, plan))
    where = {template.where: template.kind for template in ALL}
    kinds = [where[":".join(example.source.split(":")[2:])] for example in made]
    assert 0.65 < kinds.count("patent") / len(kinds) < 0.85 and set(kinds) == {"patent", "thesis"}
    for table, reason in (({"novel": 1}, "no kind"), ({"patent": -1}, "from 0 on"), ({"patent": 0}, "are 0")):
        with pytest.raises(ConfigError, match=reason):
            weights_of(table)
    with pytest.raises(ConfigError, match="cannot read"):
        read_weights(str(tmp_path / "missing.toml"))


def test_a_seed_gives_the_same_strings_in_any_number_of_processes():
    plan = Plan((), noise=PRESETS["light"], seed=2, kinds=read_weights("all"))
    alone = list(synthesise([REED], 300, plan))
    assert alone == list(synthesise([REED], 300, plan, jobs=2)) and len(alone) == 300
    assert alone != list(synthesise([REED], 300, replace(plan, seed=3)))
    with pytest.raises(DataError, match="no records"):
        list(synthesise([], 3, replace(plan, kinds=())))


def test_records_of_the_collection_are_used_where_they_suit_the_template():
    [latin] = read_templates("[toy en: article]\n{title}, {container}", "toy")
    [russian] = read_templates("[toy ru: article]\n{title}, {container}", "toy")
    [book] = read_templates("[toy en: book]\n{title}, {publisher}", "toy")
    assert select_fitting(latin, [REED]) == [REED]
    assert select_fitting(russian, [REED]) == [] and select_fitting(book, [REED]) == []


def test_no_template_of_a_kind_is_dead():
    """Every kind, and every language of it, comes up among strings of all kinds."""
    made = list(synthesise([], 4000, Plan((), seed=1, kinds=read_weights("all"))))
    seen = {":".join(example.source.split(":")[2:]) for example in made}
    assert {template.kind for template in ALL if template.where in seen} == set(templates())
    assert {template.language for template in ALL if template.where in seen} == lexicons().keys()
