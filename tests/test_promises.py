"""Promises to users: the manual is complete and up to date, and the examples are there."""

from __future__ import annotations

import ast
import re

import click
import pytest

from ibidem.cli.main import COMMANDS, app
from tools.docs.manual import commands, manual

UNFINISHED = re.compile(r"\b(todo|fixme|tbd)\b", re.IGNORECASE)


def test_the_manual_is_up_to_date(root):
    assert (root / "docs" / "cli.md").read_text("utf-8") == manual(), "run `make docs`"


def test_every_command_and_every_option_has_help():
    for path, command in commands():
        assert (command.help or "").strip(), f"{path} has no help"
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{path} {parameter.opts[0]} has no help"
            else:
                name = (parameter.metavar or parameter.name or "").strip("[].").upper()
                assert name in command.help, f"{path} does not say what {name} is"


def test_the_summary_of_every_command_fits_the_list_of_commands():
    context = click.Context(app)
    for path, command in commands():
        assert not command.get_short_help_str(limit=60).endswith("..."), path
    assert all(name in app.get_help(context) for name in ("parse", "train", "evaluate", "data", "doctor"))


def test_every_command_is_in_the_manual():
    written = manual()
    assert all(f"## `{path}`" in written for path, _ in commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_a_few_lines_that_call_one_verb(root, name):
    """The body of a command, its docstring aside, has at most fifteen statements."""
    tree = ast.parse((root / "src" / "ibidem" / "cli" / f"{name}.py").read_text("utf-8"))
    commands = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(re.search(r"\b(command|group)\(", ast.unparse(one)) for one in node.decorator_list)
    ]
    assert name in {node.name for node in commands}
    for node in commands:
        statements = [one for one in ast.walk(node) if isinstance(one, ast.stmt)][1:]
        assert len(statements) - (ast.get_docstring(node) is not None) <= 15, node.name


def test_the_examples_show_many_kinds_of_reference(root):
    examples = (root / "examples" / "references.txt").read_text("utf-8").splitlines()
    assert len(examples) >= 30
    assert len(set(examples)) == len(examples)
    text = "\n".join(examples)
    for kind in (
        r"doi",
        r"arXiv",
        r"https?://",
        r"thesis",
        r"Report",
        r"\d{4};\d+\(\d\):",
        r"[а-я]",
        r"[\u4e00-\u9fff]",
    ):
        assert re.search(kind, text), kind


def test_the_pages_of_the_repository_are_finished(root):
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "docs/cli.md"):
        assert not UNFINISHED.search((root / name).read_text("utf-8")), name
