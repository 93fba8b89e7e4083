"""Opening what datasets come in: plain, gzip or xz text, and tar archives, always one piece at a time."""

from __future__ import annotations

import gzip
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast


def open_bytes(path: Path) -> IO[bytes]:
    """The unpacked bytes of a file, whatever its packing."""
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    if path.suffix == ".xz":
        return cast(IO[bytes], lzma.open(path, "rb"))
    return path.open("rb")


def lines_of(path: Path, errors: str = "strict") -> Iterator[str]:
    """The lines of a UTF-8 file without their line ends (`\\n` or `\\r\\n`), one at a time."""
    with open_bytes(path) as file:
        for line in file:
            yield line.decode("utf-8", errors).rstrip("\r\n")


def text_of(path: Path, errors: str = "strict") -> str:
    """The whole text of a UTF-8 file; for files that are small or have no lines."""
    with open_bytes(path) as file:
        return file.read().decode("utf-8", errors)


def members_of(path: Path, suffix: str = ".xml") -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every regular file in a tar archive whose name ends in `suffix`, in the archive's order."""
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and member.name.endswith(suffix) else None
            if file is not None:
                yield member.name.removeprefix("./"), file.read()
