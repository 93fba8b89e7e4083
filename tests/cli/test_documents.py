"""Papers and headers from files: what is read, what is refused, and what people see."""

from __future__ import annotations

import json

import pytest

from ibidem.cli.inputs import from_json_document, read_files
from ibidem.cli.pretty import draw_authors, draw_sections
from ibidem.labels.tasks import AUTHORS, SECTIONS
from ibidem.models.shipped import weights_of
from ibidem.types import Field, Link, Parsed

ships = pytest.mark.skipif(
    not (weights_of("sections").exists() and weights_of("authors").exists()), reason="no model ships with this checkout"
)


def items(path, task=SECTIONS, key="headings", **options):
    return [(item.text, item.error) for item in read_files([path], task=task, key=key, **options)]


def file(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_an_empty_line_separates_two_documents(tmp_path):
    path = file(tmp_path, "p.txt", "\n\nAbstract\nBells\r\n \n\nResults\n")
    assert items(path) == [("Abstract\nBells", None), ("Results", None)]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('["Abstract", "Bells"]', ["Abstract\nBells"]),
        ('[["Abstract"], ["Bells"]]', ["Abstract", "Bells"]),
        ('{"headings": ["Abstract", "two\\nlines"]}', ["Abstract\ntwo lines"]),
        ('[{"headings": "Abstract\\nBells"}, {"text": ["Bells"]}]', ["Abstract\nBells", "Bells"]),
    ],
)
def test_a_document_in_json_is_a_string_a_list_or_an_object(tmp_path, content, found):
    assert items(file(tmp_path, "p.json", content)) == [(text, None) for text in found]


def test_a_broken_line_gives_one_entry_with_an_error(tmp_path):
    path = file(tmp_path, "p.jsonl", '["Abstract"]\n{oops\n{"titles": []}\n["a", 1]\n7\n{"headings": ["Bells"]}\n')
    found = items(path)
    assert [text for text, error in found if error is None] == ["Abstract", "Bells"]
    errors = [error for _, error in found if error]
    assert len(errors) == 4
    assert "not valid JSON" in errors[0] and "no key 'headings'" in errors[1] and "its keys are titles" in errors[1]
    assert "a list with int" in errors[2] and "got int" in errors[3]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("e.txt", b"", "empty"),
        ("e.txt", b" \n\n", "empty"),
        ("l.txt", b"Abstract\nCaf\xe9\n", "not valid UTF-8"),
        ("j.json", b"{", "not valid JSON"),
        ("l.txt", b"x" * 4_000_001 + b"\nAbstract", "longer than"),
        ("l.txt", b"Bells of the marsh\n" * 230_000, "put a blank line between two papers"),
    ],
)
def test_what_cannot_be_read_is_one_entry_with_an_error(tmp_path, name, content, words):
    [(text, error)] = items(file(tmp_path, name, content))
    assert error is not None and words in error and len(text) < 1200


def test_the_other_documents_of_a_file_with_bad_bytes_are_read(tmp_path):
    found = items(file(tmp_path, "m.txt", b"Abstract\n\nCaf\xe9\nBells\n\nResults\n"))
    assert [error is None for _, error in found] == [True, False, True]


def test_a_header_may_be_a_string_or_lines():
    assert from_json_document(b'"Ann Reed"', "text").text == "Ann Reed"
    assert from_json_document(b'{"text": ["Ann Reed", "Fen College"]}', "text").text == "Ann Reed\nFen College"


def test_documents_are_drawn_with_roles_and_links():
    parsed = Parsed(
        "Ann\nFen\nCollege", (Field("author", "Ann", 0, 3, 1.0), Field("affiliation", "Fen\nCollege", 4, 15, 0.5))
    )
    drawn = draw_authors(Parsed(parsed.text, parsed.fields, links=(Link(0, 1, "order"),)), 1, colour=False)
    assert drawn.splitlines()[1:] == [
        "  [author Ann]",
        "  [affiliation? Fen]",
        "  [affiliation? College]",
        "  Ann → Fen College",
    ]
    assert draw_authors(Parsed(parsed.text, parsed.fields, links=()), 1, colour=False).endswith("Ann → –")
    assert "✗ empty" in draw_sections(Parsed("", error="empty"), 3, colour=False)
    assert "\x1b[" in draw_sections(Parsed("Bells", (Field("method", "Bells", 0, 5, 0.9),)), 1, colour=True)


@ships
def test_sections_on_the_command_line(run_ibidem, root):
    finished = run_ibidem("sections", str(root / "examples" / "headings.txt"))
    papers = [json.loads(line) for line in finished.stdout.splitlines()]
    assert finished.returncode == 0 and len(papers) == 2
    roles = [field["label"] for field in papers[0]["fields"]]
    assert roles[0] == "abstract" and roles[1] == "introduction" and roles[-1] == "references"
    assert all(0 <= field["confidence"] <= 1 for paper in papers for field in paper["fields"])
    same = run_ibidem("parse", "--task", "sections", str(root / "examples" / "headings.txt"))
    assert same.stdout == finished.stdout
    shown = run_ibidem("sections", "--pretty", "-", stdin=b"Introduction\nResults\n")
    assert b"introduction" in shown.stdout and b"Results" in shown.stdout


@ships
def test_authors_on_the_command_line(run_ibidem, root):
    finished = run_ibidem("authors", str(root / "examples" / "headers.txt"))
    headers = [json.loads(line) for line in finished.stdout.splitlines()]
    assert finished.returncode == 0 and len(headers) == 3
    first = headers[0]
    assert first["links"][0] == {"author": 0, "affiliation": first["links"][0]["affiliation"], "by": "symbol"}
    assert {link["by"] for link in headers[1]["links"]} == {"order"}
    assert "→" in run_ibidem("authors", "--pretty", stdin=b"Ann Reed\nUniversity of Fenland\n").stdout.decode()


@ships
def test_bad_documents_are_counted_and_the_others_answered(run_ibidem, tmp_path):
    path = file(tmp_path, "p.jsonl", '["Introduction"]\n{oops\n')
    finished = run_ibidem("sections", str(path))
    answers = [json.loads(line) for line in finished.stdout.splitlines()]
    assert "fields" in answers[0] and "not valid JSON" in answers[1]["error"]
    assert b"1 of 2 papers could not be parsed" in finished.stderr and finished.returncode == 0


@ships
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["parse", "--task", "sections", "-f", "bibtex", "-t", "Introduction"],
            "--format writes records of references",
        ),
        (["sections", "no-such-file"], "cannot read no-such-file"),
        (["evaluate", "default", "elife-sections"], "elife-sections is a set of sections"),
        (["parse", "--task", "titles"], "titles"),
    ],
)
def test_a_mistake_is_answered_with_one_line(run_ibidem, arguments, words):
    finished = run_ibidem(*arguments)
    assert finished.returncode == 2 and words in finished.stderr.decode() and finished.stderr.count(b"\n") == 1


@ships
@pytest.mark.parametrize("task", [SECTIONS, AUTHORS], ids=lambda task: task.name)
def test_a_document_of_five_thousand_lines_is_answered(task):
    import ibidem

    lines = (
        ["Ann Reed1, Bo Marsh2", "1 University of Fenland, Wisbech, UK"]
        if task is AUTHORS
        else ["4 Experiments", "Bells"]
    )
    parsed = ibidem.load(task=task.name).parse("\n".join(lines * 2500))
    assert parsed.error is None and len(parsed.fields) >= 5000
