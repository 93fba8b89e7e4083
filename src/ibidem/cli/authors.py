"""The command `ibidem authors`."""

from __future__ import annotations

from typing import Any

import click

from ibidem.cli.options import Command, document_options


@click.command(cls=Command)
@document_options
def authors(**options: Any) -> int:
    """Find authors, affiliations and which belong together.

    A FILE holds the author and affiliation lines of headers as they are printed, with an empty line between two
    headers; or one JSON object per line (.jsonl) or one JSON value (.json), where a header is a string, a list of
    lines, or an object that has it under "text". - is standard input, which is also read when there is neither a FILE
    nor a --text.

    Writes one JSON object per header, as `ibidem parse` does, with "links": [{"author", "affiliation", "by"}], where
    an author and an affiliation are indices into the fields. A header that cannot be read has "error" in place of
    "fields".
    """
    from ibidem.cli.labelling import label_documents

    return label_documents("authors", **options)
