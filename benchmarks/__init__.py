"""The benchmarks: `python -m benchmarks NAME` runs one, `list` shows their names, `all` runs every one.

One folder per paper (`anzaroot_2014`, `cuong_2015`, `masada_2011`, `wellner_2004`) or topic (`parsing`, `records`,
`linking`, `speed`); `support` holds what several benchmarks share. A new benchmark is a new file in one of them, with a
function that `benchmarks.registry.benchmark` decorates: nothing else needs to know of it.

Benchmarks of speed time a baseline in the same run. Two environment variables are for trying things out:
`IBIDEM_BENCH_MODEL` names a model other than the default, `IBIDEM_BENCH_STRINGS` a number of strings other than the
usual one.
"""

from __future__ import annotations

import importlib
import pkgutil

from ibidem.errors import MissingExtra


def import_all() -> dict[str, str]:
    """Import every module of this package, each of which registers its benchmarks.

    Return the modules that could not be imported because a package is not installed, each with the reason.
    """
    failed: dict[str, str] = {}
    for name in sorted(module.name for module in pkgutil.walk_packages(__path__, f"{__name__}.")):
        if name == f"{__name__}.__main__":
            continue
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in {__name__, "ibidem", "tools"}:
                raise  # a mistake of ours, not a missing package
            failed[name] = f"the package {error.name} is not installed"
        except MissingExtra as error:
            failed[name] = str(error)
    return failed
