"""Nothing that stands in a file or in its name can command a terminal, whatever a command prints of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.kernels import compiled

pty = pytest.importorskip("pty", reason="pseudo-terminals of POSIX")

NASTY = "\x1b[31m\u202e\x9b31m\x07"
NAME = f"a{NASTY}b"
COMMAND = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
REFERENCE = f"Marchbanks, T. (1999). The grammar {NASTY} of bell signals. Bog Review {NASTY}, 12, 31-46."
OBJECT = {"text": REFERENCE, "fields": [{"label": NASTY, "text": "Mar", "start": 0, "end": 3}], "source": NASTY}
BIBTEX = (
    f"@article{{k{NASTY}, title = {{The {NASTY} grammar}}, odd{NASTY} = {{x}}, journal = {{{NASTY}}}}}\n@book{{{NASTY}"
)


def run_on_terminal(folder: Path, *arguments: str) -> str:
    """Run a command with its output and its errors on a terminal; return what it showed, colours left out."""
    theirs, ours = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm", "IBIDEM_DATA": str(folder)}
    command = [sys.executable, "-m", "ibidem", *arguments]
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=ours, stderr=ours, env=environment)
    os.close(ours)
    shown = b""
    try:
        while piece := os.read(theirs, 65536):
            shown += piece
    except OSError:  # the process has closed its side
        pass
    os.close(theirs)
    process.wait(timeout=120)
    bar = re.compile(r"\r?\x1b\[(\?25[lh]|K|[0-9]*[A-G])|\r")  # of click's progress bar, and the terminal's line ends
    return bar.sub("", shown.decode("utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("terminal")
    (path / f"{NAME}.txt").write_text(f"{REFERENCE}\n{REFERENCE} a\n{NASTY}\n" * 20, "utf-8")
    (path / f"{NAME}.jsonl").write_text(f"{json.dumps(OBJECT)}\n{NASTY}\n", "utf-8")
    (path / f"{NAME}.bib").write_text(BIBTEX, "utf-8")
    (path / f"{NAME}.json").write_text(json.dumps([{"id": NASTY, "type": NASTY, "title": NASTY, NASTY: 1}, NASTY]))
    (path / f"{NAME}.toml").write_text(f'"{json.dumps(NASTY)[1:-1]}" = 1\n', "utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", f"{NAME}.txt"],
        ["parse", f"{NAME}.txt", "--json"],
        ["parse", f"{NAME}.txt", "--pretty", "-k", "1", "--explain"],
        ["parse", f"{NAME}.jsonl", "--json"],
        ["parse", f"{NAME}.txt", "-f", "bibtex"],
        ["parse", f"{NAME}.txt", "-f", "jsonl"],
        ["parse", "-t", REFERENCE, "-f", "ris", "--text-key", NASTY],
        ["parse", f"{NAME}.none"],
        ["parse", f"--{NASTY}"],
        ["parse", "-t", "x", "-m", f"{NAME}.txt"],
        ["parse", "-t", "x", "--constraints", f"{NAME}.toml"],
        ["parse", "-t", "x", "-f", NASTY],
        ["parse", "-t", "x", "-o", f"{NASTY}/x"],
        ["sections", f"{NAME}.txt"],
        ["sections", f"{NAME}.txt", "--json"],
        ["authors", f"{NAME}.txt"],
        ["authors", f"{NAME}.jsonl", "--key", NASTY],
        ["convert", f"{NAME}.bib", "x.ris"],
        ["convert", f"{NAME}.json", "x.bib"],
        ["convert", f"{NAME}.json", "-", "--to", "ris"],
        ["convert", f"{NAME}.json", "-", "--to", "jsonl"],
        ["convert", f"{NAME}.none", "x.ris"],
        ["link", f"{NAME}.txt"],
        ["link", f"{NAME}.jsonl"],
        ["link", f"{NAME}.bib"],
        ["link", f"{NAME}.txt", "--explain", "1", "2"],
        ["link", f"{NAME}.txt", "--db", f"{NAME}.db"],
        ["segment", f"{NAME}.txt", "--fields", "2", "--sweeps", "1", "--names", f"{NASTY},b"],
        ["segment", f"{NAME}.txt", "--fields", "2", "--seed-words", f"{NAME}.toml"],
        ["train", f"{NAME}.toml"],
        ["train", f"{NAME}.jsonl", "--silver", "-o", f"{NAME}.ibidem"],
        ["evaluate", "default", f"{NAME}.jsonl"],
        ["evaluate", "default", NASTY],
        ["evaluate", f"{NAME}.txt", f"{NAME}.jsonl", "--json"],
        ["constraints", "--on", f"{NAME}.txt"],
        ["constraints", "--on", f"{NAME}.txt", "--json"],
        ["constraints", f"{NAME}.txt"],
        ["synthesise", f"{NAME}.json", "-o", f"{NAME}.out.jsonl", "-s", "apa"],
        ["synthesise", f"{NAME}.json", "-o", f"{NAME}.out", "-s", "apa"],
        ["doctor"],
        ["data", "list"],
        ["data", "where"],
        ["data", "verify", NASTY],
        [NASTY],
    ],
    ids=lambda arguments: " ".join(arguments).encode("unicode_escape").decode(),
)
def test_a_terminal_is_shown_escapes(folder, arguments):
    if arguments[0] == "segment" and compiled() is None:
        pytest.skip("the reference implementation would take minutes")
    shown = run_on_terminal(folder, *arguments)
    assert shown.strip()
    assert "Traceback" not in shown
    found = COMMAND.search(shown)
    assert not found, shown[max(0, found.start() - 100) : found.end() + 20].encode("unicode_escape")


def test_json_on_a_terminal_is_the_same_json(folder, run_ibidem):
    shown = run_on_terminal(folder, "parse", "-t", REFERENCE, "--json")
    piped = run_ibidem("parse", "-t", REFERENCE, "--json").stdout.decode()
    assert shown != piped and json.loads(shown) == json.loads(piped)


@pytest.mark.parametrize(
    "arguments", [["constraints"], ["data", "list"], ["segment", "--help"], ["parse", "-t", "Ř 1990", "--pretty"]]
)
def test_an_encoding_without_the_characters_is_no_error(run_ibidem, arguments):
    done = run_ibidem(*arguments, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout
