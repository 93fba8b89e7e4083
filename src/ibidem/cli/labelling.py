"""The loop behind `ibidem parse`, `ibidem sections` and `ibidem authors`: items in, fields or records out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.cli.inputs import Advance, Source
from ibidem.cli.outputs import ParseMany, open_output, parse_items, to_json_line
from ibidem.errors import InputError
from ibidem.labels.tasks import REFERENCES, Task, task_of
from ibidem.types import Parsed

if TYPE_CHECKING:
    from ibidem.cli.convert import FormatOptions


def label_documents(
    task: str,
    *,
    files: Sequence[Path],
    text: Sequence[str],
    output: Path | None,
    pretty: bool | None,
    key: str | None,
    jsonl: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Label the documents of a task and write them; `options` are those of `ibidem.parse_many`."""
    import ibidem

    source = Source(text, files, key or "text", jsonl, task_of(task))
    parse_many = partial(ibidem.parse_many, task=task, **options)
    write_labelled(source, parse_many, output, pretty=pretty, quiet=quiet)


def write_labelled(
    source: Source,
    parse_many: ParseMany,
    output: Path | None = None,
    *,
    pretty: bool | None = None,
    records: FormatOptions | None = None,
    quiet: bool = False,
) -> None:
    """Parse every item of a source and write its fields, or with `records` a record in that format.

    Fields are drawn for people with `pretty`, by default on a terminal, and are JSON Lines otherwise. The number of
    items that had an error goes to standard error, unless `quiet`.
    """
    source.check(output)
    to_terminal = output is None and sys.stdout.isatty()
    with _show_progress(source, quiet=quiet or to_terminal) as advance, _end_quietly_on_closed_pipe(output):
        parsed = parse_items(source.items(advance), parse_many)
        if records is not None:
            if source.task is not REFERENCES:
                raise InputError(f"--format writes records of references, not of {source.task.name}; leave it out")
            from ibidem.cli.convert import write_parsed

            with redirect_stderr(StringIO()) if quiet else nullcontext():  # its warnings and its summary
                write_parsed(parsed, output, records)
            return
        total, failed = _write_fields(parsed, source.task, output, to_terminal if pretty is None else pretty)
    if failed and not quiet:
        items = f"{source.task.item}s"
        print(f"ibidem: {failed:,} of {total:,} {items} could not be parsed; see their errors", file=sys.stderr)


def _write_fields(found: Iterator[Parsed], task: Task, output: Path | None, pretty: bool) -> tuple[int, int]:
    """Write the fields of each item; return the number of items and of those with an error."""
    total = failed = 0
    with open_output(output) as stream:
        show, finish = _draw_items(output, task) if pretty else (to_json_line, bytes)
        for parsed in found:
            total, failed = total + 1, failed + (parsed.error is not None)
            stream.write(show(parsed))
        stream.write(finish())
        stream.flush()
    return total, failed


def _draw_items(output: Path | None, task: Task) -> tuple[Callable[[Parsed], bytes], Callable[[], bytes]]:
    """Return a function that draws one parsed item, and one that draws the legend of the colours used."""
    from ibidem.cli.pretty import DRAWINGS, draw, legend, wants_colour

    colour = output is None and wants_colour(sys.stdout)
    labels: set[str] = set()
    count = 0

    def show(parsed: Parsed) -> bytes:
        nonlocal count
        count += 1
        labels.update(field.label for field in parsed.fields)
        return DRAWINGS.get(task.name, draw)(parsed, count, colour=colour).encode() + b"\n"

    def finish() -> bytes:
        return f"\n{legend(labels)}\n".encode() if colour and labels else b""

    return show, finish


@contextmanager
def _show_progress(source: Source, *, quiet: bool) -> Iterator[Advance | None]:
    """Draw a progress bar on standard error where it is a terminal; yield the function that advances it by bytes."""
    total = None if quiet or not sys.stderr.isatty() else source.size()
    if total is None:
        yield None
        return
    import click

    with click.progressbar(
        length=total, file=sys.stderr, label="parsing", update_min_steps=max(1, total // 1000)
    ) as bar:
        yield bar.update


@contextmanager
def _end_quietly_on_closed_pipe(output: Path | None) -> Iterator[None]:
    """Exit with 0 when the reader of standard output has gone (`| head`)."""
    try:
        yield
    except OSError as error:
        if output is not None:
            raise
        # What is still in the buffer has nowhere to go; without this the interpreter would complain when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise SystemExit(0) from None
        raise InputError(f"cannot write to standard output: {error.strerror or error}") from error
