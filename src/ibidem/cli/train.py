"""The command `ibidem train`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from ibidem.cli.options import PATH, quiet_option, task_option


@click.command()
@click.argument("recipe", type=PATH)
@click.option("--output", "-o", metavar="FILE", type=PATH, help="The model file to write. [default: the recipe's]")
@task_option(help="Refuse a recipe for another task. [default: the recipe's]")
@click.option("--silver", is_flag=True, help="RECIPE is output of `ibidem segment`: train on its segments.")
@quiet_option
def train(recipe: Path, output: Path | None, task: str | None, silver: bool, quiet: bool) -> None:
    """Train a model and write it to a file.

    RECIPE is a TOML file that names the data, the features and the settings.
    """
    import ibidem

    progress = None if quiet else partial(print, file=sys.stderr, flush=True)
    ibidem.train(recipe, output, progress=progress, task=task, silver=silver)
