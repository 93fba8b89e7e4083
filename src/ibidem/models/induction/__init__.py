"""Feature induction: conjunctions of features selected by their gain in likelihood (McCallum 2003).

`conjunctions` is what a model keeps of it: an encoder holds `Conjunctions`, a model file their arrays, and a corpus has
further columns of context where they match. `induce` finds them; nothing else knows how.
"""

from __future__ import annotations

from dataclasses import dataclass

from ibidem.config import renamed_keys
from ibidem.errors import ConfigError
from ibidem.models.induction.conjunctions import FARTHEST


@renamed_keys(min_count="at_least")
@dataclass(frozen=True, slots=True)
class InductionConfig:
    """Settings of the induction of conjunctions."""

    rounds: int = 5  # times that conjunctions are sought, each after some training with those found before
    conjunctions: int = 200  # added in a round at most
    min_count: int = 5  # tokens at which a conjunction must match
    steps: int = 20  # of L-BFGS before each round
    reach: int = 1  # places away from a token that attributes in its conjunctions may be
    longest: int = 2  # features that a conjunction may join

    def __post_init__(self) -> None:
        for name in ("rounds", "conjunctions", "min_count", "steps", "longest"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} of induction is {getattr(self, name)}: give 1 or more")
        if not 0 <= self.reach <= FARTHEST:
            raise ConfigError(f"reach of induction is {self.reach}: give 0 to {FARTHEST}")
