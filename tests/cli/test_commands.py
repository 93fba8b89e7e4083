"""The commands as a whole: one file each, loaded on first use, with the same options and letters everywhere."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib

import click
import pytest

import ibidem
from ibidem.cli.main import COMMANDS, app, main
from ibidem.cli.options import Command

LETTERS = {
    "-f": "--format",
    "-h": "--help",
    "-j": "--jobs",
    "-k": "--alternatives",
    "-l": "--locale",
    "-m": "--model",
    "-n": "--count",
    "-o": "--output",
    "-q": "--quiet",
    "-s": "--style",
    "-t": "--text",
    "-v": "--verbose",
}
TOY = '''
import click

@click.command()
@click.argument("word")
def shout(word):
    """Write a WORD in capitals."""
    click.echo(word.upper())
'''
LABELLED = '{"text": "Reed 2019", "fields": [{"label": "date", "start": 5, "end": 9}]}\n'
PLAIN = """
import sys

HIDDEN = {"scipy", "duckdb", "pyarrow", "lxml", "bibtexparser", "pylatexenc", "citeproc"}

class Hide:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in HIDDEN else self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Hide, sys.meta_path)
from ibidem.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def command_named(name: str) -> click.Command:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    return command


def test_a_command_from_outside_the_package_is_one_module_and_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "loud_commands.py").write_text(TOY)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(app.modules, "shout", "loud_commands")
    assert main(["shout", "reed"]) == 0
    assert capsys.readouterr().out == "REED\n"
    assert main(["--help"]) == 0
    assert "Write a WORD in capitals." in capsys.readouterr().out
    app.commands.pop("shout")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    assert main([name, "--help"]) == 0
    assert f"Usage: ibidem {name}" in capsys.readouterr().out


def test_commands_are_listed_in_their_order():
    assert app.list_commands(click.Context(app)) == list(COMMANDS)


def test_a_command_is_imported_when_it_is_used_and_no_other():
    code = (
        "import sys\nfrom ibidem.cli.main import COMMANDS, main\n"
        "main(['doctor', '--help'])\n"
        "print([name for name in COMMANDS if f'ibidem.cli.{name}' in sys.modules])"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout.splitlines()[-1] == "['doctor']"


def test_the_body_of_a_command_is_short(root):
    """The command line is thin: the body of a command, docstring and imports aside, has at most fifteen lines."""
    checked = []
    for path in sorted((root / "src" / "ibidem" / "cli").glob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and "command(" in " ".join(map(ast.unparse, node.decorator_list)):
                body = [one for one in node.body[1:] if not isinstance(one, ast.Import | ast.ImportFrom)]
                assert sum(one.end_lineno - one.lineno + 1 for one in body) <= 15, node.name
                checked.append(node.name)
    assert set(COMMANDS) - {"data"} <= set(checked)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_letter_means_the_same_in_every_command(name):
    command = command_named(name)
    if command.callback is None or command.callback.__module__ != f"ibidem.cli.{name}":
        pytest.skip("the command has no module of its own yet")
    for option in command.params:
        letters = [one for one in option.opts if len(one) == 2]
        if isinstance(option, click.Option) and not option.hidden and letters:
            assert any(one.startswith(LETTERS.get(letters[0], "?")) for one in option.opts), option.opts


@pytest.mark.parametrize("given", [["-s", "dev"], ["-sdev"], ["--part=dev"], ["--part", "dev"]])
def test_an_old_name_of_an_option_works_and_says_the_new_one(given, capsys):
    @click.command(cls=Command, renamed={"-s": "--split", "--part": "--split"})
    @click.argument("model")
    @click.option("--split")
    def score(model: str, split: str) -> None:
        click.echo(f"{model} {split}")

    score.main(["sedge", *given], standalone_mode=False)
    out, err = capsys.readouterr()
    assert out == "sedge dev\n"
    assert "is now called --split" in err
    assert "part" not in score.get_help(click.Context(score))


@pytest.mark.parametrize("module", ["ibidem", "ibidem.cli"])
def test_the_package_runs_as_a_module(module):
    finished = subprocess.run([sys.executable, "-m", module, "-V"], capture_output=True, text=True, check=True)
    assert finished.stdout == f"ibidem {ibidem.__version__}\n"


def test_the_version_is_written_once(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert project.get("version", ibidem.__version__) == ibidem.__version__


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", "-t", "Reed A. Bells. 2019."],
        ["parse", "-f", "csl-json", "-t", "Reed A. Bells. 2019."],
        ["parse", "-f", "ris", "-t", "Reed A. Bells. 2019."],
        ["parse", "-f", "jsonl", "-t", "Reed A. Bells. 2019."],
        ["sections", "-t", "Introduction"],
        ["authors", "-t", "Ann Reed, Fen College"],
        ["evaluate", "default", "labelled.jsonl"],
        ["constraints"],
        ["doctor"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_plain_installation_is_enough(arguments, tmp_path):
    (tmp_path / "labelled.jsonl").write_text(LABELLED)
    finished = subprocess.run(
        [sys.executable, "-c", PLAIN, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout


def test_linking_needs_nothing_more_than_a_plain_installation(tmp_path):
    (tmp_path / "refs.txt").write_text("Reed A. Bells of the delta. 2019.\nA. Reed: Bells of the Delta, 2019\n")
    code = [sys.executable, "-c", PLAIN, "link", "refs.txt"]
    finished = subprocess.run(code, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert finished.stderr.startswith("ibidem: 2 references, 1 works")


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["parse", "-f", "text", "-t", "Reed A. Bells. 2019."], "styles"),
        (["parse", "-f", "parquet", "-t", "Reed A. Bells. 2019."], "tables"),
        (["train", "recipe.toml"], "train"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_a_missing_extra_is_one_line_that_says_what_to_install(arguments, extra, tmp_path):
    finished = subprocess.run(
        [sys.executable, "-c", PLAIN, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert finished.returncode == 2
    assert finished.stderr.count("\n") == 1
    assert f"pip install 'ibidem[{extra}]'" in finished.stderr
