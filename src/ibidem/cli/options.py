"""Options that several commands share: one name, one letter and one meaning everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

_Function = TypeVar("_Function", bound=Callable[..., Any])

PATH = click.Path(path_type=Path, allow_dash=True)
TASKS = ("references", "sections", "authors")

files_argument = click.argument("files", metavar="[FILE]...", nargs=-1, type=PATH)

output_option = click.option(
    "--output", "-o", metavar="FILE", type=PATH, help="Write to FILE instead of standard output."
)

model_option = click.option(
    "--model",
    "-m",
    metavar="MODEL",
    help="A model file, or `semi` for the semi-CRF for references. [default: the default model of the task]",
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

task_option = partial(click.option, "--task", type=click.Choice(TASKS))

format_option = partial(click.option, metavar="FORMAT")

style_option = click.option(
    "--style",
    "-s",
    metavar="STYLE",
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
        quiet_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


class Command(click.Command):
    """A command whose renamed options still work under their old names, hidden, for one release.

    `renamed` maps old to new: `@click.command(cls=Command, renamed={"--readings": "--nbest"})`.
    """

    def __init__(self, *args: Any, renamed: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.renamed = dict(renamed or {})

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with old names of options replaced by new ones."""
        options = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*map(self._rename, args[:options]), *args[options:]])

    def _rename(self, argument: str) -> str:
        if argument.startswith("--"):
            name, equals, value = argument.partition("=")
        else:  # the value of a letter may follow it directly: -sdev
            name, value = argument[:2], argument[2:]
            equals = "=" if value else ""
        if name not in self.renamed:
            return argument
        click.echo(f"ibidem: {name} is now called {self.renamed[name]}", err=True)
        return f"{self.renamed[name]}{equals}{value}"
