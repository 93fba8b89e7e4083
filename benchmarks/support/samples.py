"""Strings for the benchmarks of speed: a fixed mixture of public ones, or invented ones where there is no data."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ibidem.data import registry
from ibidem.errors import DataError
from ibidem.types import Example

MIXTURE = ("grobid-citation", "anystyle", "giant", "linkedbooks")
_INVENTED = Path(__file__).parents[2] / "examples" / "references.txt"


def mixture(split: str, each: int) -> list[Example]:
    """Return the first strings of a split of every set of the mixture, in our labels; none without the datasets."""
    if not os.environ.get(registry.VARIABLE):
        return []
    found: list[Example] = []
    for name in MIXTURE:
        examples = (item for item in registry.load_unified(name, split) if isinstance(item, Example))
        found += islice((example for example in examples if example.text.strip()), each)
    return found


def texts(count: int) -> tuple[str, list[str]]:
    """Return a description of the strings and `count` strings to parse."""
    examples = mixture("dev", -(-count // len(MIXTURE)))
    if examples:
        return f"dev strings of {', '.join(MIXTURE)}", [example.text for example in examples[:count]]
    return "example references with other numbers and words", list(islice(vary(_read_invented()), count))


def vary(seeds: list[str]) -> Iterator[str]:
    """Yield endlessly many strings like the given ones, with other digits each time and every eighth word shuffled."""
    generator = random.Random(1)
    while True:
        for seed in seeds:
            yield " ".join(_perturb(word, generator) for word in seed.split())


def _perturb(word: str, generator: random.Random) -> str:
    if any(character.isdigit() for character in word):
        return "".join(generator.choice("0123456789") if character.isdigit() else character for character in word)
    if word.isalpha() and len(word) > 4 and generator.random() < 0.125:
        inner = list(word[1:-1])
        generator.shuffle(inner)
        return word[0] + "".join(inner) + word[-1]
    return word


def _read_invented() -> list[str]:
    if not _INVENTED.exists():
        raise DataError(f"no strings to run on: set {registry.VARIABLE}, or run this in a checkout with its examples")
    return _INVENTED.read_text("utf-8").splitlines()
