"""The benchmarks of `ibidem reproduce`: every module here enters its own.

Those of speed set a rival measured in the same run beside Ibidem. They look at two variables of the environment:
`IBIDEM_BENCH_MODEL`, a model other than the one that ships, and `IBIDEM_BENCH_STRINGS`, a number of strings other than
the usual one, for trying things out.
"""

from __future__ import annotations

import importlib
import pkgutil


def enter_all() -> None:
    """Nothing: imports every module of this package, each of which enters its benchmarks."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        importlib.import_module(f"{__name__}.{module.name}")
