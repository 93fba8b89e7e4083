"""Files of labelled strings: what is written can be read again, and what cannot be written is refused."""

from __future__ import annotations

import ast
import gzip
import io
import lzma
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.data import writers
from ibidem.data.readers import files, labelled
from ibidem.data.readers.labelled import format_of, looks_like_file, read_labelled
from ibidem.data.registry import split_by_text
from ibidem.errors import InputError
from ibidem.text import tokenise
from ibidem.types import Annotation, Example, Malformed

WORDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zs", "Zl", "Zp")) | st.sampled_from("<>&\\#\"'|-"),
    min_size=1,
    max_size=8,
).filter(lambda word: not any(character.isspace() for character in word))
PARTS = {"author": ("person",), "author/person": ("family", "given"), "date": ("year",), "title": ()}


@st.composite
def examples(draw, spaces=(" ", "  ", "\n", "", "\t")) -> Example:
    """Words with whitespace or nothing between them; fields over some of them, parts inside fields."""
    words = draw(st.lists(WORDS, min_size=1, max_size=10))
    text, places = "", []
    for word in words:
        text += draw(st.sampled_from(spaces)) if text else ""
        places.append((len(text), len(text) + len(word)))
        text += word
    annotations: list[Annotation] = []
    number = 0
    while number < len(words):
        stretch = draw(st.integers(1, len(words) - number))
        if draw(st.booleans()):
            label = draw(st.sampled_from(("author", "date", "title")))
            annotations += list(inside(draw, label, places[number : number + stretch]))
        number += stretch
    partially_annotated = draw(st.frozensets(st.sampled_from(("author", "date"))))
    tokens = tokenise(text) if draw(st.booleans()) else ()
    return Example(
        text, tuple(annotations), draw(st.sampled_from(("mine:1", "a b", "x\\n"))), tokens, partially_annotated
    )


def inside(draw, label, places):
    yield Annotation(label, places[0][0], places[-1][1])
    below = PARTS.get(label, ())
    if below and draw(st.booleans()):
        part = f"{label}/{draw(st.sampled_from(below))}"
        start = draw(st.integers(0, len(places) - 1))
        yield from inside(draw, part, places[start : draw(st.integers(start, len(places) - 1)) + 1])


def through(example: Example, form: str, folder: Path) -> list[Example | Malformed]:
    path = folder / {"jsonl": "x.jsonl", "conll": "x.conll", "anystyle": "x.xml"}[form]
    with path.open("wb") as stream:
        assert list(writers.write([example, example], stream, form)) == []
    return list(read_labelled(path))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("labelled")


@given(examples())
def test_json_lines_and_conll_carry_everything(folder, example):
    for form in ("jsonl", "conll"):
        assert through(example, form, folder) == [example, example]


@given(examples(spaces=(" ", "")))
def test_anystyle_carries_the_text_and_the_top_level_of_labels(folder, example):
    flat = tuple(annotation for annotation in example.annotations if "/" not in annotation.label)
    found = through(example, "anystyle", folder)
    assert [(one.text, one.annotations) for one in found] == [(example.text, flat)] * 2


def test_a_boundary_inside_a_token_stays_where_it_is(folder):
    example = Example("arXiv1501", (Annotation("arxiv", 5, 9),), "x", tokenise("arXiv1501"))
    cut = Example("abcdef", (Annotation("title", 2, 4),), "x", tokenise("abcdef"))
    for one in (example, cut):
        assert through(one, "conll", folder)[0] == one


def refused(example: Example, form: str) -> str:
    stream = io.BytesIO()
    [problem] = writers.write([example], stream, form)
    assert example.text.encode() not in stream.getvalue()
    return problem.reason


def test_what_a_format_cannot_carry_is_refused_with_a_reason():
    crossing = Example("a b c", (Annotation("title", 0, 3), Annotation("date", 2, 5)), "x")
    assert "overlap" in refused(crossing, "conll")
    assert "overlap" in refused(crossing, "anystyle")
    assert "parent" in refused(Example("a b", (Annotation("author/person", 0, 3),), "x"), "conll")
    assert "whitespace" in refused(Example("a b", (Annotation("title", 0, 2),), "x"), "conll")
    assert "control" in refused(Example("a\x07b", (), "x"), "anystyle")
    assert "journal|book" in refused(Example("a b", (Annotation("journal|book", 0, 1),), "x"), "anystyle")
    with pytest.raises(InputError, match="jsonl, conll"):
        list(writers.write([], io.BytesIO(), "csv"))


