"""The commands `ibidem sections` and `ibidem authors`: their options and their help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ibidem.cli.options import PATH, jsonl_option, model_option


def documents(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options that commands for documents have."""
    options = (
        click.argument("files", metavar="[FILE]...", nargs=-1, type=PATH),
        click.option("--text", "-t", metavar="STRING", multiple=True, help="A document itself; may be repeated."),
        click.option("--output", "-o", metavar="FILE", type=PATH, help="Write here instead of standard output."),
        click.option(
            "--pretty/--json",
            default=None,
            help="Draw for people, or write JSON Lines. [default: --pretty on a terminal]",
        ),
        click.option(
            "--alternatives",
            "-k",
            metavar="K",
            type=click.IntRange(0, 1000),
            default=0,
            help="The K next best readings.",
        ),
        click.option("--jobs", "-j", metavar="N", type=click.IntRange(1), default=1, help="How many processes to use."),
        model_option,
        click.option(
            "--key", metavar="KEY", help="The key that holds a document in JSON objects. [default: see above]"
        ),
        jsonl_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@documents
def sections(**options: Any) -> None:
    """Say the role of each heading of a paper.

    A FILE holds the headings of papers in order, one to a line, with a blank line between two papers; or a JSON object
    a line (.jsonl) or one JSON value (.json), where a paper is a list of headings or an object that has it under
    "headings". - is standard input, which is also read when there is neither a FILE nor a --text.

    Writes one JSON object per paper: {"text", "fields": [{"label", "text", "start", "end", "confidence"}],
    "confidence"}, a field per heading, its role as label. A paper that cannot be read has "error" in place of "fields".
    """
    from ibidem.cli.labelling import label

    label("sections", options)


@click.command()
@documents
def authors(**options: Any) -> None:
    """Find authors, affiliations and who belongs where.

    A FILE holds the author and affiliation lines of headers as they are printed, with a blank line between two headers;
    or a JSON object a line (.jsonl) or one JSON value (.json), where a header is a string, a list of lines, or an
    object that has it under "text". - is standard input, which is also read when there is neither a FILE nor a --text.

    Writes one JSON object per header, as `ibidem parse` does, with "links": [{"author", "affiliation", "by"}], places
    among the fields. A header that cannot be read has "error" in place of "fields".
    """
    from ibidem.cli.labelling import label

    label("authors", options)
