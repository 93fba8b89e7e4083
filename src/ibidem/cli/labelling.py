"""The loop behind `ibidem parse`, `ibidem sections` and `ibidem authors`: items in, fields or records out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ibidem.cli.inputs import Advance, Source
from ibidem.cli.options import status_of
from ibidem.cli.outputs import Show, parse_items, show_item, to_json_line
from ibidem.cli.pretty import DRAWINGS, draw, is_terminal, legend, wants_colour
from ibidem.cli.resume import can_resume, mark_of, open_resumable
from ibidem.cli.terminal import say
from ibidem.errors import InputError
from ibidem.files import open_output
from ibidem.labels.tasks import REFERENCES, Task, task_of
from ibidem.types import Parsed

if TYPE_CHECKING:
    from ibidem.cli.convert import FormatOptions


def label_documents(
    task: str, *, files: Sequence[Path], text: Sequence[str], key: str | None, jsonl: bool, **options: Any
) -> int:
    """Label the documents of a task and write them; `options` are those of `write_labelled`."""
    return write_labelled(Source(text, files, key or "text", jsonl, task_of(task)), **options)


def write_labelled(
    source: Source,
    output: Path | None = None,
    *,
    pretty: bool | None = None,
    records: FormatOptions | None = None,
    quiet: bool = False,
    resume: bool = False,
    strict: bool = False,
    **options: Any,
) -> int:
    """Parse every item of a source and write its fields, or with `records` a record in that format; return the status.

    Fields are drawn for people with `pretty`, by default on a terminal, and are JSON Lines otherwise. The number of
    items that had an error goes to standard error, unless `quiet`. `options` are those of `ibidem.parse_many`.
    """
    import ibidem

    source.check()
    to_terminal = output is None and is_terminal(sys.stdout)
    drawn = to_terminal if pretty is None else pretty
    resumable = can_resume(output) and not drawn and records is None
    if resume and not resumable:
        raise InputError("--resume continues JSON Lines: name their file, not packed, with --output, and no --format")
    with _show_progress(source, quiet=quiet or to_terminal) as advance:
        items = source.items(advance)
        parsed = parse_items(items, partial(ibidem.parse_many, task=source.task.name, **options))
        if records is not None:
            total, failed = _write_records(parsed, source.task, output, records, quiet)
        elif output is not None and resumable:
            mark = mark_of(source.task.name, options)
            with open_resumable(output, mark, items, resume=resume) as (stream, *done):
                total, failed = _write_items(parsed, stream, to_json_line, "json", *done)
        else:
            total, failed = _write_fields(parsed, source.task, output, drawn)
    if not quiet:
        source.say_blank()
        if failed and records is None:
            say(f"{failed:,} of {total:,} {source.task.item}s could not be parsed; see their errors")
    return status_of(total, failed, strict=strict)


def _write_records(
    parsed: Iterator[Parsed], task: Task, output: Path | None, records: FormatOptions, quiet: bool
) -> tuple[int, int]:
    from ibidem.cli.convert import write_parsed

    if task is not REFERENCES:
        raise InputError(f"--format writes records of references, not of {task.name}; leave it out")
    return write_parsed(parsed, output, records, quiet=quiet)


def _write_fields(parsed: Iterator[Parsed], task: Task, output: Path | None, drawn: bool) -> tuple[int, int]:
    with open_output(output, drawn=drawn) as stream:
        if not drawn:
            return _write_items(parsed, stream, to_json_line, "json")
        show, finish = _draw_items(output, task)
        counts = _write_items(parsed, stream, show, "draw")
        stream.write(finish())
    return counts


def _write_items(
    parsed: Iterator[Parsed], stream: BinaryIO, show: Show, stage: str, total: int = 0, failed: int = 0
) -> tuple[int, int]:
    """Write each item; return the number of items and of those with an error, added to those given."""
    for one in parsed:
        line, wrong = show_item(one, show, stage)
        total, failed = total + 1, failed + wrong
        stream.write(line)
    return total, failed


def _draw_items(output: Path | None, task: Task) -> tuple[Show, Callable[[], bytes]]:
    """Return a function that draws one parsed item, and one that draws the legend of the colours used."""
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
    total = None if quiet or not is_terminal(sys.stderr) else source.size()
    if total is None:
        yield None
        return
    import click

    with click.progressbar(
        length=total, file=sys.stderr, label="parsing", update_min_steps=max(1, total // 1000)
    ) as bar:
        yield bar.update
