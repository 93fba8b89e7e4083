"""`--resume`: a run that was killed or interrupted goes on, and its output is that of an uninterrupted one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ibidem.cli.main import main
from ibidem.files import leftovers

REFERENCE = "Marchbanks, T. ({year}). The grammar of bell signals. Harrowgate University Press."
TEXT = "".join(f"{REFERENCE.format(year=1500 + number)}\n" for number in range(1500)) + "\n"
OPTIONS = ("-k", "1")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


@pytest.fixture(scope="module")
def given(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("resume") / "in.txt"
    path.write_bytes(TEXT.encode() + b"Caf\xe9 1990\n")
    return path


@pytest.fixture(scope="module")
def whole(given) -> bytes:
    path = given.with_name("whole.jsonl")
    assert main(["parse", str(given), "-o", str(path), *OPTIONS, "-q"]) == 0
    return path.read_bytes()


def stop(given: Path, output: Path, number: int) -> tuple[int, bytes]:
    """Start a run whose input does not end, and end it by a signal once something is on the disk."""
    command = [sys.executable, "-m", "ibidem.cli", "parse", "-", "-o", str(output), *OPTIONS]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(given.read_bytes().partition(b"\n\n")[0])
    process.stdin.flush()
    until = time.monotonic() + 60
    while not any(part.stat().st_size for part in leftovers(output)):
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.01)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


@pytest.mark.parametrize(
    ("number", "expected"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_a_stopped_run_is_resumed_to_the_same_bytes(given, whole, tmp_path, number, expected, run_ibidem):
    output = tmp_path / "out.jsonl"
    output.write_bytes(b"the old content\n")
    status, errors = stop(given, output, number)
    assert status == expected
    assert number == signal.SIGKILL or b"with --resume continues from there" in errors
    assert output.read_bytes() == b"the old content\n"
    (part,) = leftovers(output)
    begun = part.read_bytes()
    assert begun and whole.startswith(begun)
    part.write_bytes(begun[:-7])  # a line that is not complete
    done = run_ibidem("parse", str(given), "-o", str(output), *OPTIONS, "--resume")
    assert done.returncode == 0, done.stderr
    assert output.read_bytes() == whole
    assert b"ibidem: 1 of 1,501 references could not be parsed" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]


def leave(output: Path, whole: bytes, options: tuple[str, ...] = OPTIONS) -> Path:
    """Leave what a killed run with these options would have left."""
    from ibidem.cli.resume import mark_of
    from ibidem.files import create_temporary

    alternatives = int(options[1]) if options else 0
    stream, part = create_temporary(output, mark_of("references", {"model": None, "alternatives": alternatives}))
    with stream:
        stream.write(whole)
    return part


def test_finished_lines_are_not_parsed_again(given, whole, tmp_path):
    output = tmp_path / "out.jsonl"
    first = whole.splitlines(keepends=True)[0]
    begun = first.replace(b'"confidence":', b'"confidence": ', 1)
    assert begun != first
    leave(output, begun)
    assert main(["parse", str(given), "-o", str(output), *OPTIONS, "-q", "--resume"]) == 0
    assert output.read_bytes() == begun + whole[len(first) :]


def test_another_input_is_refused_and_what_was_done_is_kept(whole, tmp_path, capfd):
    output = tmp_path / "out.jsonl"
    part = leave(output, whole)
    for text in ([REFERENCE.format(year=1500), REFERENCE.format(year=1700)], [REFERENCE.format(year=1500)]):
        texts = [one for text in text for one in ("-t", text)]
        assert main(["parse", *texts, "-o", str(output), *OPTIONS, "--resume"]) == 2
        assert "had another input, from item 2 on; leave out --resume" in capfd.readouterr().err
        assert part.read_bytes() == whole and not output.exists()
    assert main(["parse", "-t", REFERENCE, "-o", str(output), *OPTIONS]) == 0
    assert [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]


def test_lines_of_other_options_are_not_continued(whole, tmp_path):
    output = tmp_path / "out.jsonl"
    leave(output, whole, ())
    text = REFERENCE.format(year=1500)
    assert main(["parse", "-t", text, "-o", str(output), *OPTIONS, "--resume"]) == 0
    assert output.read_bytes() == whole.splitlines(keepends=True)[0]
    assert [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("rubbish", [b"\0" * 5000, b'{"text": 1}\n', b"[]\n", b'{"te'])
def test_what_a_power_cut_left_of_a_line_is_dropped(given, whole, tmp_path, rubbish):
    output = tmp_path / "out.jsonl"
    leave(output, whole.splitlines(keepends=True)[0] + rubbish)
    assert main(["parse", str(given), "-o", str(output), *OPTIONS, "-q", "--resume"]) == 0
    assert output.read_bytes() == whole


@pytest.mark.parametrize(
    "options",
    [[], ["-o", "-"], ["-o", os.devnull], ["-o", "x.jsonl.gz"], ["-o", "x.jsonl", "--pretty"], ["-o", "x.bib"]],
)
def test_only_json_lines_in_a_file_can_be_resumed(capfd, monkeypatch, tmp_path, options):
    monkeypatch.chdir(tmp_path)
    assert main(["parse", "-t", REFERENCE, "--resume", *options]) == 2
    assert "--resume continues JSON Lines: name their file" in capfd.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == []


@pytest.mark.parametrize("command", ["sections", "authors"])
def test_documents_are_resumed_too(command, tmp_path):
    output = tmp_path / "out.jsonl"
    assert main([command, "-t", "Abstract", "-t", "Results", "-o", str(output), "--resume"]) == 0
    whole = output.read_bytes()
    assert main([command, "-t", "Abstract", "-t", "Results", "-o", str(output), "--resume"]) == 0
    assert output.read_bytes() == whole and [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]
