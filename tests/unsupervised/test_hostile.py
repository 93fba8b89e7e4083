"""What `ibidem.segment` answers to wrong arguments and hostile citations: a sentence, or an error for one citation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from unsupervised_cases import shuffled

import ibidem
from ibidem.errors import IbidemError
from ibidem.kernels import compiled

CITATIONS = [" ".join(words) for words in shuffled(60, 0.2)[0]]
needs_kernels = pytest.mark.skipif(compiled() is None, reason="the reference implementation would take minutes")


def segment(citations: Any, **options: Any) -> ibidem.Segmentation:
    return ibidem.segment(citations, **{"fields": 2, "sweeps": 1, "settings": {"restarts": 1}, **options})


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"fields": 1.5}, "fields is 1.5; expected a whole number"),
        ({"fields": "x"}, "fields is 'x'; expected a whole number"),
        ({"fields": 10**9}, "1000000000 fields; the method blocked takes from 1 to 8"),
        ({"fields": 10**5000}, "expected a number of at most 64 bits"),
        ({"method": None}, "no method is called None"),
        ({"method": []}, "no method is called"),
        ({"seed": -1}, "seed is out of range; give a whole number from 0"),
        ({"seed": 2**64}, "seed is out of range"),
        ({"seed": 1.5}, "seed is 1.5; expected a whole number"),
        ({"seed": -1, "method": "gibbs", "settings": {}}, "seed is out of range"),
        ({"jobs": "x"}, "jobs is x; it must be at least 1"),
        ({"jobs": 10**9}, "jobs is more than 1024"),
        ({"sweeps": 2**40}, "sweeps is 1099511627776; it must be at most 1,000,000,000"),
        ({"settings": {"longest": 10**6}}, "longest is 1000000; it must be at most 10,000"),
        ({"settings": [1]}, "the settings are list"),
        ({"names": "ab"}, "the names are no list of strings"),
        ({"names": ["a", 5]}, "the names are no list of strings"),
        ({"resume": True}, "resume continues from a checkpoint: give its file"),
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(IbidemError, match=complaint):
        segment(CITATIONS, **options)


@pytest.mark.parametrize("citations", ["Reed A. On bells.", b"Reed", None, 5])
def test_what_is_no_list_of_citations_is_refused(citations: Any) -> None:
    with pytest.raises(IbidemError, match="give a list of strings, one for each citation"):
        segment(citations)


@needs_kernels
def test_what_is_no_citation_costs_itself_alone() -> None:
    wrong = [None, 5, b"Reed", {"a": 1}, ["Reed", None], [], object(), "word " * 50_000, "." * 10_000]
    found = segment([*CITATIONS, *wrong, "\0 Reed \ud800 1999", "x" * 100_000])
    assert [number for number, one in enumerate(found) if one.error] == list(range(60, 60 + len(wrong)))
    assert found[60].error == "NoneType is no citation; give a string, or a list of words"
    assert found[64].error == "NoneType is no word; give strings" and found[64].text == "Reed"
    assert found[-1].fields and found[-2].text == "\0 Reed \ud800 1999"


@needs_kernels
@pytest.mark.parametrize("method", ["blocked", "gibbs"])
def test_citations_that_are_all_alike_are_answered(method: str) -> None:
    found = segment(["Reed A. On bells. 1999."] * 200, method=method, settings={})
    assert not found.errors and all(one.text[f.start : f.end] == f.text for one in found for f in one.fields)


@needs_kernels
def test_a_fault_in_one_citation_costs_that_citation(tmp_path: Path) -> None:
    lines = [*CITATIONS, "Marsh B. Unforeseen. 2001."]
    (tmp_path / "in.txt").write_text("\n".join(lines), "utf-8")
    command = [sys.executable, "-m", "ibidem", "segment", str(tmp_path / "in.txt"), "--fields", "2", "--sweeps", "1"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        env=os.environ | {"IBIDEM_FAULT": "segment:Unforeseen"},
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == len(lines)
    assert [row.get("error") is not None for row in rows] == [False] * 60 + [True]
    assert "please report it as fault" in rows[-1]["error"]
