"""`ibidem data` lists datasets with or without the data, and reports what is missing or changed."""

from __future__ import annotations

import pytest

from ibidem.cli.data import count_present, list_datasets, verify_datasets
from ibidem.cli.main import main
from ibidem.data.catalogue import DATASETS


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("IBIDEM_DATA", str(tmp_path))
    return tmp_path


def test_every_dataset_is_listed_with_its_licence_even_where_there_is_no_data(capsys, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)
    assert main(["data", "list"]) == 0
    shown = capsys.readouterr().out
    assert all(one.name in shown and one.licence in shown for one in DATASETS.values())


def test_without_a_folder_the_other_commands_say_what_to_set(capfd, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)
    for command in ("where", "verify"):
        assert main(["data", command]) == 2
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert "IBIDEM_DATA" in err


def test_the_folder_is_printed(capsys, empty_folder):
    assert main(["data", "where"]) == 0
    assert capsys.readouterr().out == f"{empty_folder}\n"


def test_a_missing_file_is_reported_and_fails(capsys, empty_folder):
    name = next(iter(DATASETS))
    assert main(["data", "verify", name]) == 1
    assert capsys.readouterr().out.count("missing") == len(DATASETS[name].files)
    assert count_present() == (0, len(DATASETS), empty_folder)


def test_a_file_with_other_content_is_reported_as_changed(empty_folder):
    name, first = next((one.name, one.files[0]) for one in DATASETS.values())
    (empty_folder / first.path).parent.mkdir(parents=True)
    (empty_folder / first.path).write_text("something else")
    rows, passed = verify_datasets([name])
    assert not passed
    assert rows[0][2] == "changed"
    assert list_datasets()[0][1] in ("partly", "yes")


def test_an_unknown_dataset_is_refused_by_name(capfd, empty_folder):
    assert main(["data", "verify", "no-such-set"]) == 2
    assert "no-such-set" in capfd.readouterr().err
