"""Labelled strings from a file of one's own, in any of the formats that Ibidem reads; the name says which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ibidem.data.readers.anystyle import read_anystyle
from ibidem.data.readers.conll import read_conll
from ibidem.data.readers.jsonl import read_jsonl
from ibidem.errors import InputError
from ibidem.types import Example, Malformed

SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".conll": "conll",
    ".bio": "conll",
    ".xml": "anystyle",
}
"""The formats of labelled strings by the endings of their files, before a `.gz` or `.xz`."""
READERS: dict[str, Callable[[Path], Iterator[Example | Malformed]]] = {
    "jsonl": read_jsonl,
    "conll": read_conll,
    "anystyle": read_anystyle,
}


def format_of(path: Path) -> str:
    """The format that a file's name says.

    >>> format_of(Path("mine.conll.gz"))
    'conll'
    """
    suffixes = [suffix for suffix in path.suffixes if suffix not in (".gz", ".xz")]
    form = SUFFIXES.get(suffixes[-1].lower() if suffixes else "")
    if form is None:
        raise InputError(f"{path} does not say its format; name it {', '.join(f'*{suffix}' for suffix in SUFFIXES)}")
    return form


def looks_like_file(name: str) -> bool:
    """Whether a name is that of a file of labelled strings and not of a dataset."""
    return any(suffix in SUFFIXES for suffix in Path(name).suffixes)


def read_labelled(path: Path) -> Iterator[Example | Malformed]:
    """The strings of a file, labels as they stand in it; marks come sorted, parents first."""
    reader = READERS[format_of(path)]
    if not path.is_file():
        raise InputError(f"there is no file {path}; give a file of labelled strings")
    try:
        yield from reader(path)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
