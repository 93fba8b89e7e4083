"""Faults that nobody foresaw: each costs the item that it befell, and has a number for a bug report.

Every stage that an item goes through is guarded: an exception that is no `IbidemError` becomes the error of that item,
and the others are answered. To prove it, tests make a stage fail: with `IBIDEM_FAULT=stage:text` in the environment,
`trip` raises an exception in that stage for every item in which the text stands.
"""

from __future__ import annotations

import hashlib
import os
import traceback
from pathlib import Path

from ibidem.errors import IbidemError

_QUOTED = 200  # characters of another library's message
_PACKAGE = Path(__file__).parent
_ARMED, _, _TEXT = os.environ.get("IBIDEM_FAULT", "").partition(":")


def describe_fault(error: Exception, doing: str, item: str = "this reference") -> str:
    """Return the error of an item, given the exception that `doing` something with it raised.

    An `IbidemError` speaks for itself, and a lack of memory is no fault. Any other exception is a fault in Ibidem, and
    gets a number that is the same wherever the same line of the program fails in the same way; `item` is what to send.

    >>> from ibidem.errors import InputError
    >>> describe_fault(InputError("the year is too long"), "writing it as RIS")
    'the year is too long'
    >>> try:
    ...     {}["family"]
    ... except KeyError as error:
    ...     describe_fault(error, "reading a name")
    'a fault in Ibidem while reading a name: KeyError; please report it as fault eaae94d3, with this reference'
    """
    if isinstance(error, IbidemError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"there was not enough memory for {doing}"
    kind = type(error).__name__
    raised = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in raised if Path(frame.filename).is_relative_to(_PACKAGE)]
    place = f"{Path(frames[-1].filename).relative_to(_PACKAGE).as_posix()} {frames[-1].name}" if frames else ""
    number = hashlib.sha256(f"{kind} {place}".encode()).hexdigest()[:8]
    where = f" in {place.replace(' ', ', ')}" if place else ""
    return f"a fault in Ibidem while {doing}: {kind}{where}; please report it as fault {number}, with {item}"


def first_line(error: Exception) -> str:
    """Return the first line of what another library says, cut where it is long, to be quoted in a sentence.

    >>> first_line(ValueError("no such header. \\nTo allow it, …"))
    'no such header'
    """
    line = str(error).partition("\n")[0].strip().rstrip(".")
    return line if len(line) <= _QUOTED else line[:_QUOTED] + "…"


def trip(stage: str, text: str) -> None:
    """Raise an exception where a test has asked for one in this stage, for an item with this text."""
    if _ARMED and stage == _ARMED and _TEXT in text:
        raise RuntimeError(f"a fault that a test asked for in {stage}")
