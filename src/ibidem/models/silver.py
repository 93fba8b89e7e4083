"""A model bootstrapped from segments found without labels: what stands behind `ibidem train --silver`."""

from __future__ import annotations

from pathlib import Path

from ibidem.models.recipes import Recipe, Source
from ibidem.models.training import ChainConfig

SURE = 0.9
"""How sure every field of a string must be for the string to be trained on."""


def silver_recipe(segmented: Path, sure: float = SURE) -> Recipe:
    """The recipe of a chain that learns from a file of `ibidem segment`; a tenth of its strings is held out."""
    file = str(segmented.resolve())
    return Recipe(
        name=f"{segmented.stem}-silver",
        about="Bootstrapped from segments that were found without labels: its scores are against those segments",
        output=f"{segmented.stem}.ibidem",
        data=(Source(file=file, split="train", silver=sure),),
        held_out=(Source(file=file, split="dev", silver=sure),),
        training=ChainConfig(l2=1.0, iterations=60),
    )
