"""How much memory a long list takes: a million strings beside ten thousand."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.samples import texts, varied
from benchmarks.timing import how_many, model_path, say
from ibidem.errors import IbidemError

_FEW = 10_000
_MANY = 1_000_000
_EVERY = 20.0  # seconds between two lines of progress


@benchmark("memory", "Peak memory of parsing 1,000,000 strings beside 10,000 (bar: at most 100 MB more)")
def memory() -> Outcome:
    """The figures: the peak resident memory of two runs of `ibidem parse FILE -o /dev/null`."""
    few, many = _FEW, how_many(_MANY)
    about, seeds = texts(2000)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "strings.txt"
        small, brief = _parse(source, seeds, few)
        large, long = _parse(source, seeds, many)
    rows = [
        Result(f"{many:,} strings, reference is {few:,}", "MB", small, large, ratio=large / small),
        Result("difference", "MB", None, large - small, bar=100),
        Result("time", "strings/s", few / brief, many / long),
    ]
    return f"{about}, numbers and some words changed each time; peak resident memory", rows


def _parse(source: Path, seeds: list[str], count: int) -> tuple[float, float]:
    """The peak resident memory in MB of a process that parses so many strings, and its seconds."""
    with source.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{text}\n" for text in islice(varied(seeds), count))
    chosen = model_path()
    model = ["--model", str(chosen)] if chosen else []
    return peak_of("parse", source, model, f"{count:,} strings")


class Usage(NamedTuple):
    """The peak resident memory of a process in MB, its seconds by the clock, and those of the processor."""

    megabytes: float
    seconds: float
    processor: float


def peak_of(command_name: str, source: Path, options: Sequence[str], what: str) -> tuple[float, float]:
    """The peak resident memory in MB of a command of ibidem in a process of its own, and its seconds."""
    found = watched(command_name, source, options, what)
    return found.megabytes, found.seconds


def watched(command_name: str, source: Path, options: Sequence[str], what: str) -> Usage:
    """What a command of ibidem takes in a process of its own."""
    command = [sys.executable, "-m", "ibidem.cli", command_name, str(source), "-o", os.devnull, *options]
    say(f"{command_name}: {what}, {source.stat().st_size / 1e6:.0f} MB")
    began = told = time.monotonic()
    process = subprocess.Popen(command)
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.05)
        if time.monotonic() - told > _EVERY:
            told = time.monotonic()
            say(f"  {told - began:.0f} s, {_resident(process.pid):.0f} MB")
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise IbidemError(f"{command_name}: {what} ended with status {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return Usage(usage.ru_maxrss * unit / 1e6, time.monotonic() - began, usage.ru_utime + usage.ru_stime)


def _resident(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmRSS")), 0.0)
