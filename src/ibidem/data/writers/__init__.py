"""Writers of labelled strings: one small file per format, each turning an `Example` into text.

What a format cannot carry, its writer refuses with an `InputError` that says why; nothing is lost in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from ibidem.data.readers.labelled import format_of
from ibidem.data.writers import anystyle, conll, jsonl
from ibidem.errors import InputError
from ibidem.types import Example, Malformed

_ONE: dict[str, Callable[[Example], str]] = {
    "jsonl": jsonl.line,
    "conll": conll.block,
    "anystyle": anystyle.sequence,
    "anystyle-covered": anystyle.covered_sequence,
}
_AROUND = dict.fromkeys(("anystyle", "anystyle-covered"), (anystyle.HEAD, anystyle.TAIL))
FORMATS = tuple(_ONE)
"""The formats of labelled strings that can be written."""

__all__ = ["FORMATS", "format_of", "write"]


def write(examples: Iterable[Example | Malformed], stream: BinaryIO, form: str) -> Iterator[Malformed]:
    """What could not be written, and why, while the rest is written one by one; take them all to write them all."""
    if form not in _ONE:
        raise InputError(f"{form!r} is no format of labelled strings; there are {', '.join(FORMATS)}")
    head, tail = _AROUND.get(form, ("", ""))
    stream.write(head.encode())
    for example in examples:
        if isinstance(example, Malformed):
            yield example
            continue
        try:
            text = _ONE[form](example).encode()
        except (InputError, UnicodeEncodeError) as error:
            yield Malformed(example.source, str(error))
            continue
        stream.write(text)
    stream.write(tail.encode())
