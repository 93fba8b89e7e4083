"""The command `ibidem constraints`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.options import INPUT, NAME_OR_INPUT, Command, json_option
from ibidem.cli.outputs import write_json
from ibidem.cli.terminal import escape

if TYPE_CHECKING:
    from ibidem.models.constraints import ConstraintSummary


@click.command(cls=Command)
@click.argument("model", type=NAME_OR_INPUT, default="default")
@click.option("--on", metavar="FILE", type=INPUT, help="Find examples among the references of FILE, one per line.")
@json_option
def constraints(model: str, on: Path | None, as_json: bool) -> None:
    """Show the soft constraints of a model in words.

    MODEL is a file that `ibidem train` wrote, or `default` for the default model. Each constraint comes with its
    penalty (the highest first), its importance (how many times as often as the gold labels the model alone violates
    it), and how often it was violated and how often it was binding on the strings that the penalties were fitted to.
    With --on, also with a reference of FILE whose labelling it changed: before and after.
    """
    import ibidem
    from ibidem.models.constraints import summarise_constraints

    parser = ibidem.load(None if model == "default" else model)
    found = summarise_constraints(parser, _read_references(on))
    if as_json:
        write_json([_to_json(belief) for belief in found])
    else:
        _show(found, parser.model.card.get("constraints", {}).get("strings"))


def _read_references(path: Path | None) -> list[str]:
    from ibidem.cli.inputs import check_files, read_files

    if path is None:
        return []
    check_files([path])
    return [item.text for item in read_files([path], key="text") if not item.error]


def _show(found: list[ConstraintSummary], strings: int | None) -> None:
    """Print a table of the constraints, then an example of each that changed a labelling."""
    from ibidem.cli.pretty import draw, wants_colour
    from ibidem.cli.tables import align

    if not found:
        print("this model has no constraints")
        return
    header = ("penalty", "importance", "violated", "binding", "meaning", "constraint")
    print(align(header, map(_row, found)))
    if strings:
        print(f"\npenalties fitted to {strings:,} strings that the model was not trained on")
    for number, belief in enumerate((belief for belief in found if belief.example), 1):
        assert belief.example is not None
        print(f"\n{escape(belief.words)}")
        print(draw(belief.example, number, colour=wants_colour(sys.stdout)))


def _row(belief: ConstraintSummary) -> tuple[str, ...]:
    counts = ("–" if value is None else str(value) for value in (belief.importance, belief.broken, belief.binding))
    return (f"{belief.penalty:.2f}", *counts, belief.words, belief.constraint)


def _to_json(belief: ConstraintSummary) -> dict[str, Any]:
    return {**asdict(belief), "example": belief.example.to_dict() if belief.example else None}
