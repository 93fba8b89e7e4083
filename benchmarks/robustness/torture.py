"""All parts of the robustness benchmarks, one after the other."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.registry import Outcome, benchmark
from benchmarks.robustness.files import torture_files
from benchmarks.robustness.growth import torture_growth
from benchmarks.robustness.kills import torture_kills
from benchmarks.robustness.settings import read_settings
from benchmarks.robustness.strings import torture_strings
from benchmarks.support.timing import say

_PARTS = {"strings": torture_strings, "files": torture_files, "kills": torture_kills, "growth": torture_growth}


@benchmark("torture", "All parts of torture-*: hostile strings, damaged files, killed runs, adversarial lengths")
def torture() -> Outcome:
    """Run every part."""
    settings = read_settings()
    rows = []
    for name, part in _PARTS.items():
        say(f"{name}:")
        rows += [replace(row, row=f"{name}: {row.row}") for row in part()[1]]
    return f"every part, {settings.describe()}", rows
