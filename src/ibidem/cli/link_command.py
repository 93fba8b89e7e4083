"""The command `ibidem link`: its options and its help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ibidem.cli.options import PATH, jsonl_option, model_option, text_key_option


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1, type=PATH)
@click.option("--output", "-o", metavar="FILE", type=PATH, help="Write here instead of standard output.")
@click.option(
    "--threshold",
    metavar="P",
    type=float,
    help="How likely two works must be one to be joined: higher is more careful. What it does to precision and recall"
    " on the dev set is told on standard error. [default: the one that the model of pairs learnt]",
)
@click.option(
    "--db",
    "database",
    metavar="FILE",
    type=PATH,
    help="Keep references, works and links in a DuckDB database, which linking goes on from: after a break, or with"
    " further files. Works are written only where --output is given.",
)
@click.option(
    "--explain",
    metavar="A B",
    type=click.IntRange(1),
    nargs=2,
    help="Write no works, but say why references A and B, counted from 1, are one work or two.",
)
@click.option(
    "--readings",
    metavar="N",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="Ways to read each string that are looked at; members then carry the way that goes best with their work.",
)
@model_option
@click.option("--pair-model", metavar="FILE", type=PATH, help="The model of pairs. [default: the one that ships]")
@text_key_option
@jsonl_option
@click.option(
    "--jobs", "-j", metavar="N", type=click.IntRange(1), default=1, show_default=True, help="Processes to parse with."
)
def link(files: tuple[Path, ...], **options: Any) -> None:
    """Find out which references mean the same work.

    A FILE holds one reference per line, or one JSON object per line when it is named .jsonl: a record, what `ibidem
    parse` wrote, or any object with the reference under the key "text"; or records, by the ending of its name: BibTeX,
    CSL-JSON (.json) and what else `ibidem convert` reads. - is standard input, which is also read when there is no
    FILE. Empty lines are passed over.

    Writes one JSON object per work, in the order of their first references: {"work", "confidence", "record", "sources",
    "members": [{"number", "nearest", "probability", "record"}]}. "record" is the work's own, put together from those of
    its members; "sources" says for each of its entries which reference it is from. References are numbered from 1.
    "nearest" is the member that a member is most surely one with, and "probability" that of the two being one work.
    """
    from ibidem.cli.linking import LinkOptions, run

    run(LinkOptions(files, **options))
