"""`ibidem segment` in a process of its own: what it writes, what it refuses, and that it goes on after a kill."""

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
from ibidem.cli.segmenting import _matched
from ibidem.kernels import compiled

pytestmark = pytest.mark.skipif(compiled() is None, reason="the twin would take minutes")


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
        "segment", str(citations), "-e", "4", "--sweeps", "2", "--names", names, "--html", str(page), "--summary",
        str(summary),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = objects(done.stdout)
    assert len(found) == 251
    assert found[-1] == {"text": "", "error": "empty"}
    for one in found[:-1]:
        assert len(one["elements"]) == len(one["tokens"]) == len(one["token_confidence"])
        for field in one["fields"]:
            assert one["text"][field["start"] : field["end"]] == field["text"]
            assert field["label"] == names.split(",")[field["element"] - 1]
    told = done.stderr.decode()
    assert "sweep 2 of at most 2: log-likelihood" in told
    assert "1 of 251 citations could not be segmented" in told
    assert "FENCONF" in told
    assert page.read_text("utf-8").count("<mark") > 100
    learnt = json.loads(summary.read_text("utf-8"))
    assert [element["name"] for element in learnt["elements"]] == names.split(",")
    assert len(learnt["log_likelihood"]) == 2


def test_a_killed_run_goes_on_to_the_result_of_an_unbroken_one(run_ibidem, citations, tmp_path):
    options = ["segment", str(citations), "-e", "3", "--sweeps", "40"]
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
    if process.returncode != 0:  # it was not through before the kill
        assert b"going on after sweep" in rest.stderr


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["-e", "9"], "from 1 to 8"),
        (["-e", "3", "--names", "a,b"], "2 names (a, b) for 3 elements"),
        (["-e", "3", "--resume"], "say with --checkpoint"),
        (["-e", "3", "--hints", "nowhere.toml"], "nowhere.toml"),
        (["-e", "3", "--sweeps", "0"], "sweeps is 0"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(run_ibidem, citations, options, complaint):
    done = run_ibidem("segment", str(citations), *options)
    assert done.returncode == 2
    assert complaint in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1


def test_each_label_names_the_element_that_it_agrees_with_best():
    shared = Counter({(0, "author"): 8, (0, "title"): 9, (1, "title"): 40, (2, "date"): 5})
    assert _matched(shared, 4) == ("author", "title", "date", "element-4")


def silver_model(folder, strings, names):
    """A model bootstrapped from the segments of strings, as `ibidem segment` writes them."""
    pytest.importorskip("scipy", reason="training needs the extra `train`")
    from ibidem.cli.segmenting import _line, as_object

    found = ibidem.segment(strings, elements=len(names), sweeps=2, names=names)
    silver = folder / "silver.jsonl"
    silver.write_bytes(b"".join(_line(as_object(one)) for one in found))
    return ibidem.train(silver, silver=True, output=folder / "silver.ibidem")


def test_a_chain_learns_from_segments(tmp_path, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)  # with lists at hand lexicons would be built anew
    strings, _ = journal_style(400)
    model = silver_model(tmp_path, strings, ["author", "title", "journal", "pages"])
    parsed = ibidem.parse(strings[0], model=model)
    assert parsed.error is None
    assert {field.label for field in parsed.fields} <= {"author", "title", "journal", "pages"}
    assert parsed.fields


def test_a_chain_learns_nothing_from_an_element_that_is_left_open(tmp_path, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)
    strings, _ = journal_style(300)
    model = silver_model(tmp_path, strings, ["author", "title", "?"])
    labels = {field.label for string in strings[:50] for field in ibidem.parse(string, model=model).fields}
    assert labels <= {"author", "title"}
    assert labels
