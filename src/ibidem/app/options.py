"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

PATH = click.Path(path_type=Path, allow_dash=True)

model_option = click.option(
    "--model", "-m", metavar="MODEL", help="The model file to use. [default: the one that ships]"
)
