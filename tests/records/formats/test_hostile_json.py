"""Hostile JSON and files without an end: an answer or one sentence for each item, and no writer breaks."""

from __future__ import annotations

from io import BytesIO

import pytest
from lxml import etree

from ibidem.records.formats import FORMATS, read, write
from ibidem.records.formats import format as format_module
from ibidem.records.record import Record
from ibidem.types import Malformed

FAULT = "a fault in Ibidem"
ENTRY = '{"type":"book","entries":[{"field":"title","value":"x",%s}]}'
VALUE = '{"type":"book","entries":[{"field":"%s","value":%s}]}'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"type":[],"entries":[]}', "no type '[]'; there are article"),
        ('{"type":{},"entries":[]}', "no type '{}'"),
        ('{"type":"book","entries":[{"field":{},"value":"x"}]}', "no field '{}'; there are author"),
        ('{"type":"book","entries":[{"field":[],"value":"x"}]}', "no field '[]'"),
        ('{"type":"book","entries":[],"confidence":18446744073709551616}', "'confidence' must be between 0 and 1"),
        ('{"type":"book","entries":[],"confidence":-0.1}', "'confidence' must be between 0 and 1, not -0.1"),
        ('{"type":"book","entries":[],"confidence":NaN}', "not valid JSON"),
        ('{"type":"book","entries":[],"key":[]}', "'key' must be a string"),
        ('{"type":"book","entries":[],"warnings":[{}]}', "'warnings' must hold strings"),
        (ENTRY % '"end":1e308', "'end' must be the place of a character, or -1, not 1e+308"),
        (ENTRY % '"start":-7', "'start' must be the place of a character"),
        (ENTRY % '"start":1.5', "'start' must be the place of a character"),
        (ENTRY % '"raw":{}', "'raw' must be a string"),
        (VALUE % ("date", '{"year":12345678901234567890}'), "'year' must be between -9999 and 9999"),
        (VALUE % ("date", '{"year":2019,"month":13}'), "'month' must be between 1 and 12, not 13"),
        (VALUE % ("date", '{"year":1,"end":{"year":2,"end":{"year":3}}}'), "a date without an end of its own"),
        (VALUE % ("title", '{"year":2019}'), "the value of 'title' must be a string, and is a date"),
        (VALUE % ("marker", '{"year":2019}'), "the value of 'marker' must be a string, and is a date"),
        (VALUE % ("date", '{"family":"Doe"}'), "the value of 'date' must be a date, and is a name"),
        (VALUE % ("author", '{"first":"1"}'), "the value of 'author' must be a name, and is a pages"),
        (VALUE % ("title", "[[[]]]"), "a value is a string or an object with parts, not '[[[]]]'"),
        (VALUE % ("title", "[" * 1_010 + "]" * 1_010), "a value is a string or an object with parts, not "),
        (VALUE % ("title", "[" * 2_000 + "]" * 2_000), "depth limit"),
        (VALUE % ("title", '"\\ud800"'), "not valid JSON"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_a_sentence(line, reason):
    (found,) = read(BytesIO(line.encode()), "jsonl")
    assert isinstance(found, Malformed) and found.source == "line 1"
    assert reason in found.reason and FAULT not in found.reason


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ('{"type":"book","issued":{"date-parts":[[123456789012345678901]]}}', "the year of a date must be between"),
        ('{"type":"book","issued":{"date-parts":[[1e308]]}}', "the year of a date must be between"),
        ('{"type":"book","issued":{"date-parts":[[2019,25]]}}', "no such date"),
        ('{"type":"book","issued":{"date-parts":[[[2019]]]}}', "date-parts must hold numbers"),
        ('{"type":"book","author":[[]]}', "a name must be an object"),
        ('{"type":"book","title":{}}', "'title' must be a string"),
        ('{"type":"book","custom":{"marker":[{"year":2019}]}}', "the value of 'marker' must be a string"),
    ],
)
def test_an_item_of_csl_that_cannot_be_meant_is_refused_in_a_sentence(item, reason):
    (found,) = read(BytesIO(f"[{item}]".encode()), "csl-json")
    assert isinstance(found, Malformed) and reason in found.reason and FAULT not in found.reason


ODD = [
    "null", "[]", "{}", "5", "-1", "1e308", "18446744073709551616", "1.5", "true", '""', '"\\u0000"', '"a\\nb"',
    '"\\u0001\\u001b\\ufffe\\u2028"', "[[[[]]]]", '{"year":5}', '{"year":-5}', '{"edtf":5}', '{"family":5}',
    '{"family":"\\u0000x","given":"\\u0001"}', '{"literal":""}', '{"first":"-5","last":"-9"}', '{"text":"x","value":7}',
    '{"season":"x"}', '{"unknown":1}', '{"status":"\\u0001"}', '{"year":2019,"letter":"\\u0000<&>"}',
    '{"year":2019,"season":"spring"}', "[" * 1_010 + "]" * 1_010, f'"{"x" * 50_000}"',
]  # fmt: skip


def hostile_lines() -> list[str]:
    """Return objects of our own JSON with something odd in every place."""
    lines = []
    for odd in ODD:
        lines += [odd, f'{{"type":{odd},"entries":[]}}', f'{{"type":"book","entries":{odd}}}']
        lines += [f'{{"type":"book","entries":[],"{key}":{odd}}}' for key in ("confidence", "key", "warnings", "text")]
        lines += [ENTRY % f'"{key}":{odd}' for key in ("start", "end", "confidence", "raw", "warnings", "field")]
        lines += [VALUE % (field, odd) for field in ("title", "author", "date", "pages", "volume", "marker", "doi")]
    return lines


