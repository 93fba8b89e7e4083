"""The command `ibidem doctor`: what is installed and in use, also for bug reports."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from functools import partial

import click

from ibidem.cli.options import Command
from ibidem.errors import IbidemError
from ibidem.faults import describe_fault


@click.command(cls=Command)
def doctor() -> None:
    """Show what is installed and in use: kernels, models, data."""
    from ibidem.cli.tables import show_pairs

    show_pairs(diagnose())


def diagnose() -> Iterator[tuple[str, str]]:
    """Yield the name and the state of each part; a part that is missing says so and does not hide the others."""
    import numpy as np

    import ibidem
    from ibidem.inference import kernels_in_use
    from ibidem.labels.tasks import REFERENCES, TASKS

    yield "ibidem", ibidem.__version__
    yield "python", f"{platform.python_version()} ({platform.system()} {platform.machine()})"
    yield "numpy", np.__version__
    yield "kernels", str(kernels_in_use())
    for task in TASKS:
        yield "model" if task == REFERENCES.name else f"model, {task}", _try(partial(_describe_model, task))
    yield "linking", _try(_describe_linking)
    yield "data", _try(_describe_data)


def _try(describe: Callable[[], str]) -> str:
    try:
        return describe()
    except IbidemError as error:
        return f"none: {error}"
    except Exception as error:
        return describe_fault(error, "looking at it")


def _describe_model(task: str) -> str:
    import ibidem

    card = ibidem.load(task=task).model.card
    plain = {key: value for key, value in card.items() if isinstance(value, str | int | float)}
    return ", ".join(f"{key} {value}" for key, value in plain.items()) or "without a card"


def _describe_linking() -> str:
    from ibidem.linking.matcher import default_matcher

    return str(default_matcher().card.get("about", "without a card"))


def _describe_data() -> str:
    from ibidem.cli.data import count_present

    here, known, folder = count_present()
    return f"{here} of {known} datasets in {folder}"
