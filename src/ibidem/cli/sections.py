"""The command `ibidem sections`."""

from __future__ import annotations

from typing import Any

import click

from ibidem.cli.options import Command, document_options


@click.command(cls=Command)
@document_options
def sections(**options: Any) -> int:
    """Find the role of each heading of a paper.

    A FILE holds the headings of papers in order, one per line, with an empty line between two papers; or one JSON
    object per line (.jsonl) or one JSON value (.json), where a paper is a list of headings or an object that has it
    under "headings". - is standard input, which is also read when there is neither a FILE nor a --text.

    Writes one JSON object per paper: {"text", "fields": [{"label", "text", "start", "end", "confidence"}],
    "confidence"}, a field per heading with its role as label. A paper that cannot be read has "error" in place of
    "fields".
    """
    from ibidem.cli.labelling import label_documents

    return label_documents("sections", **options)
