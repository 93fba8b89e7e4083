"""`python -m benchmarks NAME`: run a benchmark and show its results beside the published ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.registry import list_benchmarks, run, select
from ibidem.errors import IbidemError


def main(arguments: list[str] | None = None) -> int:
    """Run what the command line names; exit status 2 and one line on standard error when that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run a benchmark and save its results.")
    parser.add_argument("name", help="name of a benchmark, `all`, or `list` to show the names")
    parser.add_argument(
        "--results", type=Path, default=Path("benchmarks/results"), metavar="FOLDER", help="where to write NAME.json"
    )
    given = parser.parse_args(arguments)
    try:
        if given.name == "list":
            list_benchmarks()
            return 0
        for benchmark in select(given.name):
            print(run(benchmark, given.results))
    except IbidemError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
