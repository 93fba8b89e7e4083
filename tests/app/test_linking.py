"""`ibidem link` in a process of its own: what it reads, writes and refuses."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("scipy", reason="linking needs the extra `link`")
pytest.importorskip("rapidfuzz", reason="linking needs the extra `link`")

LINES = (
    "Marchbanks, T. (1999). The grammar of bell signals. Codes before telegraphy, 12(3), 88–117.\n"
    "Quillfeather, B. Tides of the inner delta. Moss & Daughters, Eastport, 1984.\n"
    "\n"
    "T. Marchbanks, The grammar of bell signals, Codes Before Telegraphy 12 (1999) 88-117.\n"
)


def works(output):
    return [json.loads(line) for line in output.decode().splitlines()]


def test_strings_become_works(run_ibidem, tmp_path):
    path = tmp_path / "refs.txt"
    path.write_text(LINES, "utf-8")
    done = run_ibidem("link", str(path))
    assert done.returncode == 0, done.stderr
    found = works(done.stdout)
    assert [[member["number"] for member in work["members"]] for work in found] == [[1, 3], [2]]
    assert found[0]["members"][0]["nearest"] == 3 and 0.5 < found[0]["members"][0]["probability"] <= 1
    assert len(found[0]["sources"]) == len(found[0]["record"]["entries"])
    assert b"3 references, 2 works" in done.stderr and b"dev set" in done.stderr


def test_what_parse_and_convert_write_can_be_linked(run_ibidem, tmp_path):
    (tmp_path / "refs.txt").write_text(LINES, "utf-8")
    for options, name in (((), "fields.jsonl"), (("--format", "jsonl"), "records.jsonl")):
        run_ibidem("parse", str(tmp_path / "refs.txt"), "-o", str(tmp_path / name), *options)
        done = run_ibidem("link", str(tmp_path / name), "-o", str(tmp_path / "works.jsonl"))
        assert done.returncode == 0, done.stderr
        sizes = [len(work["members"]) for work in works((tmp_path / "works.jsonl").read_bytes())]
        assert sorted(sizes)[-1] == 2, name


def test_a_bad_line_costs_one_line(run_ibidem):
    lines = b'{"text": "Reed A. Drift of bells in harbours. 2019."}\nnot json\n{"entries": 3}\n\xff\n'
    done = run_ibidem("link", "--jsonl", "-", stdin=lines)
    assert done.returncode == 0
    found = works(done.stdout)
    assert len(found) == 4 and found[1]["confidence"] == 0
    assert all(work["record"]["warnings"] or work["members"][0]["record"]["warnings"] for work in found[1:])
    assert b"3 of 4 references could not be read" in done.stderr


def test_an_explanation_says_why(run_ibidem):
    done = run_ibidem("link", "--explain", "1", "3", "-", stdin=LINES.encode())
    assert done.returncode == 0
    text = done.stdout.decode()
    assert "References 1 and 3 mean the same work" in text and "Probability" in text and "log-odds" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--threshold", "1.5", "-"), b"between 0 and 1"),
        (("--explain", "1", "9", "-"), b"no reference 9"),
        (("no-such-file",), b"no-such-file"),
        (("--pair-model", "no-such-model", "-"), b"no-such-model"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(run_ibidem, arguments, words):
    done = run_ibidem("link", *arguments, stdin=LINES.encode())
    assert done.returncode == 2 and words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_is_not_written_while_it_is_read(run_ibidem, tmp_path):
    path = tmp_path / "refs.jsonl"
    path.write_text(LINES, "utf-8")
    done = run_ibidem("link", str(path), "-o", str(path))
    assert done.returncode == 2 and path.read_text("utf-8") == LINES
