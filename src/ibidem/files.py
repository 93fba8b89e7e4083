"""Files: read whatever their compression or encoding, and written so that they appear whole or not at all.

`-` is standard input or output. What is written goes to a temporary file beside the target, under a name of its own
that begins with a dot, and takes the target's place only once it is complete and on the disk. A process that is killed
leaves its temporary file behind; the next run that writes the same target removes it, or continues from it.
"""

from __future__ import annotations

import codecs
import errno
import gzip
import hashlib
import io
import lzma
import os
import re
import secrets
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from ibidem.errors import InputError

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_BOMS = {b"\xff\xfe\x00\x00": "utf-32-le", b"\x00\x00\xfe\xff": "utf-32-be", b"\xff\xfe": "utf-16-le"}
_BOMS |= {b"\xfe\xff": "utf-16-be"}  # the longer ones come first: one of them begins with another
_SIGNATURES = {
    b"%PDF-": "a PDF file; save its text first",
    b"PK\x03\x04": "a zip archive, such as .docx, .odt or .xlsx; save its text first",
    b"\xd0\xcf\x11\xe0": "a Microsoft Office file; save its text first",
    b"{\\rtf": "an RTF file; save it as plain text first",
    b"SQLite format 3\0": "an SQLite database; export its text first",
    b"PAR1\x15": "a Parquet file; export its text first",
    b"ARROW1\0": "an Arrow file; export its text first",
    b"\x89PNG": "an image; give text",
    b"\xff\xd8\xff": "an image; give text",
    b"GIF89a": "an image; give text",
    b"BZh91AY&SY": "packed with bzip2; unpack it first, or pack it with gzip or xz",
    b"\x28\xb5\x2f\xfd": "packed with Zstandard; unpack it first, or pack it with gzip or xz",
    b"7z\xbc\xaf": "a 7-Zip archive; unpack it first",
    b"\x7fELF": "a program; give text",
}
_SAMPLE = 8_192  # bytes at the beginning of a file that tell whether it is text
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b")
_MAX_CONTROLS, _MIN_CONTROLS = 0.05, 32  # share and number of control characters that make a file no text
_COMMANDS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def open_input(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes: unpacked where it is gzip or xz, as UTF-8 where it is UTF-16 or UTF-32.

    The file's first bytes tell, not its name. XML declares its own encoding, and stays as it is.
    """
    with _open_bytes(path) as stream:
        try:
            yield _decoded(_unpacked(stream))
        except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
            raise InputError(f"cannot unpack {path}: {error}; is it complete?") from error
        except UnicodeDecodeError as error:
            raise InputError(f"cannot read {path} as {error.encoding}: {error.reason} at byte {error.start}") from error


def _open_bytes(path: Path) -> AbstractContextManager[io.BufferedReader]:
    if str(path) == "-":
        if sys.stdin is None:
            raise InputError("there is no standard input; give a file")
        return nullcontext(_buffered(cast(BinaryIO, sys.stdin.buffer)))
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give a file")
        return path.open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(f"cannot read {path}: {reason or error}") from error


@contextmanager
def open_text(path: Path) -> Iterator[BinaryIO]:
    """Open a file of lines as `open_input` does; a PDF, an archive, an image and other binary files are refused.

    Lines that end in a carriage return alone, as on old Macs, come with a line feed in its place.
    """
    with open_input(path) as stream:
        head = cast(io.BufferedReader, stream).peek(_SAMPLE)[:_SAMPLE]
        if found := describe_binary(head):
            raise InputError(f"{_name(path, 'input')} is {found}")
        old_mac = b"\r" in head[:-1] and b"\n" not in head
        yield cast(BinaryIO, io.BufferedReader(_Replaced(stream, b"\r", b"\n"))) if old_mac else stream


def describe_binary(head: bytes) -> str | None:
    """Return what a file is that begins like this and what to do with it; None for text.

    >>> describe_binary(b"%PDF-1.7 ...")
    'a PDF file; save its text first'
    """
    for signature, found in _SIGNATURES.items():
        if head.startswith(signature):
            return found
    if head[8:12] == b"DUCK" and b"\0" in head[12:20]:
        return "a DuckDB database; export its text first"
    controls = sum(byte in _CONTROLS for byte in head)
    if controls >= _MIN_CONTROLS and controls > _MAX_CONTROLS * len(head):  # a few are left to the lines they are in
        return "not text in UTF-8; give plain text"
    return None


def _unpacked(stream: io.BufferedReader) -> BinaryIO:
    head = stream.peek(len(_XZ))[: len(_XZ)]
    if head.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if head.startswith(_XZ):
        return cast(BinaryIO, lzma.LZMAFile(stream))
    return stream


def _decoded(stream: BinaryIO) -> BinaryIO:
    buffered = _buffered(stream)
    head = buffered.peek(4)[:4]
    encoding = next((name for bom, name in _BOMS.items() if head.startswith(bom)), None)
    if encoding is None or "<" in buffered.peek(64)[:64].decode(encoding, "ignore").strip("\ufeff \t\r\n")[:1]:
        return buffered
    return cast(BinaryIO, io.BufferedReader(_Transcoded(buffered, encoding)))


def _buffered(stream: BinaryIO) -> io.BufferedReader:
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))


class _Replaced(io.RawIOBase):
    """The bytes of a stream with one of them replaced by another."""

    def __init__(self, stream: BinaryIO, old: bytes, new: bytes) -> None:
        self._stream, self._old, self._new = stream, old, new

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        found = self._stream.read(len(buffer)).replace(self._old, self._new)
        buffer[: len(found)] = found
        return len(found)


class _Transcoded(io.RawIOBase):
    """The bytes of a stream in another encoding, as UTF-8 without its byte order mark."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._text = io.TextIOWrapper(stream, encoding, "surrogatepass", newline="")
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
    written: list[object] = []
    for path in filter(None, outputs):
        own = _identity(path, sys.stdout)
        for other, identity in read:
            if own is not None and identity == own:
                raise InputError(f"{_name(path, 'output')} is also read{_also(path, other)}; write to another file")
        own = own or (str(path) if str(path) == "-" else None if path.exists() else path.resolve())
        if own is not None and own in written:
            raise InputError(f"{_name(path, 'output')} would be written twice; write to another file")
        _check_writable(path)
        written.append(own)


def _identity(path: Path, standard: TextIO | None) -> object:
    """Return what tells an existing regular file from all others; None for what is none."""
    try:
        found = os.fstat(standard.fileno()) if standard and str(path) == "-" else path.stat()
    except (OSError, ValueError):  # there is none yet, or its name is none
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _name(path: Path, standard: str) -> str:
    return f"standard {standard}" if str(path) == "-" else str(path)


def _also(path: Path, other: Path) -> str:
    return "" if path == other and str(path) != "-" else f", as {_name(other, 'input')}"


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
def open_output(path: Path | None, *, drawn: bool = False) -> Iterator[BinaryIO]:
    """Open a file to write, packed where its name ends in .gz or .xz; it takes its place only once it is complete.

    None and `-` are standard output; where that is a terminal, control characters come as \\uXXXX, unless what is
    written was `drawn` for terminals. To a device or a pipe the bytes go as they come.
    """
    if path is None or str(path) == "-":
        with _standard_output(drawn) as standard:
            yield standard
        return
    _check_writable(path)
    with explain_full_disk(path):
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
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def _standard_output(drawn: bool) -> Iterator[BinaryIO]:
    if sys.stdout is None:
        raise InputError("there is no standard output; name a file with --output")
    stream = cast(BinaryIO, sys.stdout.buffer)
    try:
        with explain_full_disk(None):
            sys.stdout.flush()
            yield cast(BinaryIO, _TerminalOutput(stream)) if sys.stdout.isatty() and not drawn else stream
            stream.flush()
    except InputError as error:
        if isinstance(error.__cause__, OSError):  # what is in the buffer has nowhere to go when the interpreter ends
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


@contextmanager
def explain_full_disk(path: Path | None) -> Iterator[None]:
    """Raise an `InputError` in place of an `OSError` that says that a disk is full."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        after = "; it is as it was before" if path and path.is_file() else ""
        raise InputError(f"cannot write {path or 'to standard output'}: {error.strerror}{after}") from error


class _TerminalOutput:
    """Standard output on a terminal: what could command it is written as \\uXXXX, which JSON can hold too."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> int:
        text = _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", self._decoder.decode(data))
        self._stream.write(text.encode("utf-8"))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


def _packed(stream: BinaryIO, suffix: str) -> BinaryIO:
    if suffix == ".gz":  # without a time in it the same content gives the same file
        return cast(BinaryIO, gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0))
    return cast(BinaryIO, lzma.LZMAFile(stream, "wb")) if suffix == ".xz" else stream


