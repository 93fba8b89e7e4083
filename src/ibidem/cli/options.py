"""Options that several commands share: one name, one letter and one meaning everywhere."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from ibidem.cli.terminal import say
from ibidem.files import check_outputs

_Function = TypeVar("_Function", bound=Callable[..., Any])


class InputPath(click.Path):
    """The path of a file that a command reads; `standard` where it reads standard input when none is given."""

    def __init__(self, path_type: type = Path, *, standard: bool = False) -> None:
        super().__init__(path_type=path_type, allow_dash=True)
        self.standard = standard


class OutputPath(InputPath):
    """The path of a file that a command writes; `standard` where it writes to standard output when none is given."""


INPUT = InputPath()
INPUTS = InputPath(standard=True)
NAME_OR_INPUT = InputPath(str)  # of a model or a style in the package, or a file
OUTPUT = OutputPath()
STANDARD_OUTPUT = OutputPath(standard=True)
TASKS = ("references", "sections", "authors")

files_argument = click.argument("files", metavar="[FILE]...", nargs=-1, type=INPUTS)

output_option = click.option(
    "--output", "-o", metavar="FILE", type=STANDARD_OUTPUT, help="Write to FILE instead of standard output."
)

model_option = click.option(
    "--model",
    "-m",
    metavar="MODEL",
    type=NAME_OR_INPUT,
    help="A model file. [default: the default model of the task]",
)

jobs_option = partial(click.option, "--jobs", "-j", metavar="N", type=click.IntRange(1), default=1, show_default=True)

pretty_option = click.option(
    "--pretty/--json",
    default=None,
    help="Draw the fields for people, or write JSON Lines. [default: --pretty on a terminal]",
)

alternatives_option = click.option(
    "--alternatives",
    "-k",
    metavar="K",
    type=click.IntRange(0, 1000),
    default=0,
    show_default=True,
    help="Also give the K next best labellings.",
)

text_key_option = click.option(
    "--text-key",
    metavar="KEY",
    default="text",
    show_default=True,
    help="The key of the reference in JSON Lines input.",
)

jsonl_option = click.option("--jsonl", is_flag=True, help="Read every input as JSON Lines, whatever its name.")

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")

quiet_option = click.option("--quiet", "-q", is_flag=True, help="Show neither progress nor a summary.")

strict_option = click.option("--strict", is_flag=True, help="Exit with status 1 when any item failed.")

resume_option = click.option(
    "--resume", is_flag=True, help="Continue the output of the same command, which was interrupted or killed."
)

task_option = partial(click.option, "--task", type=click.Choice(TASKS))

format_option = partial(click.option, metavar="FORMAT")

style_option = click.option(
    "--style",
    "-s",
    metavar="STYLE",
    type=NAME_OR_INPUT,
    default="apa",
    show_default=True,
    help="The CSL style of markdown, html and text: a name, or a .csl file.",
)


def document_options(command: _Function) -> _Function:
    """Decorate a command with the options of commands that label documents."""
    options = (
        files_argument,
        click.option("--text", "-t", metavar="STRING", multiple=True, help="A document; may be repeated."),
        output_option,
        pretty_option,
        alternatives_option,
        jobs_option(help="Number of processes."),
        model_option,
        click.option("--key", metavar="KEY", help="The key of a document in JSON objects. [default: see above]"),
        jsonl_option,
        resume_option,
        strict_option,
        quiet_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def status_of(total: int, failed: int, *, strict: bool) -> int:
    """Return the exit status of a command that has done its work: 1 where all items failed, or any with `strict`.

    >>> status_of(9, 3, strict=False), status_of(9, 3, strict=True), status_of(9, 9, strict=False)
    (0, 1, 1)
    """
    return int(failed > 0 and (strict or failed >= total))


class Command(click.Command):
    """A command that writes over none of the files it reads, and whose renamed options work for one more release.

    `renamed` maps old to new: `@click.command(cls=Command, renamed={"--readings": "--nbest"})`.
    """

    def __init__(self, *args: Any, renamed: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.renamed = dict(renamed or {})

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with old names of options replaced by new ones."""
        if isinstance(sys.stdout, io.TextIOWrapper):  # what its encoding lacks is shown as \\u2026 and the like
            sys.stdout.reconfigure(errors="backslashreplace")
        options = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*map(self._rename, args[:options]), *args[options:]])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command once it is known that no output is also an input, or another output."""
        given = {OutputPath: [], InputPath: []}  # type: dict[type, list[Path]]
        for parameter in self.params:
            kind = parameter.type
            if isinstance(kind, InputPath):
                value = ctx.params[parameter.name or ""]
                values = value if isinstance(value, tuple) else (value,) if value is not None else ()
                given[type(kind)] += map(Path, values or (["-"] if kind.standard else []))
        check_outputs(given[OutputPath], given[InputPath])
        return super().invoke(ctx)

    def _rename(self, argument: str) -> str:
        if argument.startswith("--"):
            name, equals, value = argument.partition("=")
        else:  # the value of a letter may follow it directly: -sdev
            name, value = argument[:2], argument[2:]
            equals = "=" if value else ""
        if name not in self.renamed:
            return argument
        say(f"{name} is now called {self.renamed[name]}")
        return f"{self.renamed[name]}{equals}{value}"
