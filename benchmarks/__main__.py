"""`python -m benchmarks NAME`: run a benchmark, its figures beside the published ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.registry import run
from ibidem.errors import IbidemError


def main() -> int:
    """Run what the command line names; 2 with one line on standard error when that cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run a benchmark.")
    parser.add_argument("name", help="a benchmark's name, `all`, or `list` to see the names")
    parser.add_argument("--results", type=Path, default=Path("benchmarks/results"), help="where the figures are kept")
    given = parser.parse_args()
    try:
        run(given.name, given.results)
    except IbidemError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
