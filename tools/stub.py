"""The stub of the compiled kernels: `python -m tools.stub` writes src/ibidem/_kernels.pyi from what is built."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

STUB = Path(__file__).resolve().parents[1] / "src" / "ibidem" / "_kernels.pyi"
_ANNOTATED = re.compile(r"Annotated\[(NDArray\[[\w.]+\]), dict\([^)]*\([^)]*\)[^)]*\)\]")


def make_stub() -> str:
    """Return the stub of the kernels that are built here; shapes and orders are left out for a reader's sake."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "ibidem._kernels", "-O", folder]
        subprocess.run(command, check=True)
        text = (Path(folder) / "_kernels.pyi").read_text("utf-8")
    # An array of the other precision would be converted, so to mypy the overloads overlap; the kernels take either.
    text = _ANNOTATED.sub(r"\1", text).replace("import Annotated, overload", "import Any, overload")
    text = re.sub(r"\b(list|tuple|dict)\b(?!\[)(?=[,):\]])", r"\1[Any]", text)
    text = f'# mypy: disable-error-code="overload-overlap"\n{text}'
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", STUB.name, "-"],
        input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


if __name__ == "__main__":
    STUB.write_text(make_stub(), "utf-8")
