"""What many tests share: quiet hypothesis, the model that ships, and the command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import ibidem

settings.register_profile(
    "ibidem", deadline=None, database=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("ibidem"), max_examples=2000)
settings.load_profile(os.environ.get("IBIDEM_HYPOTHESIS", "ibidem"))

ROOT = Path(__file__).resolve().parent.parent

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def parser() -> Any:
    """The model that ships with the package; tests that ask for it are skipped in a checkout without weights."""
    weights = ROOT / "src" / "ibidem" / "models" / "weights"
    if not any(path.is_file() for path in weights.glob("*")):
        pytest.skip(f"no model in {weights.relative_to(ROOT)}")
    return ibidem.load()


@pytest.fixture(scope="session")
def run_ibidem() -> Run:
    """Runs `ibidem ARGUMENTS` in a process of its own and returns what came of it, as bytes."""

    def run(*arguments: str | bytes, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "ibidem.app", *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
            timeout=120,
            check=False,
        )

    return run