def hostile_items() -> list[str]:
    """Return CSL items with something odd in every place."""
    items = []
    for odd in ODD:
        items += [odd, *(f'{{"{key}":{odd}}}' for key in ("type", "id", "custom"))]
        for variable in ("title", "author", "issued", "page", "volume", "DOI", "status"):
            items += [f'{{"type":"book","{variable}":{odd}}}', f'{{"type":"book","{variable}":[{odd}]}}']
        for part in ("date-parts", "season", "circa", "literal"):
            items.append(f'{{"type":"book","issued":{{"date-parts":[[2019]],"{part}":{odd}}}}}')
        for field in ("arxiv", "title-in-full", "date-in-full", "publisher-is"):
            items.append(f'{{"type":"book","title":"t","custom":{{"{field}":[{odd}]}}}}')
    return items


def test_every_item_has_an_answer_and_no_writer_breaks():
    lines, items = hostile_lines(), hostile_items()
    found = list(read(BytesIO("\n".join(lines).encode()), "jsonl"))
    found += read(BytesIO(f"[{','.join(items)}]".encode()), "csl-json")
    assert len(found) == len(lines) + len(items)
    assert not [one for one in found if isinstance(one, Malformed) and FAULT in one.reason]
    records = [one for one in found if isinstance(one, Record)]
    assert len(records) > 300
    for name, form in FORMATS.items():
        if form.extra:
            continue
        out, warned = BytesIO(), []
        assert write(records, out, name, warn=lambda _, message, to=warned: to.append(message)) == len(records)
        assert not [message for message in warned if message.startswith("not written")]
        if name in ("tei", "jats", "endnote", "dc"):
            etree.fromstring(out.getvalue())
        if form.read:
            assert all(isinstance(one, Record) for one in read(BytesIO(out.getvalue()), name))


def test_a_line_that_is_too_long_costs_itself_alone(monkeypatch):
    for module in ("format", "jsonl"):
        monkeypatch.setattr(f"ibidem.records.formats.{module}.LONGEST_LINE", 100)
    good = b'{"type":"book","entries":[{"field":"title","value":"x"}]}\n'
    one, other, last = read(BytesIO(good + b'"' + b"y" * 1_000 + b'"\n' + good), "jsonl")
    assert isinstance(one, Record) and isinstance(last, Record)
    assert other == Malformed("line 2", "it has more than 100 bytes, too many for a record")


def test_lines_of_ris_without_an_end_cost_their_record_alone(monkeypatch):
    for module in ("format", "ris"):
        monkeypatch.setattr(f"ibidem.records.formats.{module}.LONGEST_LINE", 100)
    entry = "TY  - BOOK\nTI  - {}\nAU  - x\nER  - \n"
    ris = "\n" * 200 + entry.format("a") + entry.format("y" * 500) + entry.format("b")
    one, other, last = read(BytesIO(ris.encode()), "ris")
    assert (one.first("title"), last.first("title")) == ("a", "b")
    assert other == Malformed("line 205", "it has more than 100 bytes, too many for a record")
    endless = b"TY  - BOOK\nTI  - a\n" + b"and on\n" * 100 + b"ER  - \n"
    (found,) = read(BytesIO(endless), "ris")
    assert "more than 100 bytes" in found.reason


@pytest.mark.parametrize("form", ["bibtex", "csl-json"])
def test_a_file_that_is_too_large_is_refused_before_it_fills_the_memory(form, monkeypatch):
    module = {"bibtex": "bibtex_reader", "csl-json": "csl"}[form]
    monkeypatch.setattr(f"ibidem.records.formats.{module}._LARGEST", 1_000)

    class Endless(BytesIO):
        def read(self, size: int = -1) -> bytes:
            assert 0 < size <= 1_001, "all of it was asked for"
            return b" " * size

    (found,) = read(Endless(), form)
    assert "more than 1,000 bytes" in found.reason and "split it" in found.reason


def test_more_entries_than_the_memory_holds_are_refused(monkeypatch):
    monkeypatch.setattr("ibidem.records.formats.bibtex_reader._MOST", 10)
    for data in (b"@a{b}" * 11, b"@a{b," + b"c=1," * 81 + b"}"):
        (found,) = read(BytesIO(data), "bibtex")
        assert "more than 10 entries" in found.reason and "split it" in found.reason


def test_an_element_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("ibidem.records.formats.xml.LONGEST_LINE", 200_000)
    reference = b"<ref id='a'><element-citation><source>x</source></element-citation></ref>"
    many = b"<ref-list>" + (reference + b"<p>between</p>") * 5_000 + b"</ref-list>"
    assert len(many) > 200_000
    assert [type(one) for one in read(BytesIO(many), "jats")] == [Record] * 5_000
    endless = b"<ref-list>" + reference + b"<ref><element-citation>" + b"<source>y</source>" * 50_000
    first, last = read(BytesIO(endless), "jats")
    assert first.first("container") == "x" and "more than 200,000 bytes" in last.reason


def test_the_limits_let_every_real_file_through():
    assert format_module.LONGEST_LINE >= 1 << 24
