"""How long a person waits for one reference on the command line, beside the start of Python with NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import alternating, model_path

_TIMES = 15
_STRING = "Doe J, Roe R. On things that drift. J Thing Res. 2019;14(3):153-60. doi:10.1000/182"


@benchmark("cold-start", "Wall time of `ibidem parse -t` beside `python -c 'import numpy'` (bar: at most 3 x)")
def cold_start() -> Outcome:
    """The figures: both commands in turns, median of fifteen."""
    chosen = model_path()
    model = ["--model", str(chosen)] if chosen else []
    ours = [sys.executable, "-m", "ibidem.cli", "parse", "--json", "-t", _STRING, *model]
    work = [partial(_quietly, [sys.executable, "-c", "import numpy"]), partial(_quietly, ours)]
    alternating(work, 1)  # the files come into the cache of the system
    theirs, mine = alternating(work, _TIMES)
    data = f"one reference in a new process, wall time, median of {_TIMES} in turns; reference is `import numpy`"
    return data, [Result("parse one reference", "milliseconds", 1000 * theirs, 1000 * mine, ratio=mine / theirs, bar=3)]


def _quietly(command: list[str]) -> None:
    """Runs the command as after an installation, with compiled modules: a variable may forbid Python to write them."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
