"""The command line: each command reads its options, calls one public verb and shows what came of it.

Whatever a command does not need stays unimported: a person waits for `ibidem parse -t` to start.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from ibidem.cli.data import data
from ibidem.cli.document_commands import authors, sections
from ibidem.cli.link import link
from ibidem.cli.options import PATH as _PATH
from ibidem.cli.options import jsonl_option, model_option, text_key_option
from ibidem.cli.segment_command import segment
from ibidem.errors import IbidemError

_TASKS = ("references", "sections", "authors")
task_option = partial(click.option, "--task", type=click.Choice(_TASKS))
format_option = partial(click.option, metavar="FORMAT")
style_option = click.option(
    "--style",
    metavar="STYLE",
    default="apa",
    show_default=True,
    help="The CSL style of markdown, html and text: a name, or a .csl file.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="ibidem", message="%(prog)s %(version)s")
def app() -> None:
    """Turn reference strings into a citation database, and say how sure each field is."""


@app.command()
@click.argument("files", metavar="[FILE]...", nargs=-1, type=_PATH)
@click.option("--text", "-t", metavar="STRING", multiple=True, help="A reference to parse; may be repeated.")
@click.option("--output", "-o", metavar="FILE", type=_PATH, help="Write here instead of standard output.")
@click.option(
    "--pretty/--json",
    default=None,
    help="Draw the fields in colour, or write JSON Lines. [default: --pretty on a terminal]",
)
@click.option(
    "--alternatives",
    "-k",
    metavar="K",
    type=click.IntRange(0, 1000),
    default=0,
    show_default=True,
    help="Give the K next best readings as well.",
)
@click.option(
    "--jobs",
    "-j",
    metavar="N",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many processes to parse with.",
)
@model_option
@text_key_option
@jsonl_option
@format_option("--format", "-f", "as_format", help="Write records in this format instead of the fields: bibtex, ris, …")
@style_option
@click.option(
    "--journals",
    type=click.Choice(["full", "abbreviated", "as-is"]),
    default="as-is",
    show_default=True,
    help="How to write the names of journals in records.",
)
@click.option("--explain", is_flag=True, help="Say which constraints changed an answer, and what it was before.")
@click.option("--no-constraints", is_flag=True, help="Leave the model's soft constraints aside.")
@click.option(
    "--constraints", metavar="FILE", type=_PATH, help="A TOML file with constraints to keep beside the model's own."
)
@task_option(default="references", show_default=True, help="What is parsed; others as `ibidem sections` or `authors`.")
def parse(
    files: tuple[Path, ...],
    text: tuple[str, ...],
    output: Path | None,
    pretty: bool | None,
    alternatives: int,
    jobs: int,
    model: str | None,
    text_key: str,
    jsonl: bool,
    as_format: str | None,
    style: str,
    journals: str,
    explain: bool,
    no_constraints: bool,
    constraints: Path | None,
    task: str,
) -> None:
    """Find the fields of reference strings.

    A FILE holds one reference per line, or one JSON object per line when it is named .jsonl; - is standard input, which
    is also read when there is neither a FILE nor a --text.

    Writes one JSON object per reference, in the order of the input: {"text", "fields": [{"label", "text", "start",
    "end", "confidence"}], "confidence"}, with "alternatives" and "change" when asked for. A reference that cannot be
    parsed has "error" in place of "fields"; the others are answered all the same, and the number of errors goes to
    standard error.

    With --format, writes normalised records in any format that `ibidem convert` can write; a reference that cannot be
    parsed, and what the format cannot carry, is told of on standard error. With --format jsonl every reference has its
    line all the same.
    """
    from ibidem.cli.labelling import source_of, verb_of
    from ibidem.cli.parsing import run

    wish = None
    if as_format is not None:
        from ibidem.cli.convert import FormatOptions

        wish = FormatOptions(as_format, style, journals)
    source = source_of(task, text, files, text_key, jsonl)
    if constraints and no_constraints:
        raise click.UsageError("--constraints and --no-constraints cannot go together")
    limits = constraints or not no_constraints
    verb = verb_of(task, model, alternatives, jobs, explain=explain, constraints=limits)
    run(source, verb, output, pretty, wish)


app.add_command(sections)
app.add_command(authors)


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


app.add_command(link)
app.add_command(segment)


@app.command()
@click.argument("recipe", type=_PATH)
@click.option("--output", "-o", metavar="PATH", type=_PATH, help="Where to write the model. [default: the recipe's]")
@task_option(help="What the recipe must be for. [default: whatever it says]")
@click.option("--silver", is_flag=True, help="RECIPE is a file that `ibidem segment` wrote: learn from its segments.")
def train(recipe: Path, output: Path | None, task: str | None, silver: bool) -> None:
    """Train a model and write it to a file.

    RECIPE is a TOML file: data, features and settings.
    """
    import ibidem

    ibidem.train(recipe, output, progress=partial(print, file=sys.stderr, flush=True), task=task, silver=silver)


@app.command()
@click.argument("model")
@click.argument("dataset")
@click.option(
    "--split", "-s", metavar="SPLIT", help="The part to score on. [default: dev of a dataset, the whole of a file]"
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
@task_option(help="Which model `default` is, and what MODEL must be for. [default: references, or what MODEL is for]")
def evaluate(model: str, dataset: str, split: str | None, as_json: bool, task: str | None) -> None:
    """Score a model on a dataset or a file of labelled strings.

    Whole references come first, then fields.

    MODEL is a file that `ibidem train` wrote, or `default` for the model that ships. DATASET is a name that
    `ibidem data list` shows, or a file of labelled strings (.jsonl, .conll, .xml).
    """
    import ibidem
    from ibidem.cli.tables import show_report

    chosen = None if model == "default" else model
    show_report(ibidem.evaluate(chosen, dataset, split, task=task), as_json=as_json)


@app.command()
@click.argument("model", default="default")
@click.option("--on", metavar="FILE", type=_PATH, help="References to look through for examples, one per line.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
def constraints(model: str, on: Path | None, as_json: bool) -> None:
    """Show in words what a model believes of whole references.

    MODEL is a file that `ibidem train` wrote, or `default` for the model that ships. The soft constraints come with
    what breaking each costs (the highest first), how many times as often as the truth the model alone breaks it, how
    often it broke it and how often the constraint had a part in an answer, on the strings it was learnt on. With --on,
    also with a reference of FILE whose answer it changed: before and after.
    """
    from ibidem.cli.constraint_report import show

    show(None if model == "default" else model, on, as_json=as_json)


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


@app.command()
def doctor() -> None:
    """Say what is installed and in use: kernels, model, data."""
    from ibidem.cli.doctor import findings
    from ibidem.cli.tables import show_pairs

    show_pairs(findings())


app.add_command(data)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status of a command line: 0 for success, 2 with one line on standard error for a mistake."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = app.main(given or ["--help"], prog_name="ibidem", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except IbidemError as error:
        return _complain(str(error))
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "ibidem"
        return _complain(f"{error.format_message().rstrip('.')}; see `{path} --help`")
    except click.ClickException as error:
        return _complain(error.format_message())
    except OSError as error:
        return _complain(str(error))
    except (KeyboardInterrupt, click.Abort):
        return 130


def _complain(message: str) -> int:
    shown = " ".join(message.encode("utf-8", "backslashreplace").decode("utf-8").split())
    print(f"ibidem: {shown}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
