"""The catalogue of datasets, on a folder of invented files."""

from __future__ import annotations

import pytest

from ibidem.data import catalogue
from ibidem.data.catalogue import DATASETS
from ibidem.data.registry import BY_TEXT, DataFile, Dataset, data_folder, load, load_records, load_unified
from ibidem.data.sets import elife, parscit
from ibidem.data.verify import digest, verify
from ibidem.errors import DataError
from ibidem.types import Example, Malformed


@pytest.fixture
def folder(tmp_path, monkeypatch):
    lines = [
        f"<author> Quill, {letter}. </author> <title> Pens {letter}. </title>"
        for letter in "abcdefghijklmnopqrstuvwxyz"
    ]
    (tmp_path / "pens.tagged.txt").write_text("\n".join([*lines, "<author> open"]) + "\n")
    file = DataFile("pens.tagged.txt", digest(tmp_path / "pens.tagged.txt"), "", parscit.read_parscit_tagged, 27)
    gone = DataFile("gone.txt", "0", "", parscit.read_parscit_tagged, 3)

    def made(name, files, **more):
        return Dataset(name, "invented", "nowhere", "none", "benchmark", files, labels=parscit.LABELS, **more)

    table = {"pens": made("pens", (file,), split_rule=BY_TEXT), "gone": made("gone", (file, gone))}
    monkeypatch.setattr(catalogue, "DATASETS", table)
    return tmp_path


def test_the_folder_comes_from_the_argument_or_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)
    with pytest.raises(DataError, match="IBIDEM_DATA"):
        data_folder()
    with pytest.raises(DataError, match="not a folder"):
        data_folder(tmp_path / "none")
    monkeypatch.setenv("IBIDEM_DATA", str(tmp_path))
    assert data_folder() == tmp_path


def test_splits_are_disjoint_and_complete(folder):
    parts = [list(load("pens", split, folder)) for split in ("train", "dev", "test")]
    whole = list(load("pens", None, folder))
    assert sorted(str(item) for part in parts for item in part) == sorted(map(str, whole))
    assert sum(isinstance(item, Malformed) for item in whole) == 1
    assert all(part for part in parts)


def test_unified_labels(folder):
    first = next(load_unified("pens", None, folder))
    assert isinstance(first, Example) and [annotation.label for annotation in first.annotations] == ["author", "title"]


def test_errors_name_what_is_known(folder):
    with pytest.raises(DataError, match="there are pens, gone"):
        list(load("ink", None, folder))
    with pytest.raises(DataError, match="no split 'half'"):
        list(load("pens", "half", folder))
    with pytest.raises(DataError, match=r"gone\.txt is missing"):
        list(load("gone", None, folder))


def test_a_folder_is_verified(folder):
    first, second, third = verify(None, folder)
    assert (first.state, first.items, first.malformed, first.agrees) == ("ok", 27, 1, True)
    assert dict(first.labels) == {"author": 27, "title": 26}
    assert second.state == "ok" and third.state == "missing"
    (folder / "pens.tagged.txt").write_text("<title> Other </title>\n")
    changed = next(verify(["pens"], folder))
    assert (changed.state, changed.items, changed.agrees) == ("changed", 1, False)


def test_sets_of_records_are_not_strings(monkeypatch, tmp_path):
    with pytest.raises(DataError, match="load_records"):
        list(load("dblp", None, tmp_path))
    with pytest.raises(DataError, match="has no label table"):
        list(load_unified("headers", None, tmp_path))
    with pytest.raises(DataError, match="missing"):
        list(load_records("dblp", None, tmp_path))


def test_every_set_is_described():
    for name, data in DATASETS.items():
        assert name == data.name and data.about and data.home and data.licence and data.files
        assert all(len(file.sha256) == 64 for file in data.files)
        assert data.use in ("open", "benchmark")
    assert DATASETS["elife"].splits == ("train", "dev", "test") and DATASETS["parscit"].splits == ("train", "test")
    assert DATASETS["umass-nested"].splits == ("train", "dev", "test") and DATASETS["dblp"].splits == ()
    assert DATASETS["anystyle"].uncertain_boundaries and not DATASETS["elife"].uncertain_boundaries


def test_versions_of_a_paper_are_in_one_split():
    for number in range(40):
        splits = {elife.BY_PAPER.choose(0, Example("", (), f"elife:{kind}{number}:c1:journal")) for kind in "ap"}
        assert splits == {{0: "test", 1: "dev"}.get(number % 20, "train")}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00" * 50,
        b"\x1f\x8b\x08" + b"\xff" * 50,
        b"\xfd7zXZ\x00" + b"x" * 50,
        b"a\tb\nc\n",
        b'{"a": [}\n',
        b"<a><b>\n",
    ],
    ids=["empty", "bytes", "gzip", "xz", "table", "json", "tags"],
)
def test_files_of_another_kind_are_reported_or_refused(tmp_path, content):
    for file in {file.path for one in DATASETS.values() for file in one.files}:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(content)
    reports = list(verify(folder=tmp_path))
    assert {report.state for report in reports} == {"changed"}
    assert any("cannot read" in report.remark for report in reports)
    for name in DATASETS:
        try:
            assert all(item is not None for item in load_records(name, folder=tmp_path))
        except DataError as error:
            assert str(error).startswith(f"{name}: cannot read {tmp_path}")
            assert "a fault in Ibidem" not in str(error)
