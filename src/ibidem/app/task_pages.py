"""The tables of the pages about sections and authors: labels, sets, and the cards of the models that ship."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ibidem.app.markdown import table
from ibidem.models.shipped import weights_of
from ibidem.tasks.task import TASKS, Task

_OTHERS = [task for task in TASKS.values() if task.name != "references"]
_NOTHING = "Not measured yet: no model ships with this checkout.\n"


def _schema(task: Task) -> str:
    """Every label of a task with its meaning."""
    return table(("label", "meaning"), [(f"`{label}`", meaning) for label, meaning in task.schema.items()])


def _card(task: Task) -> dict[str, Any]:
    import ibidem

    return dict(ibidem.load(task=task.name).model.card) if weights_of(task.name).exists() else {}


def _about(task: Task) -> str:
    import ibidem

    card = _card(task)
    if not card:
        return _NOTHING
    model = ibidem.load(task=task.name).model
    lexicons = ", ".join(f"{name} ({licence})" for name, licence in card["lexicons"].items())
    rows = [
        ("name", str(card["name"])),
        ("what it is for", str(card["about"])),
        ("size on disk", f"{weights_of(task.name).stat().st_size / 1e3:.0f} kB"),
        ("attributes of tokens", f"{len(model.encoder.attributes):,}"),
        ("lexicons, with their licences", lexicons or "none"),
    ]
    return table(("", ""), rows)


def _data(task: Task) -> str:
    card = _card(task)
    rows = [(f"`{name}`", f"{one['strings']:,}", one["licence"]) for name, one in card.get("data", {}).items()]
    return table(("dataset", f"{task.item}s", "licence"), rows) if card else _NOTHING


def _scores(task: Task) -> str:
    card = _card(task)
    whole = f"whole {task.item}"
    rows = [
        (
            f"`{name}`",
            f"{one['strings']:,}",
            *("{:.2f} ({:.2f} to {:.2f})".format(*one[key]) for key in (whole, "field F1")),
        )
        for name, one in card.get("scores", {}).items()
    ]
    return table(("held out", f"{task.item}s", whole, "field F1"), rows) if card else _NOTHING


def calibration_of(card: dict[str, Any]) -> str:
    """How far the confidence of a model can be trusted, label by label."""
    found = {"all, before calibration": card["before calibration"], **card["calibration"]}
    rows = [
        (
            name if name.startswith("all") else f"`{name}`",
            f"{one['fields']:,}",
            f"{one['expected calibration error']:.4f}",
        )
        for name, one in found.items()
    ]
    return table(("label", "fields", "expected calibration error"), rows)


def _calibration(task: Task) -> str:
    card = _card(task)
    return calibration_of(card) if card else _NOTHING


_MADE: dict[str, Callable[[Task], str]] = {
    "schema": _schema,
    "card": _about,
    "card-data": _data,
    "card-scores": _scores,
    "card-calibration": _calibration,
}


def _of(make: Callable[[Task], str], task: Task) -> Callable[[], str]:
    return lambda: make(task)


TASK_TABLES: dict[str, Callable[[], str]] = {
    f"{name}-{task.name}": _of(make, task) for task in _OTHERS for name, make in _MADE.items()
}
