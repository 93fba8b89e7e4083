"""Old names of arguments, accepted for one release after they were renamed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def rename_arguments(**new_names: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Decorate a function to accept keyword arguments under their old names, with a `DeprecationWarning`.

    >>> @rename_arguments(colour="color")
    ... def paint(*, color: str) -> str:
    ...     return color
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     paint(colour="red")
    'red'
    >>> str(caught[0].message)
    "paint(): the argument 'colour' is now called 'color'"
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @wraps(function)
        def call(*args: _P.args, **given: _P.kwargs) -> _R:
            for old, new in new_names.items():
                if old not in given:
                    continue
                if new in given:
                    raise TypeError(f"{function.__name__}() got both {new!r} and {old!r}, its old name")
                message = f"{function.__name__}(): the argument {old!r} is now called {new!r}"
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                given[new] = given.pop(old)
            return function(*args, **given)

        return call

    return decorate
