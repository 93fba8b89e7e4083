"""A fault that nobody foresaw costs the reference or the work that it befalls; the others are linked."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from linking_cases import STRINGS

ODD = "Qwxz, P. (1987). Quaggas of the lagoon in winter. Annals of Marshes, 12(3), 45-67."
LINES = [*STRINGS[:6], ODD, ODD.replace("(1987)", "1987")]


def link(folder, *options, fault=""):
    (folder / "refs.txt").write_text("\n".join(LINES) + "\n", "utf-8")
    command = [
        sys.executable,
        "-m",
        "ibidem",
        "link",
        str(folder / "refs.txt"),
        "-o",
        str(folder / "works.jsonl"),
        *options,
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "IBIDEM_FAULT": fault}
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in (folder / "works.jsonl").read_text("utf-8").splitlines()]


def groups(works):
    return [[member["number"] for member in work["members"]] for work in works]


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The works without a fault; the last two lines are one work."""
    works = groups(link(tmp_path_factory.mktemp("wanted")))
    assert works[-1] == [7, 8]
    return works


@pytest.mark.parametrize("stage", ["record", "compare"])
@pytest.mark.parametrize("options", [(), ("--nbest", "3")])
def test_a_reference_that_cannot_be_compared_stands_alone(tmp_path, wanted, options, stage):
    works = link(tmp_path, *options, fault=f"{stage}:Qwxz")
    assert groups(works) == [*wanted[:-1], [7], [8]]
    for work in works[-2:]:
        assert work["confidence"] == 0 and "please report it as fault" in work["members"][0]["record"]["warnings"][0]


def test_a_work_whose_records_cannot_be_merged_has_a_record_that_says_why(tmp_path, wanted):
    works = link(tmp_path, fault="canonical:Qwxz")
    assert groups(works) == wanted
    assert works[-1]["record"]["entries"] == [] and "please report it as fault" in works[-1]["record"]["warnings"][0]
    assert works[0]["record"]["warnings"] == [] and works[0]["record"]["entries"]


@pytest.mark.parametrize("stage", ["record", "compare", "canonical", "store"])
def test_a_database_keeps_the_error_and_the_same_command_continues(tmp_path, wanted, stage):
    duckdb = pytest.importorskip("duckdb")
    database = tmp_path / "links.duckdb"
    first = link(tmp_path, "--db", str(database), fault=f"{stage}:Qwxz")
    assert groups(first) == (wanted if stage == "canonical" else [*wanted[:-1], [7], [8]])
    with duckdb.connect(str(database), read_only=True) as stored:
        errors = [row[0] for row in stored.execute("SELECT error FROM citations ORDER BY number").fetchall()]
    assert errors[:6] == [None] * 6
    if stage != "canonical":
        assert all("please report it as fault" in error for error in errors[6:])
        assert all(
            work["members"][0]["record"]["warnings"] == [error]
            for work, error in zip(first[-2:], errors[6:], strict=True)
        )
    LINES.append("Sedge, B. (1999). Looms of the estuary and their makers. Annals of Marshes, 24(1), 5-17.")
    try:
        again = link(tmp_path, "--db", str(database))
    finally:
        LINES.pop()
    assert groups(again) == [*groups(first), [9]]
