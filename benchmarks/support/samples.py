"""Strings for the benchmarks of speed: public ones of several sets, or invented ones where there is no data."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from ibidem.data import registry
from ibidem.errors import DataError
from ibidem.types import Example

MIXTURE = ("grobid-citation", "anystyle", "giant", "linkedbooks")
_INVENTED = Path(__file__).parents[2] / "examples" / "references.txt"


def mixture(split: str, each: int, names: Sequence[str] = MIXTURE) -> list[Example]:
    """Return the first strings of a split of several sets, in our labels; none without the datasets."""
    if not os.environ.get(registry.VARIABLE):
        return []
    found: list[Example] = []
    for name in names:
        examples = (item for item in registry.load_unified(name, split) if isinstance(item, Example))
        found += islice((example for example in examples if example.text.strip()), each)
    return found


def texts(count: int) -> tuple[str, list[str]]:
    """Return a description of the strings and `count` strings to parse."""
    examples = mixture("dev", -(-count // len(MIXTURE)))
    if examples:
        return f"dev strings of {', '.join(MIXTURE)}", [example.text for example in examples[:count]]
    return "example references with other numbers and words", list(islice(vary(_read_invented()), count))


def sources() -> dict[str, tuple[Sequence[str], int]]:
    """Return sets to take new strings from, and how many, by a name; without the datasets there are invented ones."""
    if not os.environ.get(registry.VARIABLE):
        return {"invented ones": ((), 10_000)}
    return {"eLife": (("elife",), 10_000), "the mixture": (MIXTURE, 2000)}


def new_strings(names: Sequence[str], others: int, count: int) -> tuple[list[str], list[str]]:
    """Return `others` training strings of several sets, and `count` distinct dev strings that are not among them."""
    if not names:
        made = list(dict.fromkeys(islice(vary(_read_invented()), others + count)))
        return made[:others], made[others:]
    known = [example.text for example in mixture("train", others // len(names), names)]
    seen, new = set(known), dict[str, None]()
    for name in names:
        found = (example.text for example in mixture("dev", 2 * count, (name,)) if example.text not in seen)
        new |= dict.fromkeys(islice(dict.fromkeys(found), count // len(names)))
    return known, list(new)


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
