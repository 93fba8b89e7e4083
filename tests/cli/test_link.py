"""`ibidem link` in a process of its own: what it reads, writes and refuses."""

from __future__ import annotations

import json

import pytest

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


def test_nbest_labellings_give_works_too_and_are_refused_with_a_database(run_ibidem, tmp_path):
    path = tmp_path / "refs.txt"
    path.write_text(LINES, "utf-8")
    done = run_ibidem("link", str(path), "--nbest", "3")
    assert done.returncode == 0, done.stderr
    assert [[member["number"] for member in work["members"]] for work in works(done.stdout)] == [[1, 3], [2]]
    old = run_ibidem("link", str(path), "--readings", "3")
    assert old.stdout == done.stdout and b"--readings is now called --nbest" in old.stderr
    done = run_ibidem("link", str(path), "--nbest", "3", "--db", str(tmp_path / "works.duckdb"))
    assert done.returncode == 2 and b"one labelling" in done.stderr


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
    assert "References 1 and 3 refer to the same work" in text and "Probability" in text and "log-odds" in text


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


BIBTEX = """@article{a, author = {Marchbanks, T.}, title = {The grammar of bell signals},
  journal = {Codes before telegraphy}, year = 1999, volume = 12, pages = {88--117}}
@article{b, author = {Thea Marchbanks}, title = {The Grammar of Bell Signals},
  journal = {Codes before telegraphy}, year = 1999, volume = 12, pages = {88--117}}
"""


def test_files_of_records_are_read_by_the_endings_of_their_names(run_ibidem, tmp_path):
    pytest.importorskip("bibtexparser", reason="BibTeX needs the extra `formats`")
    (tmp_path / "refs.bib").write_text(BIBTEX, "utf-8")
    (tmp_path / "refs.txt").write_text(LINES, "utf-8")
    run_ibidem("convert", str(tmp_path / "refs.bib"), str(tmp_path / "refs.json"))
    done = run_ibidem("link", *(str(tmp_path / name) for name in ("refs.bib", "refs.txt", "refs.json")))
    assert done.returncode == 0, done.stderr
    assert [[m["number"] for m in work["members"]] for work in works(done.stdout)] == [[1, 2, 3, 5, 6, 7], [4]]


@pytest.mark.parametrize(
    ("begin", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", b"an image"),
        (b"%PDF-1.7\n\x00\x01", b"a PDF file"),
        (b"R\x00e\x00e\x00d\x00", b"not text"),
    ],
)
def test_a_file_that_is_not_text_is_refused(run_ibidem, tmp_path, begin, kind):
    path = tmp_path / "refs.txt"
    path.write_bytes(begin * 50)
    for done in (run_ibidem("link", str(path)), run_ibidem("link", "-", stdin=path.read_bytes())):
        assert done.returncode == 2 and kind in done.stderr and not done.stdout
        assert len(done.stderr.splitlines()) == 1


def test_a_line_with_a_stray_byte_costs_no_other(run_ibidem, tmp_path):
    path = tmp_path / "refs.txt"
    path.write_bytes(b"\x00\n\xff\xfe bad\n" + LINES.encode())
    done = run_ibidem("link", str(path))
    assert done.returncode == 0, done.stderr
    found = [m["number"] for work in works(done.stdout) for m in work["members"]]
    assert len(found) == len(set(found)) >= len(LINES.splitlines())
    assert b"could not be read" in done.stderr


def test_the_scores_of_a_threshold_are_reported_beside_those_of_the_default(run_ibidem):
    done = run_ibidem("link", "--threshold", "0.9", "-", stdin=LINES.encode())
    told = done.stderr.decode()
    assert "at a threshold of 0.9, pair precision on the dev set" in told and "at a default threshold of" in told


def test_a_database_is_continued_and_gives_the_same_works(run_ibidem, tmp_path):
    pytest.importorskip("duckdb", reason="the database needs the extra `tables`")
    lines = LINES.splitlines(keepends=True)
    for name, some in (("all.txt", lines), ("one.txt", lines[:2]), ("two.txt", lines[2:])):
        (tmp_path / name).write_text("".join(some), "utf-8")
    plain = run_ibidem("link", str(tmp_path / "all.txt"))
    database = ("--db", str(tmp_path / "citations.duckdb"))
    first = run_ibidem("link", str(tmp_path / "one.txt"), *database)
    assert first.returncode == 0 and not first.stdout, first.stderr
    run_ibidem("link", str(tmp_path / "one.txt"), str(tmp_path / "two.txt"), *database)
    again = run_ibidem("link", "-o", "-", *database)
    assert again.returncode == 0 and again.stdout == plain.stdout
    why = run_ibidem("link", "--explain", "1", "3", *database)
    assert b"References 1 and 3 refer to the same work" in why.stdout


def test_a_database_refuses_what_it_cannot_continue(run_ibidem, tmp_path):
    pytest.importorskip("duckdb", reason="the database needs the extra `tables`")
    path, database = tmp_path / "refs.txt", ("--db", str(tmp_path / "citations.duckdb"))
    path.write_text(LINES, "utf-8")
    assert b"give files" in run_ibidem("link", "-", *database, stdin=LINES.encode()).stderr
    assert b"no " in run_ibidem("link", *database).stderr
    run_ibidem("link", str(path), *database)
    path.write_text("Reed A. Something else altogether. 2001.\n", "utf-8")
    done = run_ibidem("link", str(path), *database)
    assert done.returncode == 2 and b"has changed" in done.stderr


def test_a_file_is_not_written_while_it_is_read(run_ibidem, tmp_path):
    path = tmp_path / "refs.jsonl"
    path.write_text(LINES, "utf-8")
    done = run_ibidem("link", str(path), "-o", str(path))
    assert done.returncode == 2 and path.read_text("utf-8") == LINES
