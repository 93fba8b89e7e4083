"""Run an `ibidem` command in a process of its own and measure its memory and time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.support.timing import say
from ibidem.errors import IbidemError

_EVERY = 20.0  # seconds between two lines of progress


class Usage(NamedTuple):
    """Peak resident memory of a process in MB, its wall time and its CPU time in seconds."""

    megabytes: float
    seconds: float
    processor: float


def peak_of(command_name: str, source: Path, options: Sequence[str], what: str) -> tuple[float, float]:
    """Return the peak resident memory in MB and the wall time of an `ibidem` command in a process of its own."""
    found = measure(command_name, source, options, what)
    return found.megabytes, found.seconds


def measure(command_name: str, source: Path, options: Sequence[str], what: str) -> Usage:
    """Run an `ibidem` command on a file in a process of its own and return its memory and time."""
    command = [sys.executable, "-m", "ibidem.cli", command_name, str(source), "-o", os.devnull, *options]
    say(f"{command_name}: {what}, {source.stat().st_size / 1e6:.0f} MB")
    began = reported = time.monotonic()
    process = subprocess.Popen(command)
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.05)
        if time.monotonic() - reported > _EVERY:
            reported = time.monotonic()
            say(f"  {reported - began:.0f} s, {_resident(process.pid):.0f} MB")
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
