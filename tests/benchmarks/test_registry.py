"""The registry of benchmarks: a new one is a decorated function, and what cannot run says so in one line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import benchmarks
from benchmarks import registry
from benchmarks.__main__ import main
from benchmarks.registry import BENCHMARKS, Benchmark, Result, benchmark, table_of
from ibidem.errors import ConfigError, MissingExtra


@pytest.fixture(autouse=True)
def registered():
    """All benchmarks, whichever test runs first."""
    benchmarks.import_all()


@pytest.fixture
def toy(monkeypatch):
    """A registry with one benchmark more, for the time of a test."""
    monkeypatch.setattr(registry, "BENCHMARKS", dict(BENCHMARKS))

    @benchmark("toy", "A benchmark of two rows", reference="Fenn 1999, Table 2")
    def run():
        rows = [Result("reeds", "field F1", 90.0, 92.5), Result("bells", "seconds", 4.0, 2.0, ratio=2.0, bar=1.5)]
        return "two strings", rows

    return run


def refused(capsys, *arguments: str) -> str:
    """The one line on standard error of a command that exits with status 2."""
    assert main(list(arguments)) == 2
    [line] = capsys.readouterr().err.splitlines()
    return line.removeprefix("benchmarks: ")


def test_the_rows_that_a_partial_run_lacks_stay_as_they_were(tmp_path):
    old = [Result("reeds", "number", 0, 3), Result("bells", "number", 0, 4)]
    registry.save("toy", "whole", old, tmp_path)
    registry.save("toy", "part", [Result("bells", "number", 0, 1), Result("ferries", "number", 0, 2)], tmp_path, True)
    found = json.loads((tmp_path / "toy.json").read_text("utf-8"))
    assert [(row["row"], row["ours"]) for row in found["rows"]] == [("reeds", 3), ("bells", 1), ("ferries", 2)]


def test_benchmarks_in_sub_packages_are_found(capsys):
    assert main(["list"]) == 0
    listed = {line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]}
    assert listed == set(BENCHMARKS)
    folders = {one.run.__module__.split(".")[1] for one in BENCHMARKS.values()}
    assert {"anzaroot_2014", "cuong_2015", "masada_2011", "wellner_2004", "parsing", "speed"} <= folders
    assert "support" not in folders


def test_a_benchmark_is_registered_by_its_decorator_and_writes_its_results(toy, tmp_path, capsys):
    assert main(["toy", "--results", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "two strings" in printed and "+2.50" in printed and "reference: Fenn 1999, Table 2" in printed
    found = json.loads((tmp_path / "toy.json").read_text("utf-8"))
    interval = {"low": None, "high": None}
    assert found == {
        "name": "toy",
        "data": "two strings",
        "rows": [
            {"row": "reeds", "metric": "field F1", "reference": 90.0, "ours": 92.5, **interval},
            {"row": "bells", "metric": "seconds", "reference": 4.0, "ours": 2.0, **interval, "ratio": 2.0, "bar": 1.5},
        ],
    }


def test_two_benchmarks_of_one_name_are_refused():
    with pytest.raises(ConfigError, match="two benchmarks are named 'dates'"):
        benchmark("dates", "another")(lambda: ("", []))


def test_an_unknown_name_is_refused_with_the_names_there_are(capsys):
    assert "there is no benchmark 'date'; choose `all` or one of" in refused(capsys, "date")


def test_missing_datasets_are_named(monkeypatch, capsys):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)
    assert "IBIDEM_DATA" in refused(capsys, "dates")


def test_a_missing_package_is_named_with_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    assert "pip install python-crfsuite" in refused(capsys, "speed")
    monkeypatch.setitem(sys.modules, "citeproc", None)
    [styles] = registry.select("styles")
    with pytest.raises(MissingExtra, match="citeproc-py"):
        registry.run(registry.Benchmark("styles", "", lambda: __import__("citeproc")), Path())
    assert styles.name == "styles"


def test_a_module_that_needs_a_missing_package_leaves_the_others_usable(monkeypatch, capsys):
    reason = "the package reeds is not installed"
    monkeypatch.setattr(benchmarks, "import_all", lambda: {"benchmarks.linking.reeds": reason})
    assert [one.name for one in registry.select("dates")] == ["dates"]
    assert reason in refused(capsys, "reeds")
    assert reason in refused(capsys, "all")
    assert main(["list"]) == 0
    assert "benchmarks.linking.reeds is not listed" in capsys.readouterr().err


def test_results_that_cannot_be_written_are_an_error_of_one_line(toy, tmp_path, capsys):
    (tmp_path / "file").write_text("", "utf-8")
    assert "cannot write" in refused(capsys, "toy", "--results", str(tmp_path / "file"))


def test_a_benchmark_keeps_its_figures_beside_the_published_ones(tmp_path):
    rows = [Result("author", "field F1", 0.9, 0.95, 0.94, 0.96), Result("title", "field F1", None, 0.5)]
    tiny = Benchmark("tiny", "two rows", lambda: ("2 references", rows), reference="Fenn 1999, Table 2")
    table = registry.run(tiny, tmp_path / "new" / "results")
    kept = json.loads((tmp_path / "new" / "results" / "tiny.json").read_text())
    assert kept["rows"][0] == {
        "row": "author", "metric": "field F1", "reference": 0.9, "ours": 0.95, "low": 0.94, "high": 0.96,
    }  # fmt: skip
    assert (kept["name"], kept["data"], kept["rows"][1]["reference"]) == ("tiny", "2 references", None)
    assert "0.94 to 0.96" in table
    assert "+0.05" in table
    assert "ratio" not in table and "wanted" not in table


def test_a_reference_without_a_source_is_refused_and_its_results_are_kept(tmp_path):
    rows = [Result("author", "field F1", 0.9, 0.95)]
    with pytest.raises(ConfigError, match="rows of tiny have a reference"):
        registry.run(Benchmark("tiny", "a row", lambda: ("2 references", rows)), tmp_path)
    assert (tmp_path / "tiny.json").exists()


def test_shares_and_times_in_one_table_keep_their_intervals_and_ratios():
    rows = [
        Result("all", "field F1", 95.39, 96.04, 94.94, 97.05),
        Result("runs", "field F1", None, 97.5, deviation=0.25, bar=96.5),
        Result("converged", "% converged", 99.18, 98.91),
        Result("decoding", "ms a string", 0.0274, 0.0381, ratio=1.39, bar=1.5),
        Result("labelling", "strings/s", 1234.5, 11111.1),
    ]
    head, lines = table_of(rows)
    assert head == ["", "metric", "reference", "ours", "difference", "95 % interval", "ratio", "wanted"]
    assert [line[2:] for line in lines] == [
        ["95.39", "96.04", "+0.65", "94.94 to 97.05", "–", "–"],
        ["–", "97.50 ± 0.25", "–", "–", "–", "96.5"],
        ["99.18", "98.91", "-0.27", "–", "–", "–"],
        ["0.0274", "0.0381", "–", "–", "1.39", "1.5"],
        ["1,234", "11,111", "+9,877", "–", "–", "–"],
    ]
    assert table_of(rows[2:3])[0] == ["", "metric", "reference", "ours", "difference"]
    assert table_of([]) == (["", "metric", "reference", "ours"], [])
