"""The command line: a group that loads a command's module when the command is used or help is shown.

A new command is a module `ibidem.cli.NAME` with a click command called NAME, and its name in `COMMANDS`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from ibidem import __version__
from ibidem.errors import IbidemError

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
    """Run a command line; return 0 for success, or 2 after one line on standard error for an error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = app.main(given or ["--help"], prog_name="ibidem", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except IbidemError as error:
        return _report_error(str(error))
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "ibidem"
        return _report_error(f"{error.format_message().rstrip('.')}; see `{path} --help`")
    except click.ClickException as error:
        return _report_error(error.format_message())
    except OSError as error:
        return _report_error(str(error))
    except (KeyboardInterrupt, click.Abort):
        return 130


def _report_error(message: str) -> int:
    """Print a message on one line of standard error; return the exit status."""
    shown = " ".join(message.encode("utf-8", "backslashreplace").decode("utf-8").split())
    print(f"ibidem: {shown}", file=sys.stderr)
    return 2
