"""Files: read whatever their compression or encoding, and written so that they appear whole or not at all.

`-` is standard input or output. What is written goes to a temporary file beside the target, under a name of its own
that begins with a dot, and takes the target's place only once it is complete and on the disk. A process that is killed
leaves its temporary file behind; the next run that writes the same target removes it, or continues from it.
"""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import secrets
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from ibidem.errors import InputError

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_BOMS = {b"\xff\xfe\x00\x00": "utf-32-le", b"\x00\x00\xfe\xff": "utf-32-be", b"\xff\xfe": "utf-16-le"}
_BOMS |= {b"\xfe\xff": "utf-16-be"}  # the longer ones come first: one of them begins with another


@contextmanager
def open_input(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes: unpacked where it is gzip or xz, as UTF-8 where it is UTF-16 or UTF-32.

    The file's first bytes tell, not its name. XML declares its own encoding, and stays as it is.
    """
    try:
        if str(path) == "-":
            yield _decoded(_unpacked(cast(io.BufferedReader, sys.stdin.buffer)))
            return
        if path.is_dir():
            raise InputError(f"{path} is a folder; give a file")
        with path.open("rb") as stream:
            yield _decoded(_unpacked(stream))
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"cannot unpack {path}: {error}; is it complete?") from error
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {path} as {error.encoding}: {error.reason} at byte {error.start}") from error
    except (FileNotFoundError, PermissionError) as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _unpacked(stream: io.BufferedReader) -> BinaryIO:
    head = stream.peek(len(_XZ))[: len(_XZ)]
    if head.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if head.startswith(_XZ):
        return cast(BinaryIO, lzma.LZMAFile(stream))
    return stream


def _decoded(stream: BinaryIO) -> BinaryIO:
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
    head = buffered.peek(4)[:4]
    encoding = next((name for bom, name in _BOMS.items() if head.startswith(bom)), None)
    if encoding is None or "<" in buffered.peek(64)[:64].decode(encoding, "ignore").strip("\ufeff \t\r\n")[:1]:
        return buffered
    return cast(BinaryIO, io.BufferedReader(_Transcoded(buffered, encoding)))


class _Transcoded(io.RawIOBase):
    """The bytes of a stream in another encoding, as UTF-8 without its byte order mark."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._text = io.TextIOWrapper(stream, encoding, newline="")
        self._rest = b""
        self._text.read(1)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._rest:
            self._rest = self._text.read(8_192).encode("utf-8", "surrogatepass")
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path | None]) -> None:
    """Raise `InputError` where a file that will be written cannot be, is also read, or is written twice.

    Files are the same whatever their names and links; standard input and output are compared too.
    """
    read = [(path, _identity(path, sys.stdin)) for path in inputs if path is not None]
    written: list[tuple[Path, object]] = []
    for path in outputs:
        if path is None:
            continue
        own = _identity(path, sys.stdout)
        if own is not None:
            for other, identity in read:
                if identity == own:
                    raise InputError(f"{path} is also read, as {other}; give another file to write to")
            for other, identity in written:
                if identity == own:
                    raise InputError(f"{path} would be written twice, also as {other}; give another file")
        _check_writable(path)
        written.append((path, own))


def _identity(path: Path, standard: object) -> object:
    """Return what tells a regular file from all others; None for what is none."""
    try:
        found = os.fstat(standard.fileno()) if str(path) == "-" else path.stat()  # type: ignore[attr-defined]
    except (OSError, ValueError, AttributeError):
        return None if str(path) == "-" else path.resolve()
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _check_writable(path: Path) -> None:
    if str(path) == "-":
        return
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    if path.exists() and not path.is_file():
        return
    folder = path.resolve().parent
    if not folder.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot write {path}: its folder cannot be written to")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"cannot write {path}: it is read-only")


@contextmanager
def open_output(path: Path | None) -> Iterator[BinaryIO]:
    """Open a file to write, packed where its name ends in .gz or .xz; it takes its place only once it is complete.

    None and `-` are standard output; to a device or a pipe the bytes go as they come.
    """
    if path is None or str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    _check_writable(path)
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    target = path.resolve()
    remove_leftovers(target)
    stream, part = create_temporary(target)
    try:
        with stream:
            packed = _packed(stream, path.suffix)
            yield packed
            if packed is not stream:
                packed.close()
            complete(stream, part, target)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise InputError(f"cannot write {path}: {error.strerror}; it is as it was before") from error
        raise
    finally:
        part.unlink(missing_ok=True)


def _packed(stream: BinaryIO, suffix: str) -> BinaryIO:
    if suffix == ".gz":  # without a time in it the same content gives the same file
        return cast(BinaryIO, gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0))
    return cast(BinaryIO, lzma.LZMAFile(stream, "wb")) if suffix == ".xz" else stream


def create_temporary(target: Path, mark: str = "") -> tuple[BinaryIO, Path]:
    """Create a temporary file for a target in its folder, locked so that no other process takes it for a leftover.

    `mark` becomes part of its name, for whoever looks for it later.
    """
    while True:
        part = target.with_name(f"{_prefix(target)}{mark}-{secrets.token_hex(4)}.tmp")
        try:
            stream = part.open("xb")
        except FileExistsError:
            continue
        except OSError as error:
            raise InputError(f"cannot write {target}: {error.strerror or error}") from error
        if lock(stream) and part.exists():
            return stream, part
        stream.close()


def complete(stream: BinaryIO, part: Path, target: Path) -> None:
    """Put a temporary file, all of it on the disk, in the place of its target, whose permissions it gets."""
    stream.flush()
    os.fsync(stream.fileno())
    with suppress(OSError):  # there is no target yet, or the file system has no permissions
        part.chmod(stat.S_IMODE(target.stat().st_mode))
    if os.name == "nt":  # where no open file can be renamed
        stream.close()
    part.replace(target)
    with suppress(OSError):  # a system on which folders cannot be opened
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def leftovers(target: Path, mark: str = "") -> list[Path]:
    """Return the temporary files of a target, also those of runs that are still going on."""
    try:
        names = sorted(one.name for one in target.parent.iterdir())
    except OSError:
        return []
    prefix = _prefix(target) + mark
    return [target.with_name(name) for name in names if name.startswith(prefix) and name.endswith(".tmp")]


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files that killed runs have left of a target; those of living ones are locked."""
    for part in leftovers(target):
        with suppress(OSError), part.open("rb+") as stream:
            if lock(stream):
                part.unlink()


def lock(stream: BinaryIO) -> bool:
    """Lock a file until it is closed or the process ends; return False where another process has locked it."""
    try:
        import fcntl
    except ImportError:  # Windows, where nobody can remove a file that is open
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)  # a file system without locks
    return True


def _prefix(target: Path) -> str:
    return f".{target.name[:100]}.ibidem"
