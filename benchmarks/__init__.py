"""The benchmarks: `python -m benchmarks NAME` runs one, `python -m benchmarks list` shows them all.

Those of speed set a rival measured in the same run beside Ibidem. They look at two variables of the environment:
`IBIDEM_BENCH_MODEL`, a model other than the default, and `IBIDEM_BENCH_STRINGS`, a number of strings other than
the usual one, for trying things out.
"""

from __future__ import annotations

import importlib
import pkgutil


def import_all() -> None:
    """Import every module of this package, each of which registers its benchmarks."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        if module.name != "__main__":
            importlib.import_module(f"{__name__}.{module.name}")
