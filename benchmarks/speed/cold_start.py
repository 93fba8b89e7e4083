"""Wall time of one reference on the command line, beside the start of Python with NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import alternate, model_path

_TIMES = 15
_STRING = "Doe J, Roe R. On things that drift. J Thing Res. 2019;14(3):153-60. doi:10.1000/182"


@benchmark(
    "cold-start",
    "Wall time of `ibidem parse -t` beside `python -c 'import numpy'` (bar: at most 3 x)",
    reference="the start of Python with NumPy, measured in the same run",
)
def cold_start() -> Outcome:
    """Compare the median wall times of both commands, run alternately."""
    chosen = model_path()
    model = ["--model", str(chosen)] if chosen else []
    ours = [sys.executable, "-m", "ibidem.cli", "parse", "--json", "-t", _STRING, *model]
    calls = [partial(_run, [sys.executable, "-c", "import numpy"]), partial(_run, ours)]
    alternate(calls, 1)  # fills the file cache of the system
    theirs, mine = alternate(calls, _TIMES)
    data = f"one reference in a new process, wall time, median of {_TIMES} alternating runs"
    return data, [Result("parse one reference", "milliseconds", 1000 * theirs, 1000 * mine, ratio=mine / theirs, bar=3)]


def _run(command: list[str]) -> None:
    """Run a command as after an installation, with compiled modules, which a variable may forbid Python to write."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
