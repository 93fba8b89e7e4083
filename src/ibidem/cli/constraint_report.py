"""What `ibidem constraints` shows."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import ibidem
from ibidem.cli.inputs import check_files, read_files
from ibidem.cli.outputs import as_object
from ibidem.cli.pretty import draw, wants_colour
from ibidem.cli.tables import aligned
from ibidem.models.constraints import ConstraintSummary, summarise_constraints


def show(model: str | None, on: Path | None, *, as_json: bool) -> None:
    """Nothing: prints the constraints of a model, as JSON or for people."""
    texts: list[str] = []
    if on is not None:
        check_files([on])
        texts = [item.text for item in read_files([on], key="text", jsonl=False, advance=None) if not item.error]
    parser = ibidem.load(model)
    found = summarise_constraints(parser, texts)
    if as_json:
        print(_json(found))
        return
    strings = parser.model.card.get("constraints", {}).get("strings")
    if not found:
        print("this model has no constraints")
        return
    header = ("penalty", "importance", "broken", "binding", "what it says", "constraint")
    print(aligned(header, map(_row, found)))
    if strings:
        print(f"\nlearnt on {strings:,} strings that the model was not trained on")
    for number, belief in enumerate((belief for belief in found if belief.example), 1):
        assert belief.example is not None
        print(f"\n{belief.words}")
        print(draw(belief.example, number, colour=wants_colour(sys.stdout)))


def _row(belief: ConstraintSummary) -> tuple[str, ...]:
    counts = ("–" if value is None else str(value) for value in (belief.importance, belief.broken, belief.binding))
    return (f"{belief.penalty:.2f}", *counts, belief.words, belief.constraint)


def _json(found: list[ConstraintSummary]) -> str:
    import orjson

    rows = [{**asdict(belief), "example": as_object(belief.example) if belief.example else None} for belief in found]
    return orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode()
