"""No command writes over a file that it reads: the types of the options say which are which, and one place checks."""

from __future__ import annotations

import itertools

import click
import pytest

from ibidem.cli.main import main
from ibidem.cli.options import Command, InputPath, OutputPath
from tools.docs.manual import commands

NO_FILES = {
    "text", "text_key", "key", "names", "settings", "locale", "noise", "augment", "form", "as_format", "read_as",
    "write_as", "split", "version",
}  # fmt: skip
FILLERS = {"fields": "3", "source": "x.bib", "target": "y.ris", "records": "x.bib", "recipe": "x.toml"}
FILLERS |= {"output": "z.jsonl", "model": "default", "dataset": "umass-nested"}
ALL = dict(commands())


def paths(command: click.Command, kind: type) -> list[click.Parameter]:
    return [one for one in command.params if type(one.type) is kind]


def line(path: str, given: dict[str, str]) -> list[str]:
    """A command line with these values, and others where the command needs some."""
    options, arguments = [], []
    for one in ALL[path].params:
        value = given.get(one.name) or (FILLERS.get(one.name) if one.required else None)
        if value is not None and isinstance(one, click.Argument):
            arguments.append(value)
        elif value is not None:
            options += [one.opts[0], value]
    return [*path.split()[1:], *options, *arguments]


READ = [
    (path, output.name, given.name)
    for path, command in ALL.items()
    for output, given in itertools.product(paths(command, OutputPath), paths(command, InputPath))
]
TWICE = [
    (path, one.name, other.name)
    for path, command in ALL.items()
    for one, other in itertools.combinations(paths(command, OutputPath), 2)
]


@pytest.mark.parametrize(("path", "output", "given"), READ)
def test_a_file_that_is_read_is_never_written(path, output, given, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("mine")
    assert main(line(path, {output: "link", given: "mine"})) == 2
    assert capfd.readouterr().err == "ibidem: link is also read, as mine; write to another file\n"
    assert (tmp_path / "mine").read_bytes() == b"mine"


@pytest.mark.parametrize(("path", "output", "other"), TWICE)
def test_no_file_is_written_twice(path, output, other, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(line(path, {output: "new.jsonl", other: "./new.jsonl"})) == 2
    assert capfd.readouterr().err == "ibidem: new.jsonl would be written twice; write to another file\n"
    assert not (tmp_path / "new.jsonl").exists()


@pytest.mark.parametrize("path", ALL)
def test_every_command_and_every_path_is_checked(path):
    command = ALL[path]
    assert isinstance(command, Command)
    for one in command.params:
        assert not isinstance(one.type, click.Path) or type(one.type) in (InputPath, OutputPath), one.name
        assert one.type is not click.STRING or one.name in NO_FILES, f"{one.name}: is it a file?"
        assert type(one.type) is not OutputPath or one.name not in ("files", "model", "style")


def test_the_pairs_that_matter_are_among_those_tested():
    assert {("ibidem parse", "output", name) for name in ("files", "model", "constraints", "style")} <= set(READ)
    assert {("ibidem segment", name, "files") for name in ("output", "html", "summary", "checkpoint")} <= set(READ)
    assert {("ibidem link", "database", "files"), ("ibidem train", "output", "recipe")} <= set(READ)
    assert ("ibidem link", "output", "database") in TWICE and len(TWICE) >= 7


def test_standard_input_is_compared_too(tmp_path, run_ibidem):
    import subprocess
    import sys

    path = tmp_path / "a.txt"
    path.write_text("Reed 1990\n")
    command = [sys.executable, "-m", "ibidem", "parse"]
    with path.open("rb") as given:
        done = subprocess.run([*command, "-o", path], stdin=given, capture_output=True, check=False)
    assert done.returncode == 2 and b"is also read, as standard input" in done.stderr
    with path.open("ab") as appended:
        done = subprocess.run([*command, path], stdout=appended, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 2 and b"standard output is also read, as " in done.stderr
    assert path.read_text() == "Reed 1990\n"


def test_a_recipe_writes_over_none_of_its_data(tmp_path, capfd):
    pytest.importorskip("scipy")
    recipe, data = tmp_path / "r.toml", tmp_path / "d.jsonl"
    data.write_text("{}\n")
    source = '[[data]]\nfile = "d.jsonl"\n[[dev]]\nfile = "d.jsonl"\n'
    for output in ("d.jsonl", "r.toml"):
        recipe.write_text(f'name = "x"\nabout = "x"\noutput = "{output}"\n{source}')
        before = (recipe.read_bytes(), data.read_bytes())
        assert main(["train", str(recipe)]) == 2
        assert f"{output} is also read" in capfd.readouterr().err
        assert main(["train", str(recipe), "-o", str(tmp_path / output)]) == 2
        assert f"{output} is also read" in capfd.readouterr().err
        assert (recipe.read_bytes(), data.read_bytes()) == before


@pytest.mark.parametrize(
    "wrong",
    [
        ["-m", "no-such-model"],
        ["--constraints", "no-such.toml"],
        ["-f", "no-such-format"],
        ["-f", "html", "-s", "no-such-style"],
        ["no-such-file"],
    ],
)
def test_a_mistake_leaves_the_old_output_whole(tmp_path, wrong):
    path = tmp_path / "good.jsonl"
    path.write_bytes(b"old\n")
    assert main(["parse", "-t", "Reed 1990", *wrong, "-o", str(path)]) == 2
    assert path.read_bytes() == b"old\n"
    assert [one.name for one in tmp_path.iterdir()] == ["good.jsonl"]
