"""What is installed and in use, for `ibidem doctor` and for whoever reads a bug report."""

from __future__ import annotations

import platform
from collections.abc import Iterator

from ibidem.errors import IbidemError


def findings() -> Iterator[tuple[str, str]]:
    """Names and what is to be said of each; a part that is missing says so and does not hide the others."""
    import numpy as np

    import ibidem
    from ibidem.inference import kernels_in_use
    from ibidem.labels.tasks import REFERENCES, TASKS
    from ibidem.models.shipped import NAMED

    yield "ibidem", ibidem.__version__
    yield "python", f"{platform.python_version()} ({platform.system()} {platform.machine()})"
    yield "numpy", np.__version__
    yield "kernels", str(kernels_in_use())
    for task in TASKS:
        yield "model" if task == REFERENCES.name else f"model, {task}", _model(None, task)
    for name in NAMED:
        yield f"model, {name}", _model(name, None)
    yield "linking", _linking()
    yield "data", _data()


def _model(name: str | None, task: str | None) -> str:
    import ibidem

    try:
        card = dict(ibidem.load(name, task=task).model.card)
    except IbidemError as error:
        return f"none: {error}"
    return _summary(card) or "without a card"


def _linking() -> str:
    from importlib.util import find_spec

    from ibidem.linking.matcher import shipped

    missing = [name for name in ("rapidfuzz", "scipy") if find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} missing: pip install 'ibidem[link]'"
    try:
        return str(shipped().card.get("about", "without a card"))
    except IbidemError as error:
        return f"none: {error}"


def _summary(card: object) -> str:
    """A card's name and figures on one line; nested tables are left to the card itself."""
    if not isinstance(card, dict):
        return " ".join(str(card).split())
    plain = {key: value for key, value in card.items() if isinstance(value, str | int | float)}
    return ", ".join(f"{key} {value}" for key, value in plain.items())


def _data() -> str:
    from ibidem.cli.data import count_present

    try:
        here, known, folder = count_present()
    except IbidemError as error:
        return f"none: {error}"
    return f"{here} of {known} datasets in {folder}"
