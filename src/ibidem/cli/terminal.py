"""Text for a terminal: messages on one line, and nothing in them that the terminal would obey."""

from __future__ import annotations

import sys
from contextlib import suppress

_CONTROLS = [*range(0x20), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
_ESCAPES = {code: chr(code).encode("unicode_escape").decode("ascii") for code in _CONTROLS}


def escape(text: str) -> str:
    """Return a text with visible escapes for control characters, line breaks, bidi controls and lone surrogates.

    >>> print(escape("red: \\x1b[31m, right to left: \\u202eabc"))
    red: \\x1b[31m, right to left: \\u202eabc
    """
    return text.translate(_ESCAPES).encode("utf-8", "backslashreplace").decode("utf-8")


def say(message: str) -> None:
    """Print a message on one line of standard error, where there is one."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):  # nobody reads it any more
        print(f"ibidem: {escape(' '.join(message.split()))}", file=sys.stderr, flush=True)
