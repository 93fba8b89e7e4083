"""A dataset from outside the package: a reader, a label table and an entry, and one call to register it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ibidem
from ibidem import data
from ibidem.cli.main import main
from ibidem.data.catalogue import DATASETS
from ibidem.data.registry import BY_TEXT, load, load_unified
from ibidem.data.verify import digest, verify
from ibidem.errors import ConfigError, DataError
from ibidem.labels.mapping import Context, LabelTable
from ibidem.types import Annotation, Example, Malformed

NAMES, THINGS = ("Reed", "Marsh", "Sedge", "Fenn", "Quill"), ("bells", "tides", "looms", "ropes")
LINES = [
    f"{who}|{'ABC'[year % 3]}.|On {what}.|{year}" for who in NAMES for what in THINGS for year in range(1990, 2002)
]


def read_toy(path: Path) -> Iterator[Example | Malformed]:
    """Read family name, initial, title and year between bars, joined by spaces."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        source, parts = f"toy:{number}", line.split("|")
        if len(parts) != 4:
            yield Malformed(source, f"{len(parts)} fields instead of 4")
            continue
        annotations, start = [], 0
        for label, part in zip(("family", "initial", "what", "when"), parts, strict=True):
            annotations.append(Annotation(label, start, start + len(part)))
            start += len(part) + 1
        yield Example(" ".join(parts), tuple(annotations), source)


def when(context: Context) -> str:
    return "date" if context.text.isdigit() else "?"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    monkeypatch.setenv("IBIDEM_DATA", str(tmp_path))
    (tmp_path / "toy.txt").write_text("\n".join([*LINES, "broken"]), "utf-8")
    entry = data.Dataset(
        name="toy",
        about="Invented references",
        home="this test",
        licence="CC0",
        use="open",
        files=(data.DataFile("toy.txt", digest(tmp_path / "toy.txt"), read=read_toy, expected=len(LINES)),),
        labels=LabelTable(
            {"family": "~/person/family", "initial": "~/person/given", "what": "title", "when": when},
            uncertain_boundaries=True,
        ),
        split_rule=BY_TEXT,
    )
    data.register(entry)
    yield entry
    data.unregister("toy")
    with pytest.raises(DataError, match="there is no dataset 'toy'"):
        data.unregister("toy")


RECIPE = """
name = "toy"
about = "A test."
output = "toy.ibidem"
lexicons = []

[[data]]
name = "toy"

[[held_out]]
name = "toy"
split = "dev"

[training]
window = 3
at_least = 1
context_at_least = 1
iterations = 20
"""


def test_a_registered_dataset_is_read_mapped_verified_and_listed(toy, capsys):
    assert sum(len(list(load("toy", split))) for split in toy.splits) == len(LINES) + 1
    first = next(load_unified("toy"))
    assert {a.label: first.text[a.start : a.end] for a in first.annotations} == {
        "author": "Reed B",
        "author/person": "Reed B",
        "author/person/family": "Reed",
        "author/person/given": "B",
        "title": "On bells",
        "date": "1990",
        "date/year": "1990",
    }
    [report] = verify(["toy"])
    assert (report.state, report.items, report.malformed, report.agrees) == ("ok", len(LINES), 1, True)
    assert main(["data", "list"]) == 0
    assert any(line.split()[:2] == ["toy", "yes"] for line in capsys.readouterr().out.splitlines())
    assert main(["data", "verify", "toy"]) == 0


def test_a_model_is_trained_and_evaluated_on_a_registered_dataset_by_name(toy, tmp_path):
    (tmp_path / "toy.toml").write_text(RECIPE, "utf-8")
    model = ibidem.train(tmp_path / "toy.toml")
    report = ibidem.evaluate(model, "toy", "test")
    assert report.accuracy > 0.9 and {"author", "title", "date"} <= set(report.labels)
    fields = {field.label: field.text for field in ibidem.parse("Sedge A. On looms. 1987", model=model).fields}
    assert fields["author/person/family"] == "Sedge" and fields["title"].startswith("On looms")


def test_a_second_dataset_of_the_same_name_or_of_no_task_is_refused(toy):
    with pytest.raises(DataError, match="there already is a dataset 'toy'"):
        data.register(toy)
    other = data.Dataset("other", "", "", "", "open", (), task="titles")
    with pytest.raises(ConfigError, match="there is no task 'titles'"):
        data.register(other)
    assert "other" not in DATASETS
