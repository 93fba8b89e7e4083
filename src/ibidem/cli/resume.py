"""`--resume`: output that an interrupted run has left behind is continued, and ends as if nothing had happened.

The temporary file of a run has a mark in its name: a digest of all that the answers depend on but the input. The input
is compared with the finished lines, whose texts it must begin with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ibidem.cli.inputs import PACKED, Item
from ibidem.errors import InputError
from ibidem.files import complete, create_temporary, explain_full_disk, leftovers, lock, remove_leftovers


def can_resume(output: Path | None) -> bool:
    """Return whether JSON Lines in this file can be continued: not in a stream, a device or a packed file."""
    if output is None or str(output) == "-" or output.suffix in PACKED:
        return False
    return output.is_file() or not output.exists()


def mark_of(task: str, options: Mapping[str, Any]) -> str:
    """Return a digest of the version, the kernels, the model and the options, that the lines of an output depend on."""
    import ibidem
    from ibidem.inference import kernels_in_use
    from ibidem.models.shipped import weights_of

    model = options["model"] or weights_of(task)
    constraints = options.get("constraints", True)
    limits = constraints.read_bytes() if isinstance(constraints, Path) else constraints
    plain = (ibidem.__version__, str(kernels_in_use()), task, options["alternatives"], options.get("explain", False))
    return hashlib.sha256(repr((*plain, limits)).encode() + model.read_bytes()).hexdigest()[:16]


@contextmanager
def open_resumable(
    path: Path, mark: str, items: Iterator[Item], *, resume: bool
) -> Iterator[tuple[BinaryIO, int, int]]:
    """Open a file to write; with `resume` continue what a run with the same mark has left, and skip its items.

    Yields the stream, the number of items that are finished and of those that have an error. An interruption leaves the
    temporary file behind, a failure does not.
    """
    target = path.resolve()
    with explain_full_disk(path):
        stream, part = (_take_leftover(target, mark) if resume else None) or create_temporary(target, mark)
        with stream:
            total, failed = _skip_finished(stream, items) if stream.readable() else (0, 0)
            try:
                remove_leftovers(target)
                yield stream, total, failed
                complete(stream, part, target)
            except Exception:
                part.unlink(missing_ok=True)
                raise
            except BaseException as error:
                stream.flush()
                if part.stat().st_size:
                    error.add_note("the same command with --resume continues from there")
                else:
                    part.unlink()
                raise


def _take_leftover(target: Path, mark: str) -> tuple[BinaryIO, Path] | None:
    """Return the longest file that a run with this mark has left and no other process holds, locked."""
    for part in sorted(leftovers(target, mark), key=lambda one: -one.stat().st_size):
        stream = part.open("rb+")
        if lock(stream) is not False and part.exists():
            return stream, part
        stream.close()
    return None


def _skip_finished(stream: BinaryIO, items: Iterator[Item]) -> tuple[int, int]:
    """Skip the items whose lines are finished, and leave the stream behind the last of them; return their numbers."""
    total = failed = 0
    for found in _finished(stream):
        total, failed = total + 1, failed + ("error" in found)
        item = next(items, None)
        if item is None or item.text.encode("utf-8", "backslashreplace").decode() != found["text"]:
            raise InputError(
                f"the interrupted run had another input, from item {total:,} on; leave out --resume to start anew"
            )
    return total, failed


def _finished(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield the objects of the complete lines of a stream, which is cut behind the last of them."""
    import orjson

    end = 0
    for line in iter(stream.readline, b""):
        try:
            found = orjson.loads(line) if line.endswith(b"\n") else None
        except orjson.JSONDecodeError:
            found = None
        if not isinstance(found, dict) or not isinstance(found.get("text"), str):
            break
        end += len(line)
        yield found
    stream.seek(end)
    stream.truncate()
