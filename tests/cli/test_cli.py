"""The command line as people meet it: what it answers, what it refuses, and what it imports."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.cli.main import main

REFERENCE = "Marchbanks, T. (1999). The grammar of bell signals. Harrowgate University Press."


def lines(finished: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    assert finished.returncode == 0, finished.stderr.decode()
    return [json.loads(line) for line in finished.stdout.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parse", "no-such-file.txt"], "cannot read no-such-file.txt: No such file or directory"),
        (["parse", "."], ". is a folder"),
        (["parse", "--no-such-option"], "No such option"),
        (["parse", "-k", "-1", "-t", "x"], "--alternatives"),
        (["parse", "-k", "many", "-t", "x"], "'many' is not a valid integer"),
        (["parse", "-j", "0", "-t", "x"], "--jobs"),
        (["parse", "--model", "no/such/model", "-t", "x"], "no/such/model"),
        (["parse", "-t", "x", "-o", "no/such/folder/out.jsonl"], "cannot write no/such/folder/out.jsonl"),
        (["parse", "-t", "x", "--no-constraints", "--constraints", "x.toml"], "cannot go together"),
        (["no-such-command"], "No such command"),
        (["train", "no-such-recipe.toml"], "no-such-recipe.toml"),
        (["data"], "Missing command"),
    ],
)
def test_a_mistake_is_answered_with_one_line_and_status_2(capfd, arguments, message):
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("ibidem: ")
    assert message in err


def test_the_constraints_of_the_default_model_are_shown_in_words(capfd):
    assert main(["constraints"]) == 0
    out = capfd.readouterr().out
    assert "no more place than title" in out and "count(place) - count(title) <= 0" in out
    assert main(["constraints", "--json", "--on", "examples/references.txt"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found[0]["penalty"] >= found[-1]["penalty"] > 0
    assert all(one["example"] is None or one["example"]["change"]["because"] for one in found)


def test_constraints_can_be_ignored_added_and_explained(capfd, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('[constraints]\n"count(publisher) <= 0" = inf\n', encoding="utf-8")
    asked = ["parse", "--json", "-t", REFERENCE]
    assert main([*asked, "--no-constraints"]) == 0
    plain = json.loads(capfd.readouterr().out)
    assert main([*asked, "--constraints", str(mine), "--explain"]) == 0
    limited = json.loads(capfd.readouterr().out)
    assert "publisher" in [field["label"] for field in plain["fields"]]
    assert "publisher" not in [field["label"] for field in limited["fields"]]
    assert limited["change"]["before"] == plain["fields"]
    assert limited["change"]["because"][0]["constraint"] == "count(publisher) <= 0"
    assert main(["parse", "--pretty", "-t", REFERENCE, "--constraints", str(mine), "--explain"]) == 0
    assert "changed by  count(publisher) <= 0" in capfd.readouterr().out


def test_an_unknown_dataset_or_split_is_refused_by_name(capfd, model):
    name = model[-1] if model else "default"
    assert main(["evaluate", name, "no-such-dataset"]) == 2
    assert "no-such-dataset" in capfd.readouterr().err
    assert main(["evaluate", name, "umass-nested", "--split", "no-such-split"]) == 2
    assert "no-such-split" in capfd.readouterr().err


def test_without_arguments_the_help_is_shown(run_ibidem):
    finished = run_ibidem()
    assert finished.returncode == 0
    assert b"Usage: ibidem" in finished.stdout


def test_reading_and_writing_the_same_file_is_refused(tmp_path, capfd):
    path = tmp_path / "in.txt"
    path.write_text(REFERENCE)
    assert main(["parse", str(path), "-o", str(path)]) == 2
    assert "is also read" in capfd.readouterr().err
    assert path.read_text() == REFERENCE


@pytest.mark.parametrize("options", [["--json"], ["-f", "bibtex"]], ids=["fields", "records"])
def test_quiet_leaves_out_the_summary(model, run_ibidem, options):
    loud = run_ibidem("parse", *model, *options, "-t", REFERENCE, "-t", "")
    quiet = run_ibidem("parse", *model, *options, "-t", REFERENCE, "-t", "", "--quiet")
    assert b"1 of 2 references could not be parsed" in loud.stderr
    assert (quiet.returncode, quiet.stderr, quiet.stdout) == (0, b"", loud.stdout)


def test_fields_of_a_reference_stand_at_their_characters(model, run_ibidem):
    (found,) = lines(run_ibidem("parse", *model, "-t", REFERENCE))
    assert found["text"] == REFERENCE
    assert found["fields"]
    for field in found["fields"]:
        assert REFERENCE[field["start"] : field["end"]] == field["text"]
        assert 0.0 <= field["confidence"] <= 1.0
    assert 0.0 <= found["confidence"] <= 1.0
    assert "alternatives" not in found


def test_alternatives_are_given_when_asked_for(model, run_ibidem):
    (found,) = lines(run_ibidem("parse", *model, "-t", REFERENCE, "-k", "3"))
    assert len(found["alternatives"]) == 3


def test_hostile_lines_get_an_error_or_an_answer_and_never_stop_the_others(model, run_ibidem):
    hostile = [
        REFERENCE.encode(),
        b"",
        b"   ",
        b"Caf\xe9 1999",
        b"a\x00b 1999",
        b"\x1b[31mred 1999",
        "كتاب الأنهار، القاهرة، 1987".encode(),
        "林晓舟. 古桥碑文. 2017".encode(),
        ("x1. " * 25_000).encode(),
        b"(" * 5_000,
        "\u0301\u200f\ufeff".encode(),
        REFERENCE.encode(),
    ]
    finished = run_ibidem("parse", *model, "-", stdin=b"\n".join(hostile) + b"\n")
    found = lines(finished)
    assert len(found) == len(hostile) - 2
    assert [place for place, one in enumerate(found) if "error" in one][:1] == [1]
    assert found[0] == found[-1]
    assert found[0]["fields"]
    blank, failed = finished.stderr.decode().splitlines()
    assert blank == "ibidem: 2 blank lines skipped"
    assert f"of {len(hostile) - 2} references could not be parsed" in failed


@pytest.mark.parametrize("text", ["\u0301", "…", "(", "\x00", "é", "x" * 100_000])
def test_a_text_with_little_in_it_has_an_answer(model, run_ibidem, text):
    finished = run_ibidem("parse", *model, "--json", "-", stdin=text.encode() + b"\n")
    found = json.loads(finished.stdout)
    assert found["text"] == text
    assert ("error" in found) != ("fields" in found)
    assert finished.returncode == ("error" in found)


@pytest.mark.parametrize("text", ["", " ", "\ufeff", "\t\x0b\u3000"])
def test_a_blank_line_is_no_reference(model, run_ibidem, text):
    finished = run_ibidem("parse", *model, "--json", "-", stdin=text.encode() + b"\n")
    assert (finished.returncode, finished.stdout) == (0, b"")
    assert finished.stderr == b"ibidem: 1 blank line skipped\n"


def test_an_output_that_cannot_be_written_is_reported_in_one_line(model, run_ibidem):
    if not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    finished = run_ibidem("parse", *model, "-t", REFERENCE, "-o", "/dev/full")
    assert (finished.returncode, finished.stderr.count(b"\n")) == (2, 1)


def test_json_lines_are_read_by_key_and_bad_ones_get_an_error(model, run_ibidem, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"ref": "Reed 2019"}\n{"text": "x"}\n{"ref": "\\ud800"}\nnonsense\n{"ref": "Reed 2020"}')
    found = lines(run_ibidem("parse", *model, "--text-key", "ref", str(path)))
    assert ["error" in one for one in found] == [False, True, True, True, False]


def test_order_is_kept_and_jobs_change_nothing(model, run_ibidem, root, tmp_path):
    examples = (root / "examples" / "references.txt").read_bytes()
    path = tmp_path / "many.txt"
    path.write_bytes(examples * 8 + b"\n" + examples)
    alone = run_ibidem("parse", *model, str(path))
    assert [one["text"] for one in lines(alone)] == [line for line in path.read_text("utf-8").split("\n") if line]
    assert run_ibidem("parse", *model, "--jobs", "2", str(path)).stdout == alone.stdout
    assert run_ibidem("parse", *model, str(path), "-o", str(tmp_path / "out.jsonl")).stdout == b""
    assert (tmp_path / "out.jsonl").read_bytes() == alone.stdout


def test_pretty_output_shows_every_character_of_the_reference(model, run_ibidem):
    drawn = run_ibidem("parse", *model, "--pretty", "-t", REFERENCE, NO_COLOR="1").stdout.decode()
    assert "Marchbanks" in drawn
    assert "\x1b" not in drawn
    assert (
        "\x1b["
        in run_ibidem("parse", *model, "--pretty", "-t", REFERENCE, NO_COLOR="", FORCE_COLOR="1").stdout.decode()
    )


def test_a_reader_who_has_seen_enough_ends_the_run_quietly(model):
    command = [sys.executable, "-m", "ibidem.cli", "parse", *model, "-"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write((REFERENCE.encode() + b"\n") * 3000)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 141
    assert errors == b""


def test_doctor_names_versions_kernels_model_and_data(run_ibidem):
    finished = run_ibidem("doctor")
    assert finished.returncode == 0, finished.stderr
    for word in (b"ibidem", b"python", b"numpy", b"kernels", b"model", b"data"):
        assert word in finished.stdout


def test_parsing_imports_nothing_slow(model):
    code = (
        "import sys\nfrom ibidem.cli.main import main\n"
        f"status = main(['parse', *{model!r}, '-o', {os.devnull!r}, '-t', {REFERENCE!r}])\n"
        "slow = {'scipy', 'lxml', 'rich', 'typer', 'pydantic', 'asyncio', 'multiprocessing', 'concurrent'}\n"
        "sys.exit(', '.join(sorted(slow & set(sys.modules))) or status)"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"imported while parsing: {finished.stderr}"
