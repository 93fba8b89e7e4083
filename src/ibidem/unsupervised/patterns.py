"""Regular expressions matched in time linear in the word, whatever the expression: no backtracking.

The syntax is that of `re`, whose parser is used, less what no finite automaton can do. The expression becomes a
nondeterministic automaton (Thompson 1968), and the sets of its states that words lead to are kept as they are met,
which makes it deterministic as far as the words need it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from ibidem.errors import ConfigError

_MAX_STATES = 20_000
_MAX_KEPT = 1_000_000  # states in the sets that are kept; past these all are made anew
_MAX_LENGTH = 50_000  # characters of an expression
_CHARACTERS = ("LITERAL", "NOT_LITERAL", "ANY", "IN")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_STARTS, _ENDS = ("AT_BEGINNING", "AT_BEGINNING_STRING"), ("AT_END", "AT_END_STRING")
_UNSUPPORTED = {
    "GROUPREF": "a reference to a group",
    "GROUPREF_EXISTS": "a condition on a group",
    "ASSERT": "a look-ahead or look-behind",
    "ASSERT_NOT": "a look-ahead or look-behind",
    "AT": "a word boundary",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive repetition",
}

States = frozenset[int]


class WordPattern:
    """A regular expression that whole words match.

    >>> year = WordPattern("(19|20)[0-9]{2}")
    >>> year.matches("1999"), year.matches("19999"), WordPattern("(a+)+!").matches("a" * 40)
    (True, False, False)
    """

    def __init__(self, pattern: str) -> None:
        self._edges: list[tuple[int, ...]] = [()]  # [states] where each leads without a character; the first accepts
        self._tests: dict[int, tuple[Callable[[str], object], int]] = {}  # a state's character, and where it leads
        self._parts = 0
        self._at: dict[int, tuple[str, int]] = {}  # states to pass only at the beginning or the end of the word
        try:
            if len(pattern) > _MAX_LENGTH:
                raise ConfigError(f"it has {len(pattern):,} characters; {_MAX_LENGTH:,} are the most")
            re.compile(pattern)
            self._tree = import_module("re._parser").parse(pattern)
            first = self._add(self._tree, self._tree.state.flags, 0)
        except (re.error, OverflowError) as error:
            raise ConfigError(f"it is no regular expression: {error}") from error
        except RecursionError as error:
            raise ConfigError("its brackets are nested too deeply") from error
        self._first = self._close([first], start=True)
        self._steps: dict[tuple[States, str], States] = {}
        self._kept = 0

    def matches(self, word: str) -> bool:
        """Return whether the whole word matches."""
        states = self._first
        for character in word:
            key = (states, character)
            after = self._steps.get(key)
            if after is None:
                after = self._step(states, character)
                self._keep(key, after)
            if not after:
                return False
            states = after
        return 0 in self._close(states, end=True, start=not word)

    def _keep(self, key: tuple[States, str], after: States) -> None:
        self._kept += len(after) + 1
        if self._kept > _MAX_KEPT:
            self._steps, self._kept = {}, 0
        self._steps[key] = after

    def _step(self, states: States, character: str) -> States:
        tests = (self._tests[state] for state in states if state in self._tests)
        return self._close(target for test, target in tests if test(character))

    def _close(self, states: Iterable[int], start: bool = False, end: bool = False) -> States:
        """Return the states and all that can be reached from them without a character."""
        found: set[int] = set()
        left = list(states)
        while left:
            state = left.pop()
            if state in found:
                continue
            found.add(state)
            left += self._edges[state]
            where, target = self._at.get(state, ("", 0))
            if (where in _STARTS and start) or (where in _ENDS and end):
                left.append(target)
        return frozenset(found)

    def _new(self, *edges: int) -> int:
        self._check_size(len(self._edges))
        self._edges.append(edges)
        return len(self._edges) - 1

    def _add(self, items: Iterable[Any], flags: int, target: int) -> int:
        """Add the automaton of a sequence that leads to `target`; return its first state."""
        self._parts += 1
        self._check_size(self._parts)
        for operation, argument in reversed(list(items)):
            target = self._add_one(str(operation), argument, (operation, argument), flags, target)
        return target

    def _add_one(self, name: str, argument: Any, item: Any, flags: int, target: int) -> int:
        if name in _CHARACTERS:
            own = import_module("re._parser").SubPattern(self._tree.state, [item])
            state = self._new()
            self._tests[state] = (import_module("re._compiler").compile(own, flags).fullmatch, target)
            return state
        if name == "BRANCH":
            return self._new(*(self._add(branch, flags, target) for branch in argument[1]))
        if name == "SUBPATTERN":
            _, more, less, inside = argument
            return self._add(inside, (flags | more) & ~less, target)
        if name in _REPEATS:
            least, most, inside = argument
            return self._add_repeat(least, most, inside, flags, target)
        if name == "AT" and str(argument) in (*_STARTS, *_ENDS):
            state = self._new()
            self._at[state] = (str(argument), target)
            return state
        what = _UNSUPPORTED.get(name, name)
        raise ConfigError(
            f"it has {what}, which takes more than an automaton; whole words are matched, so write it without"
        )

    def _add_repeat(self, least: int, most: int, inside: Any, flags: int, target: int) -> int:
        if most == import_module("re._constants").MAXREPEAT:
            loop = self._new()
            self._edges[loop] = (self._add(inside, flags, loop), target)
            target = loop
        else:
            self._check_size(most)
            end = target
            for _ in range(most - least):
                target = self._new(self._add(inside, flags, target), end)
        self._check_size(least)
        for _ in range(least):
            target = self._add(inside, flags, target)
        return target

    def _check_size(self, parts: int) -> None:
        if parts > _MAX_STATES:
            raise ConfigError(f"written out, it has more than {_MAX_STATES:,} parts; repeat fewer times")