def test_one_bad_string_costs_one_string():
    bad = Example("a b", (Annotation("title", 0, 2),), "bad")
    stream = io.BytesIO()
    problems = list(writers.write([bad, Malformed("gone", "why"), replace(bad, annotations=())], stream, "conll"))
    assert [problem.source for problem in problems] == ["bad", "gone"]
    assert stream.getvalue().count(b"# text") == 1


def test_covered_xml_has_every_word_in_a_field():
    example = Example(
        "1. Reed. Bells. 1990.",
        (Annotation("author", 3, 7), Annotation("title", 9, 14), Annotation("date", 16, 20)),
        "x",
    )
    stream = io.BytesIO()
    assert list(writers.write([example], stream, "anystyle-covered")) == []
    assert b"<author>1. Reed.</author> <title>Bells.</title> <date>1990.</date>" in stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("x.jsonl", '{"text": 1}', "string `text`"),
        ("x.jsonl", "nonsense", "not JSON"),
        ("x.jsonl", '{"text": "abc", "fields": [{"label": "title", "start": 0, "end": 9}]}', "not a range"),
        ("x.jsonl", '{"text": "ab", "fields": [{"label": "t", "text": "x", "start": 0, "end": 1}]}', "its offsets"),
        ("x.jsonl", '{"text": "ab", "fields": [{"start": 0, "end": 1}]}', "label"),
        ("x.jsonl", "[" * 100_000, "nested too deep"),
        ("x.jsonl", '{"text": "ab", "fields": [{"label": "", "start": 0, "end": 1}]}', "a field with `label`"),
        ("x.jsonl", '{"text": "ab", "fields": 3}', "a list in `fields`"),
        ("x.jsonl", '{"text": "ab", "fields": [3]}', "`label`, `start` and `end`"),
        ("x.jsonl", '{"text": "ab", "fields": [{"label": "t", "start": true, "end": 2}]}', "not a range"),
        ("x.jsonl", '{"text": "ab", "fields": [{"label": "t", "text": 7, "start": 0, "end": 1}]}', "its offsets"),
        ("x.jsonl", '{"text": "ab", "tokens": [7]}', "not a range"),
        ("x.jsonl", b'{"text": "\xff"}', "not UTF-8"),
        ("x.jsonl", f'{{"text": "ab", "n": {"9" * 5_000}}}', "digits"),
        ("x.conll", "# text = a b\na\tO\nc\tO\n", "not those"),
        ("x.conll", "alone\n", "no label"),
        ("x.conll", "\tB-date\n", "no token"),
        ("x.conll", "Reed\t\n", "'' is not a label"),
        ("x.conll", "# text = a\n# tokens = 0-7\na\tO\n", "# tokens"),
        ("x.conll", f"# text = a\n# tokens = 0-{'9' * 5_000}\na\tO\n", "# tokens"),
        ("x.conll", "Reed author\n", "'author' is not a label"),
        ("x.conll", "Reed B-author//I-x\n", "is not a label"),
        ("x.conll", b"Reed\xff O\n", "not UTF-8"),
        ("x.xml", "<sequence><title>never closed</title>", "never closed"),
        ("x.xml", b"<sequence>\xff</sequence>", "not UTF-8"),
        ("x.xml", f"<sequence>&#{'9' * 5_000};</sequence>", "too many digits"),
        ("x.xml", f"<sequence>{'<a>' * 500}x{'</a>' * 500}</sequence>", "more than 100 deep"),
        ("x.xml", f"<sequence>x{'</a>' * 500}</sequence>", "and 495 more"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_bad_piece_of_a_file_is_reported(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    problems = [item for item in read_labelled(path) if isinstance(item, Malformed)]
    assert len(problems) == 1
    assert reason in problems[0].reason


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("x.jsonl", '{"text": "Reed"}\n', '{"text": "Marsh"}\n'),
        ("x.conll", "Reed B-author\n\n", "Marsh B-author\n\n"),
        ("x.xml", "<sequence><author>Reed</author></sequence>\n", "<sequence><author>Marsh</author></sequence>\n"),
    ],
)
def test_a_fault_costs_the_string_that_it_befell(tmp_path, name, good, bad):
    path = tmp_path / name
    path.write_text(good + bad + good, "utf-8")
    code = f"""from ibidem.data.readers.labelled import Path, read_labelled
print([getattr(item, "reason", item.source) for item in read_labelled(Path({str(path)!r}))])"""
    environment = {**os.environ, "IBIDEM_FAULT": "labelled:Marsh"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    first, fault, last = ast.literal_eval(done.stdout)
    assert "a fault in Ibidem while reading it: RuntimeError" in fault
    assert first != last and "Ibidem" not in first + last


@pytest.mark.parametrize("name", ["x.jsonl", "x.conll", "x.xml"])
def test_a_file_that_is_too_large_is_refused(tmp_path, monkeypatch, name):
    monkeypatch.setattr(files, "LONGEST_LINE", 1_000)
    monkeypatch.setattr(files, "LARGEST_FILE", 1_000)
    monkeypatch.setattr(labelled, "LONGEST_LINE", 1_000)
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(b"a O\n" * 1_000 if name == "x.conll" else b"a" * 2_000))
    with pytest.raises(InputError, match=r"more than 1,000 bytes|is too long"):
        list(read_labelled(path))


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_packed_file_that_is_damaged_is_refused(tmp_path, pack):
    path = tmp_path / "x.jsonl.gz"
    packed = pack(b'{"text": "Reed"}\n' * 1_000)
    path.write_bytes(packed)
    assert len(list(read_labelled(path))) == 1_000
    for damaged in (packed[: len(packed) // 2], packed[:20] + b"\xff" * 20 + packed[40:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="cannot unpack"):
            list(read_labelled(path))


def test_a_byte_order_mark_is_no_part_of_the_first_string(tmp_path):
    path = tmp_path / "x.jsonl"
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_text('{"text": "Reed"}\n', encoding)
        assert [example.text for example in read_labelled(path)] == ["Reed"]


@pytest.mark.parametrize(
    "piece",
    ["<!--", "<?", "<a ", "<a>", "</b>", "<a x", "&#", "<", "<title>", "a "],
)
def test_tags_of_any_kind_are_read_in_time(piece):
    code = "import sys; from ibidem.data.readers.inline import attributes_of, scan\n"
    code += "scan(sys.argv[1] * 100_000, lambda tag, rest: attributes_of(rest) and tag or tag)"
    code += "\nattributes_of(sys.argv[1].strip('<> ') * 100_000)"
    subprocess.run([sys.executable, "-c", code, piece], check=True, timeout=60)


def test_columns_without_comments_are_joined_by_spaces(tmp_path):
    path = tmp_path / "x.bio"
    path.write_text("Reed NNP B-author\n. . O\n\n1990 CD B-date\n", "utf-8")
    first, second = read_labelled(path)
    assert (first.text, first.annotations) == ("Reed .", (Annotation("author", 0, 4),))
    assert [token.text for token in first.tokens] == ["Reed", "."]
    assert second.text == "1990"


def test_what_parse_writes_can_be_read_as_labelled(tmp_path):
    path = tmp_path / "parsed.jsonl"
    path.write_text(
        '{"text": "Bells", "fields": [{"label": "title", "text": "Bells", "start": 0, "end": 5, "confidence": 0.5}]}\n'
    )
    [example] = read_labelled(path)
    assert example.annotations == (Annotation("title", 0, 5),)


def test_the_file_name_gives_the_format():
    assert format_of(Path("x.xml.xz")) == "anystyle"
    assert looks_like_file("mine.conll.gz") and not looks_like_file("grobid-citation")
    with pytest.raises(InputError, match=r"\*\.jsonl"):
        format_of(Path("x.txt"))
    with pytest.raises(InputError, match="no file"):
        list(read_labelled(Path("absent.jsonl")))


def test_splits_of_a_file_are_disjoint_and_complete():
    examples = [Example(f"Reed {number}", (), str(number)) for number in range(300)]
    parts = [[one.source for one in split_by_text(examples, split)] for split in ("train", "dev", "test")]
    assert sorted([*parts[0], *parts[1], *parts[2]]) == sorted(one.source for one in split_by_text(examples, ""))
    assert len(parts[0]) > 200 and parts[1] and parts[2]