def create_temporary(target: Path, mark: str = "") -> tuple[BinaryIO, Path]:
    """Create a temporary file for a target in its folder, locked so that no other process takes it for a leftover.

    `mark`, of hexadecimal digits, becomes part of its name, for whoever looks for it later. The file has the owner and
    the permissions of its target from the beginning.
    """
    while True:
        part = target.with_name(f"{_prefix(target)}{mark}-{secrets.token_hex(4)}.tmp")
        try:
            stream = part.open("xb")
        except FileExistsError:
            continue
        except OSError as error:
            raise InputError(f"cannot write {target}: {error.strerror or error}") from error
        if lock(stream) is not False and part.exists():
            _copy_permissions(target, part)
            return stream, part
        stream.close()


def _copy_permissions(target: Path, part: Path) -> None:
    with suppress(OSError):  # there is no target yet, or the file system has no permissions
        found = target.stat()
        if hasattr(os, "chown"):
            with suppress(OSError):  # only root can give a file away
                os.chown(part, found.st_uid, found.st_gid)
        part.chmod(stat.S_IMODE(found.st_mode))


def complete(stream: BinaryIO, part: Path, target: Path) -> None:
    """Put a temporary file, all of it on the disk, in the place of its target."""
    stream.flush()
    os.fsync(stream.fileno())
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
    """Return the temporary files of a target, also those of runs that are still going on; all, or those of a mark."""
    own = re.compile(re.escape(_prefix(target)) + (mark or "[0-9a-f]*") + r"-[0-9a-f]{8}\.tmp")
    try:
        return sorted(one for one in target.parent.iterdir() if own.fullmatch(one.name))
    except OSError:
        return []


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files that killed runs have left of a target; those of living ones are locked."""
    for part in leftovers(target):
        with suppress(OSError), part.open("rb+") as stream:
            if lock(stream):
                part.unlink()


def lock(stream: BinaryIO) -> bool | None:
    """Lock a file until it is closed or the process ends.

    Return False where another process has locked it, and None where the file system or the system has no locks.
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in (errno.EWOULDBLOCK, errno.EACCES) else None
    return True


def _prefix(target: Path) -> str:
    """Return how the names of a target's temporary files begin; that of a long name is cut, names being limited."""
    name = target.name
    if len(os.fsencode(name)) > 120:
        name = f"{name[:30]}.{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}"
    return f".{name}.ibidem"
