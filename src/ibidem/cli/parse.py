"""The command `ibidem parse`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ibidem.cli.options import (
    INPUT,
    Command,
    alternatives_option,
    files_argument,
    format_option,
    jobs_option,
    jsonl_option,
    model_option,
    output_option,
    pretty_option,
    quiet_option,
    resume_option,
    strict_option,
    style_option,
    task_option,
    text_key_option,
)


@click.command(cls=Command)
@files_argument
@click.option("--text", "-t", metavar="STRING", multiple=True, help="A reference to parse; may be repeated.")
@output_option
@pretty_option
@alternatives_option
@jobs_option(help="Number of processes.")
@model_option
@text_key_option
@jsonl_option
@format_option(
    "--format",
    "-f",
    "as_format",
    help="Write records in this format instead of fields: bibtex, ris, … [default: by the name of the output]",
)
@style_option
@click.option(
    "--journals",
    type=click.Choice(["full", "abbreviated", "as-is"]),
    default="as-is",
    show_default=True,
    help="How to write the names of journals in records.",
)
@click.option("--explain", is_flag=True, help="Show which constraints changed an answer, and what it was before.")
@click.option("--no-constraints", is_flag=True, help="Ignore the model's soft constraints.")
@click.option("--constraints", metavar="FILE", type=INPUT, help="Soft constraints to add to the model's, as TOML.")
@task_option(
    default="references",
    show_default=True,
    help="What is parsed; `ibidem sections` and `ibidem authors` do the others.",
)
@resume_option
@strict_option
@quiet_option
def parse(
    files: tuple[Path, ...],
    text: tuple[str, ...],
    output: Path | None,
    pretty: bool | None,
    text_key: str,
    jsonl: bool,
    as_format: str | None,
    style: str,
    journals: str,
    no_constraints: bool,
    constraints: Path | None,
    task: str,
    **options: Any,
) -> int:
    """Find the fields of reference strings.

    A FILE holds one reference per line, or one JSON object per line when it is named .jsonl; - is standard input, which
    is also read when there is neither a FILE nor a --text. Files may be packed by gzip or xz. Blank lines are skipped.

    Writes one JSON object per reference, in the order of the input: {"text", "fields": [{"label", "text", "start",
    "end", "confidence"}], "confidence"}, with "alternatives" and "change" when asked for. A reference that cannot be
    parsed has "error" in place of "fields"; the number of errors goes to standard error.

    With --format, writes normalised records in any format that `ibidem convert` can write, and so it does if the output
    is named like a file of records: refs.bib, refs.ris, … (but not .json and .txt, which hold fields as .jsonl does). A
    reference that cannot be parsed is skipped (--format jsonl keeps a line for it); that, and what the format cannot
    represent, is reported on standard error.
    """
    from ibidem.cli.convert import FormatOptions, format_by_name
    from ibidem.cli.inputs import Source
    from ibidem.cli.labelling import write_labelled
    from ibidem.labels.tasks import task_of

    if constraints and no_constraints:
        raise click.UsageError("--constraints and --no-constraints cannot go together")
    if as_format is None and output is not None and pretty is None and task == "references":
        as_format = format_by_name(output)
    records = FormatOptions(as_format, style, journals) if as_format else None
    source = Source(text, files, text_key, jsonl, task_of(task))
    options["constraints"] = constraints or not no_constraints
    return write_labelled(source, output, pretty=pretty, records=records, **options)
