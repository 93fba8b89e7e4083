"""Inputs: every line becomes an item, whatever bytes it holds, and none is held longer than it must be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.cli.inputs import LONGEST, Item, check_files, from_argument, from_bytes, from_json, read_files
from ibidem.errors import InputError


def items_of(tmp_path: Path, content: bytes, name: str = "in.txt") -> list[Item]:
    (tmp_path / name).write_bytes(content)
    return list(read_files([tmp_path / name], key="text"))


@pytest.mark.parametrize(
    ("line", "text", "error"),
    [
        (b"Reed 2019", "Reed 2019", None),
        ("Рябинцев А. К.".encode(), "Рябинцев А. К.", None),
        ("كتاب الأنهار، 1987".encode(), "كتاب الأنهار، 1987", None),
        (b"a\x00b", "a\x00b", None),
        (b"", "", "empty"),
        (b" \t ", " \t ", "empty"),
        (b"Caf\xe9 noir", "Caf\\xe9 noir", "not valid UTF-8 at byte 3"),
        (b"ab\xed\xa0\x80", "ab\\xed\\xa0\\x80", "not valid UTF-8 at byte 2"),
    ],
)
def test_the_item_of_a_line(line, text, error):
    item = from_bytes(line)
    assert item.text == text
    assert (item.error or "").startswith(error or "")
    assert (item.error is None) == (error is None)


@pytest.mark.parametrize(
    ("line", "text", "error"),
    [
        (b'{"text": "Reed 2019", "id": 7}', "Reed 2019", None),
        (b'{"text": "\\u0000"}', "\x00", None),
        (b'{"text": "a \\ud800 b"}', '{"text": "a \\ud800 b"}', "not valid JSON"),
        (b'{"text": "\xff"}', '{"text": "\\xff"}', "not valid JSON"),
        (b'{"text": ""}', "", "empty"),
        (b'{"text": null}', '{"text": null}', "'text' is NoneType; expected a string"),
        (b'{"title": "x"}', '{"title": "x"}', "no key 'text'"),
        (b"[1]", "[1]", "expected a JSON object"),
        (b"{", "{", "not valid JSON"),
        (b"", "", "empty"),
    ],
)
def test_the_item_of_a_line_of_json(line, text, error):
    item = from_json(line, "text")
    assert item.text == text
    assert (item.error or "").startswith(error or "")
    assert (item.error is None) == (error is None)


def test_an_argument_that_is_not_utf8_has_an_error():
    assert from_argument("Reed 2019") == Item("Reed 2019")
    assert from_argument("Caf\udce9") == Item("Caf\\xe9", "not valid UTF-8 at byte 3: unexpected end of data")
    assert from_argument("x\ud800").error == "not valid Unicode at character 1: a lone surrogate"


@given(st.lists(st.binary().filter(lambda line: b"\n" not in line), max_size=8), st.sampled_from([b"\n", b"\r\n"]))
def test_every_line_gives_one_item_that_can_be_written_out(lines, end):
    for item in map(from_bytes, lines):
        item.text.encode("utf-8")  # no lone surrogates get through
    joined = end.join([*lines, b""])
    assert joined.count(b"\n") == len(lines)


def test_lines_end_at_line_feeds_alone_and_a_byte_order_mark_is_set_aside(tmp_path):
    content = b"\xef\xbb\xbfone\r\ntwo\xe2\x80\xa8still two\x0b\x85\n\nlast"
    found = [item.text for item in items_of(tmp_path, content)]
    assert found[:1] + found[2:] == ["one", "last"]
    assert found[1].startswith("two\u2028still two\x0b")


def test_an_empty_file_has_no_items(tmp_path):
    assert items_of(tmp_path, b"") == []


def test_a_file_named_jsonl_is_read_as_json_lines(tmp_path):
    lines = [json.dumps({"text": text}) for text in ("one", "two")]
    assert [item.text for item in items_of(tmp_path, "\n".join(lines).encode(), "in.jsonl")] == ["one", "two"]


@pytest.mark.parametrize("name", ["in.txt", "in.jsonl"])
def test_a_line_without_end_is_refused_and_the_next_one_read(tmp_path, name):
    long = b"a" * (15 * LONGEST)
    found = items_of(tmp_path, long + b"\n" + b'{"text": "next"}' + b"\n" + long + long, name)
    assert len(found) == 3
    assert found[0].error == found[2].error == "longer than 1,000,000 characters; split it into references"
    assert len(found[0].text) < 2_000
    assert found[1].error is None


@pytest.mark.parametrize("text", ["a" * 100_000, "林" * LONGEST, "a " * (LONGEST // 2)])
def test_long_lines_within_the_limit_are_taken(text):
    assert from_bytes(text.encode()) == Item(text)
    assert from_json(json.dumps({"text": text}).encode(), "text") == Item(text)
    assert from_bytes((text + "林" * LONGEST).encode()).error is not None


def test_bytes_read_are_reported_and_add_up_to_the_size_of_the_file(tmp_path):
    (tmp_path / "in.txt").write_bytes(b"one\ntwo\r\n\nlast")
    advanced: list[int] = []
    list(read_files([tmp_path / "in.txt"], key="text", advance=advanced.append))
    assert sum(advanced) == 14


def test_a_missing_file_and_a_folder_are_refused_by_name(tmp_path):
    with pytest.raises(InputError, match=r"cannot read .*nothing\.txt: No such file"):
        check_files([tmp_path / "nothing.txt"])
    with pytest.raises(InputError, match="is a folder"):
        check_files([tmp_path])
