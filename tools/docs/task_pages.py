"""Tables of the pages about the other models of the package: the labels of their tasks, and their cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from ibidem.labels.tasks import REFERENCES, TASKS, Task
from ibidem.models.crf import CRF
from ibidem.models.scorer import Model
from ibidem.models.shipped import weights_of
from tools.docs.markdown import table

_NOTHING = "Not measured yet: this checkout has no default model.\n"


@dataclass(frozen=True, slots=True)
class Shipped:
    """A model of the package beside the default one for references."""

    name: str
    task: Task
    path: Path

    @property
    def model(self) -> Model:
        """Return the model itself."""
        import ibidem

        return ibidem.load(self.path).model

    @property
    def card(self) -> dict[str, Any]:
        """Return its card, empty where there is no model."""
        return dict(self.model.card) if self.path.exists() else {}


def _schema(one: Shipped) -> str:
    """Return a table of every label of a task with its meaning."""
    return table(("label", "meaning"), [(f"`{label}`", meaning) for label, meaning in one.task.schema.items()])


def _about(one: Shipped) -> str:
    card = one.card
    if not card:
        return _NOTHING
    lexicons = ", ".join(f"{name} ({licence})" for name, licence in card["lexicons"].items())
    rows = [
        ("name", str(card["name"])),
        ("what it is for", str(card["about"])),
        ("size on disk", f"{one.path.stat().st_size / 1e3:,.0f} kB"),
        ("attributes of tokens", f"{len(cast(CRF, one.model).encoder.attributes):,}"),
        ("lexicons, with their licences", lexicons or "none"),
    ]
    return table(("", ""), rows)


def _data(one: Shipped) -> str:
    card = one.card
    rows = [(f"`{name}`", f"{each['strings']:,}", each["licence"]) for name, each in card.get("data", {}).items()]
    return table(("dataset", f"{one.task.item}s", "licence"), rows) if card else _NOTHING


def _scores(one: Shipped) -> str:
    card, whole = one.card, f"whole {one.task.item}"
    rows = [
        (
            f"`{name}`",
            f"{each['strings']:,}",
            *("{:.2f} ({:.2f} to {:.2f})".format(*each[key]) for key in (whole, "field F1")),
        )
        for name, each in card.get("scores", {}).items()
    ]
    return table(("held out", f"{one.task.item}s", "exact match", "field F1"), rows) if card else _NOTHING


def calibration_of(card: dict[str, Any]) -> str:
    """Return the calibration errors of a model by label."""
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


def _calibration(one: Shipped) -> str:
    card = one.card
    return calibration_of(card) if card else _NOTHING


_MADE: dict[str, Callable[[Shipped], str]] = {
    "schema": _schema,
    "card": _about,
    "card-data": _data,
    "card-scores": _scores,
    "card-calibration": _calibration,
}
_OTHERS = [Shipped(task.name, task, weights_of(task.name)) for task in TASKS.values() if task is not REFERENCES]
TASK_TABLES: dict[str, Callable[[], str]] = {
    f"{name}-{one.name}": partial(make, one)
    for one in _OTHERS
    for name, make in _MADE.items()
    if name != "schema" or one.task is not REFERENCES
}
