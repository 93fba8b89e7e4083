"""The command line: a group that loads a command's module when the command is used or help is shown.

A new command is a module `ibidem.cli.NAME` with a click command called NAME, and its name in `COMMANDS`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ibidem import __version__
from ibidem.cli.link_command import link
from ibidem.cli.options import PATH as _PATH
from ibidem.cli.options import format_option, style_option
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


@app.command()
@click.argument("source", metavar="IN", type=_PATH)
@click.argument("target", metavar="OUT", type=_PATH)
@format_option("--from", "-f", "read_as", help="The format of IN. [default: by its name]")
@format_option("--to", "-t", "write_as", help="The format of OUT. [default: by its name]")
@style_option
def convert(source: Path, target: Path, read_as: str | None, write_as: str | None, style: str) -> None:
    """Turn a file of records into another format.

    The formats of IN and OUT are guessed from their names (refs.bib, refs.json, refs.ris, refs.tei.xml, …, each also
    with .gz after it); - is standard input or output. An entry that cannot be read costs one entry; that, and what OUT
    cannot carry, is told of on standard error.
    """
    from ibidem.cli.convert import convert as work

    work(source, target, read_as, write_as, style)


@app.command()
@click.argument("records", type=_PATH)
@click.option("--output", "-o", metavar="FILE", type=_PATH, required=True, help="Where to write: .jsonl, .conll, .xml.")
@click.option(
    "--styles",
    "-s",
    metavar="STYLE",
    multiple=True,
    default=("all",),
    help="A public CSL style, a pattern of names, or a .csl file; may be repeated. [default: all]",
)
@click.option(
    "--count", "-n", metavar="N", type=click.IntRange(1), help="How many strings to make. [default: one a record]"
)
@click.option(
    "--noise",
    metavar="NOISE",
    default="none",
    show_default=True,
    help="none, light or heavy, and shares: light,ocr=0.01",
)
@click.option(
    "--locale",
    "-l",
    metavar="TAG",
    multiple=True,
    default=("own",),
    help="The language of the words that a style adds: de-DE, own or any; may be repeated. [default: own]",
)
@click.option("--journals", metavar="FILE", type=_PATH, help="A table name,abbreviation for styles that abbreviate.")
@click.option("--format", "-f", "form", metavar="FORMAT", help="The format, where the name does not say it.")
@click.option("--seed", metavar="N", default=1, show_default=True, help="The same seed gives the same strings.")
@click.option(
    "--jobs", "-j", metavar="N", type=click.IntRange(1), default=1, show_default=True, help="How many processes."
)
def synthesise(records: Path, output: Path, **options: Any) -> None:
    """Make labelled strings of records, for training.

    RECORDS is a file of records such as a BibTeX file, or `dblp`, `medline` or `bibliographies` of the public data.
    Every record is rendered through a style drawn from those asked for, with the labels of its fields, and disturbed as
    the noise says: missing, breaks, hyphens, ocr, typing, diacritics, typewriter and spacing are shares from 0 to 1.
    """
    from ibidem.cli.synthesising import SynthesisOptions, run

    run(records, output, SynthesisOptions(**options))


app.add_command(link)


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
