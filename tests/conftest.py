"""What many tests share: quiet hypothesis, the model that ships, and the command line in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from ibidem.types import Annotation, Example

settings.register_profile(
    "ibidem", deadline=None, database=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("ibidem"), max_examples=2000)
settings.load_profile(os.environ.get("IBIDEM_HYPOTHESIS", "ibidem"))

# In the background of a shell SIGINT is ignored, and so it would be in every process that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "src" / "ibidem" / "models" / "weights"

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The options that choose a model: none where one ships with the package, else a tiny one trained here."""
    if any(SHIPPED.glob("*.ibidem")):
        return ()
    path = tmp_path_factory.mktemp("model") / "tiny.ibidem"
    train_tiny_model(path)
    return ("--model", str(path))


def train_tiny_model(path: Path) -> None:
    """A model of five fields in one style, from twenty invented references: a second or two of work."""
    from ibidem.features import Lexicons
    from ibidem.models.storage import save
    from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set

    examples = [_tiny_example(number) for number in range(20)]
    nothing = {"statistics/prints": np.zeros(0, np.uint32), "statistics/codes": np.zeros(0, np.uint8)}
    data = training_set([(example, False) for example in examples], labels_seen(examples))
    trainer = Trainer.prepare(data, Lexicons.from_arrays(nothing), CRFConfig(iterations=20))
    save(trainer.model(trainer.run(lambda *_: False), {"name": "tiny"}), path)


def _tiny_example(number: int) -> Example:
    parts = [
        ("author", f"{('Reed', 'Marsh', 'Sedge')[number % 3]}, {'ABCDE'[number % 5]}.", " ("),
        ("date", str(1980 + number), "). "),
        ("title", f"The drift of {('reeds', 'bells', 'ferries')[number % 3]}", ". "),
        ("journal", ("River Letters", "Bog Review")[number % 2], ", "),
        ("volume", str(number + 2), "."),
    ]
    text, annotations = "", []
    for label, words, after in parts:
        annotations.append(Annotation(label, len(text), len(text) + len(words)))
        text += words + after
    return Example(text, tuple(annotations), "tiny")


@pytest.fixture(scope="session")
def run_ibidem() -> Run:
    """Runs `ibidem ARGUMENTS` in a process of its own and returns what came of it, as bytes."""

    def run(*arguments: str | bytes, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "ibidem.cli", *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
            timeout=120,
            check=False,
        )

    return run
