"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

PATH = click.Path(path_type=Path, allow_dash=True)

model_option = click.option(
    "--model",
    "-m",
    metavar="MODEL",
    help="The model to use: a file, or `semi` for references. [default: the one that ships]",
)

text_key_option = click.option(
    "--text-key",
    metavar="KEY",
    default="text",
    show_default=True,
    help="The key that holds the reference in JSON Lines input.",
)

jsonl_option = click.option("--jsonl", is_flag=True, help="Read every input as JSON Lines, whatever its name.")


class Command(click.Command):
    """A command whose renamed options still work under their old names, hidden, for one release.

    `renamed` maps old to new: `@click.command(cls=Command, renamed={"--readings": "--nbest"})`.
    """

    def __init__(self, *args: Any, renamed: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.renamed = dict(renamed or {})

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, old names of options replaced by new ones."""
        options = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*map(self._rename, args[:options]), *args[options:]])

    def _rename(self, argument: str) -> str:
        name, equals, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
        if name not in self.renamed:
            return argument
        click.echo(f"ibidem: {name} is now called {self.renamed[name]}", err=True)
        return f"{self.renamed[name]}{equals}{value}"
