"""The options of a run, from the environment, and where its failing cases are kept."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ibidem.errors import ConfigError

_PREFIX = "IBIDEM_TORTURE_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Seed, budget and processes of a run; `cases` and `only` restrict it."""

    seed: int
    minutes: float
    jobs: int
    failures: Path
    cases: range | None = None
    only: frozenset[str] = frozenset()

    def cases_of(self, usual: int) -> range:
        """Return the numbers of the cases to run, where the usual number is given."""
        return range(usual) if self.cases is None else self.cases

    def wants(self, name: str) -> bool:
        """Return whether a reader, command or family is to be run."""
        return not self.only or name in self.only

    def describe(self) -> str:
        """Return the options in words, enough to repeat the run."""
        return f"seed {self.seed}, at most {self.minutes:g} minutes a part, {self.jobs} processes"


def read_settings() -> Settings:
    """Return the options that the environment gives, with defaults for the others."""
    given = {name: os.environ.get(_PREFIX + name, "") for name in ("SEED", "MINUTES", "JOBS", "CASES", "ONLY")}
    folder = os.environ.get(_PREFIX + "FAILURES") or tempfile.mkdtemp(prefix="ibidem-torture-")
    try:
        return Settings(
            int(given["SEED"] or 1),
            float(given["MINUTES"] or 60),
            int(given["JOBS"] or os.cpu_count() or 1),
            Path(folder),
            _cases(given["CASES"]) if given["CASES"] else None,
            frozenset(filter(None, given["ONLY"].split(","))),
        )
    except ValueError as error:
        raise ConfigError(f"an option {_PREFIX}… is not a number: {error}") from error


def is_partial() -> bool:
    """Return whether only some readers, commands or families are to be run."""
    return bool(os.environ.get(f"{_PREFIX}ONLY"))


def _cases(text: str) -> range:
    found = re.fullmatch(r"(?:(\d+)-)?(\d+)", text)
    if not found:
        raise ValueError(f"{text!r} is neither a number of cases nor FIRST-LAST")
    return range(int(found[2])) if found[1] is None else range(int(found[1]), int(found[2]) + 1)
