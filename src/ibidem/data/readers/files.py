"""Files as datasets come: plain, gzip or xz text, and tar archives, read one piece at a time."""

from __future__ import annotations

import gzip
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

NOT_UTF8 = "not UTF-8: undecodable bytes are shown as U+FFFD"


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading, decompressed by its suffix."""
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    if path.suffix == ".xz":
        return cast(IO[bytes], lzma.open(path, "rb"))
    return path.open("rb")


def lines_of(path: Path, errors: str = "strict") -> Iterator[str]:
    """Yield the lines of a UTF-8 file without their line ends (`\\n` or `\\r\\n`)."""
    with open_bytes(path) as file:
        for line in file:
            yield line.decode("utf-8", errors).rstrip("\r\n")


def text_of(path: Path, errors: str = "strict") -> str:
    """Return the text of a UTF-8 file; for files that are small or have no lines."""
    with open_bytes(path) as file:
        return file.read().decode("utf-8", errors)


def members_of(path: Path, suffix: str = ".xml") -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the files in a tar archive whose name ends in `suffix`, in archive order."""
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and member.name.endswith(suffix) else None
            if file is not None:
                yield member.name.removeprefix("./"), file.read()
