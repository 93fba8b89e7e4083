"""The command line: a group that loads a command's module when the command is used or help is shown.

A new command is a module `ibidem.cli.NAME` with a click command called NAME, and its name in `COMMANDS`.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import current_thread, main_thread
from typing import Any, cast

import click

from ibidem import __version__
from ibidem.cli.terminal import say
from ibidem.faults import describe_fault

COMMANDS = (
    "parse",
    "sections",
    "authors",
    "convert",
    "link",
    "segment",
    "train",
    "evaluate",
    "constraints",
    "synthesise",
    "doctor",
    "data",
)


class LazyGroup(click.Group):
    """A group whose commands lie in modules that are imported on first use, so that every command starts quickly.

    `modules` maps the name of a command to the module that defines it under the same name.
    """

    def __init__(self, *args: Any, modules: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.modules = dict(modules)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands, in the order of registration."""
        return list(dict.fromkeys([*self.modules, *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, from its module where it was not added before."""
        if cmd_name not in self.commands and cmd_name in self.modules:
            self.add_command(getattr(import_module(self.modules[cmd_name]), cmd_name), cmd_name)
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=LazyGroup,
    modules={name: f"ibidem.cli.{name}" for name in COMMANDS},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", "-V", message="%(prog)s %(version)s")
def app() -> None:
    """Turn reference strings into a citation database, with a confidence for each field."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return its exit status.

    0 is success, 1 what a command returns where items failed, 2 an error, after one line on standard error; 130, 141
    and 143 are an end by SIGINT, by a closed pipe and by SIGTERM.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _replace_closed_streams()
    with _catch_signals() as caught:
        try:
            status = _run(given or ["--help"])
            sys.stdout.flush()
            return status
        except BaseException as error:
            status = _report(caught[0] if caught and error not in caught else error)
            _drop_output()
            return status


def _run(arguments: list[str]) -> int:
    """Run a command; return what it returns, if that is a number."""
    if "_IBIDEM_COMPLETE" in os.environ:  # a shell asks for completions
        app.main(arguments, prog_name="ibidem")
    try:
        with app.make_context("ibidem", arguments) as context:
            status = app.invoke(context)
            return status if isinstance(status, int) else 0
    except click.exceptions.Exit as error:  # after --help and the like
        return error.exit_code


def _replace_closed_streams() -> None:
    """Give a command streams for those that its caller has closed (`>&-`): an output that fails, errors that vanish.

    Without them Python would print errors on standard output.
    """
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


class _Terminated(BaseException):
    """The process is to end: SIGTERM."""


@contextmanager
def _catch_signals() -> Iterator[list[BaseException]]:
    """Turn SIGTERM and SIGINT into exceptions, so that everything that is open is closed and nothing is left behind.

    Yields those that were raised: a library that is interrupted may put an exception of its own in the place of one.
    """
    caught: list[BaseException] = []

    def end(number: int, _frame: object) -> None:
        caught.append(_Terminated() if number == signal.SIGTERM else KeyboardInterrupt())
        raise caught[-1]

    usual: dict[signal.Signals, Any] = {signal.SIGTERM: signal.SIG_DFL, signal.SIGINT: signal.default_int_handler}
    free = [one for one, handler in usual.items() if signal.getsignal(one) is handler]
    if current_thread() is not main_thread():
        free = []
    for one in free:
        signal.signal(one, end)
    try:
        yield caught
    finally:
        for one in free:
            signal.signal(one, usual[one])


def _report(error: BaseException) -> int:
    """Say on one line why a command ended; return the exit status."""
    notes = getattr(error, "__notes__", [])  # what can be done about it
    if isinstance(error, KeyboardInterrupt | click.Abort):
        if notes:
            say("; ".join(["interrupted", *notes]))
        return 130
    if isinstance(error, BrokenPipeError):  # the reader of the output has gone: `| head`
        return 141
    if isinstance(error, _Terminated):
        say("; ".join(["terminated", *notes]))
        return 143
    if isinstance(error, SystemExit) and not isinstance(error.code, str):
        return int(error.code or 0)
    if os.environ.get("IBIDEM_DEBUG"):
        traceback.print_exception(error)
    say(_describe(error))
    return 2


def _describe(error: BaseException) -> str:
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "ibidem"
        return f"{error.format_message().rstrip('.')}; see `{path} --help`"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.errno == errno.EBADF and error.filename is None:
        return "standard output is closed; open it, or give a file with --output"
    if isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename is not None else ""
        advice = "; make room and run it again" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        return f"{named}{error.strerror or error or type(error).__name__}{advice}"
    if isinstance(error, SystemExit):
        return str(error.code)
    return describe_fault(cast(Exception, error), "running the command", "the command line")


def _drop_output() -> None:
    """Drop what is still buffered for standard output, unless it can be written, so that its end causes no error."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
