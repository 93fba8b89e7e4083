"""Training of the default models: `python -m tools.weights.models recipes/references.toml` (needs the datasets).

As `ibidem train`, but with lexicons built from the public lists and with the datasets that are rendered for training.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import tools.weights.rendered_sets  # noqa: F401  (registers them)
from ibidem.data.registry import data_folder
from ibidem.models.recipes import train
from ibidem.synthesis import synthesise_source
from tools.weights.lexicons import build


def main(recipes: list[str]) -> None:
    """Train the model of each recipe and write it where the recipe says."""
    say = partial(print, file=sys.stderr, flush=True)
    say("building the lexicons")
    lexicons = build(data_folder())
    synthesise = partial(synthesise_source, jobs=os.cpu_count() or 1)
    for recipe in recipes:
        train(Path(recipe), None, say, lexicons=lexicons, synthesise=synthesise)


if __name__ == "__main__":
    main(sys.argv[1:])
