"""The choice of kernels: the compiled ones, or their reference implementations in Python and NumPy."""

from __future__ import annotations

import importlib
import os
from typing import Any

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
