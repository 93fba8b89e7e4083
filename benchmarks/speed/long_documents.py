"""Peak memory of a very long document: five thousand lines beside fifty, of headings and of authors."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.processes import peak_of

_FEW, _MANY = 50, 5_000
_WORDS = "bells reeds ferries mires quills tides ropes towers charts lamps".split()


def heading(number: int) -> str:
    """Return an invented heading."""
    one, two = _WORDS[number % 10], _WORDS[number // 10 % 10]
    return f"{number + 1} The {one} of {two} {number}"


def author_line(number: int) -> str:
    """Return an invented line with two authors, or with an affiliation."""
    one, two = _WORDS[number % 10].title(), _WORDS[number // 10 % 10].title()
    if number % 2:
        return f"{number // 2 + 1} Department of {one}, University of {two}, Fenland {10_000 + number}, UK"
    return f"Ann {one} {number // 2 + 1}, Bo {two}-{one} {number // 2 + 1},*"


@benchmark(
    "long-documents",
    "Peak memory of one document of 5,000 lines beside one of 50, for sections and authors",
    reference="a document of 50 lines, measured in the same run",
)
def long_documents() -> Outcome:
    """Compare the peak resident memory of `ibidem sections` and `ibidem authors` on a long and a short document."""
    rows: list[Result] = []
    for command, line in (("sections", heading), ("authors", author_line)):
        peaks = {}
        for count in (_FEW, _MANY):
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / "document.txt"
                source.write_text("\n".join(map(line, range(count))), "utf-8")
                peaks[count] = peak_of(command, source, (), f"one document of {count:,} lines")
        small, large = peaks[_FEW], peaks[_MANY]
        name = f"{command}, {_MANY:,} lines"
        rows.append(Result(f"{name}, reference is {_FEW}", "MB", small[0], large[0], ratio=large[0] / small[0]))
        rows.append(Result(name, "seconds", None, large[1]))
    return "Invented lines, no two alike; peak resident memory and time of the whole command", rows
