"""Exit statuses: 0 done, 1 where items failed and that matters; one item that fails costs one item."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import subprocess
import sys

import pytest

from ibidem.cli.main import main

REED = "Reed, A. (1990). The drift of bells. Bog Review, 12, 31-46."
MARSH = "Marsh, B. (1991). The price of lamp oil. Econ. J. Small Ports, 7, 99."
GOOD = {"reference": f"{REED}\n\n{MARSH}", "bib": "@book{a, title = {Reeds}, author = {Reed, A.}, year = 1990}\n"}
BAD = {"reference": "Caf\udce9 1990", "bib": "@book{b, title = {Marsh\n"}
COMMANDS = {
    "parse": ("reference", ["parse", "{}.txt", "-q", "-o", "out.jsonl"]),
    "parse -f": ("reference", ["parse", "{}.txt", "-q", "-f", "bibtex", "-o", "out.bib"]),
    "parse --pretty": ("reference", ["parse", "{}.txt", "-q", "--pretty", "-o", "out.txt"]),
    "sections": ("document", ["sections", "{}.txt", "-q", "-o", "out.jsonl"]),
    "authors": ("document", ["authors", "{}.txt", "-q", "-o", "out.jsonl"]),
    "convert": ("bib", ["convert", "{}.bib", "out.ris"]),
    "link": ("reference", ["link", "{}.txt", "-o", "out.jsonl"]),
    "segment": ("reference", ["segment", "{}.txt", "--fields", "1", "--sweeps", "1", "-o", "out.jsonl"]),
    "synthesise": ("bib", ["synthesise", "{}.bib", "-s", "apa", "-o", "out.jsonl"]),
}


def write_inputs(folder, kind: str) -> None:
    for name, wanted in {"good": [GOOD], "both": [GOOD, BAD], "bad": [BAD]}.items():
        if kind == "bib":
            (folder / f"{name}.bib").write_text("".join(one["bib"] for one in wanted))
        else:
            lines = "\n\n".join(one["reference"] for one in wanted)
            (folder / f"{name}.txt").write_text(lines + "\n", "utf-8", "surrogateescape")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_status_says_whether_items_failed(name, tmp_path, monkeypatch, capfd):
    kind, arguments = COMMANDS[name]
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path, kind)

    def run(given: str, *options: str) -> int:
        return main([one.format(given) for one in arguments] + list(options))

    assert run("good", "--strict") == 0, capfd.readouterr().err
    assert run("both") == 0, capfd.readouterr().err
    assert run("both", "--strict") == 1
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(("out", "."))] == [arguments[-1]]
    # nothing can be segmented, rendered or converted where nothing could be read: that is an error
    assert run("bad") == (2 if name in ("convert", "segment", "synthesise") else 1)


def test_no_items_are_no_failure(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"\n \n")
    for options in ([], ["-f", "bibtex"]):
        assert main(["parse", str(tmp_path / "empty.txt"), "--strict", "-o", str(tmp_path / "out"), *options]) == 0
        assert (tmp_path / "out").read_bytes() == b""


@pytest.mark.parametrize(
    ("stage", "arguments"),
    [
        ("item", ["parse", "-"]),
        ("json", ["parse", "-"]),
        ("item", ["parse", "-", "-f", "jsonl"]),
        ("item", ["segment", "-", "--fields", "1", "--sweeps", "1"]),
        ("json", ["segment", "-", "--fields", "1", "--sweeps", "1"]),
        ("item", ["link", "-"]),
        ("json", ["link", "-"]),
    ],
)
def test_a_fault_in_one_item_costs_that_item(run_ibidem, stage, arguments):
    given = f"{REED}\n{REED}\n{MARSH}\n" if arguments[0] == "segment" else f"{REED}\n{MARSH}\n"
    done = run_ibidem(*arguments, "--strict", stdin=given.encode(), IBIDEM_FAULT=f"{stage}:Marsh")
    assert done.returncode == 1, done.stderr
    *_, first, second = done.stdout.decode().splitlines()
    assert "a fault in Ibidem while" in second + done.stderr.decode() and "a fault in Ibidem" not in first
    assert "The drift of bells" in first


def test_a_fault_in_writing_a_labelled_string_costs_that_string(run_ibidem, tmp_path):
    (tmp_path / "x.bib").write_text("@book{a, title = {Reeds}}\n@book{b, title = {Marsh}}\n@book{c, title = {Sedge}}\n")
    output = tmp_path / "out.jsonl"
    arguments = ["synthesise", str(tmp_path / "x.bib"), "-s", "apa", "-o", str(output)]
    done = run_ibidem(*arguments, "--strict", IBIDEM_FAULT="label:Marsh")
    assert done.returncode == 1 and b"a fault in Ibidem while writing it as jsonl" in done.stderr
    assert {json.loads(line)["text"][:5] for line in output.read_text().splitlines()} == {"Reeds", "Sedge"}


def test_a_fault_in_drawing_costs_that_item(run_ibidem):
    done = run_ibidem("parse", "--pretty", "--strict", "-t", REED, "-t", MARSH, IBIDEM_FAULT="draw:Marsh")
    first, second = done.stdout.decode().splitlines()
    assert done.returncode == 1
    assert "[title The drift of bells]" in first
    assert second.startswith("  2  Marsh, B.") and "✗ a fault in Ibidem while writing the answer" in second


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt"])
def test_a_fault_in_reading_a_document_costs_that_document(run_ibidem, tmp_path, name):
    separator = {"x.json": ", ", "x.jsonl": "\n", "x.txt": "\n\n"}[name]
    documents = ["Abstract", "Marsh", "Results"]
    written = separator.join(documents if name == "x.txt" else [json.dumps([one]) for one in documents])
    (tmp_path / name).write_text(f"[{written}]" if name == "x.json" else written)
    done = run_ibidem("sections", str(tmp_path / name), IBIDEM_FAULT="item:Marsh")
    assert ["error" in json.loads(line) for line in done.stdout.splitlines()] == [False, True, False]


def _pack(name: str, data: bytes) -> bytes:
    packed = {"gz": gzip.compress, "xz": lzma.compress}
    return packed.get(name, lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"))(data)


@pytest.mark.parametrize("packing", ["gz", "xz", "txt"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", "{}"],
        ["sections", "{}"],
        ["authors", "{}"],
        ["link", "{}"],
        ["segment", "{}", "--fields", "1", "--sweeps", "1"],
        ["constraints", "--json", "--on", "{}"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_packed_and_utf_16_files_are_read_by_every_command(tmp_path, capfd, arguments, packing):
    (tmp_path / "plain").write_text(f"{REED}\n{MARSH}\n")
    (tmp_path / f"x.{packing}").write_bytes(_pack(packing, f"{REED}\n{MARSH}\n".encode()))
    (tmp_path / "x.pdf").write_bytes(b"%PDF-1.7\n...")
    found = []
    for name in ("plain", f"x.{packing}"):
        assert main([one.format(tmp_path / name) for one in arguments]) == 0
        found.append(capfd.readouterr().out)
    assert found[0] == found[1] != ""
    assert main([one.format(tmp_path / "x.pdf") for one in arguments]) == 2
    assert "x.pdf is a PDF file; save its text first" in capfd.readouterr().err


def test_packed_json_lines_are_json_lines(tmp_path, capfd):
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(json.dumps({"text": REED}).encode() + b"\n\n"))
    for command in ("parse", "link"):
        assert main([command, str(tmp_path / "x.jsonl.gz")]) == 0
        out, err = capfd.readouterr()
        assert out.count("The drift of bells") and "error" not in out and "1 blank line skipped" in err


def test_the_name_of_the_output_chooses_the_format(tmp_path, capfd):
    for name, begin in {
        "x.ris": "TY  - ",
        "x.jsonl": '{"text"',
        "x.json": '{"text"',
        "x.txt": '{"text"',
        "x": '{"text"',
    }.items():
        assert main(["parse", "-t", REED, "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text().startswith(begin)
    assert main(["parse", "-t", REED, "--json", "-o", str(tmp_path / "x.ris")]) == 0
    assert (tmp_path / "x.ris").read_text().startswith('{"text"')
    assert main(["link", str(tmp_path / "x.txt"), "-o", str(tmp_path / "works.bib")]) == 2
    assert "works are written as JSON Lines" in capfd.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="descriptors of POSIX")
@pytest.mark.parametrize(
    "command", ["parse a.txt", "parse a.txt -f bibtex", "link a.txt", "segment a.txt --fields 1", "doctor"]
)
def test_streams_that_are_closed_are_no_fault(tmp_path, command):
    (tmp_path / "a.txt").write_text(f"{REED}\n{MARSH}\n")
    line = f"{sys.executable} -m ibidem {command}"
    loud = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, check=False)
    for closed in ("<&-", "2>&-"):
        done = subprocess.run(f"{line} {closed}", shell=True, cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, loud.stdout), done.stderr
    done = subprocess.run(f"{line} >&-", shell=True, cwd=tmp_path, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr and done.returncode in (0, 2)
