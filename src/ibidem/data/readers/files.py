"""Files as datasets come: plain, gzip or xz text, and tar archives, read one piece at a time."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ibidem.errors import InputError
from ibidem.files import open_input

NOT_UTF8 = "not UTF-8: undecodable bytes are shown as U+FFFD"
LONGEST_LINE = 1 << 24
"""Bytes of a line at most: 16 MiB."""
LARGEST_FILE = 1 << 28
"""Bytes at most, unpacked, of a file that is read as a whole: 256 MiB."""


def lines_of(path: Path, errors: str = "strict") -> Iterator[str]:
    """Yield the lines of a UTF-8 file without their line ends (`\\n` or `\\r\\n`)."""
    number = 0
    with open_input(path) as file:
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise InputError(f"line {number} of {path} has more than {LONGEST_LINE:,} bytes: give a file of lines")
            yield line.decode("utf-8", errors).rstrip("\r\n")


def text_of(path: Path, errors: str = "strict") -> str:
    """Return the text of a UTF-8 file; for files that are small or have no lines."""
    with open_input(path) as file:
        return _read_all(file, path).decode("utf-8", errors)


def members_of(path: Path, suffix: str = ".xml") -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the files in a tar archive whose name ends in `suffix`, in archive order."""
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and member.name.endswith(suffix) else None
            if file is not None:
                yield member.name.removeprefix("./"), _read_all(file, path)


def _read_all(file: IO[bytes], path: Path) -> bytes:
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise InputError(f"{path} has more than {LARGEST_FILE:,} bytes, unpacked: split it")
    return content
