"""The choice of kernels: the compiled ones, or their reference implementations in Python and NumPy."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError

SWITCH = "IBIDEM_KERNELS"

_compiled: Any
_why_not: str
try:
    _compiled, _why_not = importlib.import_module("ibidem._kernels"), ""
except ImportError as error:
    _compiled, _why_not = None, str(error)


def compiled() -> Any:
    """Return the compiled kernels, or None where there are none or the environment asks for the reference ones."""
    wanted = os.environ.get(SWITCH, "")
    if wanted == "numpy":
        return None
    if wanted not in ("", "c++"):
        raise ConfigError(f'{SWITCH} is {wanted!r}; set it to "numpy" or "c++", or leave it unset')
    if _compiled is None and wanted == "c++":
        raise ConfigError(
            f"{SWITCH} is 'c++' but the compiled kernels cannot be loaded ({_why_not}); install ibidem where there "
            "is a C++ compiler, or unset the variable"
        )
    return _compiled


# What a compiled kernel refuses with a ValueError its reference implementation refuses by these, for the same reasons.


def require(right: bool | np.bool_, message: str) -> None:
    """Raise a ValueError with this message unless it is right."""
    if not right:
        raise ValueError(message)


def require_range(name: str, array: NDArray[np.integer], low: int, high: int) -> None:
    """Refuse integers outside of low .. high - 1."""
    wrong = array[(array < low) | (array >= high)]
    require(wrong.size == 0, f"{name} must be from {low} to {high - 1}; got {wrong[:1].tolist()}")


def require_starts(starts: NDArray[np.integer], entries: int) -> None:
    """Refuse beginnings of rows that do not ascend from 0 to the number of entries, where the last row ends."""
    right = len(starts) > 0 and starts[0] == 0 and starts[-1] == entries and (np.diff(starts) >= 0).all()
    require(right, "the beginnings of rows must ascend from 0 to the number of entries")


def require_threads(threads: int) -> None:
    """Refuse a number of threads that no computer has."""
    require(1 <= threads < 2**16, "threads must be from 1 to 65535")
