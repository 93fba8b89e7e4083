"""From what the user pointed at to what the user sees: the loop behind `ibidem parse`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ibidem.cli.documents import read_documents
from ibidem.cli.inputs import Advance, Item, check_files, from_argument, read_files
from ibidem.cli.outputs import Verb, answers, as_line, open_output
from ibidem.errors import InputError
from ibidem.labels.tasks import REFERENCES, Task
from ibidem.types import Parsed

if TYPE_CHECKING:
    from ibidem.cli.convert import FormatOptions


@dataclass(frozen=True, slots=True)
class Source:
    """Where the reference strings come from: given texts first, then files; standard input when neither is given."""

    texts: Sequence[str]
    files: Sequence[Path]
    key: str = "text"
    jsonl: bool = False
    task: Task = REFERENCES

    def check(self, output: Path | None) -> None:
        """Nothing, or an `InputError` that says which file cannot be read or would be overwritten while it is read."""
        if not self.texts and not self.files and (sys.stdin is None or sys.stdin.isatty()):
            given = "a reference" if self.task is REFERENCES else "the text"
            raise InputError(f'nothing to parse: give a file, "-" for standard input, or {given} with -t')
        check_files(self.files)
        if output is not None and output.exists() and any(f.exists() and f.samefile(output) for f in self.files):
            raise InputError(f"{output} is read and cannot be written to at the same time; give another --output")

    def items(self, advance: Advance | None) -> Iterator[Item]:
        """Every reference string, or every document of another task, in order."""
        yield from map(from_argument, self.texts)
        files = self.files or ([] if self.texts else [Path("-")])
        if self.task is not REFERENCES:
            yield from read_documents(files, self.task, key=self.key, jsonl=self.jsonl, advance=advance)
            return
        yield from read_files(files, key=self.key, jsonl=self.jsonl, advance=advance)

    def size(self) -> int | None:
        """The bytes of all files, or None where one of them is no regular file."""
        regular = self.files and all(path.is_file() for path in self.files)
        return sum(path.stat().st_size for path in self.files) if regular else None


def run(
    source: Source, verb: Verb, output: Path | None, pretty: bool | None, wish: FormatOptions | None = None
) -> None:
    """Nothing: writes what `verb` makes of every item and says on standard error how many had an error.

    With a `wish`, records in its format are written in place of the fields.
    """
    source.check(output)
    if wish is not None and source.task is not REFERENCES:
        raise InputError(f"--format writes records of references, not {source.task.name}: leave it out, or the task")
    if wish is not None:
        from ibidem.cli.convert import write_parsed

        with _progress(source, quiet=output is None and sys.stdout.isatty()) as advance, _closed_pipe_is_fine(output):
            write_parsed(answers(source.items(advance), verb), output, wish)
        return
    to_terminal = output is None and sys.stdout.isatty()
    total = failed = 0
    with open_output(output) as stream, _progress(source, quiet=to_terminal) as advance, _closed_pipe_is_fine(output):
        show, finish = _pretty(output, source.task) if (to_terminal if pretty is None else pretty) else (as_line, bytes)
        for parsed in answers(source.items(advance), verb):
            total, failed = total + 1, failed + (parsed.error is not None)
            stream.write(show(parsed))
        stream.write(finish())
        stream.flush()
    if failed:
        items = f"{source.task.item}s"
        print(f"ibidem: {failed:,} of {total:,} {items} could not be parsed; see their errors", file=sys.stderr)


def _pretty(output: Path | None, task: Task) -> tuple[Callable[[Parsed], bytes], Callable[[], bytes]]:
    """How to show one parsed item of a task, and what to write at the end: the legend of the colours used."""
    from ibidem.cli.pretty import draw, legend, wants_colour
    from ibidem.cli.pretty_documents import DRAWINGS

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
def _progress(source: Source, *, quiet: bool) -> Iterator[Advance | None]:
    """A function to tell of bytes read, drawing a bar on standard error where someone watches it."""
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
def _closed_pipe_is_fine(output: Path | None) -> Iterator[None]:
    """Ends quietly when whoever reads standard output has seen enough (`| head`)."""
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
