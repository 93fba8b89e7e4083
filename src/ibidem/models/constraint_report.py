"""What a model believes of whole references: its constraints in words, with what is known of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ibidem.inference.constraints import in_words, parse_constraint
from ibidem.models.parser import Parser
from ibidem.types import Parsed


@dataclass(frozen=True, slots=True)
class Belief:
    """One constraint of a model."""

    constraint: str
    words: str
    penalty: float
    importance: float | None  # how many times as often as the truth the model alone breaks it, where it was learnt
    broken: int | None  # how often the model alone broke it on the strings it was learnt on
    binding: int | None  # how often it had a part in an answer there
    example: Parsed | None  # an answer that it changed


def beliefs(parser: Parser, texts: Iterable[str]) -> list[Belief]:
    """The constraints of a model, the highest penalty first, each with a string of the given ones that it changed."""
    examples: dict[str, Parsed] = {}
    for parsed in parser.parse_many(texts, explain=True):
        for text, _ in parsed.change.because if parsed.change else ():
            examples.setdefault(text, parsed)
    seen: dict[str, Any] = parser.model.card.get("constraints", {}).get("of each", {})
    found = []
    for text, penalty in sorted(parser.model.constraints.items(), key=lambda pair: -pair[1]):
        known = seen.get(text, {})
        numbers = (known.get("importance"), known.get("broken"), known.get("binding"))
        found.append(Belief(text, in_words(parse_constraint(text)), penalty, *numbers, examples.get(text)))
    return found
