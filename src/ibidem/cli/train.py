"""The command `ibidem train`."""

from __future__ import annotations

from pathlib import Path

import click

from ibidem.cli.options import INPUT, OUTPUT, Command, quiet_option, task_option
from ibidem.cli.outputs import report_progress


@click.command(cls=Command)
@click.argument("recipe", type=INPUT)
@click.option("--output", "-o", metavar="FILE", type=OUTPUT, help="The model file to write. [default: the recipe's]")
@task_option(help="Refuse a recipe for another task. [default: the recipe's]")
@click.option("--silver", is_flag=True, help="RECIPE is output of `ibidem segment`: train on its segments.")
@quiet_option
def train(recipe: Path, output: Path | None, task: str | None, silver: bool, quiet: bool) -> None:
    """Train a model and write it to a file.

    RECIPE is a TOML file that names the data, the features and the settings.
    """
    import ibidem

    ibidem.train(recipe, output, progress=None if quiet else report_progress, task=task, silver=silver)
