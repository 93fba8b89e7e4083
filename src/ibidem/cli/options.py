"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

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
