"""Whether a branch of a `choose` is to be taken."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from xml.etree.ElementTree import Element

from ibidem.csl.context import Context
from ibidem.csl.numbers import is_numeric

Test = Callable[[Context], bool]


def condition(branch: Element) -> Test:
    """The test of a branch: all, any or none of what its attributes ask for; no attributes always hold."""
    match = branch.get("match", "all")
    tests: list[Test] = []
    for key, value in branch.attrib.items():
        if key == "type" and match != "all":
            tests.append(partial(_has_type, frozenset(value.split())))
        elif key == "type":
            tests += [partial(_has_type, frozenset({one})) for one in value.split()]
        elif key != "match":
            tests += [partial(_TESTS.get(key, _never), one) for one in value.split()]
    if not tests:
        return lambda _context: True
    if match == "none":
        return lambda context: not any(test(context) for test in tests)
    if len(tests) == 1:
        return tests[0]
    if match == "any":
        return lambda context: any(test(context) for test in tests)
    return lambda context: all(test(context) for test in tests)


def _has_type(names: frozenset[str], context: Context) -> bool:
    return context.item.type in names


def _has_variable(name: str, context: Context) -> bool:
    return context.item.has(name)


def _has_number(name: str, context: Context) -> bool:
    return is_numeric(context.item.plain(name))


def _is_uncertain(name: str, context: Context) -> bool:
    date = context.item.dates.get(name)
    return date is not None and date.approximate


def _never(_name: str, _context: Context) -> bool:
    return False


# Positions, locators and disambiguation are no business of bibliographies.
_TESTS: dict[str, Callable[[str, Context], bool]] = {
    "variable": _has_variable,
    "is-numeric": _has_number,
    "is-uncertain-date": _is_uncertain,
}
