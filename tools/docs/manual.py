"""Write the manual of the command line from the commands' help: `python -m tools.docs.manual > docs/cli.md`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ibidem.cli.main import app

_HEAD = """\
# The command line

This page is generated from the commands' help (`make docs`); `ibidem COMMAND --help` shows the same.

| exit status | meaning |
|---|---|
| 0 | done; items that failed have their error in the output or on standard error |
| 1 | done, but all items failed, or with `--strict` any of them (`ibidem data verify`: a file is missing or changed) |
| 2 | not done, for the reason on standard error: an unknown option, a missing file, a disk that is full |
| 130, 143 | ended by SIGINT (Ctrl-C), by SIGTERM |
| 141 | ended because nobody reads standard output any more (`\\| head`) |

A file that is written appears whole or not at all: until then what was there before is left alone. No command writes
to a file that it reads, under any name or link. Files that are read may be packed by gzip or xz, and are in UTF-8, or
in UTF-16 or UTF-32 with a byte order mark; a PDF or another binary file is refused. An output whose name ends in .gz or
.xz is packed. On a terminal, control characters in what is written are shown as escapes.
"""


def manual() -> str:
    """Return the manual as Markdown: a section per command, with a table of its options."""
    return "\n".join([_HEAD, *(_section(path, command) for path, command in commands())])


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its full name, such as `ibidem data list`, in the order of the help."""
    return _walk("ibidem", app)


def _walk(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        if inner := command.get_command(context, name):
            yield from _walk(f"{path} {name}", inner)


def _section(path: str, command: click.Command) -> str:
    options = [one for one in command.params if isinstance(one, click.Option)]
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    usage = " ".join([path, *(["[OPTIONS]"] if options else []), *map(_argument, arguments)])
    lines = [f"## `{path}`", "", "```", usage, "```", "", _paragraphs(command.help or ""), ""]
    if options:
        lines += ["| option | |", "|---|---|", *(f"| {_name(one)} | {_meaning(one)} |" for one in options), ""]
    return "\n".join(lines)


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def _argument(argument: click.Argument) -> str:
    return argument.metavar or (argument.name or "").upper()


def _name(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    return f"{names} `{option.metavar}`" if option.metavar else names


def _meaning(option: click.Option) -> str:
    text = " ".join((option.help or "").split()).replace("|", "\\|")
    return f"{text} [default: {option.default}]" if option.show_default else text


if __name__ == "__main__":
    print(manual(), end="")
