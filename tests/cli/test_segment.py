"""`ibidem segment` in a separate process: what it writes, what it refuses, and that it resumes after a kill."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from unsupervised_cases import journal_style, shuffled

import ibidem
from ibidem.cli.segment import match_labels
from ibidem.kernels import compiled

pytestmark = pytest.mark.skipif(compiled() is None, reason="the reference implementation would take minutes")


@pytest.fixture(scope="module")
def citations(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("segment") / "citations.txt"
    path.write_text("\n".join(" ".join(words) for words in shuffled(250, 0.2)[0]) + "\n\n", "utf-8")
    return path


def objects(output: bytes) -> list[dict]:
    return [json.loads(line) for line in output.decode().splitlines()]


def test_every_line_is_answered_and_a_report_is_given(run_ibidem, citations, tmp_path):
    page, summary = tmp_path / "report.html", tmp_path / "summary.json"
    names = "author,title,journal,date"
    done = run_ibidem(
        "segment", str(citations), "--fields", "4", "--sweeps", "2", "--names", names, "--html", str(page), "--summary",
        str(summary),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = objects(done.stdout)
    assert len(found) == 250
    for one in found:
        assert len(one["elements"]) == len(one["tokens"]) == len(one["token_confidence"])
        for field in one["fields"]:
            assert one["text"][field["start"] : field["end"]] == field["text"]
            assert field["label"] == names.split(",")[field["element"] - 1]
    report = done.stderr.decode()
    assert "sweep 2 of at most 2: log-likelihood" in report
    assert "1 blank line skipped" in report
    assert "FENCONF" in report
    assert page.read_text("utf-8").count("<mark") > 100
    fitted = json.loads(summary.read_text("utf-8"))
    assert [element["name"] for element in fitted["elements"]] == names.split(",")
    assert len(fitted["log_likelihood"]) == 2


def test_a_killed_run_resumes_to_the_result_of_an_uninterrupted_one(run_ibidem, citations, tmp_path):
    options = ["segment", str(citations), "--fields", "3", "--sweeps", "40"]
    whole = run_ibidem(*options)
    assert whole.returncode == 0, whole.stderr
    checkpoint = tmp_path / "run.npz"
    options += ["--checkpoint", str(checkpoint)]
    process = subprocess.Popen(
        [sys.executable, "-m", "ibidem.cli", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert checkpoint.exists()
    rest = run_ibidem(*options, "--resume")
    assert rest.returncode == 0, rest.stderr
    assert rest.stdout == whole.stdout
    if process.returncode != 0:  # it had not finished before the kill
        assert b"resuming after sweep" in rest.stderr


def test_gibbs_is_a_choice_with_settings_of_its_own(run_ibidem, citations):
    options = ["segment", str(citations), "--fields", "4", "--method", "gibbs", "--sweeps", "30"]
    done = run_ibidem(*options, "--set", "draws=rebuilt", "--set", "burn_in=0.2")
    assert done.returncode == 0, done.stderr
    found = objects(done.stdout)
    assert len(found) == 250
    assert all(one["fields"] and min(one["token_confidence"]) > 0 for one in found[:-1])
    assert "sweep 30 of 30: log-likelihood" in done.stderr.decode()
    assert run_ibidem(*options).stdout != done.stdout


def test_old_names_of_options_give_the_same_result_with_a_note(run_ibidem, citations):
    new = run_ibidem("segment", str(citations), "--fields", "2", "--sweeps", "1", "--jobs", "2")
    for elements in (["-e", "2"], ["--elements=2"]):
        old = run_ibidem("segment", str(citations), *elements, "--sweeps", "1", "--threads", "2")
        assert old.returncode == new.returncode == 0
        assert old.stdout == new.stdout
        assert "--threads is now called --jobs" in old.stderr.decode()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--fields", "9"], "from 1 to 8"),
        (["--fields", "3", "--names", "a,b"], "2 names (a, b) for 3 fields"),
        (["--fields", "3", "--resume"], "name its file with --checkpoint"),
        (["--fields", "3", "--seed-words", "nowhere.toml"], "nowhere.toml"),
        (["--fields", "3", "--sweeps", "0"], "sweeps is 0"),
        (["--fields", "3", "--method", "gibbs", "--checkpoint", "run.npz"], "the method gibbs writes no checkpoints"),
        (["--fields", "3", "--method", "gibbs", "--set", "draws"], "give it as KEY=VALUE"),
        (["--fields", "3", "--set", "draws=rebuilt"], "unknown key 'draws'"),
    ],
)
def test_impossible_requests_end_with_one_line_and_exit_code_2(run_ibidem, citations, options, complaint):
    done = run_ibidem("segment", str(citations), *options)
    assert done.returncode == 2
    assert complaint in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1


def test_each_label_names_the_field_that_it_agrees_with_best():
    shared = Counter({(0, "author"): 8, (0, "title"): 9, (1, "title"): 40, (2, "date"): 5})
    assert match_labels(shared, 4) == ("author", "title", "date", "element-4")


def silver_model(folder, strings, names):
    """A model bootstrapped from the segments of strings, as `ibidem segment` writes them."""
    pytest.importorskip("scipy", reason="training needs the extra `train`")
    from ibidem.cli.outputs import json_line
    from ibidem.cli.segment_report import to_json

    found = ibidem.segment(strings, fields=len(names), sweeps=2, names=names)
    silver = folder / "silver.jsonl"
    silver.write_bytes(b"".join(json_line(to_json(one)) for one in found))
    return ibidem.train(silver, silver=True, output=folder / "silver.ibidem")


def test_a_chain_learns_from_segments(tmp_path, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)  # with lists at hand lexicons would be built anew
    strings, _ = journal_style(400)
    model = silver_model(tmp_path, strings, ["author", "title", "journal", "pages"])
    parsed = ibidem.parse(strings[0], model=model)
    assert parsed.error is None
    assert {field.label for field in parsed.fields} <= {"author", "title", "journal", "pages"}
    assert parsed.fields


def test_a_chain_learns_nothing_from_a_field_that_is_left_open(tmp_path, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)
    strings, _ = journal_style(300)
    model = silver_model(tmp_path, strings, ["author", "title", "?"])
    labels = {field.label for string in strings[:50] for field in ibidem.parse(string, model=model).fields}
    assert labels <= {"author", "title"}
    assert labels
